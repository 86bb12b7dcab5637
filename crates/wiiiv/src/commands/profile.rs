//! `profile`: shows, changes, undoes, lists, exports and erases what the user told of themselves in a project. What
//! concerns safety is asked about.

use crate::args::project::ProjectArg;
use crate::args::{ProfileAnswerArgs, ProfileCommand, ProfileSetArgs};
use crate::commands::audit;
use crate::connection::{Connection, flag, items, number, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Tone, harmless};
use crate::short_id::short;
use crate::terminal;
use crate::texts::{fill, named};
use serde_json::{Value, json};
use std::io::{self, Read as _};
use std::path::Path;
use wiiiv_context::profile_schemas;
use wiiiv_net::ApiCall;

/// A longer input is no value.
const VALUE_BYTES_MAX: u64 = 4_096;
const STANDARD_INPUT: &str = "-";

/// In the project that is named, or the user's own.
pub async fn run(context: &Context, command: &ProfileCommand) -> Result<Exit, Failure> {
    match command {
        ProfileCommand::Show(project) => show(context, project).await,
        ProfileCommand::Set(args) => set(context, args).await,
        ProfileCommand::Undo { to, project } => undo(context, *to, project).await,
        ProfileCommand::History(project) => history(context, project).await,
        ProfileCommand::Export { output, project } => {
            export(context, project, output.as_deref()).await
        }
        ProfileCommand::Accept(args) => answer(context, args, "accept").await,
        ProfileCommand::Drop(args) => answer(context, args, "drop").await,
        ProfileCommand::Erase { yes, project } => erase(context, *yes, project).await,
    }
}

/// One profile of a server.
struct ProfilePath {
    connection: Connection,
    below: String,
    /// ` --project NAME`, as it was given.
    option: String,
}

impl ProfilePath {
    async fn open(context: &Context, project: &ProjectArg) -> Result<Self, Failure> {
        let (connection, id) = project.open(context).await?;
        Ok(Self { connection, below: format!("/projects/{id}/profile"), option: project.option() })
    }

    async fn view(&self) -> Result<Value, Failure> {
        self.connection.get(&self.below).await
    }

    /// What slots are called here. Empty: the project has no profiles.
    async fn labels(&self, view: &Value) -> Result<Vec<Value>, Failure> {
        if text(view, "schema").is_empty() {
            return Ok(Vec::new());
        }
        let schema = self.connection.get(&format!("{}/schema", self.below)).await?;
        Ok(items(&schema, "slots").to_vec())
    }

    /// Of the version that the call follows. `shown_by`: the command that shows what it is about.
    async fn send(&self, call: ApiCall, version: u64, shown_by: &str) -> Result<Value, Failure> {
        let call = call.if_match(format!("\"{version}\""));
        let show = format!("wiiiv profile {shown_by}{}", self.option);
        let sent = self.connection.client.send(call).await;
        Ok(sent.map_err(Failure::changing(show))?.body)
    }

    async fn answer(&self, id: u64, word: &str, version: u64) -> Result<Value, Failure> {
        let below = format!("{}/pending/{id}/{word}", self.below);
        self.send(ApiCall::post(path(&below)), version, "show").await
    }
}

/// What a slot is called in the user's language.
fn label(context: &Context, labels: &[Value], slot: &str) -> String {
    let found = labels.iter().find(|of| text(of, "name") == slot);
    let label = found.and_then(|of| of.get("label"));
    match label.map_or("", |label| text(label, context.language.as_str())) {
        "" => slot.to_owned(),
        label => harmless(label),
    }
}

async fn show(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let profile = ProfilePath::open(context, project).await?;
    let view = profile.view().await?;
    context.output.document(&view)?;
    let (texts, labels) = (&context.texts.profile, profile.labels(&view).await?);
    if labels.is_empty() {
        let known: Vec<&str> = profile_schemas().iter().map(|of| of.name.as_str()).collect();
        context.output.line(&fill(&texts.off, &[("known", &known.join(", "))]))?;
        return Ok(Exit::Done);
    }
    let mut unfilled = Vec::new();
    for (slot, of) in items(&view, "slots").iter().zip(&labels) {
        let (name, mark) =
            (text(slot, "name"), if flag(of, "safety") { &texts.safety } else { "" });
        let head = format!("{} ({name}){mark}", label(context, &labels, name));
        let values = items(slot, "values");
        if values.is_empty() {
            unfilled.push(head);
            continue;
        }
        context.output.line(&head)?;
        for value in values {
            context.output.line(&format!("  - {}", shown(context, value)))?;
        }
    }
    if unfilled.len() == labels.len() {
        context.output.line(&texts.nothing)?;
    }
    for change in items(&view, "pending") {
        waits(context, &labels, change)?;
    }
    if !unfilled.is_empty() {
        context.output.line(&texts.unfilled)?;
    }
    unfilled.iter().try_for_each(|head| context.output.line(&format!("  {head}")))?;
    Ok(Exit::Done)
}

/// A value with its time, and whether it still counts.
fn shown(context: &Context, value: &Value) -> String {
    let texts = &context.texts.profile;
    let mut line = harmless(text(value, "value"));
    for (field, template) in [("from", &texts.from), ("until", &texts.until)] {
        let day = text(value, field);
        if !day.is_empty() {
            line.push_str(&fill(template, &[("day", day)]));
        }
    }
    if text(value, "age") != "current" {
        line.push_str(&texts.older);
    }
    line
}

fn waits(context: &Context, labels: &[Value], change: &Value) -> Result<(), Failure> {
    let texts = &context.texts.profile;
    let id = number(change, "id").to_string();
    let what = named(&texts.ops, text(change, "op"));
    let undoes = text(change, "op") == "restore";
    let mut value = [text(change, "value"), text(change, "day")].join(" ");
    if undoes && value.trim().is_empty() {
        value.clone_from(&texts.no_value);
    }
    let name = label(context, labels, text(change, "slot"));
    let values = [("id", &*id), ("slot", &name), ("op", what), ("value", value.trim())];
    context
        .output
        .line(&context.output.toned(Tone::Doubtful, &harmless(&fill(&texts.waits, &values))))?;
    let replaces = text(change, "op") == "set";
    let goes = if replaces { &texts.contradicts } else { &texts.takes_back };
    for against in items(change, "contradicts").iter().filter_map(Value::as_str) {
        let told = fill(goes, &[("value", against)]);
        context.output.line(&harmless(&told))?;
    }
    Ok(())
}

async fn set(context: &Context, args: &ProfileSetArgs) -> Result<Exit, Failure> {
    let profile = ProfilePath::open(context, &args.project).await?;
    let before = profile.view().await?;
    let op = match (args.over, args.remove, args.clear) {
        (true, ..) => "end",
        (_, true, _) => "remove",
        (.., true) => "clear",
        (false, false, false) => "set",
    };
    let value = if args.clear { None } else { Some(given(args.value.as_deref())?) };
    let change = json!({ "slot": args.slot, "op": op, "value": value, "day": args.day });
    let call = ApiCall::put(path(&profile.below)).json(json!({ "changes": [change] }));
    let view = profile.send(call, number(&before, "version"), "show").await?;
    let texts = &context.texts.profile;
    if waiting(&view).next().is_some() {
        return ask(context, &profile, view).await;
    }
    context.done(&view, if is_same(&before, &view) { &texts.same } else { &texts.kept }, &[])
}

/// The numbers of what waits of what was asked for.
fn waiting(view: &Value) -> impl Iterator<Item = u64> {
    items(view, "outcomes").iter().filter_map(|of| of.get("pending")?.as_u64())
}

/// Shows what waits, and asks where somebody can answer.
async fn ask(context: &Context, profile: &ProfilePath, answer: Value) -> Result<Exit, Failure> {
    let (texts, labels) = (&context.texts.profile, profile.labels(&answer).await?);
    let mut view = answer.clone();
    for id in waiting(&answer) {
        let asked = items(&answer, "pending").iter().find(|of| number(of, "id") == id);
        asked.map_or(Ok(()), |asked| waits(context, &labels, asked))?;
        if may_ask(context) && terminal::agrees(&texts.ask)? {
            view = profile.answer(id, "accept", number(&view, "version")).await?;
            context.output.line(&texts.accepted)?;
        } else {
            context.say(&texts.asks, &[("id", &id.to_string())])?;
        }
    }
    context.output.document(&view)?;
    Ok(Exit::Done)
}

/// What changes nothing makes no version.
fn is_same(before: &Value, after: &Value) -> bool {
    number(before, "version") == number(after, "version")
}

/// Somebody is there to answer.
fn may_ask(context: &Context) -> bool {
    terminal::is_interactive() && !context.output.is_json()
}

/// On the command line, or by standard input: what stands on the line is seen by everybody on this machine.
fn given(value: Option<&str>) -> Result<String, Failure> {
    if let Some(value) = value.filter(|value| *value != STANDARD_INPUT) {
        return Ok(value.to_owned());
    }
    let mut given = String::new();
    let read = io::stdin().lock().take(VALUE_BYTES_MAX).read_to_string(&mut given);
    read.map_err(Failure::unreadable(Path::new(STANDARD_INPUT)))?;
    Ok(given.trim().to_owned())
}

async fn answer(context: &Context, args: &ProfileAnswerArgs, word: &str) -> Result<Exit, Failure> {
    let profile = ProfilePath::open(context, &args.project).await?;
    let before = profile.view().await?;
    let waits: Vec<u64> = items(&before, "pending").iter().map(|of| number(of, "id")).collect();
    let answered = profile.answer(args.change, word, number(&before, "version")).await;
    let view = answered.map_err(Failure::of_waiting(args.change, &waits))?;
    let texts = &context.texts.profile;
    context.done(&view, if word == "accept" { &texts.accepted } else { &texts.dropped }, &[])
}

async fn undo(context: &Context, to: Option<u64>, project: &ProjectArg) -> Result<Exit, Failure> {
    let profile = ProfilePath::open(context, project).await?;
    let before = profile.view().await?;
    let call = ApiCall::post(path(&format!("{}/undo", profile.below))).json(json!({ "to": to }));
    let view = profile.send(call, number(&before, "version"), "history").await?;
    let texts = &context.texts.profile;
    if waiting(&view).next().is_none() {
        let said = if is_same(&before, &view) { &texts.same } else { &texts.undone };
        return context.done(&view, said, &[]);
    }
    let is_kept = |of: &Value| text(of, "outcome") == "kept";
    if items(&view, "outcomes").iter().any(is_kept) {
        context.output.line(&texts.undone)?;
    }
    ask(context, &profile, view).await
}

/// For good: asked about, unless that was agreed to beforehand.
async fn erase(context: &Context, agreed: bool, project: &ProjectArg) -> Result<Exit, Failure> {
    if !agreed && !may_ask(context) {
        return Err(Failure::NotGiven { flag: "--yes" });
    }
    let profile = ProfilePath::open(context, project).await?;
    let texts = &context.texts.profile;
    let question = fill(&texts.erase_ask, &[("option", &profile.option)]);
    if !agreed && !terminal::agrees(&question)? {
        context.output.line(&texts.left)?;
        return Ok(Exit::CheckFailed);
    }
    profile.connection.client.send(ApiCall::delete(path(&profile.below))).await?;
    context.done(&json!({ "erased": true }), &texts.erased, &[])
}

/// Newest first, each with what it changed.
async fn history(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let profile = ProfilePath::open(context, project).await?;
    let rows = profile.connection.rows(&format!("{}/versions", profile.below)).await?;
    context.output.document(&rows)?;
    let texts = &context.texts.profile;
    if rows.is_empty() {
        context.output.line(&texts.nothing)?;
        return Ok(Exit::Done);
    }
    let labels = profile.labels(&profile.view().await?).await?;
    for row in &rows {
        let version = number(row, "version").to_string();
        let name = match text(row, "author_name") {
            "" => short(text(row, "author")),
            name => name,
        };
        let told = if text(row, "turn").is_empty() { &texts.edited } else { &texts.said };
        let how = named(&texts.hows, text(row, "how"));
        let values = [
            ("version", &*version),
            ("at", text(row, "at")),
            ("name", name),
            ("how", how),
            ("by", told),
        ];
        context.output.line(&harmless(&fill(&texts.version, &values)))?;
        if !flag(row, "before_kept") {
            context.output.line(&texts.before_gone)?;
        }
        for change in items(row, "changes") {
            let is_new = text(change, "kind") == "added";
            let (tone, mark) = if is_new { (Tone::Good, '+') } else { (Tone::Bad, '-') };
            let slot = label(context, &labels, text(change, "slot"));
            let line = format!("  {mark} {slot}: {}", harmless(text(change, "value")));
            context.output.line(&context.output.toned(tone, &line))?;
        }
    }
    Ok(Exit::Done)
}

async fn export(
    context: &Context,
    project: &ProjectArg,
    output: Option<&Path>,
) -> Result<Exit, Failure> {
    let profile = ProfilePath::open(context, project).await?;
    let below = format!("{}/export", profile.below);
    audit::save(context, &profile.connection, &below, output).await
}
