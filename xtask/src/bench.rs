//! `cargo xtask bench NAME`: one benchmark of the workspace, also against another revision.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fault::Fault;
use crate::peers;
use crate::process;
use crate::revision;
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
        let known = known.iter().map(|(bench, _)| *bench).chain([peers::NAME]);
        let known: Vec<&str> = known.collect();
        return Err(format!("no bench target `{name}`; there are: {}", known.join(", ")).into());
    };
    let args = with_binary(root, args)?;
    let mut command = process::cargo(root);
    command.args(["bench", "--package", package, "--bench", name, "--"]).args(args);
    process::succeeds(&mut command)
}

/// `--against REV` becomes `--against-binary PATH`: that revision's product, built. `--langgraph` becomes
/// `--langgraph-python PATH`: a Python that has it.
fn with_binary(root: &Path, args: &[String]) -> Result<Vec<String>, Fault> {
    let mut all = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--against" {
            let rev = args.next().ok_or("`--against` lacks a revision")?;
            let binary = revision::binary(root, rev)?;
            all.extend(["--against-binary".to_owned(), binary.display().to_string()]);
        } else if arg == "--langgraph" {
            let python = langgraph(root)?;
            all.extend(["--langgraph-python".to_owned(), python.display().to_string()]);
        } else {
            all.push(arg.clone());
        }
    }
    Ok(all)
}

/// An environment of its own, kept from run to run.
fn langgraph(root: &Path) -> Result<PathBuf, Fault> {
    let folder = Metadata::read(root)?.target_directory.join("langgraph");
    let python = folder.join("bin").join("python");
    if !python.exists() {
        process::output(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let wanted = root.join("crates/wiiiv/benches/turn/langgraph/requirements.txt");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(wanted);
    process::output(&mut install)?;
    Ok(python)
}
