//! The preview of a frozen plan, from its canonical form and from what its files hold now.

use crate::deps::Shared;
use wiiiv_domain::{Blueprint, WorkspacePath};
use wiiiv_hlx::{PreImages, Preview};

/// A file past this is shown as replaced whole, in bytes.
const PREVIEW_FILE_BYTES_MAX: u64 = 256 * 1024;

pub async fn preview(room: Shared, blueprint: Blueprint) -> Option<Preview> {
    let looked = tokio::task::spawn_blocking(move || {
        let workspace = room.deps.workspaces.of(blueprint.project);
        let paths = blueprint.pre_images.keys().cloned();
        let now: PreImages = paths
            .map(|path| {
                let read = workspace.as_ref().ok().and_then(|workspace| {
                    let parsed = WorkspacePath::parse(&path).ok()?;
                    workspace.read(&parsed, PREVIEW_FILE_BYTES_MAX).ok()
                });
                (path, read)
            })
            .collect();
        wiiiv_hlx::preview(&blueprint, &now)
    });
    looked.await.ok()
}
