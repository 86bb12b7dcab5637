//! What is read of a text.

/// A longer word is no word that somebody searches for: it has no whole form.
pub(crate) const WORD_CHARS_MAX: usize = 64;

/// What is read, in its order: a surface or that there is none, then what is made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// A word: what its forms have in common, and how it is written here.
    Surface { text: &'a str, written: &'a str, is_identifier: bool },
    /// A word that is too long for one: what is made of it belongs to no other.
    Long,
    /// Another form of that word: without its particle, or a part of an identifier.
    Form(&'a str),
    /// Two neighbouring characters of a script without reliable spaces.
    Pair(&'a str),
}
