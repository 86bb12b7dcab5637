//! A few runs of the two suites that take long, others for every commit.

use crate::ghost::{all_pass, suite};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::env;
use std::io::{self, Write as _};
use std::process::Command;

/// Two of each hostile model.
const ADVERSARY_RUNS: usize = 36;
/// One of each boundary.
const FAULTS_RUNS: usize = 7;
/// Draws the runs in place of the commit.
const SEED: &str = "WIIIV_SEED";

/// The same for everybody who tests this commit; another one draws other runs.
fn seed() -> u32 {
    if let Ok(named) = env::var(SEED) {
        return named.parse().unwrap_or_else(|_| panic!("{SEED} is no number: `{named}`"));
    }
    let mut git = Command::new("git");
    let head = git.args(["rev-parse", "HEAD"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    // A source tree without its history is one version as well.
    let commit = head.ok().filter(|head| head.status.success()).map(|head| head.stdout);
    commit.map_or(0, |commit| of_commit(&String::from_utf8(commit).unwrap()))
}

/// As a shell gets it: `$((16#$(git rev-parse HEAD | cut -c1-8)))`.
fn of_commit(hash: &str) -> u32 {
    u32::from_str_radix(&hash[..8], 16).unwrap()
}

fn played(mode: &str, runs: usize) -> Vec<Value> {
    let seed = seed();
    let (drawn, sample) = (seed.to_string(), runs.to_string());
    let arguments = ["run", "--mode", mode, "--sample", &sample, "--seed", &drawn];
    // Past the test runner, which shows what a test prints only where it fails.
    let _ = writeln!(io::stderr(), "again: wiiiv ghost {}", arguments.join(" "));
    let results = all_pass(&arguments, &suite());
    assert_eq!((&results["sample"], &results["seed"]), (&json!(runs), &json!(seed)));
    let reports = results["reports"].as_array().unwrap().clone();
    assert_eq!(reports.len(), runs);
    reports
}

fn variants(reports: &[Value]) -> BTreeSet<&str> {
    reports.iter().map(|report| report["variant"].as_str().unwrap()).collect()
}

#[test]
fn a_sample_of_hostile_models_comes_to_nothing() {
    let reports = played("adversary", ADVERSARY_RUNS);
    assert_eq!(variants(&reports).len(), wiiiv_ghost::Hostile::ALL.len(), "each of them");
}

#[test]
fn a_sample_of_kills_is_taken_up() {
    let reports = played("faults", FAULTS_RUNS);
    let kills = reports.iter().flat_map(|report| report["kills"].as_array().unwrap());
    assert!(kills.count() > 0, "no server was ended");
}

#[test]
fn a_commit_draws_its_own_runs() {
    assert_eq!(of_commit("00000010aabbccddeeff\n"), 16);
    assert_ne!(of_commit("97699a50aabb"), of_commit("8102d0b0aabb"));
}
