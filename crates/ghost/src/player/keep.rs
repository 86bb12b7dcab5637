//! What a scenario may keep of what a real model said.

use super::{error::PlayError, house::House, stage::Stage};
use crate::{
    invariant::{Scanner, canaries},
    model::Heard,
};

/// Turn by turn, with the services' addresses as marks. Refused where a secret stands in it: of the
/// services, their tokens, or the key that the model was asked with.
pub(super) fn kept(
    house: &House,
    stage: &Stage,
    heard: &[Vec<Heard>],
) -> Result<Vec<Vec<String>>, PlayError> {
    let scanner = Scanner::of(&canaries(house, stage));
    let scanner = scanner.map_err(|error| PlayError::Scenario(error.to_string()))?;
    let one = |heard: &Heard| match scanner.find(heard.text.as_bytes()).first() {
        None => Ok(stage.places.marked(&heard.text)),
        Some((secret, form)) => {
            let why = format!("an answer holds the {secret} ({form:?}): it is not kept");
            Err(PlayError::Scenario(why))
        }
    };
    heard.iter().map(|turn| turn.iter().map(one).collect()).collect()
}
