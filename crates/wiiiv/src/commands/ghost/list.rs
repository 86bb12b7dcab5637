//! `ghost list`: the scenarios.

use super::select::selected;
use crate::args::GhostSelection;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use serde_json::{Value, json};
use wiiiv_domain::Lang;

pub fn list(context: &Context, selection: &GhostSelection) -> Result<Exit, Failure> {
    let scenarios = selected(selection)?;
    let documents = scenarios.iter().map(|scenario| {
        json!({
            "id": scenario.id,
            "title": { "ko": scenario.title.ko, "en": scenario.title.en },
            "tags": scenario.tags,
            "turns": scenario.turns.len(),
            "twins": scenario.twins.len(),
            "pending": !scenario.pending.is_empty(),
        })
    });
    context.output.document(&documents.collect::<Vec<Value>>())?;
    let rows: Vec<[String; 4]> = scenarios
        .into_iter()
        .map(|scenario| {
            let title = match context.language {
                Lang::Ko => scenario.title.ko,
                Lang::En => scenario.title.en,
            };
            [scenario.id, scenario.turns.len().to_string(), scenario.tags.join(","), title]
        })
        .collect();
    let texts = &context.texts.ghost;
    context
        .output
        .table([&texts.head_id, &texts.head_turns, &texts.head_tags, &texts.head_title], &rows)?;
    Ok(Exit::Done)
}
