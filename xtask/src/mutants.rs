//! `cargo xtask mutants [COUNT [SEED]]`: the flow and the gates are changed in one place after the other, and each time a test must fail.
//!
//! By cargo-mutants, in two passes: the first leaves the slowest tests out, the second gives them what is left.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::hash::{BuildHasher as _, DefaultHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::fault::Fault;
use crate::process;

/// Where a run says nothing else.
pub const COUNT: usize = 300;
const PACKAGES: [&str; 2] = ["wiiiv-flow", "wiiiv-gate"];
/// Of those that compile, in a hundred.
const KILLED_MIN: usize = 95;
/// A test that has not ended by then never will.
const TIMEOUT_SECONDS: &str = "300";
/// They look at signatures, which no mutant changes.
const BLIND: [&str; 1] = ["compile_fail::"];
/// They take longest: in the first pass they are left out.
const SLOW: [&str; 3] =
    ["model::", "the_index_answers_as_cedar_does", "what_was_ruled_is_what_a_replay_says"];
/// Survivors that were looked at, each with the reason why no test need fail.
const KNOWN: &str = "xtask/survivors.toml";

#[derive(Deserialize)]
struct Mutant {
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Known {
    #[serde(default)]
    survivor: Vec<Survivor>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Survivor {
    /// As cargo-mutants prints it, without line and column.
    mutant: String,
    reason: String,
}

/// Why none can be made here; `None`: nothing is missing.
pub fn missing(root: &Path) -> Option<&'static str> {
    let version = process::output(process::cargo(root).args(["mutants", "--version"]));
    version
        .is_err()
        .then_some("cargo-mutants is not installed: `cargo install cargo-mutants --locked`")
}

pub fn run(root: &Path, count: usize, seed: Option<u64>) -> Result<bool, Fault> {
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(count));
    let known = known(root)?;
    let all: Vec<Mutant> =
        serde_json::from_slice(&process::output(mutants(root).args(["--list", "--json"]))?)?;
    let sample = sample(all.into_iter().map(|mutant| mutant.name).collect(), count, seed);
    let folder = root.join("target").join("mutants");
    let out = folder.join("mutants.out");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    println!("mutants: seed {seed}, {} of them", sample.len());

    let skipped: Vec<&str> = BLIND.iter().chain(&SLOW).copied().collect();
    tested(root, &folder, &sample, &skipped, false)?;
    // cargo-mutants adds those that leave a field out, whatever it is told to try.
    let of_sample = |file: &str| -> Result<BTreeSet<String>, Fault> {
        Ok(names(&out.join(file))?.into_iter().filter(|name| sample.contains(name)).collect())
    };
    let unviable = of_sample("unviable.txt")?;
    if !of_sample("missed.txt")?.is_empty() {
        tested(root, &folder, &sample, &BLIND, true)?;
    }
    Ok(report(sample.len() - unviable.len(), &of_sample("missed.txt")?, &known))
}

/// Answers whether enough of them were killed.
fn report(viable: usize, missed: &BTreeSet<String>, known: &HashMap<String, String>) -> bool {
    for name in missed {
        let reason = known.get(&without_position(name)).map_or("not looked at yet", String::as_str);
        println!("survives: {name}\n          {reason}");
    }
    if viable == 0 {
        println!("mutants: none was tried");
        return false;
    }
    let killed = viable - missed.len();
    let enough = killed * 100 >= viable * KILLED_MIN;
    println!(
        "mutants: {killed} of {viable} that compile are killed, at least {KILLED_MIN} in 100 are wanted"
    );
    enough
}

fn mutants(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.arg("mutants");
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    command
}

/// One pass; the second has only those to try that survived the first.
fn tested(
    root: &Path,
    folder: &Path,
    sample: &[String],
    skipped: &[&str],
    again: bool,
) -> Result<(), Fault> {
    let mut command = mutants(root);
    command.args(["--no-shuffle", "--cap-lints", "true", "--timeout", TIMEOUT_SECONDS]);
    command.arg("--output").arg(folder);
    command.args(again.then_some("--iterate"));
    for name in sample {
        command.args(["--re", &format!("^{}$", escaped(name))]);
    }
    command.args(["--", "--tests", "--"]);
    for test in skipped {
        command.args(["--skip", test]);
    }
    let status = command.status().map_err(|e| format!("{}: {e}", process::line_of(&command)))?;
    // All killed, some not, some without an end.
    match status.code() {
        Some(0 | 2 | 3) => Ok(()),
        _ => {
            Err("cargo-mutants tried none: the unchanged code fails, or somebody stopped it".into())
        }
    }
}

/// The same for one seed and one code.
fn sample(mut names: Vec<String>, count: usize, seed: u64) -> Vec<String> {
    let hash = |name: &String| {
        let mut hasher = DefaultHasher::new();
        std::hash::Hash::hash(&(seed, name), &mut hasher);
        std::hash::Hasher::finish(&hasher)
    };
    names.sort_by_cached_key(hash);
    names.truncate(count);
    names.sort();
    names
}

fn names(file: &PathBuf) -> Result<BTreeSet<String>, Fault> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn known(root: &Path) -> Result<HashMap<String, String>, Fault> {
    let known: Known = toml::from_str(&fs::read_to_string(root.join(KNOWN))?)?;
    Ok(known.survivor.into_iter().map(|survivor| (survivor.mutant, survivor.reason)).collect())
}

/// `crates/flow/src/queue.rs:113:5: replace ..` without `:113:5`.
fn without_position(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    let file = parts.next().unwrap_or_default();
    let what = parts.nth(2).unwrap_or_default();
    format!("{file}:{what}")
}

/// As a regular expression that matches it alone.
fn escaped(name: &str) -> String {
    let escaped = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' => letter.to_string(),
        _ => format!("\\x{{{:x}}}", u32::from(letter)),
    };
    name.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_sample() {
        let names: Vec<String> = (0..100).map(|nth| format!("mutant {nth}")).collect();
        let drawn = sample(names.clone(), 10, 7);
        assert_eq!(drawn.len(), 10);
        assert_eq!(drawn, sample(names.iter().rev().cloned().collect(), 10, 7));
        assert_ne!(drawn, sample(names, 10, 8));
    }

    #[test]
    fn a_mutant_is_known_without_its_line() {
        let name = "crates/flow/src/queue.rs:113:5: replace ready -> Option<Task> with None";
        assert_eq!(
            without_position(name),
            "crates/flow/src/queue.rs: replace ready -> Option<Task> with None"
        );
        assert_eq!(escaped("a::b -> (c)"), r"a\x{3a}\x{3a}b \x{2d}\x{3e} \x{28}c\x{29}");
    }

    #[test]
    fn a_survivor_too_many_fails() {
        let missed = |count: usize| (0..count).map(|nth| format!("f:1:1: {nth}")).collect();
        assert!(report(100, &missed(5), &HashMap::new()));
        assert!(!report(100, &missed(6), &HashMap::new()));
        assert!(!report(0, &missed(0), &HashMap::new()));
    }

    #[test]
    fn the_survivors_of_this_tree_are_readable() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert!(known(root).is_ok());
    }
}
