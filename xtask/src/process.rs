//! Child processes: how `cargo` is called and what its failure says.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::Fault;

/// The `cargo` that runs us, so that one toolchain does everything.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
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
