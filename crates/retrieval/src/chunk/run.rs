//! A block in runs of a size, each beginning with the end of the one before.

use super::{atom::Joint, layout::Layout};
use std::ops::Range;

/// Of one run, in tokens.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// The last one has so many too, where the block has: it begins earlier then.
    pub(crate) least: usize,
    pub(crate) most: usize,
    /// With the one before, at most; 0: none.
    pub(crate) overlap: usize,
}

struct Runs<'a> {
    layout: &'a Layout,
    block: Range<usize>,
    sizes: Sizes,
}

/// Cut at the best joint within the sizes, the latest of several that are as good. Only a single atom, which cannot be cut,
/// may be longer.
pub(crate) fn runs(layout: &Layout, block: Range<usize>, sizes: Sizes) -> Vec<Range<usize>> {
    let runs = Runs { layout, block, sizes };
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut from = runs.block.start;
    while from < runs.block.end {
        let before = found.last().map_or(from, |run| run.end);
        let furthest = runs.furthest(from);
        if furthest == runs.block.end {
            found.push(runs.earlier(from, found.last())..furthest);
            break;
        }
        if furthest <= before && before > from {
            // The next atom alone is too long to stand behind an overlap.
            from = before;
            continue;
        }
        let end = runs.best(from, furthest);
        found.push(from..end);
        from = runs.overlapping(from, end);
    }
    found
}

impl Runs<'_> {
    fn tokens(&self, atoms: Range<usize>) -> usize {
        let header = self.layout.header_tokens(atoms.start);
        let atoms = self.layout.atoms.get(atoms).unwrap_or_default();
        atoms.iter().map(|atom| atom.tokens).fold(header, usize::saturating_add)
    }

    fn joint(&self, at: usize) -> Joint {
        self.layout.atoms.get(at).map_or(Joint::Section, |atom| atom.joint)
    }

    /// The end of as much as fits, an atom at least.
    fn furthest(&self, from: usize) -> usize {
        let mut tokens = self.tokens(from..from + 1);
        let rest = self.layout.atoms.get(from + 1..self.block.end).unwrap_or_default();
        let more = rest.iter().take_while(|atom| {
            tokens = tokens.saturating_add(atom.tokens);
            tokens <= self.sizes.most
        });
        from + 1 + more.count()
    }

    fn best(&self, from: usize, furthest: usize) -> usize {
        let (mut best, mut tokens) = (furthest, self.tokens(from..furthest));
        for end in (from + 1..furthest).rev() {
            tokens =
                tokens.saturating_sub(self.layout.atoms.get(end).map_or(0, |atom| atom.tokens));
            if tokens < self.sizes.least {
                break;
            }
            if self.joint(end) > self.joint(best) {
                best = end;
            }
        }
        best
    }

    /// Where the next run begins: with a sentence where one is near enough, else with a word.
    fn overlapping(&self, from: usize, end: usize) -> usize {
        let (mut start, mut sentence, mut tokens) = (end, end, 0_usize);
        for at in (from + 1..end).rev() {
            tokens = tokens.saturating_add(self.layout.atoms.get(at).map_or(0, |atom| atom.tokens));
            if tokens > self.sizes.overlap {
                break;
            }
            start = at;
            if self.joint(at) >= Joint::Sentence {
                sentence = at;
            }
        }
        if sentence < end { sentence } else { start }
    }

    /// Where the last run begins so that it is no shorter than the others.
    fn earlier(&self, from: usize, before: Option<&Range<usize>>) -> usize {
        let Some(before) = before.filter(|_| self.sizes.overlap > 0) else { return from };
        let mut start = from;
        while start > before.start + 1
            && self.tokens(start..self.block.end) < self.sizes.least
            && self.tokens(start - 1..self.block.end) <= self.sizes.most
        {
            start -= 1;
        }
        start
    }
}
