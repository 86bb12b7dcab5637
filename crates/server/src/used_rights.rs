//! The rights that a request was served by, kept beside its answer: before that answer is given
//! again, each is asked for as if the request were new.

use crate::{
    authorization::{RULES, Rule},
    caller::Caller,
    problem::{Problem, ProblemCode},
};
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

impl UsedRight {
    /// Refused as a new request would be.
    pub(crate) async fn still_held(&self, caller: &Caller) -> Result<(), Problem> {
        match self {
            Self::FullToken => caller.change_account().await,
            Self::Server { operation } => caller.administer(rule(operation)?).map(drop),
            Self::Project { operation, project } => {
                caller.enter((*project).into(), rule(operation)?).await.map(drop)
            }
            Self::Question { operation, project, requester } => {
                let question = ((*project).into(), (*requester).into());
                caller.judge(question, rule(operation)?).await.map(drop)
            }
        }
    }
}

/// An operation of an earlier build that there is no more: nobody may do it.
fn rule(operation: &str) -> Result<&'static Rule, Problem> {
    let known = RULES.iter().copied().find(|rule| rule.operation == operation);
    known.ok_or_else(|| ProblemCode::NotFound.into())
}
