//! Child processes: calls of `cargo` and texts of their failures.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use crate::fault::Fault;

/// The `cargo` that runs us, so that one toolchain does everything.
///
/// It tells us about our own package by variables. A child that inherits them builds what a build script
/// reads of them (that of `ring` does, and all that speaks TLS is behind it) anew, and so does the next
/// `cargo` of a shell, which has none.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(cargo_path());
    command.current_dir(root);
    let ours = |name: &&OsString| name.to_str().is_some_and(is_of_our_package);
    for name in std::env::vars_os().map(|(name, _)| name).filter(|name| ours(&name)) {
        command.env_remove(name);
    }
    command
}

fn is_of_our_package(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

pub fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Standard output of a command that must succeed.
pub fn output(command: &mut Command) -> Result<Vec<u8>, Fault> {
    let output = command.output().map_err(|error| format!("{}: {error}", line_of(command)))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{}` failed: {}", line_of(command), stderr.trim()).into())
}

/// Whether a command, whose output is shown as it comes, succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool, Fault> {
    let status = command.status().map_err(|error| format!("{}: {error}", line_of(command)))?;
    Ok(status.success())
}

pub fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
