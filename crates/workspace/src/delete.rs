//! Deletes a file.

use crate::{
    content,
    error::WorkspaceError,
    open,
    walk::{self, Missing, io_error},
};
use cap_std::fs::Dir;
use wiiiv_domain::{PreImage, WorkspacePath};

/// A file that was there when the plan was drawn and is gone now counts as deleted: an attempt
/// that was interrupted after it is not in doubt.
pub(crate) fn remove(
    root: &Dir,
    path: &WorkspacePath,
    expected: Option<PreImage>,
) -> Result<(), WorkspaceError> {
    let parent = match walk::parent(root, path, Missing::Refuse) {
        Err(WorkspaceError::NotFound { .. }) => return gone(path, expected),
        parent => parent?,
    };
    let Some((file, _)) = open::regular(&parent, path)? else { return gone(path, expected) };
    if let Some(expected) = expected
        && expected != PreImage::Present(content::digest(file, path)?)
    {
        return Err(WorkspaceError::PreImageChanged { path: path.to_string() });
    }
    parent.remove_file(path.name()).map_err(|error| io_error(path, &error))?;
    walk::confirmed(path, walk::sync(&parent))
}

fn gone(path: &WorkspacePath, expected: Option<PreImage>) -> Result<(), WorkspaceError> {
    match expected {
        Some(PreImage::Absent) => Err(WorkspaceError::NotFound { path: path.to_string() }),
        Some(PreImage::Present(_)) | None => Ok(()),
    }
}
