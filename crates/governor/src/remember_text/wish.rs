//! What was found in a message, and what both languages need to find it.

use wiiiv_domain::{MemoryScope, unquoted};

const QUESTIONS: &str = "what|who|whom|whose|which|why|how";
const AUXILIARIES: &str =
    "do|does|did|have|has|had|am|is|are|was|were|should|shall|can|could|will|would";
/// `could you` asks for an act.
const POLITE: &str = "can|could|would|will";
const SUBJECTS: &str = "i|you|we|he|she|they";

/// What is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberRequest {
    pub scope: MemoryScope,
    pub line: String,
}

/// What a text asks for.
pub(super) enum Wish {
    /// A question, a story or somebody else's text.
    No,
    /// It does not say what is to be kept, or not which part of it.
    Unclear,
    Line(RememberRequest),
}

pub(super) fn kept(scope: MemoryScope, text: &str) -> Wish {
    let lines = trimmed(text).lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.collect::<Vec<_>>().join(" ");
    if wonders(&unquoted(&line).to_ascii_lowercase()) || !line.contains(is_letter) {
        return Wish::Unclear;
    }
    Wish::Line(RememberRequest { scope, line })
}

/// Of a table of words.
pub(super) fn words(table: &str) -> impl Iterator<Item = &str> {
    table.split('|')
}

pub(super) fn is_in(table: &str, word: &str) -> bool {
    words(table).any(|known| known == word)
}

/// `ㅋㅋ` says nothing.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, 'ㄱ'..='ㅣ')
}

pub(super) fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ':' | ';' | '.' | '!' | '?' | '~' | '-')
}

pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_mark)
}

/// Asks something, in small letters.
pub(super) fn wonders(text: &str) -> bool {
    text.contains("? ") || text.split(['.', '!', ';']).any(is_question)
}

fn is_question(sentence: &str) -> bool {
    let mut said = sentence.split(|c| !is_letter(c)).filter(|word| !word.is_empty());
    let (first, second) = (said.next().unwrap_or_default(), said.next().unwrap_or_default());
    let polite = second == "you" && is_in(POLITE, first);
    is_in(QUESTIONS, first)
        || is_in(AUXILIARIES, first) && is_in(SUBJECTS, second) && !polite
        || matches!(first, "when" | "where") && is_in(AUXILIARIES, second)
}
