//! A server process, and what the kernel counts of it.

use serde_json::Value;
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdout, Command, Stdio},
};

/// Kernel clock ticks a second in `/proc/PID/stat`.
const TICKS_PER_SECOND: f64 = 100.0;

pub struct Process {
    child: Child,
    output: BufReader<ChildStdout>,
    /// The first line of its output.
    pub announced: Value,
}

impl Process {
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let output = child.stdout.take().expect("its output");
        let mut process = Self { child, output: BufReader::new(output), announced: Value::Null };
        process.announced = process.line();
        process
    }

    /// One line to its input, one from its output.
    pub fn ask(&mut self, line: &str) -> Value {
        let mut input = self.child.stdin.as_ref().expect("its input");
        writeln!(input, "{line}").expect("it reads");
        self.line()
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    pub fn url(&self) -> &str {
        self.announced["url"].as_str().expect("a URL")
    }

    /// User and system time so far, in seconds.
    pub fn cpu_seconds(&self) -> f64 {
        let stat = self.read("stat");
        let fields: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields[at].parse::<f64>().expect("ticks");
        (ticks(11) + ticks(12)) / TICKS_PER_SECOND
    }

    /// Bytes handed to the storage layer so far.
    pub fn bytes_written(&self) -> f64 {
        let io = self.read("io");
        let line = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
        line.expect("`write_bytes`").parse().expect("bytes")
    }

    fn read(&self, file: &str) -> String {
        let path = format!("/proc/{}/{file}", self.child.id());
        fs::read_to_string(path).expect("the process's own figures")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
