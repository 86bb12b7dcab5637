//! Queries and passages.

/// What a text is to a search. Some models are to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What is searched for.
    Query,
    /// What is found.
    Passage,
}
