//! Questions about earlier work, which code answers from the record.

use serde::{Deserialize, Serialize};

named! {
    /// A question about earlier work in the session.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Recall {
        /// Why the last request ended as it did.
        Why = "why",
        /// The last request again, with its final slots.
        Again = "again",
        /// The files of the workspace.
        ListFiles = "list_files",
        /// The file that was saved last.
        ShowSaved = "show_saved",
    }
}
