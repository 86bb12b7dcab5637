//! What a search found, and how.

use crate::chunk::ChunkHash;
use wiiiv_domain::{DocumentId, Scope};

/// The answer to one query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The best first.
    pub hits: Vec<Hit>,
    /// Whether the best of them is about what was asked. Where it is not, "nothing was found" is the answer:
    /// the hits are for a page that shows how the search went.
    pub relevant: bool,
    /// How it went.
    pub trace: Trace,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Who may read it.
    pub scope: Scope,
    /// The document that it is of.
    pub document: DocumentId,
    /// Its number in the document.
    pub passage: u32,
    /// The best of its chunks.
    pub chunk: u32,
    /// What names that one's text: it may have been replaced since.
    pub hash: ChunkHash,
    /// Of the fused order; comparable within one search alone.
    pub score: f64,
    /// How its words ranked it.
    pub lexical: Option<Leg>,
    /// How its meaning ranked it.
    pub dense: Option<Leg>,
}

/// What one leg said of a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leg {
    /// From 1, among those that counted.
    pub rank: u32,
    /// BM25 of the passage, or the cosine of its best chunk and of the others beside it.
    pub score: f64,
}

/// How a search went.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The scopes that were searched; no other one was touched.
    pub segments: Vec<SegmentTrace>,
    /// The words that were searched for.
    pub words: Vec<String>,
    /// Ranking by words.
    pub lexical: LegState,
    /// Ranking by meaning.
    pub dense: LegState,
    /// What words ranked, the best first.
    pub by_words: Vec<Ranked>,
    /// What meaning ranked, the best first.
    pub by_meaning: Vec<Ranked>,
    /// What `relevant` was decided on.
    pub relevance: Relevance,
}

/// One scope of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentTrace {
    /// Who may read it.
    pub scope: Scope,
    /// How many chunks it has.
    pub chunks: usize,
    /// How many vectors of the query's dimensions it has.
    pub vectors: usize,
}

/// Whether a leg ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegState {
    /// It ran.
    Ran {
        /// How many passages (words) or chunks (meaning) it kept: the best.
        candidates: usize,
    },
    /// It did not run; the other one decides alone.
    Off {
        /// Why.
        why: LegOff,
    },
}

/// Why a leg did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegOff {
    /// The scopes are empty.
    NothingIndexed,
    /// The query has no words.
    NoWords,
    /// The query has no vector: there is no embedder, or it failed.
    NoQueryVector,
    /// No chunk has a vector yet.
    NoVectors,
    /// All vectors are of an embedder of other dimensions.
    OtherDimensions,
}

/// One passage in the order of a leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Who may read it.
    pub scope: Scope,
    /// The document that it is of.
    pub document: DocumentId,
    /// Its number in the document.
    pub passage: u32,
    /// BM25 of the passage, or the cosine of its best chunk and of the others beside it.
    pub score: f64,
    /// What its vote was worth, from 0 to 1; `None` where it had none: words say nothing about a passage in
    /// another script.
    pub worth: Option<f64>,
}

/// What was known of whether the best passages are about what was asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relevance {
    /// The largest share of the query's informative words that one of the best passages has, each word by how
    /// rare it is in the scopes: from 0 to 1.
    pub coverage: f64,
    /// How far the best cosine lies above those of chunks that have nothing to do with each other, in standard
    /// deviations; `None` where meaning did not rank, or too few chunks are there.
    pub distance: Option<f64>,
    /// What decided.
    pub decided: Decided,
}

/// What decided whether the best passages are about what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// There is no hit.
    NothingFound,
    /// Words, as there is no meaning to ask, or none of a passage that has most of them.
    ByWords,
    /// Both, each standing in for the other.
    ByWordsAndMeaning,
    /// Meaning, as the best passage is in another script than the query.
    ByMeaning,
    /// Too few chunks have a meaning to say how near is near: what was found counts unless words have
    /// next to nothing of the query.
    OfFew,
}

/// What a scope has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Documents.
    pub documents: usize,
    /// Chunks of all of them.
    pub chunks: usize,
    /// Chunks with a vector.
    pub vectors: usize,
}
