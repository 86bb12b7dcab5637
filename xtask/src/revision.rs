//! Builds the product at another revision, for a benchmark to compare with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fault::Fault;
use crate::process;
use crate::tidy::metadata::Metadata;

/// Builds it on the bench profile, or finds it where an earlier call left it.
///
/// It has a target directory of its own: cargo takes the same crate of two checkouts for one, so in
/// a shared directory it would mistake one revision's build for the other's.
pub fn binary(root: &Path, rev: &str) -> Result<PathBuf, Fault> {
    let commit = process::output(
        git(root).args(["rev-parse", "--verify", "--quiet"]).arg(format!("{rev}^{{commit}}")),
    )
    .map_err(|_| format!("`{rev}` is no revision of this repository"))?;
    let commit = String::from_utf8(commit)?.trim().to_owned();
    let folder = Metadata::read(root)?.target_directory.join("against");
    let kept = folder.join(&commit);
    if kept.exists() {
        return Ok(kept);
    }
    fs::create_dir_all(&folder)?;
    let checkout = folder.join("checkout");
    check_out(root, &checkout, &commit)?;
    let mut build = process::cargo(&checkout);
    build.env("CARGO_TARGET_DIR", &folder);
    build.args(["build", "--locked", "--profile", "bench", "--package", "wiiiv", "--bin", "wiiiv"]);
    if !process::succeeds(&mut build)? {
        return Err(format!("`{rev}` does not build").into());
    }
    fs::copy(folder.join("release").join("wiiiv"), &kept)?;
    Ok(kept)
}

/// One checkout, moved from revision to revision: what both have in common is built once.
fn check_out(root: &Path, checkout: &Path, commit: &str) -> Result<(), Fault> {
    if checkout.join(".git").exists() {
        process::output(git(checkout).args(["checkout", "--quiet", "--detach", commit]))?;
        return Ok(());
    }
    let mut add = git(root);
    add.args(["worktree", "add", "--quiet", "--force", "--detach"]).arg(checkout).arg(commit);
    process::output(&mut add).map(drop)
}

fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(root);
    command
}
