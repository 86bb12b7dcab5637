//! `cargo xtask bench peers [SET..] [--large]`: the same texts and vectors through this search, tantivy, SQLite's FTS5 and
//! hnsw_rs, which `peers/`, a workspace of its own, compares.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fault::Fault;
use crate::process;
use crate::rag_sets;
use crate::tidy::metadata::Metadata;

/// As `cargo xtask bench` takes it.
pub const NAME: &str = "peers";
const MANIFEST: &str = "peers/Cargo.toml";
/// The set that is committed.
const SET: &str = "rag-eval";
/// What makes a folder a set.
const QUERIES: &str = "queries.toml";

/// Without a set by name the committed one, and those that `cargo xtask rag-sets` has built.
pub fn run(root: &Path, args: &[String]) -> Result<bool, Fault> {
    let target = Metadata::read(root)?.target_directory.join(NAME);
    let mut command = process::cargo(root);
    command.args(["run", "--locked", "--release", "--manifest-path", MANIFEST, "--target-dir"]);
    command.arg(target).arg("--").args(args);
    if args.iter().all(|arg| arg.starts_with("--")) {
        let built = built(&rag_sets::folder(root))?;
        if built.is_empty() {
            eprintln!(
                "peers: of sets only `{SET}`: `cargo xtask rag-sets` builds those of the figures"
            );
        }
        command.arg(SET).args(built);
    }
    process::succeeds(&mut command)
}

/// By name; none where nobody built any.
fn built(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.join(QUERIES).is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::built;
    use std::fs;

    #[test]
    fn a_set_is_a_folder_with_queries() {
        let folder = tempfile::tempdir().unwrap();
        assert!(built(&folder.path().join("absent")).unwrap().is_empty());
        for name in ["packages", "libreoffice", "gnome"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in ["libreoffice", "gnome"] {
            fs::write(folder.path().join(name).join("queries.toml"), "").unwrap();
        }
        let found = built(folder.path()).unwrap();
        let due = ["gnome", "libreoffice"].map(|name| folder.path().join(name));
        assert_eq!(found, due);
    }
}
