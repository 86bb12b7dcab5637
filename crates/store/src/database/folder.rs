//! The data folder: one process at a time, readable by its owner only.

use crate::database::private::{self, ExposedError};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

const LOCK_FILE: &str = "lock";
/// Beside the lock, since a locked file cannot be read everywhere.
const HOLDER_FILE: &str = "holder";
const DATABASE_FILE: &str = "wiiiv.db";
const OWNER_ONLY: u32 = 0o600;
const FOLDER_OWNER_ONLY: u32 = 0o700;

#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(
        "the data folder `{folder}` is in use by {holder}: stop that process, or give this one \
         another folder"
    )]
    Held { folder: String, holder: String },
    #[error("the data folder `{folder}` cannot be used: {reason}")]
    Unusable { folder: String, reason: String },
    #[error("the data folder `{folder}`: {reason}")]
    Exposed { folder: String, reason: ExposedError },
}

/// Held as long as it lives.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Makes the folder where it is absent, and closes it to others where it is not. `address`: where this process can be reached, for
    /// whoever finds the folder held.
    pub fn lock(path: impl Into<PathBuf>, address: &str) -> Result<Self, FolderError> {
        let path = path.into();
        let unusable = |error: io::Error| FolderError::Unusable {
            folder: path.display().to_string(),
            reason: error.to_string(),
        };
        Self::make_private(&path)?;
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).read(true).write(true).mode(OWNER_ONLY);
        let file = file.open(path.join(LOCK_FILE)).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::Held {
                    folder: path.display().to_string(),
                    holder: holder(&path),
                });
            }
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        let folder = Self { path: path.clone(), _lock: file };
        folder.set_address(address).map_err(unusable)?;
        Ok(folder)
    }

    /// The same without the lock, for whoever writes into it before: what is refused is left as it is.
    pub fn make_private(path: &Path) -> Result<(), FolderError> {
        let folder = || path.display().to_string();
        create(path).map_err(|error| FolderError::Unusable {
            folder: folder(),
            reason: error.to_string(),
        })?;
        private::close(path, &[DATABASE_FILE, LOCK_FILE])
            .map_err(|reason| FolderError::Exposed { folder: folder(), reason })
    }

    /// Once the address is known for certain.
    pub fn set_address(&self, address: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(true).write(true).mode(OWNER_ONLY);
        let mut file = file.open(self.path.join(HOLDER_FILE))?;
        writeln!(file, "process {} at {address}", std::process::id())
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.path.join(DATABASE_FILE)
    }
}

/// For its owner alone: the database holds conversations.
fn create(path: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(FOLDER_OWNER_ONLY).create(path)
}

/// `process 4711 at 127.0.0.1:8080`.
fn holder(path: &Path) -> String {
    let text = std::fs::read_to_string(path.join(HOLDER_FILE)).unwrap_or_default();
    match text.trim() {
        "" => "another process".to_owned(),
        named => format!("`{named}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::{DataFolder, FolderError};

    #[test]
    fn a_second_one_is_told_who_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let held = DataFolder::lock(folder.path().join("data"), "127.0.0.1:8080").unwrap();
        let error = DataFolder::lock(folder.path().join("data"), "127.0.0.1:9").unwrap_err();
        assert!(matches!(&error, FolderError::Held { .. }));
        let holder = format!("process {} at 127.0.0.1:8080", std::process::id());
        assert!(error.to_string().contains(&holder), "{error}");
        drop(held);
        DataFolder::lock(folder.path().join("data"), "127.0.0.1:9").unwrap();
    }
}
