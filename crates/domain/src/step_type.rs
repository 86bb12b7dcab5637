//! Types of steps.

use serde::{Deserialize, Serialize};

named! {
    /// Step types that this build runs. A type is added together with its executor.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum StepType {
        /// Reads a file of the workspace.
        FileRead = "FILE_READ",
        /// Writes a file of the workspace.
        FileWrite = "FILE_WRITE",
        /// Removes a file of the workspace.
        FileDelete = "FILE_DELETE",
        /// Sends an HTTP request.
        ApiCall = "API_CALL",
        /// Reads a web page as text.
        WebFetch = "WEB_FETCH",
        /// Computes a value by jq.
        Transform = "TRANSFORM",
    }
}
