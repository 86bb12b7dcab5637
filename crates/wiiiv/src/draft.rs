//! A text that somebody writes in their own editor, in a file that only they read.

use crate::credentials::CredentialsError;
use crate::failure::Failure;
use crate::folders;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const OWNER_ONLY: u32 = 0o600;
/// The first that is set is the editor.
const EDITOR_VARIABLES: [&str; 2] = ["VISUAL", "EDITOR"];
/// Where none is.
const EDITOR: &str = "vi";

/// Stays where it is until it is removed: what was typed is lost by no failure.
pub struct Draft(PathBuf);

impl Draft {
    /// A file of its own, which begins with this text.
    pub fn begin(name: &str, text: &str) -> Result<Self, Failure> {
        let folder = folders::state().ok_or(CredentialsError::NoFolder)?;
        fs::create_dir_all(&folder).map_err(Failure::unwritable(&folder))?;
        let file = folder.join(format!("{name}-{}.md", std::process::id()));
        let opened = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(&file);
        let written = opened.and_then(|mut opened| opened.write_all(text.as_bytes()));
        written.map_err(Failure::unwritable(&file))?;
        Ok(Self(file))
    }

    /// Where it is written.
    pub fn file(&self) -> &Path {
        &self.0
    }

    /// Waits for the editor; `false` where that ended with an error.
    pub fn edit(&self) -> Result<bool, Failure> {
        let mut set = EDITOR_VARIABLES.into_iter().filter_map(|name| std::env::var(name).ok());
        let editor = set.find(|editor| !editor.trim().is_empty());
        let editor = editor.unwrap_or_else(|| EDITOR.to_owned());
        // By the shell, for the variable may hold options beside the editor's name.
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&self.0);
        Ok(command.status().map_err(Failure::unreadable(&self.0))?.success())
    }

    /// When its text is kept elsewhere.
    pub fn remove(self) {
        // A file that cannot be removed is a text of the user's own.
        let _left = fs::remove_file(self.0);
    }
}
