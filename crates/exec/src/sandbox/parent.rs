//! The parent's side: it starts a child, sends the input, and ends the child at its deadline.

use super::{
    Barriers, COMMAND, DOCUMENT, ENVIRONMENT,
    wire::{Answer, DOCUMENT_BYTES_MAX, INPUT_BYTES_MAX, Request, VERSION, Work},
};
use crate::jq::{JqFault, Values};
use std::{
    io,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    sync::Arc,
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, Command},
    sync::Semaphore,
    time::timeout,
};

/// Children at once, of each kind of work; further ones wait. Pages and documents are made by strangers,
/// and however long each takes, no expression waits for one, and no page for a document.
const CHILDREN_MAX: usize = 4;
const PAGES_MAX: usize = 2;
const DOCUMENTS_MAX: usize = 2;
/// From start to answer.
const CHILD_TIME_MAX: Duration = Duration::from_secs(10);
const DOCUMENT_TIME_MAX: Duration = Duration::from_secs(60);
/// The answer's first line.
const LINE_BYTES_MAX: usize = 200;

/// The program whose hidden command runs [`super::run_child`]: our own, in production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxProgram {
    pub path: PathBuf,
}

/// Starts children of one program, a few at a time.
#[derive(Debug, Clone)]
pub struct Sandbox {
    program: SandboxProgram,
    children: Arc<Semaphore>,
    pages: Arc<Semaphore>,
    documents: Arc<Semaphore>,
}

/// Why a child gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// It was never started: its input is longer than a child takes.
    TooLong,
    NotStarted,
    /// It went on too long, and was ended.
    TimedOut,
    /// It ended so, or broke off.
    Ended(Option<ExitStatus>),
}

impl From<Broken> for JqFault {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::TooLong => Self::TooLarge,
            Broken::NotStarted => Self::Sandbox,
            Broken::TimedOut | Broken::Ended(_) => Self::Limit,
        }
    }
}

impl Sandbox {
    #[must_use]
    pub fn new(program: SandboxProgram) -> Self {
        let slots = |most| Arc::new(Semaphore::new(most));
        Self {
            program,
            children: slots(CHILDREN_MAX),
            pages: slots(PAGES_MAX),
            documents: slots(DOCUMENTS_MAX),
        }
    }

    /// Dropping this ends the child.
    pub(crate) async fn evaluate(
        &self,
        expr: &str,
        input: &str,
        max_bytes: usize,
    ) -> Result<Values, JqFault> {
        self.work(Work::Jq { expr: expr.to_owned() }, input, max_bytes).await
    }

    /// Title and readable text of HTML, as one JSON value.
    pub(crate) async fn page(&self, html: &str, max_bytes: usize) -> Result<Values, JqFault> {
        self.work(Work::Page, html, max_bytes).await
    }

    async fn work(&self, work: Work, input: &str, max_bytes: usize) -> Result<Values, JqFault> {
        let answer = self.ask(work, input.as_bytes(), max_bytes).await?;
        read(&answer, max_bytes)
    }

    /// The answer of a child: a line and at most so many bytes.
    pub(super) async fn ask(
        &self,
        work: Work,
        input: &[u8],
        max_bytes: usize,
    ) -> Result<Vec<u8>, Broken> {
        let (children, input_max, time_max, argument) = match &work {
            Work::Jq { .. } | Work::Barriers => {
                (&self.children, INPUT_BYTES_MAX, CHILD_TIME_MAX, None)
            }
            Work::Page => (&self.pages, INPUT_BYTES_MAX, CHILD_TIME_MAX, None),
            Work::Document { .. } => {
                (&self.documents, DOCUMENT_BYTES_MAX, DOCUMENT_TIME_MAX, Some(DOCUMENT))
            }
        };
        let request = Request { version: VERSION, work, max_bytes };
        let mut line = serde_json::to_vec(&request).map_err(|_| Broken::TooLong)?;
        line.push(b'\n');
        if input.len() > input_max {
            return Err(Broken::TooLong);
        }
        let _turn = children.acquire().await.map_err(|_| Broken::NotStarted)?;
        let mut child = self.start(argument).map_err(|error| {
            tracing::error!(kind = ?error.kind(), "the sandbox program cannot be started");
            Broken::NotStarted
        })?;
        // Of a child that broke off or went on too long `kill_on_drop` ends what is left.
        match timeout(time_max, converse(&mut child, &line, input, max_bytes)).await {
            Ok(Ok((answer, status))) if status.success() => Ok(answer),
            Ok(Ok((_, status))) => Err(Broken::Ended(Some(status))),
            Ok(Err(_)) => Err(Broken::Ended(None)),
            Err(_) => Err(Broken::TimedOut),
        }
    }

    fn start(&self, argument: Option<&str>) -> io::Result<Child> {
        let mut command = Command::new(&self.program.path);
        command
            .arg(COMMAND)
            .args(argument)
            .env_clear()
            .envs(ENVIRONMENT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        command.spawn()
    }
}

/// A small expression and a small page, as a run would have them worked on, and what the child is
/// shut in by; else the fault's code.
pub async fn probe(program: SandboxProgram) -> Result<Barriers, &'static str> {
    const ROOM_BYTES: usize = 256;
    let sandbox = Sandbox::new(program);
    let sum = sandbox.evaluate(".a+1", r#"{"a":1}"#, ROOM_BYTES).await.map_err(JqFault::code)?;
    let page = sandbox.page("<title>t</title><p>Hello", ROOM_BYTES).await.map_err(JqFault::code)?;
    let well = sum.lines.trim_ascii() == b"2" && page.count == 1;
    let told = sandbox.work(Work::Barriers, "", ROOM_BYTES).await.map_err(JqFault::code)?;
    let barriers = serde_json::from_slice(&told.lines).map_err(|_| JqFault::Sandbox.code())?;
    if well { Ok(barriers) } else { Err(JqFault::Sandbox.code()) }
}

/// Fed and read at once: neither side waits for the other with a full pipe.
async fn converse(
    child: &mut Child,
    line: &[u8],
    input: &[u8],
    max_bytes: usize,
) -> io::Result<(Vec<u8>, ExitStatus)> {
    let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let feed = async move {
        // A child that ends early closes the pipe: its status tells why.
        if to.write_all(line).await.is_ok() {
            let _ = to.write_all(input).await;
        }
        let _ = to.shutdown().await;
    };
    let mut answer = Vec::new();
    let bound = (LINE_BYTES_MAX + max_bytes) as u64;
    let mut from = from.take(bound);
    let ((), read) = tokio::join!(feed, from.read_to_end(&mut answer));
    read?;
    Ok((answer, child.wait().await?))
}

fn read(answer: &[u8], max_bytes: usize) -> Result<Values, JqFault> {
    let (answer, values) = divided(answer).ok_or(JqFault::Sandbox)?;
    match answer {
        Answer::Fault { fault } => Err(fault),
        Answer::Values { .. } if values.len() > max_bytes => Err(JqFault::TooLarge),
        Answer::Values { count } => Ok(Values { lines: values.to_vec(), count }),
        // No answer to this work.
        Answer::Refused { .. } => Err(JqFault::Sandbox),
    }
}

/// The first line of an answer, and the values behind it.
pub(super) fn divided(answer: &[u8]) -> Option<(Answer, &[u8])> {
    let end = answer.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = answer.split_at(end);
    Some((serde_json::from_slice(line).ok()?, rest.get(1..).unwrap_or_default()))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
