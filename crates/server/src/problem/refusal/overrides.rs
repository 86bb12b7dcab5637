//! Refusals of overrides, as problems.

use super::{lacks, unavailable};
use crate::problem::{Problem, ProblemCode};
use wiiiv_gate::EvidenceError;
use wiiiv_governor::OverrideError;
use wiiiv_store::{OverrideRefused, StoreError};

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
            // Of a proposal that was let in: no `If-Match` that could be sent anew makes it fit. One that
            // names an old version is refused before, as an edit is.
            OverrideRefused::Stale { current } => {
                Self::new(ProblemCode::OverrideOutdated).with("current", current.to_string())
            }
            OverrideRefused::Open => ProblemCode::OverrideOpen.into(),
            OverrideRefused::Gone => ProblemCode::OverrideGone.into(),
            OverrideRefused::NotProven(error) => not_proven(&error),
            // Taken away since the request was let in: whoever asks sees the override.
            OverrideRefused::Store(StoreError::AuthorityGone) => ProblemCode::Forbidden.into(),
            OverrideRefused::Store(error) => error.into(),
        }
    }
}

fn not_proven(error: &EvidenceError) -> Problem {
    match error {
        EvidenceError::StageEdited => ProblemCode::StageNotEdited.into(),
        EvidenceError::OverrideRuns => ProblemCode::OverrideRuns.into(),
        EvidenceError::NoOverride => ProblemCode::OverrideGone.into(),
        EvidenceError::OverrideUnchanged => ProblemCode::OverrideUnchanged.into(),
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
        | EvidenceError::Window
        | EvidenceError::Opinions(_)
        | EvidenceError::Undigestible => unavailable(error),
    }
}

#[cfg(test)]
mod tests {
    use super::{OverrideRefused, Problem, ProblemCode, StoreError};

    #[test]
    fn somebody_who_lost_the_right_meanwhile_is_told_so() {
        let lost = Problem::from(OverrideRefused::Store(StoreError::AuthorityGone));
        assert_eq!(lost.code(), ProblemCode::Forbidden);
    }
}
