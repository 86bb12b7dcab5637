//! Refusals of profiles, as problems.

use super::{changed, lacks};
use crate::problem::{Problem, ProblemCode, advice::PROFILE_CHANGE};
use wiiiv_domain::ProfileFault;
use wiiiv_store::{ProfileRefused, StoreError};

impl From<ProfileFault> for Problem {
    fn from(fault: ProfileFault) -> Self {
        match fault {
            ProfileFault::NotPending => Self::new(ProblemCode::NotFound).with("of", PROFILE_CHANGE),
            fault => Self::field("changes", fault.to_string()),
        }
    }
}

impl From<ProfileRefused> for Problem {
    fn from(refused: ProfileRefused) -> Self {
        match refused {
            ProfileRefused::Stale { current } => changed(&current),
            ProfileRefused::Fault(fault) => fault.into(),
            ProfileRefused::NotAllowed => lacks(&["owner", "editor"]),
            ProfileRefused::NoVersion => ProblemCode::NotFound.into(),
            // Taken away since the request was let in: whoever asks sees the project.
            ProfileRefused::Store(StoreError::AuthorityGone) => ProblemCode::Forbidden.into(),
            ProfileRefused::Store(error) => error.into(),
        }
    }
}
