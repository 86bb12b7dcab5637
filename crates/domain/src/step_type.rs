//! Types of steps.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Step types that this build runs. A type is added together with its executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StepType {
    /// Reads a file of the workspace.
    FileRead,
    /// Writes a file of the workspace.
    FileWrite,
    /// Removes a file of the workspace.
    FileDelete,
    /// Sends an HTTP request.
    ApiCall,
    /// Reads a web page as text.
    WebFetch,
    /// Computes a value by jq.
    Transform,
}

impl StepType {
    /// All six, in declaration order.
    pub const ALL: [Self; 6] = [
        Self::FileRead,
        Self::FileWrite,
        Self::FileDelete,
        Self::ApiCall,
        Self::WebFetch,
        Self::Transform,
    ];

    /// The name in plans and policies, e.g. `FILE_READ`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FileRead => "FILE_READ",
            Self::FileWrite => "FILE_WRITE",
            Self::FileDelete => "FILE_DELETE",
            Self::ApiCall => "API_CALL",
            Self::WebFetch => "WEB_FETCH",
            Self::Transform => "TRANSFORM",
        }
    }
}

impl fmt::Display for StepType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
