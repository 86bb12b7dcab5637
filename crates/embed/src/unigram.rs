//! SentencePiece's unigram model: of all ways to cut a text into pieces, the likeliest.

use crate::bytes::Damaged;
use std::{collections::BTreeMap, ops::Range};

/// What stands for a blank in a piece.
pub(crate) const BLANK: char = '\u{2581}';
/// Of a vocabulary.
pub(crate) const PIECES_MAX: usize = 1 << 20;
/// An unknown character costs so much more than the least likely piece.
const UNKNOWN_PENALTY: f32 = 10.0;

#[derive(Debug, Clone, Copy)]
struct Piece {
    start: u32,
    end: u32,
    id: u32,
    score: f32,
}

/// A vocabulary, and what an unknown character counts.
#[derive(Debug)]
pub(crate) struct Unigram {
    bytes: Vec<u8>,
    /// In the order of their bytes, each once.
    pieces: Vec<Piece>,
    /// Where the pieces lie that begin with a byte.
    begins: BTreeMap<u8, Range<usize>>,
    unknown: u32,
    unknown_score: f32,
}

/// The best way to some byte of a text.
#[derive(Debug, Clone, Copy)]
struct Way {
    score: f32,
    from: usize,
    piece: u32,
}

impl Unigram {
    /// Pieces by their id with how likely they are; the same one twice counts as its first id.
    pub(crate) fn new<'a>(
        pieces: impl Iterator<Item = (&'a [u8], f32)>,
        unknown: u32,
    ) -> Result<Self, Damaged> {
        let many = || Damaged("its vocabulary is too large");
        let mut all = Self {
            bytes: Vec::new(),
            pieces: Vec::new(),
            begins: BTreeMap::new(),
            unknown,
            unknown_score: 0.0,
        };
        let mut least = f32::MAX;
        for (id, (piece, score)) in (0..).zip(pieces) {
            least = least.min(score);
            let start = u32::try_from(all.bytes.len()).map_err(|_| many())?;
            all.bytes.extend_from_slice(piece);
            let end = u32::try_from(all.bytes.len()).map_err(|_| many())?;
            if id != unknown && start < end {
                all.pieces.push(Piece { start, end, id, score });
            }
            if all.pieces.len() > PIECES_MAX {
                return Err(many());
            }
        }
        if all.pieces.is_empty() || !least.is_finite() {
            return Err(Damaged("it has no vocabulary"));
        }
        all.unknown_score = least - UNKNOWN_PENALTY;
        all.sort();
        Ok(all)
    }

    fn sort(&mut self) {
        let Self { bytes, pieces, begins, .. } = self;
        pieces.sort_by_key(|piece| spelled(bytes, *piece));
        pieces.dedup_by_key(|piece| spelled(bytes, *piece).to_vec());
        for (at, piece) in pieces.iter().enumerate() {
            let Some(first) = spelled(bytes, *piece).first() else { continue };
            begins.entry(*first).or_insert(at..at).end = at + 1;
        }
    }

    /// The ids of the pieces that the text is cut into; its blanks are `BLANK` already.
    pub(crate) fn cut(&self, text: &str) -> Vec<u32> {
        let nowhere = Way { score: f32::NEG_INFINITY, from: 0, piece: self.unknown };
        let mut ways = vec![nowhere; text.len() + 1];
        if let Some(begin) = ways.first_mut() {
            begin.score = 0.0;
        }
        for (from, character) in text.char_indices() {
            let rest = text.get(from..).unwrap_or_default().as_bytes();
            let Some((here, ways)) = ways.get_mut(from..).and_then(<[Way]>::split_first_mut) else {
                break;
            };
            let mut offer = |length: usize, score: f32, piece: u32| {
                let score = here.score + score;
                if let Some(way) = ways.get_mut(length - 1).filter(|way| score > way.score) {
                    *way = Way { score, from, piece };
                }
            };
            self.prefixes(rest, |length, piece| offer(length, piece.score, piece.id));
            offer(character.len_utf8(), self.unknown_score, self.unknown);
        }
        let mut cut = Vec::new();
        let mut at = text.len();
        while let Some(way) = ways.get(at).filter(|_| at > 0) {
            cut.push(way.piece);
            at = way.from;
        }
        cut.reverse();
        cut
    }

    /// Every piece that a text begins with, and its length.
    fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, Piece)) {
        let begin = text.first().and_then(|first| self.begins.get(first));
        let mut range = begin.and_then(|range| self.pieces.get(range.clone())).unwrap_or_default();
        for (depth, byte) in text.iter().enumerate() {
            if depth > 0 {
                let at = |piece: &Piece| spelled(&self.bytes, *piece).get(depth);
                let (_, from) =
                    range.split_at(range.partition_point(|piece| at(piece) < Some(byte)));
                (range, _) = from.split_at(from.partition_point(|piece| at(piece) == Some(byte)));
            }
            let Some(first) = range.first() else { break };
            if (first.end - first.start) as usize == depth + 1 {
                found(depth + 1, *first);
            }
        }
    }
}

fn spelled(bytes: &[u8], piece: Piece) -> &[u8] {
    bytes.get(piece.start as usize..piece.end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pieces: &[(&str, f32)]) -> Unigram {
        Unigram::new(pieces.iter().map(|(piece, score)| (piece.as_bytes(), *score)), 0).unwrap()
    }

    #[test]
    fn the_likeliest_way_is_taken() {
        let unigram = of(&[
            ("<unk>", 0.0),
            ("가", -5.0),
            ("나", -5.0),
            ("가나", -6.0),
            ("가나다", -30.0),
            ("다", -5.0),
            ("가", -1.0),
        ]);
        for (text, expected) in [
            ("", &[][..]),
            ("가", &[1]),
            ("가나다", &[3, 5]),
            ("나가", &[2, 1]),
            ("가x나", &[1, 0, 2]),
            ("<unk>", &[0, 0, 0, 0, 0]),
            ("🙂가", &[0, 1]),
        ] {
            assert_eq!(unigram.cut(text), expected, "{text}");
        }
    }

    #[test]
    fn a_vocabulary_of_nothing_is_none() {
        for pieces in [&[][..], &[("", 0.0)], &[("only the unknown", 0.0)]] {
            let pieces =
                pieces.iter().map(|(piece, score): &(&str, f32)| (piece.as_bytes(), *score));
            assert!(Unigram::new(pieces, 0).is_err());
        }
        let endless = [(&b"u"[..], 0.0), (&b"a"[..], f32::NAN), (&b"b"[..], f32::NEG_INFINITY)];
        assert!(Unigram::new(endless.into_iter(), 0).is_err());
    }
}
