//! A child process with its collected output and its cost.

use std::io::{BufRead, BufReader, PipeReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::cost::{Cost, Stat};
use crate::fault::Fault;
use crate::process;

/// Between two looks at a child that prints nothing.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// A process that a test left behind may hold the pipe: nobody waits longer for its end.
const DRAIN_MAX: Duration = Duration::from_secs(2);

pub struct Ended {
    pub success: bool,
    pub cost: Cost,
}

/// One line that the child printed, and when, counted from its start.
pub struct Line {
    pub at: Duration,
    pub bytes: Vec<u8>,
}

/// Where the child's errors go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Among its lines.
    Collected,
    /// To ours, as they come.
    Shown,
}

/// Runs it to its end; each line of its output goes to `on_line`.
pub fn run(
    command: &mut Command,
    errors: Errors,
    mut on_line: impl FnMut(Line),
) -> Result<Ended, Fault> {
    let start = Instant::now();
    let (reader, writer) = std::io::pipe()?;
    if errors == Errors::Collected {
        command.stderr(writer.try_clone()?);
    }
    command.stdin(Stdio::null()).stdout(writer);
    let mut child =
        command.spawn().map_err(|error| format!("{}: {error}", process::line_of(command)))?;
    // The command holds the writing ends: the pipe would never close.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    watch(&mut child, &lines(reader, start), &mut on_line)?;
    let cpu = Stat::of(child.id()).map(|stat| stat.cpu);
    let success = child.wait()?.success();
    Ok(Ended { success, cost: Cost { wall: start.elapsed(), cpu } })
}

/// Until it has ended; it is not waited for yet.
fn watch(
    child: &mut Child,
    lines: &Receiver<Line>,
    on_line: &mut impl FnMut(Line),
) -> Result<(), Fault> {
    let mut over_since: Option<Instant> = None;
    loop {
        match lines.recv_timeout(LOOK_EVERY) {
            Ok(line) => on_line(line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if over_since.is_none() && is_over(child)? {
                    over_since = Some(Instant::now());
                }
                if over_since.is_some_and(|since| since.elapsed() > DRAIN_MAX) {
                    break;
                }
            }
        }
    }
    while !is_over(child)? {
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

fn lines(reader: PipeReader, start: Instant) -> Receiver<Line> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let line = Line { at: start.elapsed(), bytes: std::mem::take(&mut bytes) };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Where there is a `/proc`, it is not reaped yet: its processor time can still be read.
fn is_over(child: &mut Child) -> Result<bool, Fault> {
    match Stat::of(child.id()) {
        Some(stat) => Ok(stat.is_over),
        None => Ok(child.try_wait()?.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> (Vec<String>, Ended) {
        let mut lines = Vec::new();
        let keep = |line: Line| lines.push(String::from_utf8_lossy(&line.bytes).into_owned());
        let ended =
            run(Command::new("sh").args(["-c", script]), Errors::Collected, keep).expect("a shell");
        (lines, ended)
    }

    #[test]
    fn both_outputs_and_the_end_are_seen() {
        let (lines, ended) = shell("echo one; echo two >&2; printf three");
        assert_eq!(lines, ["one\n", "two\n", "three"]);
        assert!(ended.success);
        assert!(!shell("exit 3").1.success);
    }

    #[test]
    fn what_grandchildren_cost_is_counted() {
        let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let (_, ended) = shell(&format!("sh -c '{work}'; true"));
        let cpu = ended.cost.cpu.expect("this system has a /proc");
        assert!(cpu > Duration::from_millis(20), "{cpu:?}");
        assert!(ended.cost.wall >= cpu / 2);
    }

    #[test]
    fn a_process_left_behind_holds_nobody_up() {
        let start = Instant::now();
        let (lines, ended) = shell("sleep 30 & echo done");
        assert_eq!(lines, ["done\n"]);
        assert!(ended.success && start.elapsed() < Duration::from_secs(20));
    }
}
