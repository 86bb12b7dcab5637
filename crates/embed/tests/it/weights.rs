//! The weights of the models, where they are installed: `.ci/embedders` does that.

use std::{path::PathBuf, sync::OnceLock};
use wiiiv_embed::{Embedder, LocalModel};

/// Names the folder of models.
const FOLDER: &str = "WIIIV_EMBEDDERS";

/// `None`, and said so, where nothing is installed; `.ci/skips` counts that.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    if folder.is_none() {
        println!("not run: {FOLDER} names no folder of models");
    }
    folder
}

/// Opened once for all tests.
pub fn opened(model: LocalModel) -> Option<&'static Embedder> {
    static OPENED: [OnceLock<Embedder>; LocalModel::ALL.len()] = [const { OnceLock::new() }; 2];
    let folder = folder()?;
    let at = LocalModel::ALL.iter().position(|one| *one == model).unwrap();
    Some(OPENED[at].get_or_init(|| Embedder::open(&folder, model).unwrap()))
}
