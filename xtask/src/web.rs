//! The web UI: checks that its committed files are built from `web/src`, and tries it in a browser.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fault::Fault;
use crate::process;
use crate::suite::part::Log;

/// Debian's, the cheaper one first; another one is named by the environment variable.
const CHROMIUMS: [&str; 2] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const CHROMIUM_VARIABLE: &str = "WIIIV_CHROMIUM";
/// The server that the browser talks to.
const SERVER_VARIABLE: &str = "WIIIV_BIN";

/// Where the files are built to, if not to `web/dist`.
const DIST_VARIABLE: &str = "WIIIV_DIST";

/// Builds `web/dist` anew.
pub fn build(root: &Path) -> Result<bool, Fault> {
    build_into(root, &root.join("web/dist"), &mut process::succeeds)
}

fn build_into(root: &Path, dist: &Path, run: Run<'_>) -> Result<bool, Fault> {
    let web = root.join("web");
    let mut building = npm(&web, &["run", "build"]);
    building.env(DIST_VARIABLE, dist);
    Ok(run(&mut npm(&web, &["ci", "--no-audit", "--no-fund"]))? && run(&mut building)?)
}

/// Whether `web/dist` is what the sources give. It stays as it is, so that a second look says the
/// same.
pub fn check(root: &Path, log: &mut Log) -> Result<bool, Fault> {
    let fresh = std::env::temp_dir().join(format!("wiiiv-web-{}", std::process::id()));
    let built = build_into(root, &fresh, &mut |command| log.run(command))?;
    let files_built = files(&fresh)?;
    let _ = std::fs::remove_dir_all(&fresh);
    if !built {
        return Ok(false);
    }
    let changed = differing(&files(&root.join("web/dist"))?, &files_built);
    for path in &changed {
        log.say(&format!(
            "web/dist/{path}: not what web/src gives; run `cargo xtask web` and commit it"
        ));
    }
    Ok(changed.is_empty())
}

fn differing(one: &Files, other: &Files) -> Vec<String> {
    let all: BTreeMap<&PathBuf, ()> =
        one.keys().chain(other.keys()).map(|path| (path, ())).collect();
    let changed = all.into_keys().filter(|path| one.get(*path) != other.get(*path));
    changed.map(|path| path.display().to_string()).collect()
}

/// The tests of the UI in a headless browser, against the server that was just built.
pub fn browser_tests(root: &Path, server: &Path) -> Command {
    let mut command = npm(&root.join("web"), &["run", "--silent", "test:browser"]);
    command.env(SERVER_VARIABLE, server).env(CHROMIUM_VARIABLE, chromium());
    command
}

/// What the two need and this machine lacks.
pub fn missing(root: &Path) -> Option<String> {
    for tool in ["node", "npm"] {
        if process::output(Command::new(tool).arg("--version")).is_err() {
            return Some(format!("`{tool}` is not installed; CONTRIBUTING.md says which"));
        }
    }
    let pinned = std::fs::read_to_string(root.join("web/.node-version")).unwrap_or_default();
    let running = process::output(Command::new("node").arg("--version")).unwrap_or_default();
    if let Some(reason) = other_node(&String::from_utf8_lossy(&running), pinned.trim()) {
        return Some(reason);
    }
    let browser = chromium();
    (!browser.exists()).then(|| format!("no Chromium at `{}`", browser.display()))
}

/// The files are compared byte for byte: they are built with this very version and no other.
fn other_node(told: &str, pinned: &str) -> Option<String> {
    let running = told.trim().trim_start_matches('v');
    (running != pinned).then(|| {
        format!("node is `{running}`; `web/.node-version` says `{pinned}`: CONTRIBUTING.md says how to install it")
    })
}

fn chromium() -> PathBuf {
    if let Some(named) = std::env::var_os(CHROMIUM_VARIABLE) {
        return named.into();
    }
    let [shell, whole] = CHROMIUMS.map(PathBuf::from);
    if shell.exists() { shell } else { whole }
}

fn npm(web: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(web).args(args);
    command
}

/// Runs a command and answers whether it succeeded.
type Run<'a> = &'a mut dyn FnMut(&mut Command) -> Result<bool, Fault>;

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// All below a folder; none where it is missing.
fn files(folder: &Path) -> Result<Files, Fault> {
    let mut found = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        if !next.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder)?.to_owned(), std::fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_minor_or_patch_of_node_is_another_node() {
        assert_eq!(other_node("v20.20.2\n", "20.20.2"), None);
        for told in ["v20.20.1", "v20.19.0", "v22.20.2", ""] {
            let reason = other_node(told, "20.20.2").unwrap_or_default();
            assert!(reason.contains("`20.20.2`"), "{told}: {reason}");
        }
    }

    #[test]
    fn every_file_that_differs_is_named() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        write("a/same.js", "1");
        write("a/changed.js", "1");
        write("gone.js", "1");
        let before = files(root.path()).expect("readable");
        write("a/changed.js", "2");
        write("new.js", "1");
        std::fs::remove_file(root.path().join("gone.js")).expect("removed");
        let after = files(root.path()).expect("readable");
        assert_eq!(differing(&before, &after), ["a/changed.js", "gone.js", "new.js"]);
        assert!(differing(&after, &after).is_empty());
        assert!(files(&root.path().join("nowhere")).is_ok_and(|found| found.is_empty()));
    }
}
