//! The administrator's folder of documents: listed and read by handle, never changed.

use crate::{error::WorkspaceError, walk::io_error, workspace::Workspace};
use cap_fs_ext::DirExt as _;
use cap_std::{ambient_authority, fs::Dir};
use std::{io, path::Path, time::SystemTime};
use wiiiv_domain::WorkspacePath;

/// Files of the folder and of those below it.
const FILES_MAX: usize = 20_000;
/// Folders below it.
const FOLDERS_MAX: usize = 5_000;

/// One of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFile {
    pub path: WorkspacePath,
    pub bytes: u64,
    /// `None`: the file system does not say.
    pub modified: Option<SystemTime>,
}

/// Cheap to clone: one handle, shared.
#[derive(Debug, Clone)]
pub struct DocumentsFolder {
    files: Workspace,
}

impl DocumentsFolder {
    /// A folder that is there.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let root = Dir::open_ambient_dir(folder, ambient_authority())?;
        Ok(Self { files: Workspace::of(root) })
    }

    /// The whole file; one that is longer than `max_bytes` is refused.
    pub fn read(&self, path: &WorkspacePath, max_bytes: u64) -> Result<Vec<u8>, WorkspaceError> {
        self.files.read(path, max_bytes)
    }

    /// By their path. Links, hidden files, and names that are no path of a workspace are left out.
    pub fn files(&self) -> Result<Vec<DocumentFile>, WorkspaceError> {
        let top = WorkspacePath::parse_to_read(WorkspacePath::ROOT)?;
        let too_many = || WorkspaceError::TooManyEntries { path: top.to_string() };
        let fault = |error| io_error(&top, &error);
        let root = self.files.root().try_clone().map_err(fault)?;
        let (mut folders, mut files, mut count) = (vec![(root, String::new())], Vec::new(), 0);
        while let Some((here, before)) = folders.pop() {
            count += 1;
            if count > FOLDERS_MAX {
                return Err(too_many());
            }
            for entry in here.entries().map_err(fault)? {
                let entry = entry.map_err(fault)?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let found = entry.metadata();
                let (Ok(found), false) = (found, name.starts_with('.')) else { continue };
                let path = format!("{before}{name}");
                if found.is_dir() {
                    // What was swapped for a link since is not followed.
                    if let Ok(below) = here.open_dir_nofollow(&name) {
                        folders.push((below, format!("{path}/")));
                    }
                } else if let (true, Ok(path)) = (found.is_file(), WorkspacePath::parse(&path)) {
                    let modified = found.modified().ok().map(cap_std::time::SystemTime::into_std);
                    files.push(DocumentFile { path, bytes: found.len(), modified });
                    if files.len() > FILES_MAX {
                        return Err(too_many());
                    }
                }
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_listed_and_read_below_it_and_nothing_else_is() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("guides/ko")).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        for (path, text) in
            [("guides/ko/a.md", "가"), ("b.txt", "b"), (".hidden", "h"), (".git/c.txt", "c")]
        {
            fs::write(root.join(path), text).unwrap();
        }
        let documents = DocumentsFolder::open(root).unwrap();
        let found = documents.files().unwrap();
        let paths: Vec<String> = found.iter().map(|file| file.path.to_string()).collect();
        assert_eq!(paths, ["b.txt", "guides/ko/a.md"]);
        assert_eq!(documents.read(&found[1].path, 9).unwrap(), "가".as_bytes());
        assert_eq!(documents.read(&found[1].path, 2).unwrap_err().code(), "FILE_TOO_LARGE");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        let (folder, outside) =
            (tempfile::TempDir::new().unwrap(), tempfile::TempDir::new().unwrap());
        fs::write(outside.path().join("secret.txt"), "secret").unwrap();
        let link = std::os::unix::fs::symlink::<&Path, std::path::PathBuf>;
        link(outside.path(), folder.path().join("below")).unwrap();
        link(&outside.path().join("secret.txt"), folder.path().join("s.txt")).unwrap();
        let documents = DocumentsFolder::open(folder.path()).unwrap();
        assert_eq!(documents.files().unwrap(), []);
        for path in ["s.txt", "below/secret.txt"] {
            let path = WorkspacePath::parse(path).unwrap();
            assert_eq!(documents.read(&path, 99).unwrap_err().code(), "SYMBOLIC_LINK");
        }
    }
}
