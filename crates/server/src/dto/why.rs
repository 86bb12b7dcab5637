//! Wire form of a decision: why a plan was allowed or denied, and what to do about it.

use super::{
    answer::AnswerCheckView,
    approval::{RevokedView, StateName, YesView},
    decision::{
        EnoughView, ModelCallView, PanelView, PolicyRef, RequestView, RiskNote, VersionsView,
    },
    edit::EditView,
    forecast::GateLabel,
    localized::LocalizedText,
    mirror::mirror,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Consensus, DacsStage, Opinion, Persona, ReviewingModel, Vote};
use wiiiv_gate::Decision;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpinionView {
    /// `architect`, `reviewer` or `adversary`.
    #[schema(value_type = String)]
    pub persona: Persona,
    /// `APPROVE`, `ABSTAIN` or `REJECT`.
    #[schema(value_type = String)]
    pub vote: Vote,
    /// Of its concerns.
    pub codes: Vec<String>,
    /// What they mean, as far as this server's rules still have them.
    pub reasons: Vec<LocalizedText>,
    /// `PROVIDER:model` of a model persona; `null` of a rule persona.
    pub model: Option<String>,
    /// The model's own words; `null` of a rule persona, and where they are not kept any more.
    pub said: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DacsView {
    /// `YES`, `REVISION` or `NO`.
    #[schema(value_type = String)]
    pub consensus: Consensus,
    /// `observe` or `enforce`: of the policy version that the plan was drawn under; before there is a plan, as far
    /// as its record tells.
    #[schema(value_type = Option<String>)]
    pub stage: Option<DacsStage>,
    /// Who was asked; `null` where nothing of it is on record.
    pub panel: Option<PanelView>,
    /// Hash of the rules that the rule personas voted by.
    pub rules: Option<String>,
    /// The inputs of the consensus: without any it is REVISION, any REJECT makes it NO, else any ABSTAIN
    /// makes it REVISION, and where all APPROVE it is YES; of rules and models the more severe counts.
    pub opinions: Vec<OpinionView>,
}

impl OpinionView {
    pub(crate) fn of(
        persona: Persona,
        vote: Vote,
        codes: &[String],
        meaning: impl Fn(&str) -> Option<LocalizedText>,
    ) -> Self {
        Self {
            persona,
            vote,
            reasons: codes.iter().filter_map(|code| meaning(code)).collect(),
            codes: codes.to_vec(),
            model: None,
            said: None,
        }
    }

    /// Those of model personas, behind those of the rules.
    pub(crate) fn of_models(
        by: Option<&ReviewingModel>,
        opinions: &[Opinion],
        meaning: impl Fn(&str) -> Option<LocalizedText> + Copy,
    ) -> Vec<Self> {
        let named = |by: &ReviewingModel| format!("{}:{}", by.provider, by.model);
        let model = by.map_or_else(String::new, named);
        let view = |o: &Opinion| Self {
            model: Some(model.clone()),
            said: Some(o.reason.clone()).filter(|said| !said.is_empty()),
            ..Self::of(o.persona, o.vote, &o.concerns, meaning)
        };
        opinions.iter().map(view).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ruled {
    Allow,
    Deny,
}

mirror!(Decision => Ruled: Allow, Deny);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SubjectKind {
    Blueprint,
    Step,
    ModelCall,
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
    /// `PROVIDER:model`, of a model call.
    pub model: Option<String>,
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

/// The fine rule that forbids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RuleView {
    /// Its `@id`.
    pub id: String,
    /// Its `@advice` as the policy in force has it; `null` where it has none, or the rule is gone.
    pub advice: Option<LocalizedText>,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct AdviceView {
    /// Of a gate, or of a reviewer's concern.
    pub code: String,
    /// What it means.
    pub text: LocalizedText,
    /// What each of three people can do about it.
    pub user: LocalizedText,
    pub operator: LocalizedText,
    pub administrator: LocalizedText,
    /// `null` where no line of the policy would do, or the policy has it by now.
    pub change: Option<PolicyAddition>,
    /// `null` where no fine rule forbids it.
    pub rule: Option<RuleView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RulingView {
    /// Of its record in the project's audit.
    pub seq: u64,
    pub at: String,
    pub subject: SubjectView,
    pub outcome: Ruled,
    /// The score of the session's risk signals at that time, in points.
    pub risk_score: u32,
    /// Those that this kind of subject is asked of, in the order of the record.
    pub gates: Vec<RuledGate>,
    pub advice: Vec<AdviceView>,
    /// `null` of what was allowed.
    pub enough: Option<EnoughView>,
}

/// A question about the plan, and whoever answered it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnsweredView {
    pub approval: Uuid,
    pub state: StateName,
    /// Who has approved it, oldest first, the last one included.
    pub approved_by: Vec<YesView>,
    /// Who decided it in the end; `null` where nobody has.
    pub decided_by: Option<Uuid>,
    pub decided_by_name: Option<String>,
    pub decided_at: Option<String>,
    /// Whose right that person used, where it is another person's.
    pub on_behalf_of: Option<Uuid>,
    pub on_behalf_of_name: Option<String>,
    /// A yes to it was taken back while the plan's execution went on.
    pub revoked: Option<RevokedView>,
}

/// A yes that was said beforehand, and that the plan's run used.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RestsOnView {
    pub grant: Uuid,
    pub granter: Uuid,
    pub granter_name: Option<String>,
    /// So many of its uses.
    pub taken: u32,
    pub at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WhyView {
    pub blueprint: Uuid,
    pub digest: String,
    pub requester: Uuid,
    pub requester_name: String,
    /// Questions that were put about it, newest first; empty where policy asks nobody.
    pub approvals: Vec<AnsweredView>,
    /// What was changed in plans of its task in place of an answer, the oldest first.
    pub edits: Vec<EditView>,
    /// Yeses said beforehand that it rests on.
    pub grants: Vec<RestsOnView>,
    pub task_type: String,
    /// The greatest of its steps: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    /// The plan's text and its salt are no longer kept: its structure, digests and codes are.
    pub erased: bool,
    /// `null` where its turn is not on record under the task's id: of a further job of one message.
    pub request: Option<RequestView>,
    /// Of what was wanted, in whole.
    pub spec: String,
    pub risk: RiskNote,
    /// That it was drawn under.
    pub policy: PolicyRef,
    pub versions: VersionsView,
    /// Of models, in all turns of its task, in order.
    pub calls: Vec<ModelCallView>,
    pub dacs: DacsView,
    /// Oldest first; empty before anything was ruled.
    pub decisions: Vec<RulingView>,
}

/// One look at what was wanted, and what it came to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewView {
    /// Of its event in the session: the mark of the decision strip.
    pub seq: u64,
    pub at: String,
    /// Of its record in the project's audit; `null` where none is found.
    pub record: Option<u64>,
    /// `verdict`, `shadowed` or `not_drawable`.
    pub outcome: &'static str,
    /// Of what was wanted, in whole.
    pub spec: String,
    /// `null` where what was wanted cannot be told from the journal any more.
    pub task_type: Option<String>,
    /// The greatest that was wanted: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: Option<&'static str>,
    pub risk: RiskNote,
    /// `null` where no opinions are recorded.
    pub dacs: Option<DacsView>,
    /// That was drawn from it.
    pub blueprint: Option<Uuid>,
    /// What can be done; empty where it went further.
    pub advice: Vec<AdviceView>,
}

/// Why a turn went as it did, also where it came to no plan. To whoever did not begin the conversation it holds
/// no word of it: codes, digests and votes, and no line of a policy that the request's own words made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TurnWhyView {
    pub session: Uuid,
    pub turn: Uuid,
    /// In force now: `change` is measured against it.
    pub policy: PolicyRef,
    /// `null` where its records are not found.
    pub request: Option<RequestView>,
    /// How the turn ended, as its record has it; `null` before.
    pub outcome: Option<String>,
    /// In order; empty where no model was asked.
    pub calls: Vec<ModelCallView>,
    /// Answers in words that were looked at before they were given, in order; empty where the policy asks for no check.
    pub answers: Vec<AnswerCheckView>,
    /// On model calls, oldest first.
    pub decisions: Vec<RulingView>,
    pub versions: VersionsView,
    /// In order; empty where nothing was reviewed.
    pub reviews: Vec<ReviewView>,
}
