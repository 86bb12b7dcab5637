//! What the rooms below refuse, as problems. Their own words go to the log: they may speak of
//! files and databases.

use crate::problem::{Problem, ProblemCode};
use wiiiv_governor::{DecideError, PolicyChangeError, ResolveError, SubmitError};
use wiiiv_store::{AccountError, ExportError, MemberError, ProjectError, SetupError, StoreError};

fn unavailable(why: &dyn std::fmt::Display) -> Problem {
    tracing::error!(error = %why, "nothing was decided");
    ProblemCode::Unavailable.into()
}

fn internal(why: &dyn std::fmt::Display) -> Problem {
    tracing::error!(error = %why, "the request failed");
    ProblemCode::Internal.into()
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound { .. } => ProblemCode::NotFound.into(),
            StoreError::NotPending { state } => {
                Self::new(ProblemCode::ApprovalDecided).with("state", state.as_str())
            }
            StoreError::TooLarge { what, max } => {
                Self::field(what, format!("over the limit of `{max}`"))
            }
            StoreError::Unavailable { .. } | StoreError::LeaseLost { .. } => unavailable(&error),
            StoreError::NeedsSession { .. }
            | StoreError::Corrupt { .. }
            | StoreError::Key(_)
            | StoreError::ForeignClaim => internal(&error),
        }
    }
}

impl From<ProjectError> for Problem {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Name => Self::field("name", error.to_string()),
            ProjectError::Policy(_) => internal(&error),
            ProjectError::Store(error) => error.into(),
        }
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Name => Self::field("name", error.to_string()),
            AccountError::Password => Self::field("password", error.to_string()),
            AccountError::NameTaken(_) => ProblemCode::NameTaken.into(),
            AccountError::Busy => ProblemCode::TooManyLogins.into(),
            AccountError::Project(error) => error.into(),
            AccountError::Store(error) => error.into(),
        }
    }
}

impl From<SetupError> for Problem {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::WrongToken => ProblemCode::Unauthenticated.into(),
            SetupError::Done => ProblemCode::AlreadySetUp.into(),
            SetupError::Account(error) => error.into(),
        }
    }
}

impl From<MemberError> for Problem {
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::LastOwner => ProblemCode::LastOwner.into(),
            MemberError::Store(error) => error.into(),
        }
    }
}

impl From<ExportError> for Problem {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Store(error) => error.into(),
            ExportError::Output(error) => internal(&error),
        }
    }
}

impl From<SubmitError> for Problem {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::NotFound => ProblemCode::NotFound.into(),
            SubmitError::Length { chars, max } => {
                Self::field("text", format!("1 to `{max}` characters")).with("chars", chars)
            }
            SubmitError::QueueFull { limit } => {
                Self::new(ProblemCode::QueueFull).with("limit", limit)
            }
            SubmitError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<DecideError> for Problem {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::NotFound => ProblemCode::NotFound.into(),
            DecideError::NotAllowed => {
                Self::new(ProblemCode::Forbidden).with("roles", vec!["approver"])
            }
            DecideError::AlreadyDecided { state } => {
                Self::new(ProblemCode::ApprovalDecided).with("state", state)
            }
            DecideError::Expired => ProblemCode::ApprovalExpired.into(),
            DecideError::Stale { digest } => {
                Self::new(ProblemCode::ApprovalStale).with("digest", digest.to_string())
            }
            DecideError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<ResolveError> for Problem {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::NotFound => ProblemCode::NotFound.into(),
            ResolveError::NotAllowed => {
                Self::new(ProblemCode::Forbidden).with("roles", vec!["owner", "approver"])
            }
            ResolveError::NotInDoubt => ProblemCode::NotInDoubt.into(),
            ResolveError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<PolicyChangeError> for Problem {
    fn from(error: PolicyChangeError) -> Self {
        match error {
            PolicyChangeError::NotFound => ProblemCode::NotFound.into(),
            PolicyChangeError::NotAllowed => {
                Self::new(ProblemCode::Forbidden).with("roles", vec!["owner"])
            }
            PolicyChangeError::Stale { current } => {
                Self::new(ProblemCode::VersionChanged).with("current", current.to_string())
            }
            PolicyChangeError::Invalid(why) => Self::field("policy", why),
            PolicyChangeError::Unavailable(why) => unavailable(&why),
        }
    }
}
