//! Why a plan was allowed or denied, and what can be done about it.

use super::{forecast::GateLabel, localized::LocalizedText};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Consensus, DacsResult, DacsStage, Opinion, Persona, Vote};

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PolicyRef {
    pub id: Uuid,
    pub number: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpinionView {
    /// `architect`, `reviewer` or `adversary`.
    pub persona: &'static str,
    /// `APPROVE`, `ABSTAIN` or `REJECT`.
    pub vote: &'static str,
    /// Of its concerns.
    pub codes: Vec<String>,
    pub reasons: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DacsView {
    /// `YES`, `REVISION` or `NO`.
    pub consensus: &'static str,
    /// Of the policy version that the plan was drawn under: `observe` or `enforce`.
    pub stage: &'static str,
    pub opinions: Vec<OpinionView>,
}

impl DacsView {
    pub(crate) fn of(result: &DacsResult, stage: DacsStage) -> Self {
        Self {
            consensus: match result.consensus {
                Consensus::Yes => "YES",
                Consensus::Revision => "REVISION",
                Consensus::No => "NO",
            },
            stage: match stage {
                DacsStage::Observe => "observe",
                DacsStage::Enforce => "enforce",
            },
            opinions: result.opinions.iter().map(OpinionView::from).collect(),
        }
    }
}

impl From<&Opinion> for OpinionView {
    fn from(opinion: &Opinion) -> Self {
        let reason = Some(opinion.reason.clone()).filter(|reason| !reason.is_empty());
        Self {
            persona: match opinion.persona {
                Persona::Architect => "architect",
                Persona::Reviewer => "reviewer",
                Persona::Adversary => "adversary",
            },
            vote: match opinion.vote {
                Vote::Approve => "APPROVE",
                Vote::Abstain => "ABSTAIN",
                Vote::Reject => "REJECT",
            },
            codes: opinion.concerns.clone(),
            reasons: reason.into_iter().collect(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ruled {
    Allow,
    Deny,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SubjectKind {
    Blueprint,
    Step,
}

/// What was ruled on.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SubjectView {
    pub kind: SubjectKind,
    /// Of a step.
    pub step: Option<String>,
    /// From 1, of a step.
    pub attempt: Option<u32>,
    /// That was begun, or would have been.
    pub execution: Option<Uuid>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RuledGate {
    pub gate: GateLabel,
    pub answer: Ruled,
    /// Why not.
    pub code: Option<&'static str>,
    /// What the answer rests on, as the audit has it.
    #[schema(value_type = Object)]
    pub facts: Value,
}

/// The smallest change of the policy that would allow it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct PolicyAddition {
    /// A list of the policy, e.g. `allowedHosts`.
    pub field: &'static str,
    /// What is added to it.
    #[schema(value_type = Value)]
    pub add: Value,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdviceView {
    pub code: &'static str,
    /// What each of three people can do about it.
    pub user: LocalizedText,
    pub operator: LocalizedText,
    pub administrator: LocalizedText,
    /// `null` where no line of the policy would do, or the policy has it by now.
    pub change: Option<PolicyAddition>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RulingView {
    /// Of its record in the project's audit.
    pub seq: u64,
    pub at: String,
    pub subject: SubjectView,
    pub outcome: Ruled,
    /// Those that this kind of subject is asked of, in the order of the record.
    pub gates: Vec<RuledGate>,
    pub advice: Vec<AdviceView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WhyView {
    pub blueprint: Uuid,
    pub digest: String,
    pub task_type: String,
    /// The greatest of its steps: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    /// That it was drawn under.
    pub policy: PolicyRef,
    pub dacs: DacsView,
    /// Oldest first; empty before anything was ruled.
    pub decisions: Vec<RulingView>,
}
