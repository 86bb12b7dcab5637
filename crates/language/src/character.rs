//! Classes of characters that readers ask about.

/// Syllables and letters of Hangul.
pub(crate) const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{3131}'..='\u{318e}' | '\u{1100}'..='\u{11ff}')
}

/// May stand in a word.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// May stand in a path as people write it in a sentence.
pub(crate) fn is_path(c: char) -> bool {
    is_word(c) || is_picture(c) || matches!(c, '-' | '.' | '/' | '~' | '+' | '@' | '%')
}

/// Emoji, as they stand in names of files and behind sentences.
pub(crate) const fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}')
}

/// May stand in a URL; the rest of Unicode is taken as an IRI has it.
pub(crate) fn is_url(c: char) -> bool {
    c.is_alphanumeric() || "-._~:/?#[]@!$&*+;=%,".contains(c)
}

/// Ends a sentence or a clause and belongs to no path or URL before it.
pub(crate) const fn is_closing(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ']' | '#' | '*' | '~') || is_picture(c)
}
