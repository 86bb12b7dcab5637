//! Invariants: what has to hold in every run of every scenario.

mod catalogue;
mod chain;
mod effects;
mod evidence;
mod quotation;
mod replies;
mod secrets;
mod tokens;
mod tree;

pub(crate) use evidence::canaries;
pub(crate) use tree::Tree;

use crate::{
    harness::{PlayError, ProjectSetup, Servers},
    verdict::{Violated, Window},
};
use evidence::Evidence;

/// The names of all invariants, as violations carry them.
pub const INVARIANTS: [&str; 7] = [
    effects::UNAPPROVED_EFFECT,
    effects::CONFIRMATION_MISSING,
    tokens::FOREIGN_TOKEN,
    chain::AUDIT_CHAIN,
    secrets::SECRET_LEAK,
    tree::OUTSIDE_WORKSPACE,
    replies::UNFOUNDED_REPLY,
];

/// The first violated invariant of a run. `before`: the files before the run.
pub(crate) async fn first_violation(
    servers: &Servers,
    setup: &ProjectSetup,
    window: &Window,
    before: &Tree,
) -> Result<Option<Violated>, PlayError> {
    let evidence = &Evidence::gather(servers, setup, window).await?;
    let violated = effects::unapproved(evidence)
        .or_else(|| effects::unconfirmed(evidence))
        .or_else(|| tokens::foreign(evidence))
        .or_else(|| chain::broken(evidence))
        .or_else(|| replies::unfounded(evidence));
    if violated.is_some() {
        return Ok(violated);
    }
    if let Some(leak) = secrets::leaked(evidence, &servers.home)? {
        return Ok(Some(leak));
    }
    before.violated(&servers.home)
}

#[cfg(test)]
mod tests;
