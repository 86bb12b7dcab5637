//! File permissions of stored data: only the owner reads it, whatever the umask was.

use std::{
    fs::{self, OpenOptions, Permissions},
    io,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

const FOR_OTHERS: u32 = 0o077;
const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Why a folder or a file of it stays open to others.
#[derive(Debug, thiserror::Error)]
pub enum ExposedError {
    #[error(
        "others can read it, and it holds more than this server's data: give the data a folder of \
         its own, or run `chmod 700` on this one"
    )]
    Shared,
    #[error(
        "others can read `{path}`, and that cannot be changed ({reason}): run `chmod {mode}` on it as its owner"
    )]
    Stays { path: String, reason: String, mode: &'static str },
    #[error(transparent)]
    Unreadable(#[from] io::Error),
}

fn is_exposed(path: &Path) -> io::Result<bool> {
    Ok(fs::metadata(path)?.permissions().mode() & FOR_OTHERS != 0)
}

/// What of the data folder others may read, the folder itself before its files. Changes nothing.
pub fn exposed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut open = Vec::new();
    if is_exposed(folder)? {
        open.push(folder.to_owned());
    }
    for path in files(folder)? {
        if is_exposed(&path)? {
            open.push(path);
        }
    }
    Ok(open)
}

/// Closes the folder and the files that lie in it, backups too. `own`: names by which the folder is
/// known as this server's; a folder of somebody else's things is left as it is, and refused.
pub(crate) fn close(folder: &Path, own: &[&str]) -> Result<(), ExposedError> {
    if is_exposed(folder)? {
        let is_empty = fs::read_dir(folder)?.next().is_none();
        if !is_empty && !own.iter().any(|name| folder.join(name).exists()) {
            return Err(ExposedError::Shared);
        }
        set(folder, FOLDER)?;
    }
    for path in files(folder)? {
        if is_exposed(&path)? {
            set(&path, FILE)?;
        }
    }
    Ok(())
}

/// Closes one file that lies elsewhere, if it is ours to close.
pub(crate) fn close_file(path: &Path) -> Result<(), ExposedError> {
    if is_exposed(path)? { set(path, FILE) } else { Ok(()) }
}

/// Made before SQLite makes it: the log beside it and the log's index get its mode.
pub(crate) fn create(file: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(FILE).open(file) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Regular files and what links to one; folders below are reached through this one alone.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let files = entries.filter(|path| path.as_ref().is_ok_and(|path| path.is_file()));
    files.collect()
}

/// Looked at again: not every file system keeps what it is told.
fn set(path: &Path, mode: u32) -> Result<(), ExposedError> {
    let stays = |reason: String| ExposedError::Stays {
        path: path.display().to_string(),
        reason,
        mode: if mode == FOLDER { "700" } else { "600" },
    };
    fs::set_permissions(path, Permissions::from_mode(mode))
        .map_err(|error| stays(error.to_string()))?;
    match is_exposed(path)? {
        false => Ok(()),
        true => Err(stays("the file system keeps no modes".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn open_to_all(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_is_ours_is_closed_and_what_is_not_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        open_to_all(folder.path(), 0o777);
        close(folder.path(), &["wiiiv.db"]).unwrap();
        assert_eq!(mode(folder.path()), 0o700, "an empty one");

        fs::write(at("photo.png"), "").unwrap();
        open_to_all(folder.path(), 0o755);
        let refused = close(folder.path(), &["wiiiv.db"]);
        assert!(matches!(refused, Err(ExposedError::Shared)));
        assert_eq!(mode(folder.path()), 0o755, "left as it is");

        for name in ["wiiiv.db", "wiiiv.db-wal", "wiiiv.db.backup"] {
            fs::write(at(name), "").unwrap();
            open_to_all(&at(name), 0o664);
        }
        assert_eq!(exposed(folder.path()).unwrap().len(), 5);
        close(folder.path(), &["wiiiv.db"]).unwrap();
        assert_eq!(mode(folder.path()), 0o700);
        assert!(exposed(folder.path()).unwrap().is_empty());
        assert_eq!(mode(&at("wiiiv.db.backup")), 0o600);
    }
}
