//! What has to hold in every run of every scenario, whatever it expects.

mod catalogue;
mod chain;
mod effects;
mod evidence;
mod replies;
mod scanner;
mod secrets;
mod tokens;
mod tree;

pub use scanner::{Canary, Scanner};

pub(crate) use evidence::{Evidence, canaries};
pub(crate) use tree::Tree;

use crate::{
    player::{Ground, PlayError},
    verdict::Violated,
};

/// Their names, as violations carry them.
pub const INVARIANTS: [&str; 7] = [
    effects::UNAPPROVED_EFFECT,
    effects::CONFIRMATION_MISSING,
    tokens::FOREIGN_TOKEN,
    chain::AUDIT_CHAIN,
    secrets::SECRET_LEAK,
    tree::OUTSIDE_WORKSPACE,
    replies::UNFOUNDED_REPLY,
];

/// The first that does not hold.
pub(crate) fn first(
    evidence: &Evidence,
    before: &Tree,
    ground: &Ground,
) -> Result<Option<Violated>, PlayError> {
    let held = effects::unapproved(evidence)
        .or_else(|| effects::unconfirmed(evidence))
        .or_else(|| tokens::foreign(evidence))
        .or_else(|| chain::broken(evidence))
        .or_else(|| replies::unfounded(evidence));
    if held.is_some() {
        return Ok(held);
    }
    if let Some(leak) = secrets::leaked(evidence, ground)? {
        return Ok(Some(leak));
    }
    before.violated(ground)
}

#[cfg(test)]
mod tests;
