//! `rag add`: sends files one after the other; a file that is refused stops no other.

use super::files::{FileFault, NamedFile, files};
use super::scopes::scope_of;
use super::{jobs, leaving};
use crate::args::{RagAddArgs, RagScope};
use crate::complaint;
use crate::connection::{Connection, if_there, number, path, required, text};
use crate::context::Context;
use crate::document_scopes::DocumentScopes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::io_reason::io_reason;
use crate::output::{Tone, harmless};
use crate::query::Query;
use crate::short_id::short;
use crate::texts::fill;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;
use tokio::time::sleep;
use wiiiv_domain::Scope;
use wiiiv_net::{ApiCall, Bytes};
use wiiiv_server::{Problem, ProblemCode};

const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Until a full queue is tried again.
const QUEUE_WAIT: Duration = Duration::from_secs(1);
/// Files that are sent before the first of them is waited for.
const AHEAD_MAX: usize = 16;
/// The server reads the format off the name and the bytes.
const MEDIA_TYPE: &str = "application/octet-stream";
/// Of a line of progress: in wide characters one line of a terminal.
const PROGRESS_CHARS_MAX: usize = 39;
const CLEAR_LINE: &str = "\r\x1b[2K";
/// Of this file alone; whatever else is refused would be of the next one too.
const OF_ONE_FILE: [u16; 4] = [400, 409, 413, 422];

/// What became of a file.
enum Added {
    Ingest(Value, Option<Replaced>),
    /// Why it was not taken, and what that says of the command.
    Refused(Exit, String),
}

/// The version that a document has, which was there before this ingest.
struct Replaced(u64);

/// A file at its place among those that are added.
type Sent<'a> = (usize, &'a NamedFile, Added);
/// Whether it is good, as a command ends that adds it alone, and what programs are told of it.
type FileReport = (Exit, Value);

pub async fn add(context: &Context, args: &RagAddArgs) -> Result<Exit, Failure> {
    let files = files(&args.paths);
    if args.title.is_some() && files.len() > 1 {
        return Err(Failure::TitleOfOne);
    }
    let connection = Connection::open(context)?;
    let scope = args.of.named().unwrap_or(RagScope::Me);
    let scope = scope_of(&connection, scope, &args.of).await?;
    if let (Scope::Project(picked), None) = (scope, &args.of.project.project) {
        let name = DocumentScopes::of(&connection).await?.project(picked);
        let told = fill(&context.texts.rag.adds_to, &[("project", &name)]);
        context.output.aside(&harmless(&told))?;
    }
    leaving::tell(context, &connection, scope).await?;
    let info = connection.get("/info").await?;
    let bytes_max = info.get("documents").map_or(0, |of| number(of, "file_bytes_max"));
    let adding = Adding {
        context,
        connection: &connection,
        files: files.len(),
        scope,
        title: args.title.as_deref(),
        bytes_max,
        wait: args.wait,
        is_shown: io::stderr().is_terminal(),
    };
    let (mut open, mut ended) = (VecDeque::new(), Vec::new());
    let failure = adding.all(&files, (&mut open, &mut ended)).await.err();
    // What was sent before a failure is told as it was left: the server goes on with it.
    for left in open {
        ended.push(adding.told(left)?);
    }
    match failure {
        Some(failure) if ended.is_empty() => Err(failure),
        Some(failure) => adding.sum_up(&ended).and(Err(failure)),
        None => adding.sum_up(&ended),
    }
}

struct Adding<'a> {
    context: &'a Context,
    connection: &'a Connection,
    files: usize,
    scope: Scope,
    title: Option<&'a str>,
    /// 0: the server does not say.
    bytes_max: u64,
    wait: bool,
    /// Progress is: standard error is a terminal.
    is_shown: bool,
}

impl Adding<'_> {
    /// Each to its end, or to the first failure that is not of one file.
    async fn all<'f>(
        &self,
        files: &'f [NamedFile],
        (open, ended): (&mut VecDeque<Sent<'f>>, &mut Vec<FileReport>),
    ) -> Result<(), Failure> {
        let ahead = if self.wait { AHEAD_MAX } else { 0 };
        for (at, file) in files.iter().enumerate() {
            open.push_back((at, file, self.sent((at, file)).await?));
            if open.len() > ahead {
                self.close_oldest(open, ended).await?;
            }
        }
        while !open.is_empty() {
            self.close_oldest(open, ended).await?;
        }
        Ok(())
    }

    /// Waited for where that was asked, and told.
    async fn close_oldest(
        &self,
        open: &mut VecDeque<Sent<'_>>,
        ended: &mut Vec<FileReport>,
    ) -> Result<(), Failure> {
        if let Some((at, file, Added::Ingest(job, replaced))) = open.front_mut()
            && self.wait
        {
            self.follow((*at, *file), job).await?;
            *replaced = self.replaced(job).await?;
        }
        if let Some(oldest) = open.pop_front() {
            ended.push(self.told(oldest)?);
        }
        Ok(())
    }

    async fn sent(&self, (at, file): (usize, &NamedFile)) -> Result<Added, Failure> {
        if let Some(fault) = &file.fault {
            return Ok(Added::Refused(exit_of(fault), self.fault(fault)));
        }
        let unreadable = |error: io::Error| {
            let fault = FileFault::of(&error);
            Added::Refused(exit_of(&fault), self.fault(&fault))
        };
        match fs::metadata(&file.path) {
            Ok(of) if self.bytes_max > 0 && of.len() > self.bytes_max => {
                return Ok(Added::Refused(Exit::CheckFailed, self.too_large(of.len())));
            }
            Ok(_) => {}
            Err(error) => return Ok(unreadable(error)),
        }
        let bytes = match fs::read(&file.path) {
            Ok(bytes) => Bytes::from(bytes),
            Err(error) => return Ok(unreadable(error)),
        };
        loop {
            self.progress((at, file), &self.context.texts.rag.sending);
            let call = ApiCall::post(path(&self.address(file))).file(MEDIA_TYPE, bytes.clone());
            let failure = match self.connection.client.send(call).await {
                Ok(reply) => return Ok(Added::Ingest(reply.body, None)),
                Err(error) => Failure::from(error),
            };
            let code = failure.problem().map(|problem| problem.code.as_str());
            if code == Some(ProblemCode::TooManyIngests.as_str()) {
                self.progress((at, file), &self.context.texts.rag.queue_full);
                sleep(QUEUE_WAIT).await;
                continue;
            }
            self.clear();
            if failure.status().is_some_and(|status| OF_ONE_FILE.contains(&status)) {
                return Ok(Added::Refused(Exit::CheckFailed, self.refused(&failure)));
            }
            return Err(failure);
        }
    }

    fn address(&self, file: &NamedFile) -> String {
        let mut query = Query::of(match self.scope {
            Scope::Global => "/rag/global/ingest".to_owned(),
            Scope::User(user) => format!("/rag/users/{user}/ingest"),
            Scope::Project(project) => format!("/rag/projects/{project}/ingest"),
        });
        query.add("name", Some(&file.name));
        query.add("title", self.title);
        query.text()
    }

    fn fault(&self, fault: &FileFault) -> String {
        let texts = &self.context.texts.rag;
        match fault {
            FileFault::Absent => texts.absent.clone(),
            FileFault::Unreadable(kind, said) => {
                let reason = io_reason(&self.context.texts.failure.io, *kind, said);
                fill(&texts.unreadable, &[("reason", &reason)])
            }
            FileFault::NoFile => texts.no_file.clone(),
            FileFault::SameName => texts.same_name.clone(),
        }
    }

    fn too_large(&self, bytes: u64) -> String {
        let problem = Problem::new(ProblemCode::DocumentTooLarge);
        let problem = problem.with("bytes", bytes).with("max", self.bytes_max);
        self.refused(&problem.into())
    }

    fn refused(&self, failure: &Failure) -> String {
        let problem = failure.problem();
        problem
            .map_or_else(|| failure.to_string(), |problem| complaint::line(self.context, problem))
    }

    /// As it stands.
    fn told(&self, (_, file, added): Sent<'_>) -> Result<FileReport, Failure> {
        self.clear();
        let (texts, shown) = (&self.context.texts.rag, file.path.display().to_string());
        let none = Value::Null;
        let mut version = None;
        let (template, exit, job, reason) = match &added {
            Added::Refused(exit, reason) => (&texts.not_added, *exit, &none, reason.clone()),
            Added::Ingest(job, replaced) => {
                version = replaced.as_ref().map(|Replaced(version)| *version);
                let (template, exit) = match text(job, "state") {
                    "ready" if version.is_some() => (&texts.replaced, Exit::Done),
                    "ready" => (&texts.ready, Exit::Done),
                    "failed" => (&texts.not_read, Exit::CheckFailed),
                    "cancelled" => (&texts.was_cancelled, Exit::CheckFailed),
                    _ => (&texts.queued, Exit::Done),
                };
                (template, exit, job, jobs::why(self.context, job).unwrap_or_default())
            }
        };
        let values = [
            ("file", &*shown),
            ("job", short(text(job, "id"))),
            ("document", short(text(job, "document"))),
            ("passages", &number(job, "passages").to_string()),
            ("reason", &reason),
            ("version", &version.unwrap_or_default().to_string()),
        ];
        let line = harmless(&fill(template, &values));
        let tone = if exit == Exit::Done { Tone::Plain } else { Tone::Bad };
        self.context.output.line(&self.context.output.toned(tone, &line))?;
        // Found by its words alone.
        if exit == Exit::Done && !reason.is_empty() {
            self.context.output.aside(&reason)?;
        }
        let error = (exit != Exit::Done && !reason.is_empty()).then_some(reason);
        let report = json!({ "file": shown, "job": job, "error": error, "replaced": version });
        Ok((exit, report))
    }

    async fn follow(&self, of: (usize, &NamedFile), job: &mut Value) -> Result<(), Failure> {
        let below = format!("/rag/jobs/{}", required(job, "id")?);
        while !jobs::has_ended(job) {
            self.progress(of, &jobs::standing(self.context, job));
            sleep(LOOK_EVERY).await;
            *job = self.connection.get(&below).await?;
        }
        Ok(())
    }

    /// Whether what came of it took the place of what the document held before. It may be gone again.
    async fn replaced(&self, job: &Value) -> Result<Option<Replaced>, Failure> {
        let document = text(job, "document");
        if document.is_empty() {
            return Ok(None);
        }
        let view = if_there(self.connection.get(&format!("/rag/documents/{document}")).await)?;
        let changed = view.filter(|view| {
            number(view, "version") > 1 && text(view, "updated_at") >= text(job, "created_at")
        });
        Ok(changed.map(|view| Replaced(number(&view, "version"))))
    }

    fn sum_up(&self, ended: &[FileReport]) -> Result<Exit, Failure> {
        let told: Vec<&Value> = ended.iter().map(|(_, told)| told).collect();
        self.context.output.document(&told)?;
        let texts = &self.context.texts.rag;
        if ended.is_empty() {
            self.context.output.line(&texts.no_files)?;
            return Ok(Exit::CheckFailed);
        }
        let good = ended.iter().filter(|(exit, _)| *exit == Exit::Done).count();
        if ended.len() > 1 {
            let (good, bad) = (good.to_string(), (ended.len() - good).to_string());
            let template = if self.wait { &texts.sum } else { &texts.sum_queued };
            self.context.say(template, &[("good", &good), ("bad", &bad)])?;
        }
        let ends_with = |exit: Exit| ended.iter().any(|(of, _)| *of == exit);
        let exits = [Exit::Usage, Exit::CheckFailed];
        Ok(exits.into_iter().find(|exit| ends_with(*exit)).unwrap_or(Exit::Done))
    }

    /// One line that is written over.
    fn progress(&self, (at, file): (usize, &NamedFile), state: &str) {
        if self.is_shown {
            let line = format!("[{}/{}] {state} · {}", at + 1, self.files, file.name);
            let line: String = harmless(&line).chars().take(PROGRESS_CHARS_MAX).collect();
            say(&format!("{CLEAR_LINE}{line}"));
        }
    }

    fn clear(&self) {
        if self.is_shown {
            say(CLEAR_LINE);
        }
    }
}

/// A name that was given and names nothing is a mistake of whoever gave it.
const fn exit_of(fault: &FileFault) -> Exit {
    match fault {
        FileFault::Absent | FileFault::NoFile => Exit::Usage,
        FileFault::Unreadable(..) | FileFault::SameName => Exit::CheckFailed,
    }
}

/// A terminal that is gone is no reason to stop.
fn say(text: &str) {
    let mut err = io::stderr().lock();
    let _ = write!(err, "{text}");
    let _ = err.flush();
}
