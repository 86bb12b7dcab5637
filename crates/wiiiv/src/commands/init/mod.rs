//! `init`: a server's first run from the terminal. Each step looks first whether it is done already,
//! so that a run that was broken off is taken up by the next one.

mod enter;
mod language;
mod model;
mod trial;

pub use model::hint;

use crate::args::InitArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;
use serde_json::json;

pub async fn init(context: &Context, args: &InitArgs) -> Result<Exit, Failure> {
    let spoken = language::choose(context, asks(context))?;
    let context = spoken.as_ref().unwrap_or(context);
    let entered = enter::enter(context, args).await?;
    let model = model::choose(context, args, &entered).await?;
    let exit = if args.skip_test { None } else { Some(trial::try_model(context, &entered).await?) };
    context.output.document(&json!({
        "origin": entered.origin, "name": entered.name, "user": entered.user,
        "administrator": entered.administrator, "project": entered.project,
        "provider": model.provider, "model": model.model,
        "test": exit.map(|exit| exit == Exit::Done),
    }))?;
    let texts = &context.texts.init;
    let said = match exit {
        None | Some(Exit::Done) => &texts.done,
        Some(_) => &texts.test_failed,
    };
    context.output.line(said)?;
    Ok(exit.unwrap_or(Exit::Done))
}

/// Somebody sits there to be asked for what no flag says.
fn asks(context: &Context) -> bool {
    terminal::is_interactive() && !context.output.is_json()
}

/// A flag's value; else the answer to a question, where somebody is there to be asked.
fn given(
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
