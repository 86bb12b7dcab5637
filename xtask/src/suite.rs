//! `cargo xtask test`: every check, independent ones in parallel, with the cost of each.

mod binaries;
mod child;
mod cost;
pub mod part;
mod report;
mod rust_tests;
mod skips;
mod tally;
mod times;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::fault::Fault;
use crate::{fuzz, mutants, process, rag_sets, tidy, web};
use binaries::Built;
use part::{Log, Part};
use report::Report;
use rust_tests::{Results, Settings};
use tally::Runner;

/// Tests read it to go further than a commit needs: more cases, more kill points.
const LONG: &str = "WIIIV_LONG";

/// Names of the kernel features that this machine lacks, with commas between them.
const SKIPS: &str = "WIIIV_SKIPS";

/// Where a real model lies; `.ci/local-model` installs one.
const LOCAL_MODEL: &str = "WIIIV_LOCAL_MODEL";

/// The folder of sets for `wiiiv rag eval`.
const RAG_SETS: &str = "WIIIV_RAG_SETS";

/// The last line printed is `N passed, N failed, N skipped`.
pub fn run(root: &Path, long: bool) -> Result<bool, Fault> {
    let mut report = Report::start(skips::read(root)?);
    let lacking: Vec<String> = report.skips.iter().map(|skip| skip.name.clone()).collect();
    report.add(Part::run("fmt", |log| {
        log.run(process::cargo(root).args(["fmt", "--all", "--check"]))
    }));
    report.add(Part::run("tidy", |log| tidy::run(root, &mut log.text)));

    if long && !has_local_model() {
        report.skip("local model", "WIIIV_LOCAL_MODEL names none");
    }
    let help_sets = if long { help_sets(root, &mut report) } else { None };
    let web_missing = web::missing(root);
    if let Some(reason) = &web_missing {
        missing(&mut report, "web", reason);
    }
    in_turn(root, &settings(long, &lacking, help_sets), web_missing.is_none(), &mut report);

    if long {
        match fuzz::missing() {
            Some(reason) => missing(&mut report, "fuzz", reason),
            None => report.add(Part::run("fuzz", |_| fuzz::run_all(root))),
        }
        match mutants::missing(root) {
            Some(reason) => missing(&mut report, "mutants", reason),
            None => report.add(Part::run("mutants", |_| mutants::run(root, mutants::COUNT, None))),
        }
    }
    if is_installed(root) {
        report.add(Part::run("deny", |log| log.run(&mut cargo_deny(root))));
        report.skip("cargo-deny advisories", "their data is fetched elsewhere");
    } else {
        report.skip("cargo-deny", "not installed; tidy holds deny.toml");
    }
    Ok(report.close())
}

/// Sets of help pages; `None` where this machine cannot have them.
fn help_sets(root: &Path, report: &mut Report) -> Option<PathBuf> {
    if let Some(reason) = rag_sets::missing() {
        report.skip("rag sets", &reason);
        return None;
    }
    report.add(Part::run("rag sets", |log| rag_sets::build(root, &mut log.text)));
    Some(rag_sets::folder(root))
}

/// There, what can be installed has to be.
fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

fn missing(report: &mut Report, name: &'static str, reason: &str) {
    if is_ci() {
        report.add(Part::run(name, |_| Err(reason.into())));
    } else {
        report.skip(name, reason);
    }
}

/// The web UI is checked while cargo builds. All that runs programs with deadlines has the processors
/// for itself: beside clippy or each other, tests wait so long that some of them fail.
fn in_turn(root: &Path, settings: &Settings, with_web: bool, report: &mut Report) {
    let mut built = Built::default();
    thread::scope(|scope| {
        let web = with_web.then(|| scope.spawn(|| Part::run("web", |log| web::check(root, log))));
        report.add(Part::run("build", |log| build(root, &mut built, log)));
        if let Some(web) = web {
            report.add(web.join().unwrap_or_else(|_| Part::failed("web")));
        }
    });
    report.add(Part::run("clippy", |log| log.run(&mut clippy(root))));
    report.add(Part::run("doc tests", |log| log.run_tests(&mut doc_tests(root), Runner::Cargo)));
    let mut results = Results::default();
    let (tests, server) = (built.tests, built.server);
    report.add(Part::run("test", |log| {
        results = rust_tests::run(tests, settings, log);
        Ok(results.passed)
    }));
    report.results = results;
    if with_web {
        report.add(Part::run("browser", |log| {
            let server = server.as_deref().ok_or("the server was not built")?;
            log.run_tests(&mut web::browser_tests(root, server), Runner::Tap)
        }));
    }
}

/// Its errors are shown as they come: it is what a developer waits for first.
fn build(root: &Path, built: &mut Built, log: &mut Log) -> Result<bool, Fault> {
    let passed = log.run_piped(&mut binaries::build(root), |line| {
        built.add(&line.bytes);
    })?;
    if !passed {
        *built = Built::default();
    }
    built.sort();
    Ok(passed)
}

fn clippy(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    command
}

fn doc_tests(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
    command
}

fn settings(long: bool, lacking: &[String], help_sets: Option<PathBuf>) -> Settings {
    let mut settings = Settings::default();
    settings.environment.push((SKIPS, lacking.join(",")));
    if long {
        settings.environment.push((LONG, "1".to_owned()));
        settings.arguments.push("--include-ignored".to_owned());
        if !has_local_model() {
            settings.arguments.extend(["--skip", "local_model::"].map(str::to_owned));
        }
        match help_sets {
            Some(folder) => settings.environment.push((RAG_SETS, folder.display().to_string())),
            None => settings.arguments.extend(["--skip", "debian_sets::"].map(str::to_owned)),
        }
    }
    settings
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
