//! One project's files, for reading.

use crate::{
    content,
    error::WorkspaceError,
    open,
    walk::{self, Missing},
};
use cap_std::fs::Dir;
use std::{collections::BTreeSet, sync::Arc};
use wiiiv_domain::{PreImage, WorkspacePath};

/// Of one folder.
const ENTRIES_MAX: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    File { size_bytes: u64 },
    Folder,
}

/// Cheap to clone: one handle, shared.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: Arc<Dir>,
}

impl Workspace {
    pub(crate) fn of(root: Dir) -> Self {
        Self { root: Arc::new(root) }
    }
    pub(crate) fn root(&self) -> &Dir {
        &self.root
    }

    /// The whole file; one that is longer than `max_bytes` is refused.
    pub fn read(&self, path: &WorkspacePath, max_bytes: u64) -> Result<Vec<u8>, WorkspaceError> {
        let parent = walk::parent(&self.root, path, Missing::Refuse)?;
        let (file, _) = open::regular(&parent, path)?
            .ok_or_else(|| WorkspaceError::NotFound { path: path.to_string() })?;
        content::whole(file, path, max_bytes)
    }

    /// What the folder holds, by name; links and what is neither file nor folder are left out.
    pub fn list(&self, path: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
        let folder = walk::folder(&self.root, path)?;
        let fault = |error| walk::io_error(path, &error);
        let mut entries = Vec::new();
        for entry in folder.entries().map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let (Ok(name), Ok(found)) = (entry.file_name().into_string(), entry.metadata()) else {
                continue;
            };
            let kind = match (found.is_file(), found.is_dir()) {
                (true, _) => EntryKind::File { size_bytes: found.len() },
                (false, true) => EntryKind::Folder,
                (false, false) => continue,
            };
            entries.push(Entry { name, kind });
            if entries.len() > ENTRIES_MAX {
                return Err(WorkspaceError::TooManyEntries { path: path.to_string() });
            }
        }
        entries.sort();
        Ok(entries)
    }

    /// Of the file, without reading it.
    pub fn size_bytes(&self, path: &WorkspacePath) -> Result<u64, WorkspaceError> {
        let parent = walk::parent(&self.root, path, Missing::Refuse)?;
        let found = open::regular(&parent, path)?;
        let (_, metadata) =
            found.ok_or_else(|| WorkspaceError::NotFound { path: path.to_string() })?;
        Ok(metadata.len())
    }

    /// What the path holds now, for a plan that will change it.
    pub fn pre_image(&self, path: &WorkspacePath) -> Result<PreImage, WorkspaceError> {
        let parent = match walk::parent(&self.root, path, Missing::Refuse) {
            Err(WorkspaceError::NotFound { .. }) => return Ok(PreImage::Absent),
            parent => parent?,
        };
        match open::regular(&parent, path)? {
            None => Ok(PreImage::Absent),
            Some((file, _)) => Ok(PreImage::Present(content::digest(file, path)?)),
        }
    }

    /// Names of system directories that this workspace has as its own.
    #[must_use]
    pub fn own_directories(&self) -> BTreeSet<String> {
        let own = |name: &&str| self.root.symlink_metadata(name).is_ok();
        WorkspacePath::SYSTEM_DIRECTORIES.into_iter().filter(own).map(str::to_owned).collect()
    }
}
