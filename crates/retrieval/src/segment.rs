//! Everything that is searchable in one scope, in one piece.
//!
//! The passages of a document have neighbouring numbers. A document that goes leaves its numbers empty; where
//! many are, all get new ones.

use crate::{
    buckets::NUMBERS_MAX,
    chunk::ChunkHash,
    dense::{ChunkAt, Matrix, Pair, Strangers},
    entry::{Prepared, PreparedChunk},
    found::Counts,
    lexical::Postings,
    row::Row,
    terms::Terms,
    vector::Vector,
};
use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::Arc,
};
use wiiiv_domain::DocumentId;

/// Empty numbers that are not worth new ones.
const EMPTY_MIN: usize = 1024;
/// Passages from one to the other, from which on two of a document have little more to do with each other than two of
/// different ones.
const FAR_APART: u32 = 8;

/// A passage of the segment.
#[derive(Debug)]
pub(crate) struct Passage {
    pub(crate) document: DocumentId,
    pub(crate) passage: u32,
    pub(crate) chunks: Box<[Chunk]>,
}

/// A chunk of a passage.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) chunk: u32,
    pub(crate) hash: ChunkHash,
    pub(crate) terms: Arc<Terms>,
    row: Option<RowAt>,
}

/// Which row of the matrix of which dimensions.
#[derive(Debug, Clone, Copy)]
struct RowAt {
    dimensions: usize,
    row: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Segment {
    /// The numbers of each document's passages.
    documents: HashMap<DocumentId, Range<u32>>,
    /// By number; `None` where a document has gone.
    passages: Vec<Option<Passage>>,
    live: usize,
    chunks: usize,
    postings: Postings,
    matrices: BTreeMap<usize, Matrix>,
}

impl Segment {
    /// Replaces the document. Answers whether there are numbers for its passages; if not, nothing changes.
    pub(crate) fn put(&mut self, document: DocumentId, new: Prepared) -> bool {
        let Prepared { terms, passages } = new;
        if !fits(self.live + passages.len()) {
            return false;
        }
        self.remove(document);
        if !fits(self.passages.len() + passages.len()) {
            self.close_up();
        }
        let from = self.next_number();
        self.postings.push(&terms);
        for (passage, chunks) in passages {
            self.push(document, passage, chunks);
        }
        let numbers = from..self.next_number();
        self.documents.insert(document, numbers);
        true
    }

    fn push(&mut self, document: DocumentId, passage: u32, new: Vec<PreparedChunk>) {
        let number = self.next_number();
        self.chunks += new.len();
        let mut chunks = Vec::with_capacity(new.len());
        for (PreparedChunk { chunk, hash, terms, row }, nth) in new.into_iter().zip(0..) {
            let row = row.map(|row| self.add_row(row, ChunkAt { number, nth }));
            chunks.push(Chunk { chunk, hash, terms, row });
        }
        self.passages.push(Some(Passage { document, passage, chunks: chunks.into() }));
        self.live += 1;
    }

    pub(crate) fn remove(&mut self, document: DocumentId) -> bool {
        let Some(numbers) = self.documents.remove(&document) else { return false };
        let range = index(numbers.start)..index(numbers.end);
        numbers.for_each(|number| self.take(number));
        self.postings.remove(range);
        let empty = self.passages.len() - self.live;
        if self.live == 0 || (empty > EMPTY_MIN && empty > self.live / 4) {
            self.close_up();
        }
        true
    }

    /// Gives a chunk its vector, in place of the one that it had. Answers whether the chunk is there.
    pub(crate) fn set_vector(&mut self, document: DocumentId, chunk: u32, row: Row) -> bool {
        let Some(at) = self.chunk_at(document, chunk) else { return false };
        let old = self.chunk_mut(at).and_then(|chunk| chunk.row.take());
        if let Some(old) = old {
            self.take_row(old);
        }
        let new = self.add_row(row, at);
        if let Some(chunk) = self.chunk_mut(at) {
            chunk.row = Some(new);
        }
        true
    }

    pub(crate) fn passage(&self, number: u32) -> Option<&Passage> {
        self.passages.get(index(number))?.as_ref()
    }

    /// The vectors of a passage's chunks that have these dimensions.
    pub(crate) fn vectors<'a>(
        &'a self,
        passage: &'a Passage,
        dimensions: usize,
    ) -> impl Iterator<Item = &'a Vector> {
        let rows = passage.chunks.iter().filter_map(|chunk| chunk.row);
        let rows = rows.filter(move |at| at.dimensions == dimensions);
        rows.filter_map(move |at| self.matrices.get(&at.dimensions)?.vector(at.row))
    }

    pub(crate) const fn postings(&self) -> &Postings {
        &self.postings
    }

    pub(crate) fn matrix(&self, dimensions: usize) -> Option<&Matrix> {
        self.matrices.get(&dimensions)
    }

    /// How near chunks are to each other that have nothing to do with each other.
    pub(crate) fn strangers(&self, dimensions: usize) -> Strangers {
        let document = |at: ChunkAt| self.passage(at.number).map(|passage| passage.document);
        let pair = |a: ChunkAt, b: ChunkAt| {
            if document(a) != document(b) {
                Pair::OfOtherDocuments
            } else if a.number.abs_diff(b.number) >= FAR_APART {
                Pair::FarApart
            } else {
                Pair::Near
            }
        };
        self.matrices.get(&dimensions).map(|all| all.strangers(pair)).unwrap_or_default()
    }

    pub(crate) fn has_documents(&self) -> bool {
        !self.documents.is_empty()
    }

    pub(crate) fn counts(&self) -> Counts {
        let vectors = self.matrices.values().map(Matrix::len).sum();
        Counts { documents: self.documents.len(), chunks: self.chunks, vectors }
    }

    fn next_number(&self) -> u32 {
        u32::try_from(self.passages.len()).unwrap_or(NUMBERS_MAX)
    }

    fn chunk_at(&self, document: DocumentId, chunk: u32) -> Option<ChunkAt> {
        let mut numbers = self.documents.get(&document)?.clone();
        numbers.find_map(|number| {
            let mut chunks = self.passage(number)?.chunks.iter().zip(0..);
            let (_, nth) = chunks.find(|(found, _)| found.chunk == chunk)?;
            Some(ChunkAt { number, nth })
        })
    }

    fn chunk_mut(&mut self, at: ChunkAt) -> Option<&mut Chunk> {
        let passage = self.passages.get_mut(index(at.number))?.as_mut()?;
        passage.chunks.get_mut(index(at.nth))
    }

    /// Takes a passage out, with its rows.
    fn take(&mut self, number: u32) {
        let count = self.passage(number).map_or(0, |passage| passage.chunks.len());
        for nth in (0..).take(count) {
            let row = self.chunk_mut(ChunkAt { number, nth }).and_then(|chunk| chunk.row.take());
            row.into_iter().for_each(|row| self.take_row(row));
        }
        self.live -= 1;
        self.chunks -= count;
        if let Some(passage) = self.passages.get_mut(index(number)) {
            *passage = None;
        }
    }

    fn add_row(&mut self, row: Row, owner: ChunkAt) -> RowAt {
        let dimensions = row.vector.dimensions();
        let matrix = self.matrices.entry(dimensions).or_insert_with(|| Matrix::new(dimensions));
        let at = RowAt { dimensions, row: matrix.len() };
        matrix.push(row, owner);
        at
    }

    fn take_row(&mut self, at: RowAt) {
        let Some(matrix) = self.matrices.get_mut(&at.dimensions) else { return };
        let moved = matrix.swap_remove(at.row);
        if matrix.len() == 0 {
            self.matrices.remove(&at.dimensions);
        }
        if let Some(chunk) = moved.and_then(|owner| self.chunk_mut(owner)) {
            chunk.row = Some(at);
        }
    }

    /// Gives the passages new numbers without empty ones between them.
    fn close_up(&mut self) {
        let mut next = 0..;
        let numbers: Vec<Option<u32>> = self
            .passages
            .iter()
            .map(|passage| passage.as_ref().and_then(|_| next.next()))
            .collect();
        let new = |old: u32| *numbers.get(index(old))?;
        self.postings.renumber(&numbers);
        for matrix in self.matrices.values_mut() {
            matrix.renumber(new);
        }
        for numbers in self.documents.values_mut() {
            // A document without passages has no first number.
            let first = new(numbers.start).unwrap_or_default();
            *numbers = first..first + (numbers.end - numbers.start);
        }
        self.passages.retain(Option::is_some);
    }
}

fn fits(passages: usize) -> bool {
    u32::try_from(passages).is_ok_and(|passages| passages < NUMBERS_MAX)
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
