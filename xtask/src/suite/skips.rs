//! `.ci/skips`: features that some kernels lack, each with a probe for it.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::fault::Fault;

const FILE: &str = ".ci/skips";

/// Something that was not run, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Skip {
    pub name: String,
    pub reason: String,
}

impl Skip {
    pub fn new(name: &str, reason: &str) -> Self {
        Self { name: name.to_owned(), reason: reason.to_owned() }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Skips {
    #[serde(default)]
    skip: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    probe: String,
    reason: String,
}

/// The entries whose probe says that this kernel lacks them.
pub fn read(root: &Path) -> Result<Vec<Skip>, Fault> {
    let text = std::fs::read_to_string(root.join(FILE)).map_err(|e| format!("`{FILE}`: {e}"))?;
    let entries = parse(&text).map_err(|fault| format!("`{FILE}`: {fault}"))?;
    let mut lacking = Vec::new();
    for Entry { name, probe, reason } in entries {
        if !holds(&probe)? {
            lacking.push(Skip { name, reason });
        }
    }
    Ok(lacking)
}

fn parse(text: &str) -> Result<Vec<Entry>, Fault> {
    let skips: Skips = toml::from_str(text)?;
    for Entry { name, probe, reason } in &skips.skip {
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("`{name}` is no name: letters, digits and `-`").into());
        }
        if probe.trim().is_empty() || reason.trim().is_empty() {
            return Err(format!("`{name}` needs a probe and a reason").into());
        }
    }
    Ok(skips.skip)
}

fn holds(probe: &str) -> Result<bool, Fault> {
    let mut shell = Command::new("sh");
    shell.args(["-c", probe]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(shell.status()?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, probe: &str, reason: &str) -> String {
        format!("[[skip]]\nname = \"{name}\"\nprobe = \"{probe}\"\nreason = \"{reason}\"\n")
    }

    #[test]
    fn only_what_is_lacking_is_skipped() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(root.path().join(".ci")).expect("a folder");
        let text = entry("there", "true", "x") + &entry("missing", "false", "old kernel");
        std::fs::write(root.path().join(FILE), text).expect("a file");
        assert_eq!(read(root.path()).expect("readable"), [Skip::new("missing", "old kernel")]);
    }

    #[test]
    fn an_entry_says_everything() {
        assert!(parse("").is_ok_and(|entries| entries.is_empty()));
        for text in [
            entry("a b", "true", "x"),
            entry("", "true", "x"),
            entry("a", " ", "x"),
            entry("a", "true", ""),
            "[[skip]]\nname = \"a\"".to_owned(),
            "name = \"a\"".to_owned(),
        ] {
            assert!(parse(&text).is_err(), "{text}");
        }
    }
}
