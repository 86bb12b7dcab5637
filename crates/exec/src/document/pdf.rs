//! PDF: the text of each page in the order in which it is drawn, with headings by the size of their letters.

mod content;
mod font;
mod glyph;
mod layout;
mod lines;
mod matrix;
mod stream;

use super::{
    encoding::decoded,
    extract::Extract,
    limits::Limits,
    refused::{Damaged, DocumentRefused},
};
use content::Drawing;
use encoding_rs::Encoding;
use hayro_syntax::{LoadPdfError, Pdf};
use wiiiv_retrieval::SourceText;

/// A file that was cut off has neither.
const ENDS: [&[u8]; 2] = [b"%%EOF", b"startxref"];
const DAMAGED: DocumentRefused = DocumentRefused::Damaged(Damaged::Pdf);

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        // Without a password a PDF may be encrypted too, against changes; such a one is read.
        LoadPdfError::Decryption(_) => DocumentRefused::Encrypted,
        LoadPdfError::Invalid => DAMAGED,
    })?;
    let pages = pdf.pages();
    // What is left of a file would answer for all of it.
    if pages.is_empty() || !ENDS.iter().any(|end| holds(bytes, end)) {
        return Err(DAMAGED);
    }
    limits.check_pages(pages.len())?;
    let mut extract = Extract::new(limits);
    let title = pdf.metadata().title.as_deref().and_then(title);
    if let Some(title) = title {
        extract.title(&title);
    }
    let mut drawing = Drawing::new(limits);
    let mut lines = Vec::new();
    for page in pages.iter() {
        lines.push(drawing.page(page)?);
    }
    layout::write(&lines, &mut extract)?;
    // Half of its letters would answer for all.
    if drawing.is_unreadable() {
        return Err(DocumentRefused::UnreadableFonts);
    }
    extract.finish(drawing.why_empty())
}

/// Looked for from the end, where it stands in a whole file.
fn holds(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).rev().any(|window| window == mark)
}

/// Of the document's information: with a mark UTF-16 or UTF-8, else as old programs wrote it.
fn title(bytes: &[u8]) -> Option<String> {
    match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => {
            let (text, _) = encoding.decode_without_bom_handling(bytes.get(mark..)?);
            Some(text.into_owned())
        }
        None => decoded(bytes).ok(),
    }
}
