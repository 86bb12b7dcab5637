//! Starts the real binary in a home of its own.

use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SOON: Duration = Duration::from_secs(20);

/// Configuration, credentials and data of one test.
pub struct Home(TempDir);

impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wiiiv"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.0.path())
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .current_dir(self.0.path())
            .stdin(Stdio::null());
        command
    }

    /// In a shell that does this first: its limits and its umask are inherited.
    pub fn in_shell(&self, before: &str, arguments: &[&str]) -> Command {
        let plain = self.command(arguments);
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("{before}; exec \"$@\""), "sh"]);
        command.arg(plain.get_program()).args(plain.get_args()).env_clear();
        command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    pub fn ran(mut command: Command) -> Ran {
        Ran::of(command.output().unwrap())
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Says yes to the question that was asked last, on its digest, and waits for what becomes of it.
    pub fn approve(&self) -> Ran {
        let list = ["approvals", "list", "--state", "pending", "--json"];
        let rows = self.run(&list).ended(0).json();
        let text = |field: &str| rows[0][field].as_str().unwrap();
        self.run(&["approvals", "approve", text("id"), "--digest", text("digest")])
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ran::of(child.wait_with_output().unwrap())
    }
}

#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Ended with this code; everything that was said is shown where it did not.
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// One document a line.
    pub fn events(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A server process; ended with its handle.
pub struct Server {
    child: Child,
    /// What it printed first.
    pub ready: Value,
}

impl Server {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("{error}: {line:?}, {:?}", child.wait()));
        Self { child, ready }
    }

    pub fn demo(home: &Home) -> Self {
        Self::start(home.command(&["demo", "--json", "--port", "0"]))
    }

    pub fn text(&self, field: &str) -> &str {
        self.ready[field].as_str().unwrap()
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn workspace(&self) -> &Path {
        Path::new(self.text("workspace"))
    }

    /// As a service manager stops it.
    pub fn stop(mut self) -> i32 {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Asks again until there is an answer.
pub fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + SOON;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "nothing within {SOON:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
