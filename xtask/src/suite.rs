//! `cargo xtask test`: every check, in the order of what they cost.

mod skips;
mod tally;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::Fault;
use crate::{fuzz, process, tidy, web};
use skips::Skip;
use tally::{Runner, Tally};

/// Tests read it to go further than a commit needs: more cases, more kill points.
const LONG: &str = "WIIIV_LONG";

/// Names of the kernel features that this machine lacks, with commas between them.
const SKIPS: &str = "WIIIV_SKIPS";

/// Where a real model lies; `.ci/local-model` installs one.
const LOCAL_MODEL: &str = "WIIIV_LOCAL_MODEL";

/// The last line printed is `N passed, N failed, N skipped`.
pub fn run(root: &Path, long: bool) -> Result<bool, Fault> {
    let mut suite = Suite { skips: skips::read(root)?, ..Suite::default() };
    suite.step("fmt", || process::succeeds(process::cargo(root).args(["fmt", "--all", "--check"])));
    suite.step("tidy", || tidy::run(root));
    suite.step("clippy", || process::succeeds(&mut clippy(root)));

    let lacking: Vec<&str> = suite.skips.iter().map(|skip| skip.name.as_str()).collect();
    let mut tests = tests(root, long);
    tests.env(SKIPS, lacking.join(","));
    if long && !has_local_model() {
        suite.skips.push(Skip::new("local model", "WIIIV_LOCAL_MODEL names none"));
    }
    let mut tally = Tally::default();
    suite.step("test", || tally::stream(&mut tests, Runner::Cargo, &mut tally));
    match web::missing(root) {
        Some(reason) if is_ci() => suite.step("web", || Err(reason.into())),
        Some(reason) => suite.skips.push(Skip::new("web", &reason)),
        None => {
            suite.step("web", || web::check(root));
            suite.step("browser", || {
                tally::stream(&mut web::browser_tests(root)?, Runner::Tap, &mut tally)
            });
        }
    }
    suite.tally = tally;
    if long {
        match fuzz::missing() {
            Some(reason) if is_ci() => suite.step("fuzz", || Err(reason.into())),
            Some(reason) => suite.skips.push(Skip::new("fuzz", reason)),
            None => suite.step("fuzz", || fuzz::run(root, "understand", fuzz::SECONDS)),
        }
    }

    if is_installed(root) {
        suite.step("deny", || process::succeeds(&mut cargo_deny(root)));
        suite.skips.push(Skip::new("cargo-deny advisories", "their data is fetched elsewhere"));
    } else {
        suite.skips.push(Skip::new("cargo-deny", "not installed; tidy holds deny.toml"));
    }
    Ok(suite.close())
}

/// There, what can be installed has to be.
fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

fn clippy(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    command
}

fn tests(root: &Path, long: bool) -> Command {
    let mut command = process::cargo(root);
    command.args(["test", "--workspace", "--no-fail-fast"]);
    if long {
        command.args(["--", "--include-ignored"]).env(LONG, "1");
        if !has_local_model() {
            command.args(["--skip", "local_model::"]);
        }
    }
    command
}

fn has_local_model() -> bool {
    std::env::var_os(LOCAL_MODEL).is_some_and(|folder| !folder.is_empty())
}

fn cargo_deny(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.args(["deny", "check", "bans", "licenses", "sources"]);
    command
}

fn is_installed(root: &Path) -> bool {
    process::output(process::cargo(root).args(["deny", "--version"])).is_ok()
}

#[derive(Default)]
struct Suite {
    steps: Vec<Step>,
    skips: Vec<Skip>,
    tally: Tally,
}

struct Step {
    name: &'static str,
    passed: bool,
    seconds: f64,
}

impl Suite {
    /// A step that could not be run has failed, and the next ones run all the same.
    fn step(&mut self, name: &'static str, check: impl FnOnce() -> Result<bool, Fault>) {
        println!("== {name}");
        let start = Instant::now();
        let passed = check().unwrap_or_else(|fault| {
            println!("{name}: {fault}");
            false
        });
        let seconds = start.elapsed().as_secs_f64();
        self.steps.push(Step { name, passed, seconds });
    }

    fn close(&self) -> bool {
        println!("==");
        for Step { name, passed, seconds } in &self.steps {
            println!("{name}: {} in {seconds:.1} s", if *passed { "ok" } else { "FAILED" });
        }
        for Skip { name, reason } in &self.skips {
            println!("{name}: not run ({reason})");
        }
        let ran = self.tally.passed + self.tally.failed > 0;
        if !ran {
            println!("test: no test was run");
        }
        let summary = self.summary();
        println!("{summary}");
        ran && self.steps.iter().all(|step| step.passed)
    }

    /// A failed step counts as one failure, unless it is the tests that count their own.
    fn summary(&self) -> String {
        let failed_steps = self.steps.iter().filter(|step| !step.passed).count();
        let failed = match self.tally.failed {
            0 => failed_steps,
            tests => tests + failed_steps.saturating_sub(1),
        };
        let skipped = self.tally.ignored + self.skips.len();
        format!("{} passed, {failed} failed, {skipped} skipped", self.tally.passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(passed: [bool; 2], tally: Tally) -> String {
        let steps = ["clippy", "test"].into_iter().zip(passed);
        let steps = steps.map(|(name, passed)| Step { name, passed, seconds: 0.0 }).collect();
        Suite { steps, skips: vec![Skip::new("a", "b")], tally }.summary()
    }

    #[test]
    fn failed_steps_and_tests_are_each_counted_once() {
        let tally = |failed| Tally { passed: 9, failed, ignored: 2 };
        assert_eq!(summary([true, true], tally(0)), "9 passed, 0 failed, 3 skipped");
        assert_eq!(summary([false, true], tally(0)), "9 passed, 1 failed, 3 skipped");
        assert_eq!(summary([true, false], tally(4)), "9 passed, 4 failed, 3 skipped");
        assert_eq!(summary([false, false], tally(4)), "9 passed, 5 failed, 3 skipped");
        assert_eq!(summary([true, false], tally(0)), "9 passed, 1 failed, 3 skipped");
    }
}
