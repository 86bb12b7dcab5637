//! How far the seals of an audit reach.

/// The record of the server's chain that says when data of an earlier build was sealed.
pub(super) const SEALED_KIND: &str = "audit.sealed";
/// And the one that says when its records were, where its heads had been before.
pub(super) const RECORDS_SEALED_KIND: &str = "audit.records_sealed";

/// How far this data has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing is there yet.
    First,
    /// A build before the seals left it.
    Unsealed,
    /// Each head is sealed by itself.
    Apart,
    /// And all of them together.
    Together,
    /// And each record by itself.
    Records,
}

impl Stage {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Unsealed => "unsealed",
            Self::Apart => "apart",
            Self::Together => "together",
            Self::Records => "records",
        }
    }
}
