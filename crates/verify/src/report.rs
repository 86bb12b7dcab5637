//! What a good file shows.

/// How much a good file proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Signed by the key given, and unchanged since.
    Verified,
    /// No key was given: whoever can write the file can make it consistent.
    InternallyConsistent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub chain: String,
    pub key_id: String,
    pub records: u64,
    pub checkpoints: u64,
    /// Records behind the newest checkpoint.
    pub unsigned_tail: u64,
    /// Hash of the last record; 64 zeros if there is none.
    pub head: String,
    pub level: Level,
}
