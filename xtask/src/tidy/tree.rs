//! The checked files: all that git tracks or would track.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fault::Fault;
use crate::process;

pub struct Tree {
    pub root: PathBuf,
    pub files: Vec<TextFile>,
}

pub struct TextFile {
    /// From the root, with forward slashes.
    pub path: String,
    pub text: String,
}

impl Tree {
    /// Reads every text file; what is not UTF-8 is no text and has no rules.
    pub fn read(root: &Path) -> Result<Self, Fault> {
        let mut command = Command::new("git");
        command.current_dir(root);
        command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = String::from_utf8(process::output(&mut command)?)?;
        let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
        paths.sort_unstable();
        paths.dedup();
        let mut files = Vec::new();
        for path in paths {
            let full = root.join(path);
            // A tracked file that the work tree no longer has, a link or a submodule.
            if !full.symlink_metadata().is_ok_and(|found| found.is_file()) {
                continue;
            }
            let bytes = std::fs::read(&full).map_err(|error| format!("`{path}`: {error}"))?;
            if let Ok(text) = String::from_utf8(bytes) {
                files.push(TextFile { path: path.to_owned(), text });
            }
        }
        Ok(Self { root: root.to_owned(), files })
    }

    pub fn find(&self, path: &str) -> Option<&TextFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The line of a file that begins with `start`, or the first.
    pub fn line_starting(&self, path: &str, start: &str) -> usize {
        let lines = self.find(path).map_or("", |file| &file.text).lines();
        lines.zip(1..).find(|(line, _)| line.starts_with(start)).map_or(1, |(_, number)| number)
    }
}
