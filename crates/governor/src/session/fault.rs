//! Why a session is stopped.

use crate::{
    message::{ClearError, DecideError, SubmitError, is_audit_changed},
    policies::PolicyUnavailable,
};
use wiiiv_domain::{DigestError, SlotError};
use wiiiv_store::{ApprovalState, StoreError};

/// A session cannot continue. It is restored from its journal when it is next needed.
#[derive(Debug, thiserror::Error)]
#[error("the session cannot go on")]
pub struct SessionFault(#[source] FaultCause);

#[derive(Debug, thiserror::Error)]
pub enum FaultCause {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Policy(#[from] PolicyUnavailable),
    #[error(transparent)]
    Digest(#[from] DigestError),
    #[error(transparent)]
    Slot(#[from] SlotError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    Other(String),
}

impl SessionFault {
    pub fn other(why: impl Into<String>) -> Self {
        Self(FaultCause::Other(why.into()))
    }

    /// Whoever it was done for may not do it any more: nothing is wrong with the session.
    pub const fn is_right_gone(&self) -> bool {
        matches!(&self.0, FaultCause::Store(StoreError::AuthorityGone))
    }

    /// What a question is by now that was to be open: nothing is wrong with the session.
    pub const fn not_pending(&self) -> Option<ApprovalState> {
        match &self.0 {
            FaultCause::Store(StoreError::NotPending { state }) => Some(*state),
            _ => None,
        }
    }

    /// Trying again changes nothing.
    pub fn is_audit_changed(&self) -> bool {
        match &self.0 {
            FaultCause::Store(error) => is_audit_changed(error),
            FaultCause::Policy(PolicyUnavailable::Store(error)) => is_audit_changed(error),
            FaultCause::Policy(PolicyUnavailable::Compile(_) | PolicyUnavailable::Over)
            | FaultCause::Digest(_)
            | FaultCause::Slot(_)
            | FaultCause::Json(_)
            | FaultCause::Other(_) => false,
        }
    }

    /// With its cause, for whoever waits for an answer.
    pub fn told(&self) -> String {
        format!("{self}: {}", self.0)
    }
}

impl From<&SessionFault> for SubmitError {
    fn from(fault: &SessionFault) -> Self {
        match fault {
            _ if fault.is_right_gone() => Self::RightGone,
            _ if fault.is_audit_changed() => Self::AuditChanged,
            _ => Self::Unavailable(fault.told()),
        }
    }
}

impl From<&SessionFault> for DecideError {
    fn from(fault: &SessionFault) -> Self {
        match fault {
            _ if fault.is_right_gone() => Self::RightGone,
            _ if fault.is_audit_changed() => Self::AuditChanged,
            _ => Self::Unavailable(fault.told()),
        }
    }
}

impl From<&SessionFault> for ClearError {
    fn from(fault: &SessionFault) -> Self {
        match fault {
            _ if fault.is_right_gone() => Self::RightGone,
            _ if fault.is_audit_changed() => Self::AuditChanged,
            _ => Self::Unavailable(fault.told()),
        }
    }
}

impl<E: Into<FaultCause>> From<E> for SessionFault {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}
