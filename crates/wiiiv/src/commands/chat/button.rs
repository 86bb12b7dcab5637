//! Command-line words that stand for buttons.

use super::follow::{End, follow_turn};
use crate::{
    commands::chat::turn::Turn,
    connection::{number, required},
    failure::Failure,
};
use serde_json::json;

/// With the control of `POST /sessions/{id}/control` that each of them is.
const BUTTONS: [(&str, &str); 4] =
    [("/why", "why"), ("/again", "again"), ("/files", "list_files"), ("/saved", "show_saved")];

/// The control that a line names, if it is one of these words.
pub fn named(line: &str) -> Option<&'static str> {
    BUTTONS.iter().find(|(word, _)| *word == line.trim()).map(|(_, control)| *control)
}

pub async fn press(turn: &Turn<'_>, control: &str) -> Result<End, Failure> {
    turn.form.take();
    let last = number(&turn.state().await?, "last_event");
    let below = format!("/sessions/{}/control", turn.session);
    let begun = turn.connection.post(&below, json!({ "action": control })).await?;
    follow_turn(turn, required(&begun, "turn")?, last).await
}
