//! One part of the suite: its output, result and cost.

use std::io::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use super::child::{self, Errors, Line};
use super::cost::Cost;
use super::tally::{Runner, Tally};
use crate::fault::Fault;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub name: &'static str,
    pub passed: bool,
    pub cost: Cost,
    pub tally: Tally,
}

/// What a part prints. It is shown whole when the part is over: others run beside it.
#[derive(Default)]
pub struct Log {
    pub text: Vec<u8>,
    pub tally: Tally,
    /// Of the children that it ran.
    cpu: Option<Duration>,
}

impl Part {
    /// A part that could not be run has failed, and the next ones run all the same.
    pub fn run(name: &'static str, check: impl FnOnce(&mut Log) -> Result<bool, Fault>) -> Self {
        let start = Instant::now();
        let mut log = Log::default();
        let passed = check(&mut log).unwrap_or_else(|fault| {
            log.say(&format!("{name}: {fault}"));
            false
        });
        let cost = Cost { wall: start.elapsed(), cpu: log.cpu };
        show(&format!("== {name}: {}\n", outcome(passed, cost)), &log.text);
        Self { name, passed, cost, tally: log.tally }
    }

    /// Of which nothing else is known.
    pub fn failed(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    /// Failures that it counts: a part without tests of its own, or one whose runner failed without
    /// a failing test, counts as one.
    pub fn failures(&self) -> usize {
        self.tally.failed.max(usize::from(!self.passed))
    }
}

pub fn outcome(passed: bool, cost: Cost) -> String {
    format!("{} in {cost}", if passed { "ok" } else { "FAILED" })
}

/// Without a line of another thread in between.
pub fn show(head: &str, text: &[u8]) {
    let mut shown = std::io::stdout().lock();
    let mut text = text.to_vec();
    if text.last().is_some_and(|last| *last != b'\n') {
        text.push(b'\n');
    }
    // Nobody is left to be told that nobody reads it.
    let _ = shown.write_all(head.as_bytes()).and_then(|()| shown.write_all(&text));
    let _ = shown.flush();
}

impl Log {
    pub fn say(&mut self, line: &str) {
        self.text.extend_from_slice(line.as_bytes());
        self.text.push(b'\n');
    }

    pub fn run(&mut self, command: &mut Command) -> Result<bool, Fault> {
        self.run_each(command, |_| ())
    }

    /// Its output is for `read` alone, its errors are shown as they come.
    pub fn run_piped(
        &mut self,
        command: &mut Command,
        read: impl FnMut(Line),
    ) -> Result<bool, Fault> {
        let ended = child::run(command, Errors::Shown, read)?;
        self.add_cpu(ended.cost.cpu);
        Ok(ended.success)
    }

    fn run_each(
        &mut self,
        command: &mut Command,
        mut read: impl FnMut(&Line),
    ) -> Result<bool, Fault> {
        let text = &mut self.text;
        let ended = child::run(command, Errors::Collected, |line| {
            read(&line);
            text.extend_from_slice(&line.bytes);
        })?;
        self.add_cpu(ended.cost.cpu);
        Ok(ended.success)
    }

    pub fn add_cpu(&mut self, cpu: Option<Duration>) {
        let mut sum = Cost { wall: Duration::ZERO, cpu: self.cpu };
        sum += Cost { wall: Duration::ZERO, cpu };
        self.cpu = sum.cpu;
    }

    /// Adds up what a test runner says of itself.
    pub fn run_tests(&mut self, command: &mut Command, runner: Runner) -> Result<bool, Fault> {
        let mut tally = self.tally;
        let passed = self.run_each(command, |line| {
            tally.add(runner, String::from_utf8_lossy(&line.bytes).trim_end());
        })?;
        self.tally = tally;
        Ok(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_cannot_be_run_has_failed_once() {
        let part = Part::run("x", |log| log.run(&mut Command::new("/nonexistent/program")));
        assert_eq!((part.passed, part.failures()), (false, 1));
        let part = Part::run("x", |log| {
            log.run_tests(Command::new("printf").arg("# pass 2\n# fail 3\n"), Runner::Tap)
        });
        assert_eq!((part.passed, part.failures(), part.tally.passed), (true, 3, 2));
    }
}
