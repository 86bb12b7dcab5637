//! The result for a file without faults.

/// How much a file without faults proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The given key signed it, and it has not changed since.
    Verified,
    /// No key was given: whoever can write the file can make it consistent.
    InternallyConsistent,
}

/// What a good export shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Name of the chain: a project's id, or `server`.
    pub chain: String,
    /// Id of the key that signed it, as the header names it.
    pub key_id: String,
    /// How many records it holds.
    pub records: u64,
    /// How many checkpoints it holds.
    pub checkpoints: u64,
    /// Records after the newest checkpoint.
    pub unsigned_tail: u64,
    /// Hash of the last record; 64 zeros if there is none.
    pub head: String,
    /// The line of the newest checkpoint, to be kept apart for the next look; `None` if there is none.
    pub newest_checkpoint: Option<String>,
    /// What was proved.
    pub level: Level,
}
