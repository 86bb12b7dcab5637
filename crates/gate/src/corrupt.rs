//! Why bytes of the log are no evidence.

/// A row of the log that cannot be read back. Its text stays out of the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    #[error("record `{at}` is not a {kind} document; restore the database from a backup")]
    Shape { at: u64, kind: &'static str },
    #[error("record `{at}` is a {kind} document of version `{version}`; use a newer build")]
    Version { at: u64, kind: &'static str, version: u32 },
    /// Somebody changed the row after it was written.
    #[error("a document that is not the one that record `{at}` of the audit names")]
    Changed { at: u64 },
}
