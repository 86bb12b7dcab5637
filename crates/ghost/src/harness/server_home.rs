//! The home folder of a server: its data, its master key, its log.

use super::error::PlayError;
use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

const KEY_BYTES: usize = 32;
const OWNER_ONLY: u32 = 0o600;

/// How long a server waits for its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// The default configuration.
    Usual,
    /// A silent model is given up after a second.
    Short,
}

pub(crate) struct ServerHome {
    folder: TempDir,
    pub(crate) program: PathBuf,
    /// The model server's origin, which the administrator approves.
    pub(crate) model_origin: String,
    pub(crate) patience: Patience,
}

impl ServerHome {
    pub(crate) fn create(
        program: &Path,
        model_origin: &str,
        patience: Patience,
    ) -> Result<Self, PlayError> {
        let folder = tempfile::tempdir().map_err(PlayError::io("a temporary folder"))?;
        let (program, model_origin) = (program.to_owned(), model_origin.to_owned());
        let home = Self { folder, program, model_origin, patience };
        home.write_key().map_err(PlayError::path(&home.key()))?;
        Ok(home)
    }

    fn write_key(&self) -> io::Result<()> {
        let mut bytes = [0_u8; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(OWNER_ONLY).open(self.key())?;
        writeln!(file, "{}", hex::encode(bytes))
    }

    /// A copy with the same data and key. No server may run in this one meanwhile.
    pub(crate) fn copy(&self) -> Result<Self, PlayError> {
        let folder = tempfile::tempdir().map_err(PlayError::io("a temporary folder"))?;
        copy(self.path(), folder.path()).map_err(PlayError::path(self.path()))?;
        Ok(Self {
            folder,
            program: self.program.clone(),
            model_origin: self.model_origin.clone(),
            patience: self.patience,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
    pub(crate) fn key(&self) -> PathBuf {
        self.path().join("master.key")
    }
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }
    pub(crate) fn log(&self) -> PathBuf {
        self.path().join("server.log")
    }
    pub(crate) fn workspace(&self, project: &str) -> PathBuf {
        self.data().join("workspaces").join(project)
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Every file below a folder, without skipped files and folders.
pub(crate) fn files_below(
    folder: &Path,
    is_skipped: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, PlayError> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(PlayError::path(&folder))? {
            let path = entry.map_err(PlayError::path(&folder))?.path();
            if is_skipped(&path) {
                continue;
            }
            let kind = fs::symlink_metadata(&path).map_err(PlayError::path(&path))?;
            if kind.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}

/// The name of a file from a folder on.
pub(crate) fn relative_name(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).display().to_string()
}
