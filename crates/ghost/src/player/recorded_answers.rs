//! A real model's answers as a scenario may record them.

use crate::{
    harness::{PlayError, ProjectSetup, Servers},
    invariant::canaries,
    scanner::Scanner,
};
use wiiiv_fakes::ProviderAnswer;

/// The answers by turn, with marks for the services' addresses. An answer with a secret is refused: a
/// password or token of a service, or the model's key.
pub(super) fn recordable(
    servers: &Servers,
    setup: &ProjectSetup,
    answers: &[Vec<ProviderAnswer>],
) -> Result<Vec<Vec<String>>, PlayError> {
    let scanner = Scanner::of(&canaries(servers, setup));
    let scanner = scanner.map_err(|error| PlayError::Scenario(error.to_string()))?;
    let one = |answer: &ProviderAnswer| match scanner.find(answer.text.as_bytes()).first() {
        None => Ok(setup.addresses.mark(&answer.text)),
        Some((secret, form)) => {
            let why = format!("an answer holds the {secret} ({form:?}): it is not kept");
            Err(PlayError::Scenario(why))
        }
    };
    answers.iter().map(|turn| turn.iter().map(one).collect()).collect()
}
