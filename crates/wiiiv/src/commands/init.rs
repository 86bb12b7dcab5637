//! `init`: a server's first run from the terminal. Each step first checks whether it is done, so
//! that the next `init` continues an interrupted one.

mod answers;
mod enter;
mod language;
mod model;
mod trial;

use crate::{
    args::InitArgs, commands::init::answers::asks, context::Context, exit::Exit, failure::Failure,
};
pub use model::hint;
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
