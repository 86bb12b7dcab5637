//! Text, Markdown and source code.

use super::{
    encoding::decoded,
    limits::{Limits, within},
    refused::{Bound, DocumentRefused},
};
use wiiiv_retrieval::{Part, SourceText};

/// Paragraphs as they stand.
pub(super) fn read_plain(bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    whole(bytes, limits, SourceText::plain)
}

/// Headings, lists, tables and code by their marks.
pub(super) fn read_markdown(bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    whole(bytes, limits, SourceText::markdown)
}

/// Blocks of code.
pub(super) fn read_code(
    bytes: &[u8],
    language: &str,
    limits: &Limits,
) -> Result<SourceText, DocumentRefused> {
    whole(bytes, limits, |text| SourceText::code(text, language))
}

fn whole(
    bytes: &[u8],
    limits: &Limits,
    divide: impl Fn(&str) -> SourceText,
) -> Result<SourceText, DocumentRefused> {
    let text = decoded(bytes)?;
    within(text.chars().count(), limits.chars_max, Bound::Characters)?;
    let source = divide(&text);
    limits.check_source(&source)?;
    let says = |part: &Part| part.text.chars().any(|c| !c.is_whitespace());
    if source.parts.iter().any(says) { Ok(source) } else { Err(DocumentRefused::Empty) }
}
