//! The caller's rights to what belongs to everybody, to a person or to a project.

use crate::{
    access::{
        authorization::{self as rules, Rule},
        caller::Caller,
    },
    problem::{Problem, ProblemCode},
};
use wiiiv_domain::Scope;
use wiiiv_gate::Principal;

/// What somebody wants there. In a project the rule says who may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Everybody reads what is global, with any token.
    Read,
    /// What its writers alone see, with any token where it is one's own.
    Follow,
    /// Of everybody's as an administrator; of one's own by a token that does all that its owner may.
    Change,
}

/// The caller as `wish` needs them; a scope that is not theirs is not there.
pub(crate) async fn within(
    caller: &Caller,
    (scope, wish): (Scope, Wish),
    rule: &Rule,
) -> Result<Principal, Problem> {
    match (scope, wish) {
        (Scope::Project(project), _) => caller.enter(project, rule).await,
        (Scope::Global, Wish::Read) => Ok(caller.account.clone()),
        (Scope::Global, Wish::Follow | Wish::Change) => {
            caller.administer(rules::INGEST_GLOBAL).await
        }
        (Scope::User(user), _) if user != caller.user() => Err(ProblemCode::NotFound.into()),
        (Scope::User(_), Wish::Read | Wish::Follow) => Ok(caller.account.clone()),
        (Scope::User(_), Wish::Change) => {
            caller.change_account().await?;
            Ok(caller.account.clone())
        }
    }
}

/// Whether the caller may send a file to that route. It is asked before the file is read, where the body comes before the
/// handler: the scope is that of the address.
pub(crate) async fn may_send_file(caller: &Caller, path: &str) -> Result<(), Problem> {
    let missing = |_| ProblemCode::NotFound;
    let parts: Vec<&str> = path.split('/').collect();
    let (scope, rule) = match parts.as_slice() {
        [.., "global", "ingest"] => (Scope::Global, rules::INGEST_GLOBAL),
        [.., "projects", id, "ingest"] => {
            (Scope::Project(id.parse().map_err(missing)?), rules::INGEST_PROJECT)
        }
        [.., "users", id, "ingest"] => {
            (Scope::User(id.parse().map_err(missing)?), rules::INGEST_USER)
        }
        _ => return Err(ProblemCode::NotFound.into()),
    };
    within(caller, (scope, Wish::Change), rule).await.map(drop)
}
