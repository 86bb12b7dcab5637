//! Joins byte pairs in the order of their ranks.

use crate::tokens::file::parts::{Merge, TokenizerError};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

/// How many printable characters stand for the byte that they are; the others begin behind 255.
const SHIFTED_FROM: u32 = 256;

pub(super) struct Merges {
    /// Of each byte alone.
    bytes: Vec<u32>,
    /// By the pair: its rank, and what it becomes.
    pairs: HashMap<(u32, u32), (u32, u32)>,
    /// Pieces that are one token whatever the merges say; empty where merges decide alone.
    whole: HashMap<Vec<u8>, u32>,
}

impl Merges {
    pub(super) fn of(
        vocab: &HashMap<String, u32>,
        merges: &[Merge],
        ignore_merges: bool,
    ) -> Result<Self, TokenizerError> {
        let letters = letters();
        let lacking = |text: &str| TokenizerError::Merge(text.to_owned());
        let id = |text: &str| vocab.get(text).copied().ok_or_else(|| lacking(text));
        let byte = |letter: &char| vocab.get(&letter.to_string()).copied();
        let bytes: Option<Vec<u32>> = letters.iter().map(byte).collect();
        let bytes = bytes.ok_or(TokenizerError::NotEveryByte)?;
        let mut pairs = HashMap::with_capacity(merges.len());
        for (rank, merge) in (0_u32..).zip(merges) {
            let (left, right) = match merge {
                Merge::Text(text) => text.split_once(' ').ok_or_else(|| lacking(text))?,
                Merge::Pair(left, right) => (left.as_str(), right.as_str()),
            };
            let pair = (id(left)?, id(right)?);
            // Named twice, the last counts.
            pairs.insert(pair, (rank, id(&[left, right].concat())?));
        }
        let whole = if ignore_merges { whole(vocab, &letters) } else { HashMap::new() };
        Ok(Self { bytes, pairs, whole })
    }

    /// Tokens of one piece, in a time of its length times its logarithm.
    pub(super) fn count(&self, piece: &[u8]) -> u64 {
        if self.whole.contains_key(piece) {
            return 1;
        }
        let ids = piece.iter().filter_map(|byte| self.bytes.get(usize::from(*byte)).copied());
        let mut chain = Chain::of(ids.collect());
        let mut heap = BinaryHeap::new();
        for at in 0..chain.ids.len() {
            self.offer(&chain, at, &mut heap);
        }
        while let Some(Reverse((rank, at, right))) = heap.pop() {
            // What has been joined since is another pair.
            let Some((known, joined)) = self.pair(&chain, at) else { continue };
            if known != rank || chain.next(at) != Some(right) {
                continue;
            }
            chain.join(at, right, joined);
            self.offer(&chain, at, &mut heap);
            if let Some(before) = chain.before(at) {
                self.offer(&chain, before, &mut heap);
            }
        }
        chain.left
    }

    fn pair(&self, chain: &Chain, at: usize) -> Option<(u32, u32)> {
        let left = chain.id(at)?;
        let right = chain.id(chain.next(at)?)?;
        self.pairs.get(&(left, right)).copied()
    }

    fn offer(&self, chain: &Chain, at: usize, heap: &mut BinaryHeap<Reverse<(u32, usize, usize)>>) {
        if let (Some((rank, _)), Some(right)) = (self.pair(chain, at), chain.next(at)) {
            heap.push(Reverse((rank, at, right)));
        }
    }
}

/// Symbols in a row, some of them joined with the one before.
struct Chain {
    ids: Vec<Option<u32>>,
    next: Vec<usize>,
    before: Vec<usize>,
    left: u64,
}

impl Chain {
    fn of(ids: Vec<u32>) -> Self {
        let length = ids.len();
        Self {
            next: (1..=length).collect(),
            // Of the first, none: past the end.
            before: (0..length).map(|at| at.checked_sub(1).unwrap_or(length)).collect(),
            left: u64::try_from(length).unwrap_or(u64::MAX),
            ids: ids.into_iter().map(Some).collect(),
        }
    }
    fn id(&self, at: usize) -> Option<u32> {
        self.ids.get(at).copied().flatten()
    }
    fn next(&self, at: usize) -> Option<usize> {
        self.next.get(at).copied().filter(|next| *next < self.ids.len())
    }
    fn before(&self, at: usize) -> Option<usize> {
        self.before.get(at).copied().filter(|before| *before < self.ids.len())
    }
    fn join(&mut self, at: usize, right: usize, joined: u32) {
        let after = self.next.get(right).copied().unwrap_or(self.ids.len());
        let set = |list: &mut Vec<usize>, at: usize, to: usize| {
            if let Some(place) = list.get_mut(at) {
                *place = to;
            }
        };
        set(&mut self.next, at, after);
        set(&mut self.before, after, at);
        for (place, id) in [(at, Some(joined)), (right, None)] {
            if let Some(own) = self.ids.get_mut(place) {
                *own = id;
            }
        }
        self.left = self.left.saturating_sub(1);
    }
}

/// The characters that bytes are written with (`bytes_to_unicode` of GPT-2).
fn letters() -> Vec<char> {
    let is_own = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut shifted = SHIFTED_FROM..;
    let letter = |byte: u8| {
        if is_own(byte) {
            return char::from(byte);
        }
        shifted.next().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    (0..=u8::MAX).map(letter).collect()
}

fn whole(vocab: &HashMap<String, u32>, letters: &[char]) -> HashMap<Vec<u8>, u32> {
    let bytes: HashMap<char, u8> = letters.iter().copied().zip(0..=u8::MAX).collect();
    let raw = |text: &String| text.chars().map(|c| bytes.get(&c).copied()).collect::<Option<_>>();
    vocab.iter().filter_map(|(text, id)| Some((raw(text)?, *id))).collect()
}
