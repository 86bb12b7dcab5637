//! Documents of a set, one file each below the folder of its language.

use super::file::text_file;
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use wiiiv_domain::Lang;
use wiiiv_retrieval::{Part, PartKind, SourceText};

/// Of one set.
const DOCUMENTS_MAX: usize = 10_000;
/// Between two cells, as a document's rows are read.
const CELLS: &str = " | ";

pub struct SetDocument {
    /// Its language's folder and its file: `ko/휴가.md`.
    pub name: String,
    pub language: Lang,
    pub title: String,
    pub source: SourceText,
}

impl SetDocument {
    pub fn file_name(&self) -> &str {
        self.name.split_once('/').map_or(&self.name, |(_, file)| file)
    }

    pub fn has_heading(&self, text: &str) -> bool {
        let is_heading = |part: &&Part| matches!(part.kind, PartKind::Heading(_));
        self.source.parts.iter().filter(is_heading).any(|part| part.text == text)
    }

    /// The whole of it, marks of headings aside.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.source.parts.iter().map(|part| part.text.as_str()).collect();
        parts.join("\n")
    }
}

pub(super) fn read(folder: &Path) -> Result<Vec<SetDocument>, Failure> {
    let faulty = |path: &Path, reason: &str| {
        Err(Failure::Document { path: path.to_owned(), reason: reason.to_owned() })
    };
    let mut documents = Vec::new();
    for below in entries(folder)? {
        let Some(language) = name_of(&below).and_then(Lang::parse) else {
            return faulty(&below, "it is no folder of a language that is known: `ko` or `en`");
        };
        for file in entries(&below)? {
            if documents.len() == DOCUMENTS_MAX {
                return faulty(folder, "there are too many documents in it");
            }
            documents.push(document(&file, language)?);
        }
    }
    if documents.is_empty() {
        return faulty(folder, "there is no document in it");
    }
    Ok(documents)
}

fn document(file: &Path, language: Lang) -> Result<SetDocument, Failure> {
    let faulty =
        |reason: &str| Failure::Document { path: file.to_owned(), reason: reason.to_owned() };
    let text = text_file(file)?;
    let name = name_of(file).ok_or_else(|| faulty("its name is no text"))?;
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let source = match ending {
        "md" => SourceText::markdown(&text),
        "txt" => SourceText::plain(&text),
        "csv" => rows(&text),
        "py" | "ts" => SourceText::code(&text, ending),
        _ => return Err(faulty("it ends with none of `md`, `txt`, `csv`, `py` and `ts`")),
    };
    if source.parts.is_empty() {
        return Err(faulty("it has no text"));
    }
    let title = source.title.clone().unwrap_or_else(|| stem.to_owned());
    Ok(SetDocument { name: format!("{}/{name}", language.as_str()), language, title, source })
}

/// Cells of a set hold no commas, so that nothing is quoted.
fn rows(text: &str) -> SourceText {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        Part { kind: PartKind::Row, text: cells.join(CELLS), page: None }
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    SourceText::new(None, lines.map(row).collect())
}

/// By their names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = Failure::unreadable(folder);
    let listed = std::fs::read_dir(folder).map_err(&unreadable)?;
    let paths = listed.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(&unreadable)?;
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name().and_then(|name| name.to_str())
}
