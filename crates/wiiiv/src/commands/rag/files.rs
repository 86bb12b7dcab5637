//! Files that are to be added: those that are named, and those below folders that are.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// Between the folders of a path in the name that a document's file has: a server takes no `/`.
const BETWEEN: &str = " › ";

/// Why a file is not added, before a server is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileFault {
    /// Nothing is there under a name that was given.
    Absent,
    /// By its kind, and as the system says it.
    Unreadable(io::ErrorKind, String),
    /// Neither a file nor a folder.
    NoFile,
    /// Another one of the same name would take its place.
    SameName,
}

impl FileFault {
    pub fn of(error: &io::Error) -> Self {
        Self::Unreadable(error.kind(), error.to_string())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    pub path: PathBuf,
    /// What the server calls it: below a folder with the names of those between.
    pub name: String,
    pub fault: Option<FileFault>,
}

/// In the order in which they are named; of a folder by name. Hidden ones, links and what is no file are left out of a folder.
pub fn files(paths: &[PathBuf]) -> Vec<NamedFile> {
    let mut found = Vec::new();
    for path in paths {
        match fs::metadata(path) {
            Ok(of) if of.is_dir() => below(path, "", &mut found),
            Ok(of) if of.is_file() => found.push(named(path, name_of(path), None)),
            Ok(_) => found.push(named(path, name_of(path), Some(FileFault::NoFile))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                found.push(named(path, name_of(path), Some(FileFault::Absent)));
            }
            Err(error) => found.push(unreadable(path, &error)),
        }
    }
    let mut names = BTreeSet::new();
    for file in &mut found {
        if file.fault.is_none() && !names.insert(file.name.clone()) {
            file.fault = Some(FileFault::SameName);
        }
    }
    found
}

fn below(folder: &Path, front: &str, found: &mut Vec<NamedFile>) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<DirEntry>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            found.push(unreadable(folder, &error));
            return;
        }
    };
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), name_of(&entry.path()));
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{front}{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => below(&path, &format!("{name}{BETWEEN}"), found),
            Ok(kind) if kind.is_file() => found.push(named(&path, name, None)),
            Ok(_) => {}
            Err(error) => found.push(unreadable(&path, &error)),
        }
    }
}

fn named(path: &Path, name: String, fault: Option<FileFault>) -> NamedFile {
    NamedFile { path: path.to_owned(), name, fault }
}

fn unreadable(path: &Path, error: &io::Error) -> NamedFile {
    named(path, name_of(path), Some(FileFault::of(error)))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_is_its_files_without_links_and_hidden_ones() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        fs::create_dir_all(at("docs/ko/.git")).unwrap();
        for name in ["docs/b.md", "docs/a.md", "docs/.hidden", "docs/ko/안내.md", "docs/ko/.git/x"]
        {
            fs::write(at(name), "x").unwrap();
        }
        symlink(at("docs/a.md"), at("docs/link.md")).unwrap();
        symlink(at("docs"), at("docs/ko/up")).unwrap();
        let found = files(&[at("docs"), at("docs/ko/안내.md"), at("absent"), at("docs/a.md")]);
        let told: Vec<_> =
            found.iter().map(|file| (file.name.as_str(), file.fault.clone())).collect();
        assert_eq!(told[..3], [("a.md", None), ("b.md", None), ("ko › 안내.md", None)]);
        assert_eq!(told[3], ("안내.md", None));
        assert_eq!(told[4], ("absent", Some(FileFault::Absent)));
        assert_eq!(told[5], ("a.md", Some(FileFault::SameName)));
        assert_eq!(files(&[PathBuf::from("/dev/null")])[0].fault, Some(FileFault::NoFile));
    }
}
