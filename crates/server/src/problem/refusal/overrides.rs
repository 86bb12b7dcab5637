//! Refusals of overrides, as problems.

use super::{changed, lacks, unavailable};
use crate::problem::{Problem, ProblemCode};
use wiiiv_gate::EvidenceError;
use wiiiv_governor::OverrideError;
use wiiiv_store::OverrideRefused;

impl From<OverrideError> for Problem {
    fn from(error: OverrideError) -> Self {
        match error {
            OverrideError::NotFound => ProblemCode::NotFound.into(),
            OverrideError::NotAllowed(roles) => lacks(roles),
            OverrideError::Policy(error) => error.into(),
            OverrideError::Refused(refused) => refused.into(),
        }
    }
}

impl From<OverrideRefused> for Problem {
    fn from(refused: OverrideRefused) -> Self {
        match refused {
            OverrideRefused::Stale { current } => changed(&current),
            OverrideRefused::Open => ProblemCode::OverrideOpen.into(),
            OverrideRefused::Gone => ProblemCode::OverrideGone.into(),
            OverrideRefused::NotProven(error) => not_proven(&error),
            OverrideRefused::Store(error) => error.into(),
        }
    }
}

fn not_proven(error: &EvidenceError) -> Problem {
    match error {
        EvidenceError::StageEdited => ProblemCode::StageNotEdited.into(),
        EvidenceError::OverrideRuns => ProblemCode::OverrideRuns.into(),
        EvidenceError::NoOverride => ProblemCode::OverrideGone.into(),
        EvidenceError::QuorumLowered => ProblemCode::QuorumLowered.into(),
        EvidenceError::SamePerson => ProblemCode::OverrideSamePerson.into(),
        EvidenceError::NotAllowed => lacks(&["owner", "approver"]),
        EvidenceError::OverrideTime => Problem::field("ttl_seconds", error.to_string()),
        EvidenceError::Policy(error) => Problem::field("policy", error.to_string()),
        EvidenceError::OtherSubject
        | EvidenceError::Foreign
        | EvidenceError::OtherProject
        | EvidenceError::StaleDigest
        | EvidenceError::Expired { .. }
        | EvidenceError::Opinions(_)
        | EvidenceError::Undigestible => unavailable(error),
    }
}
