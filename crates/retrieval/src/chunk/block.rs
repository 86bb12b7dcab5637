//! Where a text is cut into blocks, by what stands at each place and not by its distance from the beginning: a change
//! moves the cuts around it and no others.

use super::atom::{Atom, Joint};
use std::{collections::BTreeMap, ops::Range};

/// A shorter block goes with its neighbour, in tokens.
const BLOCK_TOKENS_MIN: usize = 150;
/// So many bytes behind a place say what stands there.
const MARK_BYTES: usize = 64;

/// How good a place is, the joint first; of equal ones what stands behind it decides, as good as by lot.
type Rank = (Joint, u64, usize);

/// Blocks of at most so many tokens; a longer one is a single atom.
pub(crate) fn blocks(
    text: &str,
    atoms: &[Atom],
    most: usize,
    at_headings: bool,
) -> Vec<Range<usize>> {
    let tokens = Tokens::of(atoms);
    let joint = |at: usize| atoms.get(at).map_or(Joint::Section, |atom| atom.joint);
    let mut found: Vec<Range<usize>> = Vec::new();
    for block in parted(text, atoms, (most, at_headings), &tokens) {
        let (start, end) = (joint(block.start), joint(block.end));
        let bound = at_headings && start == Joint::Section;
        let joins = |before: &Range<usize>| {
            let leans_on =
                tokens.of_range(before) < BLOCK_TOKENS_MIN && joint(before.start) >= start;
            let leans_back = tokens.of_range(&block) < BLOCK_TOKENS_MIN && end > start;
            !bound
                && (leans_on || leans_back)
                && tokens.of_range(&(before.start..block.end)) <= most
        };
        match found.last_mut().filter(|before| joins(before)) {
            Some(before) => before.end = block.end,
            None => found.push(block),
        }
    }
    found
}

/// A place is cut where the text between the next better places on both sides is too long. That is what cutting the
/// whole at its best place, and each half again, comes to; but it looks no further than the most that a block may have.
fn parted(
    text: &str,
    atoms: &[Atom],
    (most, at_headings): (usize, bool),
    tokens: &Tokens,
) -> Vec<Range<usize>> {
    let ranks = ranks(text, atoms);
    let left = better_before(&ranks);
    let right = better_behind(&ranks);
    let (mut found, mut from) = (Vec::new(), 0);
    for (at, ((rank, left), right)) in ranks.iter().zip(left).zip(right).enumerate().skip(1) {
        let is_heading = at_headings && rank.0 == Joint::Section;
        if is_heading || tokens.of_range(&(left..right)) > most {
            found.push(from..at);
            from = at;
        }
    }
    if from < atoms.len() {
        found.push(from..atoms.len());
    }
    found
}

/// Sums of tokens, up to the end of each atom.
struct Tokens(Vec<usize>);

impl Tokens {
    fn of(atoms: &[Atom]) -> Self {
        let sum = |tokens: &mut usize, atom: &Atom| {
            *tokens = tokens.saturating_add(atom.tokens);
            Some(*tokens)
        };
        Self(atoms.iter().scan(0, sum).collect())
    }

    fn of_range(&self, range: &Range<usize>) -> usize {
        let until =
            |at: usize| at.checked_sub(1).and_then(|at| self.0.get(at)).copied().unwrap_or(0);
        until(range.end).saturating_sub(until(range.start))
    }
}

/// Of the place before each atom.
fn ranks(text: &str, atoms: &[Atom]) -> Vec<Rank> {
    let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
    let rank = |(at, atom): (usize, &Atom)| {
        if atom.joint == Joint::Section {
            seen.clear();
        }
        let bytes = text.as_bytes().get(atom.range.clone()).unwrap_or_default();
        let mark = fnv(bytes.get(..MARK_BYTES).unwrap_or(bytes));
        // What stands there again and again is told apart by how often it has.
        let often = seen.entry(mark).or_default();
        *often += 1;
        (atom.joint, mixed(mark ^ mixed(*often)), at)
    };
    atoms.iter().enumerate().map(rank).collect()
}

/// FNV-1a.
fn fnv(bytes: &[u8]) -> u64 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

/// The last steps of SplitMix64: each bit depends on all.
const fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The next better place before each one, or the beginning.
fn better_before(ranks: &[Rank]) -> Vec<usize> {
    let mut open: Vec<(usize, Rank)> = Vec::new();
    let mut found = Vec::with_capacity(ranks.len());
    for (at, rank) in ranks.iter().enumerate() {
        while open.pop_if(|(_, before)| *before < *rank).is_some() {}
        found.push(open.last().map_or(0, |(before, _)| *before));
        open.push((at, *rank));
    }
    found
}

/// The next better place behind each one, or the end.
fn better_behind(ranks: &[Rank]) -> Vec<usize> {
    let mut open: Vec<(usize, Rank)> = Vec::new();
    let mut found = Vec::with_capacity(ranks.len());
    for (at, rank) in ranks.iter().enumerate().rev() {
        while open.pop_if(|(_, behind)| *behind < *rank).is_some() {}
        found.push(open.last().map_or(ranks.len(), |(behind, _)| *behind));
        open.push((at, *rank));
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An atom for each letter, of so many tokens.
    fn letters(text: &str, tokens: usize) -> Vec<Atom> {
        let atom = |at: usize| Atom { range: at..at + 1, tokens, joint: Joint::Sentence };
        (0..text.len()).map(atom).collect()
    }

    /// Cut at the best place, and each half again: what the rule comes to.
    fn halved(
        atoms: &[Atom],
        ranks: &[Rank],
        range: Range<usize>,
        most: usize,
    ) -> Vec<Range<usize>> {
        let tokens: usize = atoms[range.clone()].iter().map(|atom| atom.tokens).sum();
        let best = (range.start + 1..range.end).max_by_key(|at| ranks[*at]);
        match best.filter(|_| tokens > most) {
            None => vec![range],
            Some(best) => {
                let left = halved(atoms, ranks, range.start..best, most);
                [left, halved(atoms, ranks, best..range.end, most)].concat()
            }
        }
    }

    proptest! {
        #[test]
        fn it_comes_to_cutting_at_the_best_place_again_and_again(text in "[a-d]{1,200}", tokens in 1..9_usize) {
            let atoms = letters(&text, tokens);
            let all = 0..atoms.len();
            let found = parted(&text, &atoms, (40, false), &Tokens::of(&atoms));
            prop_assert_eq!(found, halved(&atoms, &ranks(&text, &atoms), all, 40));
        }
    }

    /// The last of a paragraph with what stands before it, the first with what stands behind.
    #[test]
    fn what_is_short_goes_with_its_neighbour() {
        let tokens = [("a", 900, Joint::Section), ("b", 90, Joint::Part), ("c", 800, Joint::Line)];
        let tail = [("d", 700, Joint::Part), ("e", 100, Joint::Sentence), ("f", 900, Joint::Part)];
        let all: Vec<Atom> = [tokens, tail]
            .concat()
            .into_iter()
            .enumerate()
            .map(|(at, (_, tokens, joint))| Atom { range: at..at + 1, tokens, joint })
            .collect();
        assert_eq!(blocks("abcdef", &all, 1_000, true), [0..1, 1..3, 3..5, 5..6]);
        let mut bound = all;
        bound[2].joint = Joint::Section;
        assert_eq!(blocks("abcdef", &bound, 1_000, true)[..2], [0..2, 2..3]);
    }

    #[test]
    fn what_repeats_itself_is_cut_into_blocks_of_a_size() {
        let text = "a".repeat(10_000);
        let found = blocks(&text, &letters(&text, 1), 100, false);
        assert!(found.iter().all(|block| block.len() <= 100));
        assert!(found.len() < 300, "{}", found.len());
    }
}
