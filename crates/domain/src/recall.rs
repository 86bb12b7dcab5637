//! Questions about earlier work, which code answers from the record.

use serde::{Deserialize, Serialize};

/// A question about earlier work in the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recall {
    /// Why the last request ended as it did.
    Why,
    /// The last request again, with its final slots.
    Again,
    /// The files of the workspace.
    ListFiles,
    /// The file that was saved last.
    ShowSaved,
}

impl Recall {
    /// All four, in declaration order.
    pub const ALL: [Self; 4] = [Self::Why, Self::Again, Self::ListFiles, Self::ShowSaved];

    /// The name as stored and sent, e.g. `list_files`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Why => "why",
            Self::Again => "again",
            Self::ListFiles => "list_files",
            Self::ShowSaved => "show_saved",
        }
    }
}
