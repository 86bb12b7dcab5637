//! A chunk on its way into the library.

use crate::{chunk::ChunkHash, lexical::DocumentTerms, row::Row, terms::Terms, vector::Vector};
use std::sync::Arc;

/// One chunk as the library takes it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its number in the document.
    pub chunk: u32,
    /// The passage that it is of.
    pub passage: u32,
    /// What names its text.
    pub hash: ChunkHash,
    /// Its words.
    pub terms: Arc<Terms>,
    /// Its meaning; `None` until it is embedded.
    pub vector: Option<Arc<Vector>>,
}

/// A document on its way into a segment: all that can be done before the segment is locked.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) terms: DocumentTerms,
    /// The number of each passage in the document, and its chunks.
    pub(crate) passages: Vec<(u32, Vec<PreparedChunk>)>,
}

/// A chunk with its vector as a row.
#[derive(Debug)]
pub(crate) struct PreparedChunk {
    pub(crate) chunk: u32,
    pub(crate) hash: ChunkHash,
    pub(crate) terms: Arc<Terms>,
    pub(crate) row: Option<Row>,
}

impl Prepared {
    /// Words of `title` that the chunks' terms lack find it too.
    #[must_use]
    pub fn new(title: &str, mut entries: Vec<Entry>) -> Self {
        let title = Terms::of(title, "", "");
        entries.sort_by_key(|entry| (entry.passage, entry.chunk));
        let mut passages: Vec<(u32, Vec<PreparedChunk>)> = Vec::new();
        for Entry { chunk, passage, hash, terms, vector } in entries {
            let new = PreparedChunk { chunk, hash, terms, row: vector.map(Row::new) };
            match passages.last_mut() {
                Some((number, chunks)) if *number == passage => chunks.push(new),
                Some(_) | None => passages.push((passage, vec![new])),
            }
        }
        let mut terms = DocumentTerms::default();
        for (_, chunks) in &passages {
            terms.push(chunks.iter().map(|chunk| &*chunk.terms), &title);
        }
        Self { terms: terms.summed(), passages }
    }
}
