//! `cargo xtask bench NAME`: one bench target of the `wiiiv` package.

use std::path::Path;

use crate::Fault;
use crate::process;
use crate::tidy::metadata::Metadata;

const PACKAGE: &str = "wiiiv";

pub fn run(root: &Path, name: &str, args: &[String]) -> Result<bool, Fault> {
    let metadata = Metadata::read(root)?;
    let known: Vec<&str> = metadata
        .members()
        .filter(|package| package.name == PACKAGE)
        .flat_map(|package| &package.targets)
        .filter(|target| target.kind.iter().any(|kind| kind == "bench"))
        .map(|target| target.name.as_str())
        .collect();
    if !known.contains(&name) {
        let known = if known.is_empty() { "none yet".to_owned() } else { known.join(", ") };
        return Err(format!("no bench target `{name}` in `{PACKAGE}`; there are: {known}").into());
    }
    let mut command = process::cargo(root);
    command.args(["bench", "--package", PACKAGE, "--bench", name, "--"]).args(args);
    process::succeeds(&mut command)
}
