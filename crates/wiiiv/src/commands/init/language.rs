//! The language of texts, stored for later commands.

use crate::{
    context::Context,
    failure::Failure,
    preference,
    start_error::StartError,
    terminal,
    texts::{Texts, fill},
};
use wiiiv_domain::Lang;

/// `Some`: from here on this is spoken instead.
pub fn choose(context: &Context, asks: bool) -> Result<Option<Context>, Failure> {
    let chosen = match context.asked_language {
        Some(language) => language,
        None if asks => asked(context)?,
        None => return Ok(None),
    };
    preference::keep(chosen)?;
    if chosen == context.language {
        return Ok(None);
    }
    let texts = Texts::of(chosen).map_err(StartError::built_in)?;
    Ok(Some(Context {
        output: context.output,
        texts,
        language: chosen,
        asked_language: Some(chosen),
        chosen_language: Some(chosen),
        server: context.server.clone(),
    }))
}

/// What is no language of ours keeps the one that is spoken.
fn asked(context: &Context) -> Result<Lang, Failure> {
    let values = [("language", context.language.as_str())];
    let answer = terminal::line(&fill(&context.texts.init.ask_language, &values))?;
    Ok(Lang::parse(&answer).unwrap_or(context.language))
}
