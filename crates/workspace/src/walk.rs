//! Walks from the project's handle to a file's directory, one handle after the other.

use crate::error::WorkspaceError;
use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;
use std::io;
use wiiiv_domain::WorkspacePath;

/// What to do about a directory that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Refuse,
    Create,
}

/// INVARIANT: each handle was opened from the one before without following a link, so that no
/// link that is put in place meanwhile leads out.
pub(crate) fn parent(
    root: &Dir,
    path: &WorkspacePath,
    missing: Missing,
) -> Result<Dir, WorkspaceError> {
    refuse_system_directory(root, path)?;
    let fault = |error| io_error(path, &error);
    let mut here = root.try_clone().map_err(fault)?;
    for component in path.parents() {
        let next = match here.open_dir_nofollow(component) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && missing == Missing::Create => {
                create(&here, component).map_err(fault)?;
                here.open_dir_nofollow(component)
            }
            opened => opened,
        };
        here = next.map_err(|error| not_opened(&here, component, path, &error))?;
    }
    Ok(here)
}

/// The folder itself.
pub(crate) fn folder(root: &Dir, path: &WorkspacePath) -> Result<Dir, WorkspaceError> {
    let parent = parent(root, path, Missing::Refuse)?;
    if path.is_root() {
        return Ok(parent);
    }
    let opened = parent.open_dir_nofollow(path.name());
    opened.map_err(|error| not_opened(&parent, path.name(), path, &error))
}

/// Never silently re-rooted: `/etc/x` is refused unless the workspace has an `etc` of its own.
fn refuse_system_directory(root: &Dir, path: &WorkspacePath) -> Result<(), WorkspaceError> {
    match path.system_directory() {
        Some(first) if root.symlink_metadata(first).is_err() => {
            Err(WorkspaceError::SystemDirectory { path: path.to_string() })
        }
        Some(_) | None => Ok(()),
    }
}

fn create(here: &Dir, component: &str) -> io::Result<()> {
    match here.create_dir(component) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => sync(here),
    }
}

fn not_opened(
    here: &Dir,
    component: &str,
    path: &WorkspacePath,
    error: &io::Error,
) -> WorkspaceError {
    let path_text = || path.to_string();
    match here.symlink_metadata(component) {
        Ok(found) if found.is_symlink() => WorkspaceError::SymbolicLink { path: path_text() },
        Ok(found) if !found.is_dir() => WorkspaceError::NotADirectory { path: path_text() },
        Ok(_) | Err(_) => io_error(path, error),
    }
}

pub(crate) fn io_error(path: &WorkspacePath, error: &io::Error) -> WorkspaceError {
    match error.kind() {
        io::ErrorKind::NotFound => WorkspaceError::NotFound { path: path.to_string() },
        kind => WorkspaceError::Io { path: path.to_string(), kind },
    }
}

/// After a change has taken place: a fault from here on leaves it done and perhaps not kept.
pub(crate) fn confirmed(
    path: &WorkspacePath,
    synced: io::Result<()>,
) -> Result<(), WorkspaceError> {
    let unconfirmed = |error: io::Error| WorkspaceError::Unconfirmed {
        path: path.to_string(),
        kind: error.kind(),
    };
    synced.map_err(unconfirmed)
}

/// What the directory lists is on disk.
pub(crate) fn sync(directory: &Dir) -> io::Result<()> {
    if cfg!(unix) { directory.open(".")?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_the_disk_has_not_confirmed_is_not_told_as_undone() {
        let path = WorkspacePath::parse("notes/a.md").unwrap();
        assert!(confirmed(&path, Ok(())).is_ok());
        for kind in [io::ErrorKind::NotFound, io::ErrorKind::Other] {
            let told = confirmed(&path, Err(kind.into())).unwrap_err();
            assert_eq!(told.code(), "FILE_UNCONFIRMED");
        }
    }
}
