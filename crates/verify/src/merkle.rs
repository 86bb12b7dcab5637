//! Merkle trees of RFC 6962: a root that grows leaf by leaf, and inclusion proofs.

use sha2::{Digest as _, Sha256};

use crate::fields::HASH_BYTES;

pub(crate) type Hash = [u8; HASH_BYTES];

/// The roots of the perfect subtrees so far, one for each bit set in `size`.
#[derive(Default)]
pub(crate) struct Tree {
    size: u64,
    peaks: Vec<Hash>,
}

impl Tree {
    pub(crate) fn push(&mut self, record_hash: &Hash) {
        let mut node = leaf(record_hash);
        for _ in 0..self.size.trailing_ones() {
            // INVARIANT: there are as many peaks as bits set in `size`.
            let Some(left) = self.peaks.pop() else { break };
            node = inner(&left, &node);
        }
        self.peaks.push(node);
        self.size += 1;
    }

    /// `None` while there is no leaf.
    pub(crate) fn root(&self) -> Option<Hash> {
        self.peaks.iter().rev().copied().reduce(|right, left| inner(&left, &right))
    }
}

/// The root that a proof leads to (RFC 9162, 2.1.3.2); `None` if its length does not fit.
pub(crate) fn root_of_proof(
    record_hash: &Hash,
    index: u64,
    size: u64,
    path: &[Hash],
) -> Option<Hash> {
    if index >= size {
        return None;
    }
    let (mut position, mut last) = (index, size - 1);
    let mut node = leaf(record_hash);
    for sibling in path {
        if last == 0 {
            return None;
        }
        if position & 1 == 1 || position == last {
            node = inner(sibling, &node);
            while position & 1 == 0 && position != 0 {
                position >>= 1;
                last >>= 1;
            }
        } else {
            node = inner(&node, sibling);
        }
        position >>= 1;
        last >>= 1;
    }
    (last == 0).then_some(node)
}

fn leaf(record_hash: &Hash) -> Hash {
    Sha256::new().chain_update([0]).chain_update(record_hash).finalize().into()
}

fn inner(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::{Hash, Tree, inner, leaf, root_of_proof};

    /// RFC 6962, 2.1, to the letter.
    fn reference(leaves: &[Hash]) -> Hash {
        match leaves {
            [only] => leaf(only),
            _ => {
                let (left, right) = leaves.split_at(split(leaves.len()));
                inner(&reference(left), &reference(right))
            }
        }
    }

    /// RFC 6962, 2.1.1, to the letter.
    fn proof(index: usize, leaves: &[Hash]) -> Vec<Hash> {
        if leaves.len() == 1 {
            return Vec::new();
        }
        let (left, right) = leaves.split_at(split(leaves.len()));
        let (mut path, sibling) = if index < left.len() {
            (proof(index, left), reference(right))
        } else {
            (proof(index - left.len(), right), reference(left))
        };
        path.push(sibling);
        path
    }

    fn split(length: usize) -> usize {
        length.next_power_of_two() / 2
    }

    fn leaves(count: usize) -> Vec<Hash> {
        (0..count).map(|n| [u8::try_from(n).unwrap(); 32]).collect()
    }

    #[test]
    fn the_grown_root_is_the_defined_one() {
        let mut tree = Tree::default();
        assert_eq!(tree.root(), None);
        for count in 1..=130 {
            let leaves = leaves(count);
            tree.push(leaves.last().unwrap());
            assert_eq!(tree.root(), Some(reference(&leaves)), "{count} leaves");
        }
    }

    #[test]
    fn every_proof_leads_to_the_root_and_no_other_does() {
        for count in 1..=40_usize {
            let leaves = leaves(count);
            let root = Some(reference(&leaves));
            for (index, leaf) in leaves.iter().enumerate() {
                let path = proof(index, &leaves);
                let size = count as u64;
                assert_eq!(root_of_proof(leaf, index as u64, size, &path), root);
                assert_ne!(root_of_proof(&[0xee; 32], index as u64, size, &path), root);
                assert_ne!(root_of_proof(leaf, size, size, &path), root);
                let longer = [path.as_slice(), &[[0; 32]]].concat();
                assert_ne!(root_of_proof(leaf, index as u64, size, &longer), root);
                if let Some((_, shorter)) = path.split_last() {
                    assert_ne!(root_of_proof(leaf, index as u64, size, shorter), root);
                }
            }
        }
    }
}
