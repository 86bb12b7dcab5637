//! Documents of retrieval: read, cut, and found again. Pure: no file, no clock, no randomness; tokens are counted by
//! whoever calls.
//!
//! - [`normalized`]: a text as it is cut, hashed and searched.
//! - [`SourceText`]: what was read out of a file, in its order; [`Part`] is one heading, paragraph, row and so on.
//! - [`cut`]: a source gives [`Passage`]s, which a model is shown, and below each its [`Chunk`]s, which are searched.
//! - [`ChunkHash`]: names a chunk by its text: what did not change is never embedded again.
//! - [`Library`]: all scopes; [`Library::search`] answers [`Found`].
//! - [`Terms`]: a chunk's words, kept beside it; [`Vector`]: its meaning.
//! - [`measure`]: how good an order is.
//!
//! A file goes `SourceText` → `cut` → rows of the store; nothing here knows where they lie. No clock, no randomness, no I/O.
//! Begin reading at `source.rs`, then `chunk.rs` and `chunk/block.rs`; of the search at `library.rs`, then `search.rs`,
//! `by_words.rs` and `by_meaning.rs`.

#![warn(missing_docs)]

mod best;
mod bm25;
mod buckets;
mod by_meaning;
mod by_words;
mod chunk;
mod coverage;
mod dense;
mod entry;
mod found;
mod fusion;
mod leg;
mod lexical;
mod library;
pub mod measure;
mod query;
mod relevance;
mod row;
mod script;
mod search;
mod segment;
mod source;
mod spread;
mod terms;
mod text;
mod tokens;
mod vector;
mod view;
mod words;

pub use chunk::{
    CHUNKER_VERSION, Chunk, ChunkHash, ChunkHashError, Chunking, Passage, cut, head_title,
};
pub use entry::{Entry, Prepared};
pub use found::{
    Counts, Decided, Found, Hit, Leg, LegOff, LegState, Ranked, Relevance, SegmentTrace, Trace,
};
pub use library::{Library, SCOPES_MAX};
pub use query::{PASSAGES_DEFAULT, PASSAGES_FOUND_MAX, QUERY_WORDS_MAX, Query};
pub use source::{Part, PartKind, SourceText};
pub use terms::{TERMS_VERSION, Terms, TermsError};
pub use text::{NORMALIZER_VERSION, normalized};
pub use tokens::estimated_tokens;
pub use vector::{DIMENSIONS_MAX, Vector, VectorError};
