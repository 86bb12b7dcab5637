//! The text of documents: what a file says, with its headings, items, rows and pages.
//!
//! - [`Format`]: which reader a file is for, by its name, media type and first bytes.
//! - [`read`]: one reader a format, each a function of bytes and [`Limits`] alone.
//! - [`DocumentRefused`]: why a file gave no text.
//!
//! A file is made by a stranger: its size, entries, nesting, pages and text are bounded by [`Limits`],
//! its memory and time by the child process that `crate::sandbox` runs a reader in.

mod delimited;
mod docx;
mod encoding;
mod extract;
mod format;
mod html;
mod limits;
mod office;
mod package;
mod pdf;
mod pptx;
mod refused;
mod text;
mod xlsx;
mod xml;

pub use format::Format;
pub use limits::Limits;
pub use refused::{Bound, Damaged, DocumentRefused};

use wiiiv_retrieval::SourceText;

/// The text of a file of this format.
pub fn read(format: Format, bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    if bytes.is_empty() {
        return Err(DocumentRefused::Empty);
    }
    limits.check_file(bytes.len())?;
    match format {
        Format::Text => text::read_plain(bytes, limits),
        Format::Markdown => text::read_markdown(bytes, limits),
        Format::Code(language) => text::read_code(bytes, language, limits),
        Format::Csv => delimited::read(bytes, limits),
        Format::Html => html::read(bytes, limits),
        Format::Pdf => pdf::read(bytes, limits),
        Format::Docx | Format::Pptx | Format::Xlsx => office::read(bytes, limits),
    }
}

#[cfg(test)]
mod tests;
