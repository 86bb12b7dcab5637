//! The parent's side: it starts a child, sends the input, and ends the child at its deadline.

use super::{
    Barriers, COMMAND, ENVIRONMENT,
    wire::{Answer, REQUEST_BYTES_MAX, Request, VERSION, Work},
};
use crate::jq::{JqFault, Values};
use std::{io, path::PathBuf, process::Stdio, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, Command},
    sync::Semaphore,
    time::timeout,
};

/// Children at once, of either kind of work; further ones wait. Pages are made by strangers, and
/// however long each takes, no expression waits for one.
const CHILDREN_MAX: usize = 4;
const PAGES_MAX: usize = 2;
/// From start to answer.
const CHILD_TIME_MAX: Duration = Duration::from_secs(10);
/// The answer's first line.
const LINE_BYTES_MAX: usize = 200;

/// The program whose hidden command runs [`super::run_child`]: our own, in production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxProgram {
    pub path: PathBuf,
}

#[derive(Debug, Clone)]
pub(crate) struct Sandbox {
    program: SandboxProgram,
    children: Arc<Semaphore>,
    pages: Arc<Semaphore>,
}

impl Sandbox {
    pub(crate) fn new(program: SandboxProgram) -> Self {
        let slots = |most| Arc::new(Semaphore::new(most));
        Self { program, children: slots(CHILDREN_MAX), pages: slots(PAGES_MAX) }
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
        let children = match &work {
            Work::Jq { .. } | Work::Barriers => &self.children,
            Work::Page => &self.pages,
        };
        let request = Request { version: VERSION, work, input: input.to_owned(), max_bytes };
        let request = serde_json::to_vec(&request).map_err(|_| JqFault::Input)?;
        if request.len() > REQUEST_BYTES_MAX {
            return Err(JqFault::TooLarge);
        }
        let _turn = children.acquire().await.map_err(|_| JqFault::Sandbox)?;
        let mut child = self.start().map_err(|error| {
            tracing::error!(kind = ?error.kind(), "the sandbox program cannot be started");
            JqFault::Sandbox
        })?;
        let answered = timeout(CHILD_TIME_MAX, converse(&mut child, &request, max_bytes)).await;
        match answered {
            Ok(Ok(answer)) => read(&answer, max_bytes),
            // It broke off or went on too long; `kill_on_drop` ends what is left.
            Ok(Err(_)) | Err(_) => Err(JqFault::Limit),
        }
    }

    fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program.path);
        command
            .arg(COMMAND)
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
async fn converse(child: &mut Child, request: &[u8], max_bytes: usize) -> io::Result<Vec<u8>> {
    let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let feed = async move {
        // A child that ends early closes the pipe: its status tells why.
        let _ = to.write_all(request).await;
        let _ = to.shutdown().await;
    };
    let mut answer = Vec::new();
    let bound = (LINE_BYTES_MAX + max_bytes) as u64;
    let mut from = from.take(bound);
    let ((), read) = tokio::join!(feed, from.read_to_end(&mut answer));
    read?;
    let status = child.wait().await?;
    if status.success() { Ok(answer) } else { Err(io::ErrorKind::Interrupted.into()) }
}

fn read(answer: &[u8], max_bytes: usize) -> Result<Values, JqFault> {
    let end = answer.iter().position(|byte| *byte == b'\n').ok_or(JqFault::Sandbox)?;
    let (line, rest) = answer.split_at(end);
    match serde_json::from_slice(line).map_err(|_| JqFault::Sandbox)? {
        Answer::Fault { fault } => Err(fault),
        Answer::Values { count } => {
            let lines = rest.get(1..).unwrap_or_default().to_vec();
            if lines.len() > max_bytes {
                Err(JqFault::TooLarge)
            } else {
                Ok(Values { lines, count })
            }
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
