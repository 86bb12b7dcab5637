//! Opens a regular file by handle.

use crate::{error::WorkspaceError, walk::io_error};
use cap_fs_ext::{FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use std::io;
use wiiiv_domain::WorkspacePath;

/// The file that `name` is in `parent`; `None` where nothing is there.
pub(crate) fn regular(
    parent: &Dir,
    path: &WorkspacePath,
) -> Result<Option<(File, Metadata)>, WorkspaceError> {
    regular_as(parent, path.name(), path)
}

/// The same of a file that has another name; `path` is what it is called where it is refused.
pub(crate) fn regular_as(
    parent: &Dir,
    name: &str,
    path: &WorkspacePath,
) -> Result<Option<(File, Metadata)>, WorkspaceError> {
    match parent.symlink_metadata(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error(path, &error)),
        Ok(found) => refuse_irregular(&found, path)?,
    }
    let file = match parent.open_with(name, &reading()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // Swapped for a link since: not followed.
        Err(error) => return Err(swapped(parent, name, path, &error)),
        Ok(file) => file,
    };
    // Asked of the handle: the name may stand for something else by now.
    let metadata = file.metadata().map_err(|error| io_error(path, &error))?;
    refuse_irregular(&metadata, path)?;
    refuse_hard_links(&metadata, path)?;
    Ok(Some((file, metadata)))
}

/// Its other name may lie outside of every workspace: neither shown nor changed.
fn refuse_hard_links(metadata: &Metadata, path: &WorkspacePath) -> Result<(), WorkspaceError> {
    if metadata.nlink() > 1 {
        return Err(WorkspaceError::HardLinked { path: path.to_string() });
    }
    Ok(())
}

fn refuse_irregular(found: &Metadata, path: &WorkspacePath) -> Result<(), WorkspaceError> {
    let path = || path.to_string();
    if found.is_symlink() {
        return Err(WorkspaceError::SymbolicLink { path: path() });
    }
    if found.is_dir() {
        return Err(WorkspaceError::IsDirectory { path: path() });
    }
    if !found.is_file() {
        return Err(WorkspaceError::NotAFile { path: path() });
    }
    Ok(())
}

fn swapped(parent: &Dir, name: &str, path: &WorkspacePath, error: &io::Error) -> WorkspaceError {
    match parent.symlink_metadata(name) {
        Ok(found) if found.is_symlink() => WorkspaceError::SymbolicLink { path: path.to_string() },
        Ok(_) | Err(_) => io_error(path, error),
    }
}

fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    // A pipe that takes the file's place must not keep us waiting for its other end.
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options
}
