//! What a change of one paragraph changes.

use crate::tokens;
use proptest::prelude::*;
use std::collections::BTreeSet;
use wiiiv_retrieval::{ChunkHash, Chunking, Passage, SourceText, cut};

/// A paragraph of its own words, none of which stands anywhere else.
fn paragraph(nth: usize, words: usize) -> String {
    let word = |of: usize| format!("word{nth}x{of}{}", if of % 11 == 10 { "." } else { "" });
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

fn passages(paragraphs: &[String], chunking: Chunking) -> Vec<Passage> {
    cut("title", &SourceText::plain(&paragraphs.join("\n\n")), chunking, &tokens)
}

fn hashes(passages: &[Passage]) -> BTreeSet<ChunkHash> {
    passages.iter().flat_map(|passage| &passage.chunks).map(|chunk| chunk.hash).collect()
}

/// How many tokens of passages hold chunks that the other document does not have.
fn changed(passages: &[Passage], other: &BTreeSet<ChunkHash>) -> usize {
    let is_new =
        |passage: &&Passage| passage.chunks.iter().any(|chunk| !other.contains(&chunk.hash));
    passages.iter().filter(is_new).map(|passage| tokens(&passage.text)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A word of a paragraph is another one: the chunks of its passage at most, whatever stands before and behind it.
    #[test]
    fn one_word_changes_one_passage(sizes in prop::collection::vec(17..160_usize, 4..60), at in any::<prop::sample::Index>()) {
        let before: Vec<String> = sizes.iter().enumerate().map(|(nth, words)| paragraph(nth, *words)).collect();
        let nth = at.index(before.len());
        let mut after = before.clone();
        // Behind what tells a place from others.
        let word = format!("word{nth}x15 ");
        after[nth] = after[nth].replacen(&word, &word.to_uppercase(), 1);
        prop_assert_ne!(&before, &after);
        let (old, new) = (passages(&before, Chunking::ParentChild), passages(&after, Chunking::ParentChild));
        let (had, has) = (hashes(&old), hashes(&new));
        let touched = new.iter().filter(|passage| passage.chunks.iter().any(|chunk| !had.contains(&chunk.hash)));
        prop_assert!(touched.count() <= 1);
        prop_assert_eq!(had.difference(&has).count(), has.difference(&had).count());
    }

    /// A paragraph is another one, of another length, or gone: no more than what stands within a passage's length of it.
    #[test]
    fn one_paragraph_changes_what_is_around_it(
        sizes in prop::collection::vec(8..160_usize, 30..120),
        at in any::<prop::sample::Index>(),
        words in 0..300_usize,
    ) {
        let before: Vec<String> = sizes.iter().enumerate().map(|(nth, words)| paragraph(nth, *words)).collect();
        let nth = at.index(before.len());
        let mut after = before.clone();
        after[nth] = paragraph(1_000, words);
        let edited = tokens(&before[nth]).max(tokens(&after[nth]));
        for (chunking, around) in [(Chunking::ParentChild, 2 * 1_200), (Chunking::Flat, 2 * 2_200)] {
            let (old, new) = (passages(&before, chunking), passages(&after, chunking));
            let (had, has) = (hashes(&old), hashes(&new));
            prop_assert!(changed(&new, &had) <= around + edited, "{}", changed(&new, &had));
            prop_assert!(changed(&old, &has) <= around + edited);
        }
    }
}

/// What is put before a long document moves its cuts no further.
#[test]
fn a_new_beginning_keeps_the_rest() {
    let mut paragraphs: Vec<String> = (0..400).map(|nth| paragraph(nth, 40)).collect();
    for chunking in [Chunking::ParentChild, Chunking::Flat] {
        let had = hashes(&passages(&paragraphs, chunking));
        paragraphs.insert(0, paragraph(9_999, 25));
        let has = hashes(&passages(&paragraphs, chunking));
        assert!(has.difference(&had).count() <= 8, "{}", has.difference(&had).count());
        paragraphs.remove(0);
    }
}
