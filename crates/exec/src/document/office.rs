//! DOCX, PPTX and XLSX: which of them a package is stands in it, whatever its name says.

use super::{
    docx,
    extract::Extract,
    limits::Limits,
    package::Package,
    pptx,
    refused::{Damaged, DocumentRefused},
    xlsx,
};
use wiiiv_retrieval::SourceText;

/// The text of the document that a package holds.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    let mut package = Package::open(bytes, limits)?;
    let mut extract = Extract::new(limits);
    if let Some(title) = package.title()? {
        extract.title(&title);
    }
    let relations = package.relations("")?;
    let main = relations.into_iter().find(|relation| relation.kind == "officeDocument");
    let main = main.ok_or(DocumentRefused::Damaged(Damaged::Office))?.target;
    match main.split('/').next() {
        Some("word") => docx::read(&mut package, &main, &mut extract)?,
        Some("ppt") => pptx::read(&mut package, &main, &mut extract)?,
        Some("xl") => xlsx::read(&mut package, &main, &mut extract)?,
        // Of the same family, and none that is read: a drawing, a font, an OpenDocument file.
        Some(_) | None => return Err(DocumentRefused::UnknownFormat),
    }
    let pictures = package.names().any(|name| name.contains("/media/"));
    extract.finish(if pictures { DocumentRefused::NoText } else { DocumentRefused::Empty })
}
