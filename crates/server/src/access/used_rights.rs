//! The rights that a request used, stored with its answer: before the answer is repeated, each
//! right is checked again as for a new request.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// One right, by the operation whose rule asks for it, and what it was about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum UsedRight {
    /// A token that may do all that its owner may.
    FullToken,
    Server {
        operation: String,
    },
    Project {
        operation: String,
        project: Uuid,
    },
    Question {
        operation: String,
        project: Uuid,
        requester: Uuid,
    },
    /// The same by a delegation that runs.
    StandIn {
        operation: String,
        project: Uuid,
        requester: Uuid,
    },
}

/// Shared by the layer that keeps answers and the caller whose rights are asked for. A request asks
/// for a handful.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsedRights(Arc<Mutex<Vec<UsedRight>>>);

impl UsedRights {
    pub(crate) fn note(&self, right: UsedRight) {
        let mut rights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !rights.contains(&right) {
            rights.push(right);
        }
    }

    pub(crate) fn all(&self) -> Vec<UsedRight> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
