//! Whether a caller still has a right that an earlier request used.

use crate::{
    access::{
        authorization::{RULES, Rule},
        caller::Caller,
        used_rights::UsedRight,
    },
    problem::{Problem, ProblemCode},
};

/// Refused as a new request would be.
pub(crate) async fn still_held(right: &UsedRight, caller: &Caller) -> Result<(), Problem> {
    match right {
        UsedRight::FullToken => caller.change_account().await,
        UsedRight::Server { operation } => caller.administer(rule(operation)?).await.map(drop),
        UsedRight::Project { operation, project } => {
            caller.enter((*project).into(), rule(operation)?).await.map(drop)
        }
        UsedRight::Question { operation, project, requester } => {
            let question = ((*project).into(), (*requester).into());
            caller.judge(question, rule(operation)?).await.map(drop)
        }
        UsedRight::StandIn { operation, project, requester } => {
            let question = ((*project).into(), (*requester).into());
            caller.answer(question, rule(operation)?, true).await.map(drop)
        }
    }
}

/// An operation of an earlier build that there is no more: nobody may do it.
fn rule(operation: &str) -> Result<&'static Rule, Problem> {
    let known = RULES.iter().copied().find(|rule| rule.operation == operation);
    known.ok_or_else(|| ProblemCode::NotFound.into())
}
