//! Nothing outside the workspace is made, changed or removed; the server's own database aside.

use crate::{
    player::{Ground, PlayError, Stage},
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
/// Tells a second process who stands on the folder.
const HOLDER: &str = "holder";

/// Every file of the server's home by a hash of its content.
pub(crate) struct Tree {
    files: BTreeMap<PathBuf, u64>,
    workspace: PathBuf,
}

impl Tree {
    pub(crate) fn of(ground: &Ground, stage: &Stage) -> Result<Self, PlayError> {
        let workspace = ground.workspace(&stage.project);
        let files = walk(ground, &workspace)?;
        Ok(Self { files, workspace })
    }

    pub(super) fn violated(&self, ground: &Ground) -> Result<Option<Violated>, PlayError> {
        let now = walk(ground, &self.workspace)?;
        let paths = self.files.keys().chain(now.keys());
        let stray: Vec<String> = paths
            .filter(|path| self.files.get(*path) != now.get(*path))
            .map(|path| path.strip_prefix(ground.home()).unwrap_or(path).display().to_string())
            .collect();
        let told = || Violated::new(OUTSIDE_WORKSPACE, "nothing changed", json!(stray));
        Ok((!stray.is_empty()).then(told))
    }
}

fn walk(ground: &Ground, workspace: &Path) -> Result<BTreeMap<PathBuf, u64>, PlayError> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![ground.home().to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(PlayError::path(&folder))? {
            let path = entry.map_err(PlayError::path(&folder))?.path();
            if path == workspace || is_of_server(ground, &path) {
                continue;
            }
            let kind = fs::symlink_metadata(&path).map_err(PlayError::path(&path))?;
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            let mut hasher = DefaultHasher::new();
            fs::read(&path).map_err(PlayError::path(&path))?.hash(&mut hasher);
            found.insert(path, hasher.finish());
        }
    }
    Ok(found)
}

/// Its database with journal, its log, and the note of who it is.
fn is_of_server(ground: &Ground, path: &Path) -> bool {
    let database = ground.data().join(DATABASE).display().to_string();
    let own = path == ground.log() || path == ground.data().join(HOLDER);
    own || path.display().to_string().starts_with(&database)
}
