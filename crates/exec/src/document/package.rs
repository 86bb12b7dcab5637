//! The archive that a DOCX, PPTX or XLSX is: its parts, their relations, and its bounds.

use super::{
    format::{is_named_archive, starts_as_archive},
    limits::{Limits, within},
    refused::{Bound, Damaged, DocumentRefused},
    xml::{self, Node},
};
use std::io::{BufReader, Cursor, Read};
use zip::{ZipArchive, result::ZipError};

const DAMAGED: DocumentRefused = DocumentRefused::Damaged(Damaged::Office);
/// Below it a part may grow as it likes.
const GROWTH_FREE_BYTES: u64 = 1024 * 1024;
/// Looked at of each part, to know an archive.
const MAGIC_BYTES: usize = 8;

/// The parts of one document.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    limits: &'a Limits,
    /// Of what may still be unpacked.
    left: u64,
}

/// What a part refers to.
pub(super) struct Relation {
    pub(super) id: String,
    /// The last part of its type's address, such as `slide`.
    pub(super) kind: String,
    /// A part of the package.
    pub(super) target: String,
}

impl<'a> Package<'a> {
    /// INVARIANT: nothing is unpacked of a package that says of itself that it is too large, and no archive
    /// within it is ever opened.
    pub(super) fn open(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, DocumentRefused> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| refused(&error))?;
        let mut package = Self { archive, limits, left: limits.unpacked_bytes_max };
        within(package.archive.len(), limits.entries_max, Bound::Entries)?;
        package.check_sizes()?;
        package.check_archives()?;
        Ok(package)
    }

    fn check_sizes(&self) -> Result<(), DocumentRefused> {
        let mut unpacked = 0_u64;
        for index in 0..self.archive.len() {
            let entry = self.archive.by_index_data(index).map_err(|error| refused(&error))?;
            if entry.encrypted() {
                return Err(DocumentRefused::Encrypted);
            }
            let most = entry.compressed_size().saturating_mul(self.limits.growth_max);
            if entry.size() > most.max(GROWTH_FREE_BYTES) {
                return Err(DocumentRefused::Bomb);
            }
            unpacked = unpacked.saturating_add(entry.size());
        }
        let most = self.limits.unpacked_bytes_max;
        let large = DocumentRefused::TooLarge { bound: Bound::UnpackedBytes, most };
        if unpacked > most { Err(large) } else { Ok(()) }
    }

    fn check_archives(&mut self) -> Result<(), DocumentRefused> {
        let charts = self.names().any(|name| name.contains("/charts/"));
        for index in 0..self.archive.len() {
            let mut entry = self.archive.by_index(index).map_err(|error| refused(&error))?;
            let name = String::from_utf8_lossy(entry.name_raw()).to_lowercase();
            if charts && is_chart_data(&name) {
                continue;
            }
            let mut start = Vec::with_capacity(MAGIC_BYTES);
            let read = entry.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut start);
            read.map_err(|_| DAMAGED)?;
            if is_named_archive(&name) || starts_as_archive(&start) {
                return Err(DocumentRefused::NestedArchive);
            }
        }
        Ok(())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.archive.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned())
    }

    pub(super) fn has(&self, part: &str) -> bool {
        self.archive.index_for_name(part).is_some()
    }

    /// Calls `visit` for each step through a part.
    pub(super) fn walk(
        &mut self,
        part: &str,
        visit: &mut dyn FnMut(Node<'_>) -> Result<(), DocumentRefused>,
    ) -> Result<(), DocumentRefused> {
        let limits = self.limits;
        let entry = self.archive.by_name(part).map_err(|error| refused(&error))?;
        let most = entry.compressed_size().saturating_mul(limits.growth_max).max(GROWTH_FREE_BYTES);
        // One more than it may have: that it came is how too much is known.
        let may = self.left.min(most);
        let mut metered = entry.take(may.saturating_add(1));
        let walked = xml::walk(BufReader::new(&mut metered), limits, visit);
        let unread = metered.limit();
        self.left = self.left.saturating_sub(may.saturating_add(1).saturating_sub(unread));
        // A part that lied about its size breaks off in the middle.
        if unread == 0 { Err(DocumentRefused::Bomb) } else { walked }
    }

    /// What a part refers to; `""` is the package itself.
    pub(super) fn relations(&mut self, part: &str) -> Result<Vec<Relation>, DocumentRefused> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let file = joined(folder, &format!("_rels/{name}.rels"));
        let mut relations = Vec::new();
        if !self.has(&file) {
            return Ok(relations);
        }
        self.walk(&file, &mut |node| {
            let Node::Open(element) = node else { return Ok(()) };
            let outside = element.attribute("TargetMode").is_some_and(|mode| mode == "External");
            if element.name() != "Relationship" || outside {
                return Ok(());
            }
            let of = |name: &str| element.attribute(name).unwrap_or_default();
            let kind = of("Type").rsplit('/').next().unwrap_or_default().to_owned();
            relations.push(Relation { id: of("Id"), kind, target: joined(folder, &of("Target")) });
            Ok(())
        })?;
        Ok(relations)
    }

    /// The title that the document's properties name.
    pub(super) fn title(&mut self) -> Result<Option<String>, DocumentRefused> {
        const PROPERTIES: &str = "docProps/core.xml";
        let (mut title, mut inside) = (String::new(), false);
        if self.has(PROPERTIES) {
            self.walk(PROPERTIES, &mut |node| {
                match node {
                    Node::Open(element) => inside = element.name() == "title",
                    Node::Text(text) if inside => title.push_str(text),
                    Node::Text(_) => {}
                    Node::Close(_) => inside = false,
                }
                Ok(())
            })?;
        }
        Ok(Some(title).filter(|title| !title.trim().is_empty()))
    }
}

/// A chart has its numbers in a workbook of its own, which Office always puts there.
fn is_chart_data(name: &str) -> bool {
    name.contains("/embeddings/") && name.ends_with(".xlsx")
}

/// A target from the folder of the part that names it.
fn joined(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.join("/")
}

fn refused(error: &ZipError) -> DocumentRefused {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            DocumentRefused::Encrypted
        }
        _ => DAMAGED,
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_target_is_found_from_the_part_that_names_it() {
        for (folder, target, path) in [
            ("word", "styles.xml", "word/styles.xml"),
            ("ppt/slides", "../notesSlides/notesSlide1.xml", "ppt/notesSlides/notesSlide1.xml"),
            ("xl", "/xl/worksheets/sheet1.xml", "xl/worksheets/sheet1.xml"),
            ("", "_rels/.rels", "_rels/.rels"),
            ("", "../../x", "x"),
        ] {
            assert_eq!(joined(folder, target), path);
        }
    }
}
