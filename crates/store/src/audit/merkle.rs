//! Merkle trees of RFC 6962, extended leaf by leaf at the right edge.

use super::line::Hash;
use sha2::{Digest as _, Sha256};

/// The roots of the perfect subtrees so far, one for each bit set in `size`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) size: u64,
    peaks: Vec<Hash>,
}

impl Tree {
    pub(super) const NONE: Self = Self { size: 0, peaks: Vec::new() };

    pub(super) fn push(&mut self, record: &Hash) {
        let mut node: Hash = Sha256::new().chain_update([0]).chain_update(record).finalize().into();
        for _ in 0..self.size.trailing_ones() {
            // INVARIANT: there are as many peaks as bits set in `size`.
            let Some(left) = self.peaks.pop() else { break };
            node = inner(&left, &node);
        }
        self.peaks.push(node);
        self.size += 1;
    }

    /// Zeros while there is no leaf.
    pub(super) fn root(&self) -> Hash {
        let peaks = self.peaks.iter().rev().copied();
        peaks.reduce(|right, left| inner(&left, &right)).unwrap_or_default()
    }

    pub(super) fn peaks(&self) -> Vec<u8> {
        self.peaks.concat()
    }

    /// `None` where the peaks are not those of a tree of that size.
    pub(super) fn restore(size: u64, peaks: &[u8]) -> Option<Self> {
        let (peaks, rest) = peaks.as_chunks::<32>();
        let fits = rest.is_empty() && u32::try_from(peaks.len()) == Ok(size.count_ones());
        fits.then(|| Self { size, peaks: peaks.to_vec() })
    }
}

/// A part of the leaves: `length` of them from `start`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) length: u64,
}

/// The subtrees whose roots are the inclusion proof of a leaf, from its sibling up to the root.
pub(super) fn siblings(index: u64, size: u64) -> Vec<Span> {
    let mut within = Span { start: 0, length: size };
    let mut path = Vec::new();
    while within.length > 1 {
        let left = within.length.next_power_of_two() / 2;
        let right = within.length - left;
        if index - within.start < left {
            path.push(Span { start: within.start + left, length: right });
            within.length = left;
        } else {
            path.push(Span { start: within.start, length: left });
            within = Span { start: within.start + left, length: right };
        }
    }
    path.reverse();
    path
}

fn inner(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::{Span, Tree, inner, siblings};

    fn tree(span: Span) -> Tree {
        let mut tree = Tree::default();
        for leaf in span.start..span.start + span.length {
            tree.push(&[u8::try_from(leaf).unwrap(); 32]);
        }
        tree
    }

    #[test]
    fn a_restored_tree_grows_like_the_one_it_was() {
        let mut grown = tree(Span { start: 0, length: 11 });
        let mut restored = Tree::restore(11, &grown.peaks()).unwrap();
        grown.push(&[99; 32]);
        restored.push(&[99; 32]);
        assert_eq!(grown, restored);
        assert_eq!(Tree::restore(15, &grown.peaks()), None, "another number of peaks");
    }

    #[test]
    fn every_proof_leads_to_the_root() {
        for size in 1..40_u64 {
            let root = tree(Span { start: 0, length: size }).root();
            for index in 0..size {
                let mut node = tree(Span { start: index, length: 1 }).root();
                for span in siblings(index, size) {
                    let sibling = tree(span).root();
                    let on_the_left = span.start < index;
                    node =
                        if on_the_left { inner(&sibling, &node) } else { inner(&node, &sibling) };
                }
                assert_eq!(node, root, "leaf {index} of {size}");
            }
        }
    }
}
