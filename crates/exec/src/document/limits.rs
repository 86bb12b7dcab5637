//! Bounds of one reading.

use super::refused::{Bound, DocumentRefused};
use serde::{Deserialize, Serialize};
use wiiiv_retrieval::SourceText;

const MIB: u64 = 1024 * 1024;

/// Bounds of one reading. What a document has more of is refused, never cut: a text that ends in the
/// middle would answer for the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The file itself.
    pub file_bytes_max: u64,
    /// All that is unpacked of it, together.
    pub unpacked_bytes_max: u64,
    /// Times that one packed part may grow; small parts are not looked at.
    pub growth_max: u64,
    /// Files in one DOCX, PPTX or XLSX.
    pub entries_max: u64,
    /// Elements of XML within each other.
    pub levels_max: u64,
    /// Pages, slides or sheets.
    pub pages_max: u64,
    /// Text, in Unicode scalar values.
    pub chars_max: u64,
    /// Paragraphs, items and rows.
    pub parts_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes_max: 20 * MIB,
            unpacked_bytes_max: 256 * MIB,
            growth_max: 500,
            entries_max: 10_000,
            levels_max: 256,
            pages_max: 5_000,
            chars_max: 5_000_000,
            parts_max: 500_000,
        }
    }
}

impl Limits {
    /// The same, with files of at most so many mebibytes.
    #[must_use]
    pub const fn with_file_mib(self, file_mib_max: u64) -> Self {
        Self { file_bytes_max: file_mib_max.saturating_mul(MIB), ..self }
    }

    /// Refuses a file of more bytes.
    pub fn check_file(&self, bytes: usize) -> Result<(), DocumentRefused> {
        within(bytes, self.file_bytes_max, Bound::FileBytes)
    }

    /// Refuses a text that goes beyond these limits, whoever made it.
    pub fn check_source(&self, source: &SourceText) -> Result<(), DocumentRefused> {
        within(source.parts.len(), self.parts_max, Bound::Parts)?;
        let title = source.title.iter().map(String::as_str);
        let texts = source.parts.iter().map(|part| part.text.as_str()).chain(title);
        let chars = texts.map(|text| text.chars().count()).sum();
        within(chars, self.chars_max, Bound::Characters)
    }

    pub(super) fn check_pages(&self, pages: usize) -> Result<(), DocumentRefused> {
        within(pages, self.pages_max, Bound::Pages)
    }
}

/// Refuses more than the most.
pub(super) fn within(count: usize, most: u64, bound: Bound) -> Result<(), DocumentRefused> {
    match u64::try_from(count) {
        Ok(count) if count <= most => Ok(()),
        Ok(_) | Err(_) => Err(DocumentRefused::TooLarge { bound, most }),
    }
}
