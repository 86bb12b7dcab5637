//! The folder that a server stands on: its data, its master key, its log.

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
    /// As configured by default.
    Usual,
    /// A model that says nothing is given up after a second.
    Short,
}

pub(crate) struct Ground {
    home: TempDir,
    pub(crate) program: PathBuf,
    /// Of the model server: what the administrator approves.
    pub(crate) model: String,
    pub(crate) patience: Patience,
}

impl Ground {
    pub(crate) fn lay(program: &Path, model: &str, patience: Patience) -> Result<Self, PlayError> {
        let home = tempfile::tempdir().map_err(PlayError::io("a temporary folder"))?;
        let ground = Self { home, program: program.to_owned(), model: model.to_owned(), patience };
        ground.write_key().map_err(PlayError::path(&ground.key()))?;
        Ok(ground)
    }

    fn write_key(&self) -> io::Result<()> {
        let mut bytes = [0_u8; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(OWNER_ONLY).open(self.key())?;
        writeln!(file, "{}", hex::encode(bytes))
    }

    /// The same data and key in a folder of its own. Only while no server stands on this one.
    pub(crate) fn copied(&self) -> Result<Self, PlayError> {
        let home = tempfile::tempdir().map_err(PlayError::io("a temporary folder"))?;
        copy(self.home.path(), home.path()).map_err(PlayError::path(self.home.path()))?;
        Ok(Self {
            home,
            program: self.program.clone(),
            model: self.model.clone(),
            patience: self.patience,
        })
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }
    pub(crate) fn key(&self) -> PathBuf {
        self.home.path().join("master.key")
    }
    pub(crate) fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }
    pub(crate) fn log(&self) -> PathBuf {
        self.home.path().join("server.log")
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
