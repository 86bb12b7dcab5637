//! Documents in passages, which a model is shown, and in chunks, which are searched.

mod atom;
mod block;
mod grapheme;
mod hash;
mod head;
mod layout;
mod run;
mod sentence;

pub use hash::{CHUNKER_VERSION, ChunkHash, ChunkHashError};
pub use head::head_title;

use crate::{source::SourceText, text::normalized};
use block::blocks;
use head::{head, one_line};
use layout::{Headings, Layout};
use run::{Sizes, runs};
use std::ops::Range;

/// Of a passage 1,200 tokens; the header of a table may stand before so many, and a tokenizer may take a few more for
/// one piece than for its parts.
const PASSAGE_TOKENS_MAX: usize = 1_100;
/// Of a chunk 200 to 300.
const CHUNK: Sizes = Sizes { least: 200, most: 290, overlap: 45 };
/// Of a chunk that is a passage by itself 512.
const FLAT: Sizes = Sizes { least: 384, most: 500, overlap: 0 };
/// What is cut into flat chunks at once: a change moves the cuts of no more than that.
const FLAT_BLOCK_TOKENS_MAX: usize = 2_048;

/// How a document is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chunking {
    /// Passages of at most 1,200 tokens, bounded by headings and pages, each in overlapping chunks of 200 to 300.
    ParentChild,
    /// Passages of at most 512 tokens that are a chunk each.
    Flat,
}

/// What a model is shown and a citation opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Over its beginning, the outermost first.
    pub headings: Vec<String>,
    /// A table that it begins in keeps its header.
    pub text: String,
    /// On which it stands; on which it begins, where it is a chunk by itself.
    pub page: Option<u32>,
    /// In their order; at least one.
    pub chunks: Vec<Chunk>,
}

/// What is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Of the text.
    pub hash: ChunkHash,
    /// `title › heading › heading` on a line of its own, then a piece of the passage. Without a title and headings the
    /// piece alone.
    pub text: String,
}

/// Cuts a document. The same input and counter give the same bytes; a change of one paragraph changes the passages
/// around it and no others. Takes time in proportion to the text, whatever it holds.
#[must_use]
pub fn cut(
    title: &str,
    source: &SourceText,
    chunking: Chunking,
    count: &dyn Fn(&str) -> usize,
) -> Vec<Passage> {
    let title = one_line(&normalized(title));
    match chunking {
        Chunking::ParentChild => {
            let layout = Layout::of(source, Headings::Bound, count);
            let passages = blocks(layout.text(), &layout.atoms, PASSAGE_TOKENS_MAX, true);
            let passage = |atoms: Range<usize>| {
                let chunks = runs(&layout, atoms.clone(), CHUNK);
                passage(&title, &layout, (atoms, chunks), count)
            };
            passages.into_iter().map(passage).collect()
        }
        Chunking::Flat => {
            let layout = Layout::of(source, Headings::Inline, count);
            let blocks = blocks(layout.text(), &layout.atoms, FLAT_BLOCK_TOKENS_MAX, false);
            let passages = blocks.into_iter().flat_map(|block| runs(&layout, block, FLAT));
            let passage =
                |atoms: Range<usize>| passage(&title, &layout, (atoms.clone(), vec![atoms]), count);
            passages.map(passage).collect()
        }
    }
}

fn passage(
    title: &str,
    layout: &Layout,
    (atoms, chunks): (Range<usize>, Vec<Range<usize>>),
    count: &dyn Fn(&str) -> usize,
) -> Passage {
    let headings = layout.headings(atoms.start).to_vec();
    let head = head(title, &headings, count);
    let chunk = |atoms: &Range<usize>| {
        let piece = layout.slice(atoms);
        let text = if head.is_empty() { piece } else { format!("{head}\n{piece}") };
        Chunk { hash: ChunkHash::of(&text), text }
    };
    let chunks = chunks.iter().map(chunk).collect();
    let (text, page) = (layout.slice(&atoms), layout.page(atoms.start));
    Passage { headings, text, page, chunks }
}
