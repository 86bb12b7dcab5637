//! The sum of libtest's `test result:` lines, read while they are shown.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::Fault;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub ignored: usize,
}

impl Tally {
    fn add(&mut self, line: &str) {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|l| l.split_once(". "))
        else {
            return;
        };
        for count in counts.split("; ") {
            let (number, name) = count.split_once(' ').unwrap_or((count, ""));
            let number: usize = number.parse().unwrap_or(0);
            match name {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

/// Runs a test command, shows its output and adds up its results.
pub fn stream(command: &mut Command, tally: &mut Tally) -> Result<bool, Fault> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no output to read")?);
    let mut shown = std::io::stdout();
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        shown.write_all(&line)?;
        tally.add(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(child.wait()?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_binaries_are_added_up() {
        let mut tally = Tally::default();
        for line in [
            "running 4 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; \
             finished in 0.00s",
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 7 filtered out; \
             finished in 1.20s",
            "test it says test result: ok. 9 passed ... ok",
        ] {
            tally.add(line);
        }
        assert_eq!(tally, Tally { passed: 5, failed: 1, ignored: 1 });
    }
}
