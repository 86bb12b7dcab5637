//! A set that search is measured on: documents, and queries of which somebody wrote down what answers them.

mod documents;
mod file;
mod queries;

pub use queries::{Answer, Kind, SetQuery};

use crate::{args::PartChoice, failure::Failure};
use documents::SetDocument;
use file::toml_file;
use serde::Deserialize;
use std::path::Path;

pub struct EvalSet {
    pub title: String,
    /// In the order of their names.
    pub documents: Vec<SetDocument>,
    pub queries: Vec<SetQuery>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    title: String,
    /// Who wrote it, or what it was made of.
    source: String,
}

impl EvalSet {
    /// Of `set.toml`, `documents/LANGUAGE/` and `queries.toml`. One of which anything is not as it has to be is refused.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        if !folder.is_dir() {
            return Err(Failure::NoSetFolder { folder: folder.to_owned() });
        }
        let about_file = folder.join("set.toml");
        let About { title, source } = toml_file(&about_file)?;
        if title.trim().is_empty() || source.trim().is_empty() {
            let reason = "`title` or `source` is empty".to_owned();
            return Err(Failure::Document { path: about_file, reason });
        }
        let documents = documents::read(&folder.join("documents"))?;
        let queries = queries::read(&folder.join("queries.toml"), &documents)?;
        Ok(Self { title, documents, queries })
    }

    pub fn queries_of(&self, part: PartChoice) -> impl Iterator<Item = &SetQuery> {
        self.queries.iter().filter(move |query| query.part.is_of(part))
    }
}

#[cfg(test)]
mod tests;
