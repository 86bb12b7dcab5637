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

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        // Without a password a PDF may be encrypted too, against changes; such a one is read.
        LoadPdfError::Decryption(_) => DocumentRefused::Encrypted,
        LoadPdfError::Invalid => DocumentRefused::Damaged(Damaged::Pdf),
    })?;
    let pages = pdf.pages();
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
        return Err(DocumentRefused::UnknownEncoding);
    }
    extract.finish(drawing.why_empty())
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
