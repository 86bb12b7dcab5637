//! What a person and a project asked to be kept in mind. It is data below the rules, whoever wrote it.

use wiiiv_domain::MemoryText;

/// Of an empty one nothing is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryBlocks {
    /// Of the person whose conversation it is; empty where somebody else speaks.
    pub user: MemoryText,
    pub project: MemoryText,
}
