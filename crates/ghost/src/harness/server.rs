//! The product as a server process on a free port. It ends with its handle.

use super::{
    error::PlayError,
    server_home::{Patience, ServerHome},
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    fs::OpenOptions,
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

const START_WITHIN: Duration = Duration::from_secs(30);
const END_WITHIN: Duration = Duration::from_secs(30);

pub(crate) struct Server {
    process: Child,
    pub(crate) url: String,
    /// Only after the first start of a home.
    pub(crate) setup_token: Option<String>,
}

impl Server {
    /// `fault`: the commit at which the server aborts.
    pub(crate) async fn start(home: &ServerHome, fault: Option<&str>) -> Result<Self, PlayError> {
        let log = home.log();
        let errors = OpenOptions::new().create(true).append(true).open(&log);
        let errors = errors.map_err(PlayError::path(&log))?;
        let mut command = command(home, fault);
        command.stdout(Stdio::piped()).stderr(errors).stdin(Stdio::null()).kill_on_drop(true);
        let mut process = command.spawn().map_err(PlayError::path(&home.program))?;
        let output = process.stdout.take();
        let Some(output) = output else { return Err(PlayError::Start("no output".to_owned())) };
        let mut line = String::new();
        let mut output = BufReader::new(output);
        let late = PlayError::Late { what: "start of the server", seconds: START_WITHIN.as_secs() };
        let read = timeout(START_WITHIN, output.read_line(&mut line)).await.map_err(|_| late)?;
        read.map_err(PlayError::io("the server's output"))?;
        let not_ready = || PlayError::Start(last_lines(&log));
        let ready: Value = serde_json::from_str(&line).map_err(|_| not_ready())?;
        let text = |name: &str| ready.get(name).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            process,
            url: text("url").ok_or_else(not_ready)?,
            setup_token: text("setup_token"),
        })
    }

    /// Stops it as a service manager does: then everything is on disk.
    pub(crate) async fn stop(&mut self) -> Result<(), PlayError> {
        let id = self.process.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(id) = id {
            kill_process(id, Signal::TERM)
                .map_err(|error| PlayError::io("the server")(error.into()))?;
        }
        self.ended().await.map(drop)
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// Waits until it ends by itself.
    pub(crate) async fn ended(&mut self) -> Result<ExitStatus, PlayError> {
        let late = PlayError::Late { what: "end of the server", seconds: END_WITHIN.as_secs() };
        let status = timeout(END_WITHIN, self.process.wait()).await.map_err(|_| late)?;
        status.map_err(PlayError::io("the server"))
    }
}

fn command(home: &ServerHome, fault: Option<&str>) -> Command {
    let mut command = Command::new(&home.program);
    command.args(["serve", "--json", "--listen", "127.0.0.1:0", "--data-dir"]).arg(home.data());
    command.arg("--master-key-file").arg(home.key()).current_dir(home.path()).env_clear();
    for name in ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home.path());
    }
    command.env("WIIIV__LLM__APPROVED_ORIGINS", &home.model_origin);
    // The log is searched for secrets, so it has to be as detailed as possible.
    command.env("WIIIV__LOG__LEVEL", "trace");
    // A crash of the process loses the same in either mode; only a power cut does not.
    command.env("WIIIV__STORE__SYNCHRONOUS", "normal");
    if home.patience == Patience::Short {
        for name in ["FIRST_TOKEN_SECONDS", "BETWEEN_TOKENS_SECONDS", "TOTAL_SECONDS"] {
            command.env(format!("WIIIV__LLM__{name}"), "1");
        }
    }
    if let Some(fault) = fault {
        command.env("WIIIV__FAULTS__ABORT_AT", fault);
    }
    command
}

fn last_lines(log: &std::path::Path) -> String {
    const LINES: usize = 5;
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().rev().take(LINES).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}
