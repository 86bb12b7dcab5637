//! Why a file was not read or changed. Messages hold workspace paths, never the machine's.

use std::io;
use wiiiv_domain::{PathError, StepType};
use wiiiv_gate::ForeignPermit;

#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("foreign permit: it was made by another opening of the gate")]
    Foreign(#[from] ForeignPermit),
    #[error("the permit is for `{found}`: it permits no other step")]
    WrongStep { found: StepType },
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("`/{path}` names a directory of the system: name a path inside the workspace")]
    SystemDirectory { path: String },
    #[error("there is no file `{path}`: name one that exists")]
    NotFound { path: String },
    #[error("`{path}` is a directory: name a file in it")]
    IsDirectory { path: String },
    #[error("`{path}` holds too many files to be listed: name a folder in it")]
    TooManyEntries { path: String },
    #[error("`{path}` lies below a file: name a directory")]
    NotADirectory { path: String },
    #[error("`{path}` is or lies behind a symbolic link: name the file itself")]
    SymbolicLink { path: String },
    #[error("`{path}` has more than one hard link: name a file of one name, or copy it")]
    HardLinked { path: String },
    #[error("`{path}` is a device, pipe or socket: name a regular file")]
    NotAFile { path: String },
    #[error("`{path}` has more than `{max_bytes}` bytes: name a smaller file")]
    TooLarge { path: String, max_bytes: u64 },
    #[error("`{path}` has changed since the plan was drawn: draw it again")]
    PreImageChanged { path: String },
    #[error("`{path}` was changed, but the disk has not confirmed it ({kind}): look at the file")]
    Unconfirmed { path: String, kind: io::ErrorKind },
    #[error("`{path}` could not be used: {kind}")]
    Io { path: String, kind: io::ErrorKind },
    /// Its bytes could not be laid beside it, which comes before anything is done to it.
    #[error("`{path}` could not be used: {kind}")]
    Unstaged { path: String, kind: io::ErrorKind },
}

impl WorkspaceError {
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Foreign(_) => "FOREIGN_PERMIT",
            Self::WrongStep { .. } => "WRONG_STEP",
            Self::Path(error) => error.code(),
            Self::SystemDirectory { .. } => "PATH_NOT_ALLOWED",
            Self::NotFound { .. } => "FILE_NOT_FOUND",
            Self::IsDirectory { .. } => "PATH_IS_DIRECTORY",
            Self::TooManyEntries { .. } => "FOLDER_TOO_LARGE",
            Self::NotADirectory { .. } => "PATH_BELOW_FILE",
            Self::SymbolicLink { .. } => "SYMBOLIC_LINK",
            Self::HardLinked { .. } => "HARD_LINK",
            Self::NotAFile { .. } => "NOT_A_FILE",
            Self::TooLarge { .. } => "FILE_TOO_LARGE",
            Self::PreImageChanged { .. } => "PREIMAGE_CHANGED",
            Self::Unconfirmed { .. } => "FILE_UNCONFIRMED",
            Self::Io { .. } | Self::Unstaged { .. } => "FILE_IO",
        }
    }

    /// The file was left as it was. In doubt: no.
    #[must_use]
    pub const fn left_alone(&self) -> bool {
        match self {
            Self::Foreign(_)
            | Self::WrongStep { .. }
            | Self::Path(_)
            | Self::SystemDirectory { .. }
            | Self::NotFound { .. }
            | Self::IsDirectory { .. }
            | Self::TooManyEntries { .. }
            | Self::NotADirectory { .. }
            | Self::SymbolicLink { .. }
            | Self::HardLinked { .. }
            | Self::NotAFile { .. }
            | Self::TooLarge { .. }
            | Self::Unstaged { .. } => true,
            // It may have changed places and back.
            Self::PreImageChanged { .. } | Self::Unconfirmed { .. } | Self::Io { .. } => false,
        }
    }
}
