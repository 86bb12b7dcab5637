//! A cache of counts by block and by line, so that a turn counts only new lines.

use super::{Estimate, TokenizerFile, Vocabulary};
use moka::sync::Cache;
use std::sync::Arc;
use wiiiv_domain::ContentDigest;

/// Shorter ones, and shorter lines, are counted about as fast as they are looked up.
const BLOCK_BYTES_MIN: usize = 128;
/// Blocks and lines that are remembered.
const BLOCKS_MAX: u64 = 8_192;
/// How the lines around a block begin and end in a rendered prompt.
const FENCE: (&str, &str) = ("<<<", ">>>");

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Counter {
    Exact(Vocabulary),
    /// The model's own.
    File(Arc<TokenizerFile>),
    Estimated(Estimate),
}

impl Counter {
    fn count(&self, text: &str) -> u64 {
        match self {
            Self::Exact(vocabulary) => vocabulary.count(text),
            Self::File(file) => file.count(text),
            Self::Estimated(estimate) => estimate.count(text),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Counts {
    /// By digest: of what was said nothing is kept.
    known: Cache<(Counter, ContentDigest), u64>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { known: Cache::new(BLOCKS_MAX) }
    }
}

impl Counts {
    /// INVARIANT: by a vocabulary, the same as of the text in one piece.
    pub(crate) fn count(&self, counter: &Counter, text: &str) -> u64 {
        // Only of OpenAI's patterns is it known where they cut.
        if matches!(counter, Counter::File(_)) {
            return self.of_block(counter, text);
        }
        self.in_blocks(counter, text)
    }

    /// The sum over its blocks. By a model's own file it may differ from the text in one piece by the tokens that
    /// reach over a cut.
    pub(crate) fn in_blocks(&self, counter: &Counter, text: &str) -> u64 {
        let of = |block| self.of_block(counter, block);
        blocks(text).into_iter().map(of).fold(0, u64::saturating_add)
    }

    /// In one piece, whose digest is at hand.
    pub(crate) fn of_known(&self, counter: &Counter, digest: ContentDigest, text: &str) -> u64 {
        let key = (counter.clone(), digest);
        self.known.get(&key).unwrap_or_else(|| {
            let counted = self.by_line(counter, text);
            self.known.insert(key, counted);
            counted
        })
    }

    fn of_block(&self, counter: &Counter, block: &str) -> u64 {
        if block.len() < BLOCK_BYTES_MIN {
            return counter.count(block);
        }
        self.of_known(counter, ContentDigest::of_bytes(block.as_bytes()), block)
    }

    /// A block that grows from turn to turn has new lines among known ones. By a vocabulary alone: of a model's own file
    /// nobody can say where it cuts, and an estimate is rounded up each time.
    fn by_line(&self, counter: &Counter, block: &str) -> u64 {
        let lines = match counter {
            Counter::Exact(_) => lines(block),
            Counter::File(_) | Counter::Estimated(_) => Vec::new(),
        };
        if lines.len() < 2 {
            return counter.count(block);
        }
        lines.into_iter().map(|line| self.of_block(counter, line)).fold(0, u64::saturating_add)
    }
}

/// Cut before and after a fence, whose word is another one in every prompt.
fn blocks(text: &str) -> Vec<&str> {
    cut(text, |before, line| is_fence(before) || is_fence(line))
}

/// Cut around long lines; short ones beside each other stay together.
fn lines(text: &str) -> Vec<&str> {
    cut(text, |before, line| before.len().max(line.len()) >= BLOCK_BYTES_MIN)
}

/// Between two lines where it may be, and where no token reaches over the cut.
fn cut(text: &str, may: impl Fn(&str, &str) -> bool) -> Vec<&str> {
    let (mut pieces, mut from, mut at, mut before) = (Vec::new(), 0, 0, "");
    for line in text.split_inclusive('\n') {
        if at > 0 && begins_anew(line) && may(before, line) {
            pieces.extend(text.get(from..at));
            from = at;
        }
        at += line.len();
        before = line;
    }
    pieces.extend(text.get(from..));
    pieces
}

fn is_fence(line: &str) -> bool {
    line.starts_with(FENCE.0) || line.trim_end_matches('\n').ends_with(FENCE.1)
}

/// No token of OpenAI's vocabularies reaches over the beginning of such a line: their patterns take the
/// end of a line with white space and `/` alone.
fn begins_anew(line: &str) -> bool {
    line.starts_with(|c: char| !c.is_whitespace() && c != '/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FAMILIES: [Vocabulary; 2] = [Vocabulary::O200kBase, Vocabulary::Cl100kBase];

    #[test]
    fn what_is_known_is_not_counted_again_and_long_blocks_alone_are_kept() {
        let counts = Counts::default();
        let rules = "규칙을 지킨다. Keep to the rules.\n".repeat(20);
        let prompt = |word: &str| format!("<<<{word} TASK\n{rules}\n{word}>>>\n");
        let counter = Counter::Exact(Vocabulary::O200kBase);
        for word in ["0123456789abcdef", "fedcba9876543210"] {
            let text = prompt(word);
            assert_eq!(counts.count(&counter, &text), Vocabulary::O200kBase.count(&text));
        }
        counts.known.run_pending_tasks();
        assert_eq!(counts.known.entry_count(), 1);
        counts.count(&Counter::Exact(Vocabulary::Cl100kBase), &prompt("0123456789abcdef"));
        counts.known.run_pending_tasks();
        assert_eq!(counts.known.entry_count(), 2);
    }

    #[test]
    fn the_rules_are_known_by_the_hash_that_they_have() {
        let counts = Counts::default();
        let counter = Counter::Exact(Vocabulary::O200kBase);
        let book = wiiiv_context::RuleBook::embedded();
        let digest = ContentDigest::from_bytes(*book.hash().bytes());
        let text = book.sheet().text();
        assert_eq!(digest, ContentDigest::of_bytes(text.as_bytes()));
        let counted = counts.of_known(&counter, digest, text);
        assert_eq!(counted, Vocabulary::O200kBase.count(text));
        // Looked up, and not counted: the text is not even looked at.
        assert_eq!(counts.of_known(&counter, digest, ""), counted);
    }

    /// As a summary does: a line more, and the least of the others gone.
    #[test]
    fn of_a_block_that_grows_only_new_lines_are_counted() {
        let counts = Counts::default();
        let counter = Counter::Exact(Vocabulary::O200kBase);
        let line =
            |nth: usize| format!("- {nth} {}\n", "재고를 뽑아서 report.json에 저장. ".repeat(4));
        let mut known = 0;
        for (from, to, new) in [(0, 6, 7), (0, 7, 2), (1, 8, 2), (1, 8, 0)] {
            let block: String = (from..to).map(line).collect();
            assert_eq!(counts.count(&counter, &block), Vocabulary::O200kBase.count(&block));
            counts.known.run_pending_tasks();
            known += new;
            assert_eq!(counts.known.entry_count(), known, "{from} to {to}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// However a text looks, and whatever fences it forges.
        #[test]
        fn a_text_in_blocks_and_by_line_counts_as_in_one_piece(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("<<<0123456789abcdef USER\n".to_owned()),
                    Just("0123456789abcdef>>>\n".to_owned()),
                    Just(">>>\n".to_owned()),
                    "[ \\t\\r\\n/]{1,6}",
                    "\\s{1,4}\\n|\\n\\s{0,3}('s|'ll|[.!/]|[가-힣]|[0-9])",
                    "[가-힣a-zA-Z0-9 '/<>{}.,\\n]{0,300}",
                    "\\PC{0,80}",
                ],
                0..12,
            )
        ) {
            let text = parts.concat();
            prop_assert_eq!(blocks(&text).concat(), text.clone());
            prop_assert_eq!(lines(&text).concat(), text.clone());
            for family in FAMILIES {
                // Also where every line that begins anew is a piece of its own.
                let by_line = cut(&text, |_, _| true).into_iter().map(|line| family.count(line));
                prop_assert_eq!(by_line.sum::<u64>(), family.count(&text));
                let counted = Counts::default().count(&Counter::Exact(family), &text);
                prop_assert_eq!(counted, family.count(&text));
                prop_assert!(counted <= crate::token_bound(&text));
            }
        }
    }
}
