//! `rag add`: sends files one after the other; a file that is refused stops no other.

use super::files::{FileFault, NamedFile, files};
use super::jobs;
use super::scopes::scope_of;
use crate::args::{RagAddArgs, RagScope};
use crate::complaint;
use crate::connection::{Connection, number, path, required, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
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
    Ingest(Value),
    /// Why it was not taken.
    Refused(String),
}

/// A file at its place among those that are added.
type Sent<'a> = (usize, &'a NamedFile, Added);
/// Whether it is good, and what programs are told of it.
type FileReport = (bool, Value);

pub async fn add(context: &Context, args: &RagAddArgs) -> Result<Exit, Failure> {
    let files = files(&args.paths);
    if args.title.is_some() && files.len() > 1 {
        return Err(Failure::TitleOfOne);
    }
    let connection = Connection::open(context)?;
    let scope = args.of.named().unwrap_or(RagScope::Me);
    let scope = scope_of(&connection, scope, &args.of).await?;
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
        if let Some((at, file, Added::Ingest(job))) = open.front_mut()
            && self.wait
        {
            self.follow((*at, *file), job).await?;
        }
        if let Some(oldest) = open.pop_front() {
            ended.push(self.told(oldest)?);
        }
        Ok(())
    }

    async fn sent(&self, (at, file): (usize, &NamedFile)) -> Result<Added, Failure> {
        if let Some(fault) = &file.fault {
            return Ok(Added::Refused(self.fault(fault)));
        }
        let unreadable = |error: io::Error| self.fault(&FileFault::Unreadable(error.to_string()));
        match fs::metadata(&file.path) {
            Ok(of) if self.bytes_max > 0 && of.len() > self.bytes_max => {
                return Ok(Added::Refused(self.too_large(of.len())));
            }
            Ok(_) => {}
            Err(error) => return Ok(Added::Refused(unreadable(error))),
        }
        let bytes = match fs::read(&file.path) {
            Ok(bytes) => Bytes::from(bytes),
            Err(error) => return Ok(Added::Refused(unreadable(error))),
        };
        loop {
            self.progress((at, file), &self.context.texts.rag.sending);
            let call = ApiCall::post(path(&self.address(file))).file(MEDIA_TYPE, bytes.clone());
            let failure = match self.connection.client.send(call).await {
                Ok(reply) => return Ok(Added::Ingest(reply.body)),
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
                return Ok(Added::Refused(self.refused(&failure)));
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
            FileFault::Unreadable(reason) => fill(&texts.unreadable, &[("reason", reason)]),
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
        let (template, good, job, reason) = match &added {
            Added::Refused(reason) => (&texts.not_added, false, &none, reason.clone()),
            Added::Ingest(job) => {
                let (template, good) = match text(job, "state") {
                    "ready" => (&texts.ready, true),
                    "failed" => (&texts.not_read, false),
                    "cancelled" => (&texts.was_cancelled, false),
                    _ => (&texts.queued, true),
                };
                (template, good, job, jobs::why(self.context, job).unwrap_or_default())
            }
        };
        let values = [
            ("file", &*shown),
            ("job", short(text(job, "id"))),
            ("document", short(text(job, "document"))),
            ("passages", &number(job, "passages").to_string()),
            ("reason", &reason),
        ];
        let line = harmless(&fill(template, &values));
        let tone = if good { Tone::Plain } else { Tone::Bad };
        self.context.output.line(&self.context.output.toned(tone, &line))?;
        let error = (!reason.is_empty()).then_some(reason);
        Ok((good, json!({ "file": shown, "job": job, "error": error })))
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

    fn sum_up(&self, ended: &[FileReport]) -> Result<Exit, Failure> {
        let told: Vec<&Value> = ended.iter().map(|(_, told)| told).collect();
        self.context.output.document(&told)?;
        let texts = &self.context.texts.rag;
        if ended.is_empty() {
            self.context.output.line(&texts.no_files)?;
            return Ok(Exit::CheckFailed);
        }
        let good = ended.iter().filter(|(good, _)| *good).count();
        if ended.len() > 1 {
            let (good, bad) = (good.to_string(), (ended.len() - good).to_string());
            self.context.say(&texts.sum, &[("good", &good), ("bad", &bad)])?;
        }
        Ok(if good == ended.len() { Exit::Done } else { Exit::CheckFailed })
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

/// A terminal that is gone is no reason to stop.
fn say(text: &str) {
    let mut err = io::stderr().lock();
    let _ = write!(err, "{text}");
    let _ = err.flush();
}
