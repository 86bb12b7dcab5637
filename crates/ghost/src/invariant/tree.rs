//! Invariant: nothing outside the workspace is created, changed or removed, except the server's own
//! database, log and lock.

use crate::{
    harness::{PlayError, ProjectSetup, ServerHome, files_below, relative_name},
    verdict::Violated,
};
use serde_json::json;
use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
};

pub(super) const OUTSIDE_WORKSPACE: &str = "outside_workspace";
const DATABASE: &str = "wiiiv.db";
/// Names the process that uses the folder.
const HOLDER: &str = "holder";

/// A hash of every file of the server's home.
pub(crate) struct Tree {
    files: BTreeMap<PathBuf, u64>,
    workspace: PathBuf,
}

impl Tree {
    pub(crate) fn of(home: &ServerHome, setup: &ProjectSetup) -> Result<Self, PlayError> {
        let workspace = home.workspace(&setup.project);
        let files = hashes(home, &workspace)?;
        Ok(Self { files, workspace })
    }

    pub(super) fn violated(&self, home: &ServerHome) -> Result<Option<Violated>, PlayError> {
        let now = hashes(home, &self.workspace)?;
        let paths = self.files.keys().chain(now.keys());
        let stray: Vec<String> = paths
            .filter(|path| self.files.get(*path) != now.get(*path))
            .map(|path| relative_name(home.path(), path))
            .collect();
        let violated = || Violated::new(OUTSIDE_WORKSPACE, "nothing changed", json!(stray));
        Ok((!stray.is_empty()).then(violated))
    }
}

fn hashes(home: &ServerHome, workspace: &Path) -> Result<BTreeMap<PathBuf, u64>, PlayError> {
    let hash = |path: PathBuf| {
        let mut hasher = DefaultHasher::new();
        fs::read(&path).map_err(PlayError::path(&path))?.hash(&mut hasher);
        Ok((path, hasher.finish()))
    };
    let is_skipped = |path: &Path| path == workspace || is_of_server(home, path);
    files_below(home.path(), is_skipped)?.into_iter().map(hash).collect()
}

/// Its database and journal, its log, and the file that names its process.
fn is_of_server(home: &ServerHome, path: &Path) -> bool {
    let database = home.data().join(DATABASE).display().to_string();
    let own = path == home.log() || path == home.data().join(HOLDER);
    own || path.display().to_string().starts_with(&database)
}
