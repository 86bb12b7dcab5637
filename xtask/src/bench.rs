//! `cargo xtask bench NAME`: one bench target of the workspace.

use std::path::Path;

use crate::Fault;
use crate::process;
use crate::tidy::metadata::Metadata;

pub fn run(root: &Path, name: &str, args: &[String]) -> Result<bool, Fault> {
    let metadata = Metadata::read(root)?;
    let benches = metadata.members().flat_map(|package| {
        let targets = package.targets.iter();
        let benches = targets.filter(|target| target.kind.iter().any(|kind| kind == "bench"));
        benches.map(|target| (target.name.as_str(), package.name.as_str()))
    });
    let known: Vec<(&str, &str)> = benches.collect();
    let Some((_, package)) = known.iter().find(|(bench, _)| *bench == name) else {
        let known: Vec<&str> = known.iter().map(|(bench, _)| *bench).collect();
        return Err(format!("no bench target `{name}`; there are: {}", known.join(", ")).into());
    };
    let mut command = process::cargo(root);
    command.args(["bench", "--package", package, "--bench", name, "--"]).args(args);
    process::succeeds(&mut command)
}
