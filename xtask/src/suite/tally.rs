//! Reads the sums that test runners print.

use std::ops::AddAssign;

/// Whose output is read.
#[derive(Clone, Copy, Debug)]
pub enum Runner {
    /// libtest's `test result:` lines.
    Cargo,
    /// The last lines of a TAP report, such as `# pass 12`.
    Tap,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub ignored: usize,
}

impl Tally {
    pub fn add(&mut self, runner: Runner, line: &str) {
        match runner {
            Runner::Cargo => self.add_libtest(line),
            Runner::Tap => self.add_tap(line),
        }
    }

    fn add_tap(&mut self, line: &str) {
        let Some((name, number)) = line.strip_prefix("# ").and_then(|l| l.split_once(' ')) else {
            return;
        };
        let number: usize = number.parse().unwrap_or(0);
        match name {
            "pass" => self.passed += number,
            "fail" | "cancelled" => self.failed += number,
            "skipped" | "todo" => self.ignored += number,
            _ => {}
        }
    }

    fn add_libtest(&mut self, line: &str) {
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

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
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
            tally.add(Runner::Cargo, line);
        }
        assert_eq!(tally, Tally { passed: 5, failed: 1, ignored: 1 });
    }

    #[test]
    fn a_tap_report_is_added_up() {
        let mut tally = Tally::default();
        for line in [
            "TAP version 13",
            "ok 1 - it",
            "# tests 5",
            "# pass 3",
            "# fail 1",
            "# cancelled 1",
            "# skipped 2",
            "# todo 0",
            "# duration_ms 12.5",
        ] {
            tally.add(Runner::Tap, line);
        }
        assert_eq!(tally, Tally { passed: 3, failed: 2, ignored: 2 });
    }
}
