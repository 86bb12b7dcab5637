//! `rag format FILE`: hits that OpenSearch found, as a model is shown passages. It needs no server, and changes nothing.

use crate::args::RagFormatArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json_file;
use crate::output::harmless;
use crate::texts::fill;
use serde_json::json;
use wiiiv_context::{PassageOptions, Passages, open_search_hits};

pub fn format(context: &Context, args: &RagFormatArgs) -> Result<Exit, Failure> {
    let answer = json_file::read_or_input(&args.hits)?;
    let of_file = |fault| Failure::Hits { path: args.hits.clone(), fault };
    let hits = open_search_hits(&answer).map_err(of_file)?;
    let question = args.query.as_deref();
    let usual = question.map_or_else(PassageOptions::default, PassageOptions::of_question);
    let options = PassageOptions {
        format: args.format.unwrap_or(usual.format),
        count: args.limit.unwrap_or(usual.count),
        reorder: !args.keep_order,
    };
    let found = hits.len();
    let passages = Passages::new(hits, options);
    let (shown, text, format) = (passages.hits().len(), passages.text(), options.format.as_str());
    context.output.document(&json!({
        "format": format, "hits": found, "shown": shown, "text": text,
    }))?;
    context.output.line(&harmless(&text))?;
    let values = [("hits", &*found.to_string()), ("shown", &shown.to_string()), ("format", format)];
    context.output.aside(&fill(&context.texts.rag.formatted, &values))?;
    Ok(Exit::Done)
}
