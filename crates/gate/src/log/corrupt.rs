//! Why bytes of the log are not evidence.

/// A row of the log that cannot be read. Its text is not in the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    /// The bytes are not the expected document.
    #[error("record `{at}` is not a {kind} document; restore the database from a backup")]
    Shape {
        /// Place of the record in its audit chain.
        at: u64,
        /// The expected kind.
        kind: &'static str,
    },
    /// A newer build wrote the document.
    #[error("record `{at}` is a {kind} document of version `{version}`; use a newer build")]
    Version {
        /// Place of the record in its audit chain.
        at: u64,
        /// The kind of document.
        kind: &'static str,
        /// The version that was found.
        version: u32,
    },
    /// The row was changed after it was written.
    #[error("a document that is not the one that record `{at}` of the audit names")]
    Changed {
        /// Place of the record in its audit chain.
        at: u64,
    },
}
