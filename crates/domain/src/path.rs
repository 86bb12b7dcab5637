//! A file's path in a project's workspace, compared by components (governance.md 2).
//!
//! Lexical only: no file system is read. Opening a path walks its components by handle.

use std::fmt;

/// The most components of one path.
pub const PATH_COMPONENTS_MAX: usize = 32;
/// The longest component, in UTF-8 bytes.
pub const PATH_COMPONENT_BYTES_MAX: usize = 255;

/// Devices under Windows, with or without an extension.
const RESERVED_NAMES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Why a text is no path of a workspace; the message says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// No component is left.
    #[error("the path is empty: name a file in the workspace")]
    Empty,
    /// A trailing `/` names a directory.
    #[error("the path names a directory: name a file in it")]
    Directory,
    /// A `..` component.
    #[error("the path leaves its directory by `..`: name a path inside the workspace")]
    Parent,
    /// A control character, or one that turns the direction of text.
    #[error("the path holds a control or direction character: leave it out")]
    Character,
    /// A `\`, a `:` or a leading `//`.
    #[error("the path holds `\\`, `:` or a leading `//`: write it with single `/`")]
    Windows,
    /// This component is a device name under Windows.
    #[error("`{0}` is a reserved name on some systems: choose another")]
    Reserved(String),
    /// This component ends in a dot or a space.
    #[error("`{0}` ends in a dot or a space: leave that out")]
    Trailing(String),
    /// Too many components, or one that is too long.
    #[error(
        "at most `{PATH_COMPONENTS_MAX}` components of `{PATH_COMPONENT_BYTES_MAX}` bytes: \
         shorten the path"
    )]
    TooLong,
}

impl PathError {
    /// Stable code for the API, e.g. `PATH_EMPTY`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "PATH_EMPTY",
            Self::Directory => "PATH_IS_DIRECTORY",
            Self::Parent => "PATH_LEAVES_WORKSPACE",
            Self::Character => "PATH_CHARACTER",
            Self::Windows => "PATH_FORM",
            Self::Reserved(_) => "PATH_RESERVED",
            Self::Trailing(_) => "PATH_TRAILING",
            Self::TooLong => "PATH_TOO_LONG",
        }
    }
}

/// At least one component. None is empty or `..`; `.` occurs only as the sole component.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkspacePath(Vec<String>);

impl WorkspacePath {
    /// First components that are directories of the operating system.
    pub const SYSTEM_DIRECTORIES: [&str; 15] = [
        "etc", "usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "boot", "dev", "proc",
        "sys", "root", "var", "run",
    ];

    /// The workspace itself, for reading only.
    pub const ROOT: &str = ".";

    /// A leading `/` is the workspace root; `.` components are left out.
    pub fn parse(raw: &str) -> Result<Self, PathError> {
        if raw.chars().any(is_refused) {
            return Err(PathError::Character);
        }
        if raw.contains(['\\', ':']) || raw.starts_with("//") {
            return Err(PathError::Windows);
        }
        let parts = || raw.split('/').filter(|part| !part.is_empty() && *part != ".");
        if parts().any(|part| part == "..") {
            return Err(PathError::Parent);
        }
        if parts().next().is_none() {
            return Err(PathError::Empty);
        }
        if raw.ends_with('/') || raw.ends_with("/.") {
            return Err(PathError::Directory);
        }
        let components = parts().map(component).collect::<Result<Vec<_>, _>>()?;
        if components.len() > PATH_COMPONENTS_MAX {
            return Err(PathError::TooLong);
        }
        Ok(Self(components))
    }

    /// Parses a file or folder to read; the workspace itself becomes [`Self::ROOT`] alone.
    pub fn parse_to_read(raw: &str) -> Result<Self, PathError> {
        let mut named = raw;
        while let Some(shorter) = named.strip_suffix("/.").or_else(|| named.strip_suffix('/')) {
            named = shorter;
        }
        match Self::parse(named) {
            Err(PathError::Empty) if !raw.is_empty() => Ok(Self(vec![Self::ROOT.to_owned()])),
            parsed => parsed,
        }
    }

    /// Every component, the file name last.
    #[must_use]
    pub fn components(&self) -> &[String] {
        &self.0
    }
    /// The components of its directory.
    #[must_use]
    pub fn parents(&self) -> &[String] {
        self.0.split_last().map_or(&[], |(_, parents)| parents)
    }
    /// The directory's components joined by `/`; empty for the root.
    #[must_use]
    pub fn directory(&self) -> String {
        self.parents().join("/")
    }
    /// The last component.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }
    /// Whether this is the workspace itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.name() == Self::ROOT
    }
    /// Whether it is `above` or lies under it; an empty `above` is the whole workspace.
    #[must_use]
    pub fn is_under(&self, above: &str) -> bool {
        let mut own = self.0.iter();
        let parts = above.split('/').filter(|part| !part.is_empty() && *part != ".");
        parts.into_iter().all(|part| own.next().is_some_and(|mine| mine == part))
    }
    /// The first component, where it is one of the operating system's directories.
    #[must_use]
    pub fn system_directory(&self) -> Option<&str> {
        let first = self.0.first()?;
        let is_one = Self::SYSTEM_DIRECTORIES.iter().any(|name| first.eq_ignore_ascii_case(name));
        is_one.then_some(first)
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("/"))
    }
}

fn component(part: &str) -> Result<String, PathError> {
    if part.len() > PATH_COMPONENT_BYTES_MAX {
        return Err(PathError::TooLong);
    }
    if part.ends_with(['.', ' ']) {
        return Err(PathError::Trailing(part.to_owned()));
    }
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = port
        .is_some_and(|n| matches!(n.chars().next(), Some('0'..='9' | '¹' | '²' | '³')))
        && stem.chars().count() == 4;
    if is_port || RESERVED_NAMES.contains(&stem.as_str()) {
        return Err(PathError::Reserved(part.to_owned()));
    }
    Ok(part.to_owned())
}

/// Control characters, and characters that change the direction of text.
fn is_refused(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_to_be_looked_at_and_for_nothing_else() {
        let to_read = |raw| {
            let path = WorkspacePath::parse_to_read(raw);
            path.map_or_else(|e| e.code().to_owned(), |path| path.to_string())
        };
        assert_eq!([".", "/", "./"].map(to_read), [".", ".", "."]);
        assert_eq!(["notes/", "notes/.", "notes"].map(to_read), ["notes", "notes", "notes"]);
        assert_eq!(
            ["", "..", "a/../", "x./"].map(to_read).map(|code| code.starts_with("PATH_")),
            [true; 4]
        );
        assert_eq!([".", "notes/"].map(parsed), ["PATH_EMPTY", "PATH_IS_DIRECTORY"]);
    }

    fn parsed(raw: &str) -> String {
        WorkspacePath::parse(raw).map_or_else(|e| e.code().to_owned(), |path| path.to_string())
    }

    #[test]
    fn a_leading_slash_is_the_workspace_root() {
        assert_eq!(parsed("/report.json"), "report.json");
        assert_eq!(parsed("./notes//오늘.md"), "notes/오늘.md");
        let path = WorkspacePath::parse("a/b/c.txt").expect("a plain path");
        assert_eq!((path.directory().as_str(), path.name()), ("a/b", "c.txt"));
        assert!(path.is_under("") && path.is_under("a/b/") && path.is_under("a/b/c.txt"));
        assert!(!path.is_under("a/bb") && !path.is_under("a/b/c.txt/d"));
    }

    #[test]
    fn other_forms_are_refused() {
        let table = [
            ("", "PATH_EMPTY"),
            ("/", "PATH_EMPTY"),
            ("notes/", "PATH_IS_DIRECTORY"),
            ("a/../b", "PATH_LEAVES_WORKSPACE"),
            ("..", "PATH_LEAVES_WORKSPACE"),
            ("a\0b", "PATH_CHARACTER"),
            ("a\nb", "PATH_CHARACTER"),
            ("a\u{202e}txt.exe", "PATH_CHARACTER"),
            ("a\\b", "PATH_FORM"),
            ("C:/x", "PATH_FORM"),
            ("file.txt:stream", "PATH_FORM"),
            ("//server/share", "PATH_FORM"),
            ("a/NUL", "PATH_RESERVED"),
            ("com1.txt", "PATH_RESERVED"),
            ("LPT³", "PATH_RESERVED"),
            ("aux .md", "PATH_RESERVED"),
            ("a./b", "PATH_TRAILING"),
            ("a ", "PATH_TRAILING"),
        ];
        for (raw, code) in table {
            assert_eq!(parsed(raw), code, "{raw:?}");
        }
        assert_eq!(parsed(&"a/".repeat(40)), "PATH_IS_DIRECTORY");
        assert_eq!(parsed(&format!("{}x", "a/".repeat(40))), "PATH_TOO_LONG");
        assert_eq!(parsed(&"가".repeat(86)), "PATH_TOO_LONG");
        assert_eq!(parsed("comet/com/compose.yml"), "comet/com/compose.yml");
    }

    #[test]
    fn system_directories_are_known_by_their_first_component() {
        let first = |raw| {
            let path = WorkspacePath::parse(raw).expect("a plain path");
            path.system_directory().map(str::to_owned)
        };
        assert_eq!(first("/etc/passwd").as_deref(), Some("etc"));
        assert_eq!(first("lib64/x").as_deref(), Some("lib64"));
        assert_eq!(first("library/x"), None);
        assert_eq!(first("notes/etc/x"), None);
    }
}
