//! JSON that is nested deeper than a parser should follow.

const DEPTH: usize = 10_000;

/// Lists that are opened and never closed.
pub fn open_lists() -> String {
    "[".repeat(DEPTH)
}

/// A well-formed list of lists of lists.
pub fn closed_lists() -> String {
    open_lists() + &"]".repeat(DEPTH)
}
