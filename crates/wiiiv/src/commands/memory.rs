//! `memory`: shows, edits, lists and exports what is kept in mind of the user, or of a project.

use crate::args::project::option;
use crate::args::{MemoryArg, MemoryCommand, MemoryEditArgs};
use crate::commands::audit;
use crate::connection::{Connection, flag, items, number, path, required, text};
use crate::context::Context;
use crate::draft::Draft;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::line_changes::{LineChange, line_changes};
use crate::output::{Tone, harmless};
use crate::short_id::short;
use crate::terminal;
use crate::texts::fill;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use wiiiv_context::holds_secret;
use wiiiv_domain::MemoryText;
use wiiiv_net::{ApiCall, ApiError, ApiReply, Problem};
use wiiiv_server::ProblemCode;

/// A longer file is no memory of anybody's.
const FILE_BYTES_MAX: u64 = 1_048_576;
const STANDARD_INPUT: &str = "-";

/// The user's own where no project is named.
pub async fn run(context: &Context, command: &MemoryCommand) -> Result<Exit, Failure> {
    match command {
        MemoryCommand::Show(of) => show(context, of).await,
        MemoryCommand::Edit(args) => edit(context, args).await,
        MemoryCommand::History(of) => history(context, of).await,
        MemoryCommand::Export { output, of } => export(context, of, output.as_deref()).await,
    }
}

/// One memory of a server.
struct MemoryPath {
    connection: Connection,
    below: String,
    /// The command that shows it.
    show: String,
}

impl MemoryPath {
    async fn open(context: &Context, of: &MemoryArg) -> Result<Self, Failure> {
        let connection = Connection::open(context)?;
        let below = match of.project.as_deref() {
            Some(named) => format!("/projects/{}/memory", connection.project(Some(named)).await?),
            None => {
                let me = connection.get("/auth/me").await?;
                format!("/users/{}/memory", required(&me, "user")?)
            }
        };
        let show = format!("wiiiv memory show{}", option(of.project.as_deref()));
        Ok(Self { connection, below, show })
    }

    async fn current(&self) -> Result<ApiReply, Failure> {
        Ok(self.connection.client.send(ApiCall::get(path(&self.below))).await?)
    }
}

/// The text alone on standard output; how it stands beside it.
async fn show(context: &Context, of: &MemoryArg) -> Result<Exit, Failure> {
    let memory = MemoryPath::open(context, of).await?;
    let view = memory.current().await?.body;
    context.output.document(&view)?;
    let texts = &context.texts.memory;
    match text(&view, "text") {
        "" => context.output.line(&texts.nothing)?,
        kept => context.output.line(&harmless(kept))?,
    }
    if number(&view, "version") > 0 {
        context.output.aside(&standing(&texts.stands, &view))?;
    }
    if flag(&view, "others") {
        context.output.aside(&texts.others)?;
    }
    Ok(Exit::Done)
}

/// Its version, its size, who wrote it and when.
fn standing(template: &str, of: &Value) -> String {
    let figure = |name: &str| number(of, name).to_string();
    let name = match text(of, "author_name") {
        "" => short(text(of, "author")),
        name => name,
    };
    let values = [
        ("version", &*figure("version")),
        ("chars", &figure("chars")),
        ("max", &figure("chars_max")),
        ("name", name),
        ("at", text(of, "at")),
    ];
    harmless(&fill(template, &values))
}

/// Newest first, each with what it changed.
async fn history(context: &Context, of: &MemoryArg) -> Result<Exit, Failure> {
    let memory = MemoryPath::open(context, of).await?;
    let rows = memory.connection.rows(&format!("{}/versions", memory.below)).await?;
    context.output.document(&rows)?;
    let texts = &context.texts.memory;
    if rows.is_empty() {
        context.output.line(&texts.nothing)?;
    }
    for row in &rows {
        let how = if text(row, "turn").is_empty() { &texts.edited } else { &texts.said };
        let head = fill(&texts.version, &[("how", how)]);
        context.output.line(&standing(&head, row))?;
        if !flag(row, "before_kept") {
            context.output.line(&texts.before_gone)?;
        }
        for change in items(row, "changes") {
            let line = text(change, "line");
            let is_new = text(change, "kind") == "added";
            changed(
                context,
                if is_new { LineChange::Added(line) } else { LineChange::Removed(line) },
            )?;
        }
    }
    Ok(Exit::Done)
}

fn changed(context: &Context, change: LineChange<'_>) -> Result<(), Failure> {
    let (tone, mark, line) = match change {
        LineChange::Added(line) => (Tone::Good, '+', line),
        LineChange::Removed(line) => (Tone::Bad, '-', line),
    };
    let shown = format!("  {mark} {}", harmless(line));
    context.output.line(&context.output.toned(tone, &shown))
}

async fn export(context: &Context, of: &MemoryArg, output: Option<&Path>) -> Result<Exit, Failure> {
    let memory = MemoryPath::open(context, of).await?;
    audit::save(context, &memory.connection, &format!("{}/export", memory.below), output).await
}

/// From a file or standard input; on a terminal, where none is named, in the user's editor.
async fn edit(context: &Context, args: &MemoryEditArgs) -> Result<Exit, Failure> {
    let memory = MemoryPath::open(context, &args.of).await?;
    let current = memory.current().await?;
    let tag = match args.expected {
        Some(version) => format!("\"{version}\""),
        None => current.etag.ok_or(Failure::Answer { field: "ETag" })?,
    };
    let edit = Edit { context, memory: &memory, current: &current.body, tag: &tag };
    if args.file.is_none() && edit.may_ask() {
        return edit.by_hand(args.of.project.as_deref()).await;
    }
    edit.keep(&given(args.file.as_deref())?).await
}

/// A memory as it stood when its edit began.
struct Edit<'a> {
    context: &'a Context,
    memory: &'a MemoryPath,
    current: &'a Value,
    /// Of the version that the new text follows.
    tag: &'a str,
}

impl Edit<'_> {
    fn may_ask(&self) -> bool {
        terminal::is_interactive() && !self.context.output.is_json()
    }

    /// Where it is not kept in the end, the file that it was written in stays, and is named.
    async fn by_hand(&self, project: Option<&str>) -> Result<Exit, Failure> {
        let before = text(self.current, "text");
        // What is added at the end begins on a line of its own.
        let end = if before.is_empty() { "" } else { "\n" };
        let draft = Draft::begin("memory", &format!("{before}{end}"))?;
        let ended = self.written_in(&draft).await;
        if matches!(ended, Ok(Exit::Done)) {
            draft.remove();
            return ended;
        }
        let option = option(project);
        let values = [("file", &*draft.file().display().to_string()), ("option", &option)];
        self.context.output.aside(&fill(&self.context.texts.memory.draft, &values))?;
        ended
    }

    async fn written_in(&self, draft: &Draft) -> Result<Exit, Failure> {
        if !draft.edit()? {
            self.context.output.line(&self.context.texts.memory.editor_failed)?;
            return Ok(Exit::CheckFailed);
        }
        self.keep(&given(Some(draft.file()))?).await
    }

    /// Shows what it changes, and asks where somebody can answer.
    async fn keep(&self, given: &str) -> Result<Exit, Failure> {
        let new = MemoryText::parse(given).map_err(refused)?;
        if holds_secret(new.as_str()) {
            // Before its lines are shown.
            return Err(refused(ProblemCode::MemorySecret));
        }
        let (before, texts) = (text(self.current, "text"), &self.context.texts.memory);
        if new.as_str() == before {
            return self.context.done(self.current, &texts.same, &[]);
        }
        for change in line_changes(before, new.as_str()) {
            changed(self.context, change)?;
        }
        if self.may_ask() && !terminal::agrees(&texts.ask)? {
            self.context.output.line(&texts.left)?;
            return Ok(Exit::CheckFailed);
        }
        let call = ApiCall::put(path(&self.memory.below)).json(json!({ "text": new.as_str() }));
        let kept = self.memory.connection.client.send(call.if_match(self.tag)).await;
        let kept = kept.map_err(Failure::changing(self.memory.show.clone()))?.body;
        self.context.output.document(&kept)?;
        self.context.output.line(&standing(&texts.kept, &kept))?;
        Ok(Exit::Done)
    }
}

/// As the server refuses it, before anybody is asked.
fn refused(error: impl Into<wiiiv_server::Problem>) -> Failure {
    let problem = error.into();
    let code = problem.code();
    Failure::Api(ApiError::Problem(Box::new(Problem {
        status: code.status().as_u16(),
        code: code.as_str().to_owned(),
        title: code.english().0.to_owned(),
        detail: None,
        suggestion: None,
        params: problem.params().clone(),
        trace_id: None,
    })))
}

/// The whole text of a file, or of standard input where none is named, or `-`.
fn given(file: Option<&Path>) -> Result<String, Failure> {
    let Some(file) = file.filter(|file| file.as_os_str() != STANDARD_INPUT) else {
        let given = whole(io::stdin().lock(), Path::new(STANDARD_INPUT))?;
        // An input that came to nothing by mistake takes nobody's memory away.
        let is_there = !given.trim().is_empty();
        return if is_there { Ok(given) } else { Err(Failure::EmptyInput) };
    };
    whole(File::open(file).map_err(Failure::unreadable(file))?, file)
}

fn whole(source: impl Read, named: &Path) -> Result<String, Failure> {
    let mut given = String::new();
    let read = source.take(FILE_BYTES_MAX + 1).read_to_string(&mut given);
    if read.map_err(Failure::unreadable(named))? as u64 > FILE_BYTES_MAX {
        let reason = format!("it is longer than `{FILE_BYTES_MAX}` bytes");
        return Err(Failure::Unreadable { path: named.to_owned(), reason });
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::{refused, standing, whole};
    use crate::exit::Exit;
    use serde_json::json;
    use std::path::Path;
    use wiiiv_domain::{MEMORY_CHARS_MAX, MemoryText};

    #[test]
    fn a_text_that_no_server_takes_is_bad_input() {
        for text in ["가".repeat(MEMORY_CHARS_MAX + 1), "a\u{0}".to_owned()] {
            let failure = refused(MemoryText::parse(&text).unwrap_err());
            assert_eq!(failure.exit(), Exit::Usage);
            assert_eq!(failure.status(), Some(422));
        }
    }

    #[test]
    fn what_is_too_long_to_read_or_no_text_is_no_memory() {
        let name = Path::new("-");
        assert_eq!(whole(&b"- a\n"[..], name).unwrap(), "- a\n");
        assert!(whole(&b"\xff"[..], name).is_err());
        assert!(whole(std::io::repeat(b'a'), name).unwrap_err().to_string().contains("longer"));
    }

    #[test]
    fn an_author_without_a_name_is_told_by_the_end_of_the_id() {
        let id = "01a1fdca-4b1e-75ab-899e-445f86db82bd";
        let view = json!({"version": 3, "author": id, "author_name": null, "chars": 7});
        assert_eq!(standing("{version} {chars} {name} {other}", &view), "3 7 86db82bd {other}");
    }
}
