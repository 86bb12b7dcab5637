//! `rag search`: what a question finds, and with `--trace` how words and meaning ranked it.

use super::passages::{self, excerpt};
use super::scopes::scope_name;
use crate::args::RagSearchArgs;
use crate::connection::{Connection, flag, items, number, text, words};
use crate::context::Context;
use crate::document_scopes::DocumentScopes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::short_id::short;
use crate::texts::{RagTexts, fill, named};
use serde_json::{Value, json};
use wiiiv_domain::ProjectId;

/// Of a passage that was found, in Unicode scalar values.
const EXCERPT_CHARS_MAX: usize = 300;

pub async fn search(context: &Context, args: &RagSearchArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = project(&connection, args.project.project.as_deref()).await?;
    let format = args.debug.then_some("debug");
    let body =
        json!({ "text": args.text, "project": project, "limit": args.limit, "format": format });
    let found = connection.post("/rag/search", body).await?;
    context.output.document(&found)?;
    if context.output.is_json() {
        return Ok(Exit::Done);
    }
    let texts = &context.texts.rag;
    if !flag(&found, "relevant") {
        context.output.line(&texts.nothing_found)?;
        let is_shown = args.trace && !args.debug && !items(&found, "hits").is_empty();
        if is_shown || (args.debug && !text(&found, "formatted").is_empty()) {
            context.output.line(&texts.nearest)?;
        }
    }
    let scopes = DocumentScopes::of(&connection).await?;
    if args.debug {
        context.output.line(&harmless(text(&found, "formatted")))?;
    } else if flag(&found, "relevant") || args.trace {
        items(&found, "hits").iter().try_for_each(|hit| tell(context, &scopes, hit))?;
    }
    let of = (project, args.project.project.is_some());
    context.output.aside(&harmless(&searched(context, &scopes, of)))?;
    compared(context, &found)?;
    if args.trace {
        trace(context, &found)?;
    }
    Ok(Exit::Done)
}

/// By which model meaning was compared, or why it was not. Where the project's documents were left out, that says more than
/// that there is no other model.
fn compared(context: &Context, found: &Value) -> Result<(), Failure> {
    let texts = &context.texts.rag;
    let dense = found.get("trace").and_then(|trace| trace.get("dense"));
    let off = dense.map_or("", |dense| text(dense, "off"));
    let left_out = text(found, "not_compared");
    match (text(found, "embedder"), off) {
        ("", _) if left_out.is_empty() => context.output.aside(&texts.lexical_only)?,
        ("", _) => {}
        (embedder, "") => {
            context.output.aside(&fill(&texts.compared, &[("embedder", embedder)]))?;
        }
        (_, off) => {
            let why = named(&texts.offs, off);
            context.output.aside(&fill(&texts.compared_nothing, &[("why", why)]))?;
        }
    }
    if !left_out.is_empty() {
        context.output.aside(named(&texts.not_compared, left_out))?;
    }
    Ok(())
}

/// The one that is named, else the user's own here. Where nobody can tell which, none is searched.
async fn project(
    connection: &Connection,
    name: Option<&str>,
) -> Result<Option<ProjectId>, Failure> {
    match connection.project(name).await {
        Ok(project) => Ok(Some(project)),
        Err(Failure::WhichProject { .. }) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Where it was looked: a list shows the documents of more projects than one search looks through.
fn searched(
    context: &Context,
    scopes: &DocumentScopes,
    (project, is_named): (Option<ProjectId>, bool),
) -> String {
    let texts = &context.texts.rag;
    let Some(project) = project else { return texts.searched_no_project.clone() };
    let told = fill(&texts.searched, &[("project", &scopes.project(project))]);
    if is_named || !scopes.has_beside(project) {
        return told;
    }
    format!("{told} {}", texts.other_projects)
}

fn tell(context: &Context, scopes: &DocumentScopes, hit: &Value) -> Result<(), Failure> {
    let texts = &context.texts.rag;
    let note = flag(hit, "stale").then(|| texts.stale.clone());
    let document = format!("{}/{}", short(text(hit, "document")), number(hit, "passage"));
    let scope = scope_name(context, scopes, hit);
    let parts = [Some(passages::called(texts, hit, hit)), Some(scope), Some(document), note];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let head = format!("[{}] {}", number(hit, "citation"), parts.join(" · "));
    context.output.line(&harmless(&head))?;
    let shown = excerpt(text(hit, "text"), EXCERPT_CHARS_MAX);
    context.output.line(&harmless(&format!("    {shown}")))
}

/// Whether each leg ran, and what it ranked.
fn trace(context: &Context, found: &Value) -> Result<(), Failure> {
    let (texts, none) = (&context.texts.rag, Value::Null);
    let trace = found.get("trace").unwrap_or(&none);
    let searched = words(trace, "words").join(", ");
    context.output.line(&harmless(&fill(&texts.words, &[("words", &searched)])))?;
    let legs = [("lexical", "by_words", &texts.lexical), ("dense", "by_meaning", &texts.dense)];
    for (leg, ranked, name) in legs {
        let state = trace.get(leg).unwrap_or(&none);
        let line = match text(state, "off") {
            "" => {
                let candidates = number(state, "candidates").to_string();
                fill(&texts.ran, &[("leg", name), ("candidates", &candidates)])
            }
            why => fill(&texts.off, &[("leg", name), ("why", named(&texts.offs, why))]),
        };
        context.output.line(&line)?;
        let rows: Vec<Value> = items(trace, ranked).iter().enumerate().map(ranked_row).collect();
        if rows.is_empty() {
            continue;
        }
        let cells = |row: &Value| {
            let votes = if flag(row, "votes") { &texts.yes } else { &texts.no };
            [
                number(row, "rank").to_string(),
                score(row.get("score")),
                votes.clone(),
                called(texts, row),
            ]
        };
        context.table(&rows, [&texts.rank, &texts.score, &texts.votes, &texts.passage], cells)?;
    }
    let relevance = trace.get("relevance").unwrap_or(&none);
    let values = [
        ("coverage", &*score(relevance.get("coverage"))),
        ("distance", &score(relevance.get("distance"))),
    ];
    context.say(&texts.relevance, &values)
}

/// With its place, from 1.
fn ranked_row((at, row): (usize, &Value)) -> Value {
    let mut row = row.clone();
    if let Some(members) = row.as_object_mut() {
        members.insert("rank".to_owned(), json!(at + 1));
    }
    row
}

/// A passage by its document, where it stands there, and what opens it. One that is gone by now has the last alone.
fn called(texts: &RagTexts, row: &Value) -> String {
    let document = format!("{}/{}", short(text(row, "document")), number(row, "passage"));
    let parts = [passages::called(texts, row, row), document];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn score(value: Option<&Value>) -> String {
    let number = value.and_then(Value::as_f64);
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.3}"))
}

#[cfg(test)]
mod tests {
    use super::called;
    use crate::texts::Texts;
    use serde_json::{Value, json};
    use wiiiv_domain::Lang;

    #[test]
    fn a_row_of_the_trace_is_called_as_a_hit_is() {
        let texts = Texts::of(Lang::En).unwrap().rag;
        let id = "0190b2c4-0000-7000-8000-00000000beef";
        let row = |title: Value, file: Value, page: Value| {
            let headings = json!(["Leave", "Days"]);
            json!({ "document": id, "passage": 3, "title": title, "file_name": file, "page": page,
                "headings": headings })
        };
        let leave = row(json!("Leave"), json!("leave.pdf"), json!(2));
        assert_eq!(called(&texts, &leave), "Leave · leave.pdf · Days · p. 2 · 0000beef/3");
        let slides = row(json!("Leave"), json!("leave.pptx"), json!(2));
        assert_eq!(called(&texts, &slides), "Leave · leave.pptx · Days · slide 2 · 0000beef/3");
        let gone = json!({ "document": id, "passage": 3, "title": null, "headings": [] });
        assert_eq!(called(&texts, &gone), "0000beef/3");
    }
}
