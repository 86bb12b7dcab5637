//! One step of the flow for the decision strip: a proposal, a review or a ruling.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{
    BlueprintDigest, FlowInput, NotDrawn, ProposalOutcome, RulingOutcome, RunOutcome,
};

#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct FlowStep {
    /// `signal`, `proposed`, `verdict`, `shadowed`, `drawn`, `not_drawable`, `approved`, `refused`,
    /// `expired`, `edited`, `ruling`, `regrounded` or `finished`.
    pub input: &'static str,
    /// What it came to, by its kind: the signal, the proposed action, the consensus, who is asked,
    /// the ruling, the run's outcome.
    pub outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
    /// How sure the built-in model was of what it proposed, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 100)]
    pub confidence: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blueprint: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Uuid>,
}

impl FlowStep {
    fn named(input: &'static str, outcome: Option<&'static str>) -> Self {
        Self { input, outcome, ..Self::default() }
    }

    pub(crate) fn of(input: &FlowInput) -> Self {
        let named = Self::named;
        let answered = |input, digest: &BlueprintDigest| Self {
            digest: Some(digest.to_string()),
            ..named(input, None)
        };
        match input {
            FlowInput::Signal(signal) => named("signal", Some(signal.signal.as_str())),
            FlowInput::Proposed { outcome, .. } => proposed(outcome),
            FlowInput::Verdict { consensus, concerns, .. } => {
                Self { codes: concerns.clone(), ..named("verdict", Some(consensus.as_str())) }
            }
            FlowInput::Shadowed { consensus, .. } => named("shadowed", Some(consensus.as_str())),
            FlowInput::Drawn { blueprint, digest, asks, .. } => Self {
                blueprint: Some(blueprint.uuid()),
                digest: Some(digest.to_string()),
                ..named("drawn", Some(asks.as_str()))
            },
            FlowInput::NotDrawable { reasons, .. } => {
                let codes = reasons.iter().filter_map(refusal).collect();
                Self { codes, ..named("not_drawable", None) }
            }
            FlowInput::Approved { digest } => answered("approved", digest),
            FlowInput::Refused { digest } => answered("refused", digest),
            FlowInput::Expired { digest } => answered("expired", digest),
            FlowInput::Edited { digest, .. } => answered("edited", digest),
            FlowInput::Ruling { digest, ruling } => {
                Self { digest: Some(digest.to_string()), ..ruled(ruling) }
            }
            FlowInput::Regrounded { .. } => named("regrounded", None),
            FlowInput::Finished { execution, outcome } => {
                Self { execution: Some(execution.uuid()), ..finished(outcome) }
            }
        }
    }
}

fn refusal(reason: &NotDrawn) -> Option<String> {
    match reason {
        NotDrawn::Denied { code, .. } => Some(code.to_string()),
        NotDrawn::Slot { code, .. } => Some(code.clone()),
        NotDrawn::NoExecutor { .. } | NotDrawn::OutsideEnvelope { .. } => None,
    }
}

fn proposed(outcome: &ProposalOutcome) -> FlowStep {
    let step = |outcome| FlowStep::named("proposed", Some(outcome));
    match outcome {
        ProposalOutcome::Proposal { proposal } => FlowStep {
            task_type: Some(proposal.task_type.to_string()),
            confidence: proposal.confidence,
            ..step(proposal.action.as_str())
        },
        ProposalOutcome::Failed { .. } => step("failed"),
        ProposalOutcome::Told { .. } => step("told"),
    }
}

fn ruled(ruling: &RulingOutcome) -> FlowStep {
    let step = |outcome| FlowStep::named("ruling", Some(outcome));
    match ruling {
        RulingOutcome::Allow { execution } => {
            FlowStep { execution: Some(execution.uuid()), ..step("allow") }
        }
        RulingOutcome::Deny { codes, .. } => {
            FlowStep { codes: codes.iter().map(ToString::to_string).collect(), ..step("deny") }
        }
        RulingOutcome::Unavailable => step("unavailable"),
    }
}

fn finished(outcome: &RunOutcome) -> FlowStep {
    let (name, code) = run_outcome(outcome);
    let codes = code.into_iter().map(str::to_owned).collect();
    FlowStep { codes, ..FlowStep::named("finished", Some(name)) }
}

/// Its name, and why it failed.
pub(crate) fn run_outcome(outcome: &RunOutcome) -> (&'static str, Option<&str>) {
    match outcome {
        RunOutcome::Succeeded => ("succeeded", None),
        RunOutcome::Failed { code } => ("failed", Some(code)),
        RunOutcome::Cancelled => ("cancelled", None),
        RunOutcome::Indeterminate => ("indeterminate", None),
    }
}
