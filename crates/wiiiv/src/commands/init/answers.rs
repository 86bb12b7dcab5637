//! Asks for values that no flag gives, if a person is at the terminal.

use crate::{context::Context, failure::Failure, terminal};

/// Somebody sits there to be asked for what no flag says.
pub fn asks(context: &Context) -> bool {
    terminal::is_interactive() && !context.output.is_json()
}

/// A flag's value; else the answer to a question, where somebody is there to be asked.
pub fn given(
    context: &Context,
    value: Option<&str>,
    (question, flag): (&str, &'static str),
) -> Result<String, Failure> {
    if let Some(value) = value {
        return Ok(value.to_owned());
    }
    if asks(context) {
        let answer = terminal::line(question)?;
        if !answer.is_empty() {
            return Ok(answer);
        }
    }
    Err(Failure::NotGiven { flag })
}
