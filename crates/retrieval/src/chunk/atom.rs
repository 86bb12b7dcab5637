//! The smallest pieces that chunks are made of: sentences and lines, and parts of those that are too long.

use super::{grapheme::cuts, sentence::sentence_starts};
use std::ops::Range;

/// Of one atom: no more than the overlap of two chunks.
pub(crate) const ATOM_TOKENS_MAX: usize = 45;
/// And in bytes: no more is ever counted at once to find out where to cut.
const ATOM_BYTES_MAX: usize = 256;
/// No counter makes a longer piece weigh less than a token.
const TOKEN_BYTES_MAX: usize = 32;

/// Nor more than that, so that sums of them can be compared.
const TOKENS_MAX: usize = 1 << 20;

/// How good a place to cut is, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Joint {
    /// Within a word.
    Letter,
    Word,
    /// A line end within a sentence.
    Wrapped,
    Sentence,
    /// Between lines of code, rows or items.
    Line,
    /// A blank line within a part.
    Blank,
    /// Between parts.
    Part,
    /// A heading stands between, or a page ends.
    Section,
}

/// A piece of a document's text.
#[derive(Debug, Clone)]
pub(crate) struct Atom {
    /// White space behind it included.
    pub(crate) range: Range<usize>,
    pub(crate) tokens: usize,
    /// Before it.
    pub(crate) joint: Joint,
}

/// How lines of a part hang together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    /// A sentence may go on in the next one.
    Flowing,
    /// Each stands for itself.
    Fixed,
}

/// How the caller counts tokens.
pub(crate) type Count<'a> = &'a dyn Fn(&str) -> usize;

/// Cuts this range of the text into atoms that cover it, the first one behind this joint.
pub(crate) fn atoms(
    (text, range): (&str, Range<usize>),
    (first, lines): (Joint, Lines),
    count: Count<'_>,
) -> Vec<Atom> {
    let part = text.get(range.clone()).unwrap_or_default();
    let mut starts = starts(part, lines).peekable();
    let (mut found, mut from, mut joint) = (Vec::new(), 0, first);
    loop {
        let next = starts.next();
        let (end, behind) = next.unwrap_or((part.len(), Joint::Part));
        let piece = part.get(from..end).unwrap_or_default();
        add(&mut found, (range.start + from, piece), joint, count);
        if next.is_none() {
            return found;
        }
        (from, joint) = (end, behind);
    }
}

/// Where a line or sentence begins, but for the first. Blank lines go with what stands before them.
fn starts(part: &str, lines: Lines) -> impl Iterator<Item = (usize, Joint)> {
    let (mut at, mut is_blank, mut ended) = (0, true, true);
    part.split_inclusive('\n').flat_map(move |line| {
        let from = at;
        at += line.len();
        if line == "\n" {
            is_blank = true;
            return Vec::new();
        }
        let joint = match (lines, is_blank, ended) {
            (_, true, _) => Joint::Blank,
            (Lines::Fixed, false, _) => Joint::Line,
            (Lines::Flowing, false, true) => Joint::Sentence,
            (Lines::Flowing, false, false) => Joint::Wrapped,
        };
        is_blank = false;
        let mut found = Vec::new();
        if from > 0 {
            found.push((from, joint));
        }
        if lines == Lines::Flowing {
            found.extend(sentence_starts(line).map(|start| (from + start, Joint::Sentence)));
            ended = sentence_ends(line);
        }
        found
    })
}

fn sentence_ends(line: &str) -> bool {
    // As if another sentence stood behind it.
    let word = line.split_whitespace().next_back().unwrap_or_default();
    let start = word.char_indices().rev().nth(16).map_or(0, |(at, _)| at);
    let probe = format!("{} A", word.get(start..).unwrap_or_default());
    sentence_starts(&probe).any(|at| at + 1 == probe.len())
}

/// One atom of the piece, or several where it is too long.
fn add(found: &mut Vec<Atom>, (from, piece): (usize, &str), joint: Joint, count: Count<'_>) {
    let mut joint = joint;
    let mut at = 0;
    for (end, behind) in windows(piece) {
        let window = piece.get(at..end).unwrap_or_default();
        halve(found, (from + at, window), joint, count);
        (at, joint) = (end, behind);
    }
}

/// Ends of windows of a bounded length: behind a word in their second half, else between letters.
fn windows(piece: &str) -> Vec<(usize, Joint)> {
    let mut ends = Vec::new();
    if piece.len() > ATOM_BYTES_MAX {
        let (mut from, mut word, mut letter) = (0, 0, 0);
        for (at, is_word) in cuts(piece).chain([(piece.len(), false)]) {
            while at - from > ATOM_BYTES_MAX && letter > from {
                let has_word = word > from + ATOM_BYTES_MAX / 2;
                let (end, joint) =
                    if has_word { (word, Joint::Word) } else { (letter, Joint::Letter) };
                ends.push((end, joint));
                from = end;
            }
            letter = at;
            word = if is_word { at } else { word };
        }
    }
    // The joint behind the last one is the caller's.
    ends.push((piece.len(), Joint::Part));
    ends
}

/// Cut in the middle until each half has few enough tokens, or can be cut no more.
fn halve(found: &mut Vec<Atom>, (from, window): (usize, &str), joint: Joint, count: Count<'_>) {
    let mut waiting = vec![(from, window, joint)];
    while let Some((from, piece, joint)) = waiting.pop() {
        if piece.is_empty() {
            continue;
        }
        let tokens = count(piece).max(piece.len() / TOKEN_BYTES_MAX).clamp(1, TOKENS_MAX);
        match middle(piece).filter(|_| tokens > ATOM_TOKENS_MAX) {
            Some((at, behind)) => {
                let (left, right) = piece.split_at(at);
                waiting.push((from + at, right, behind));
                waiting.push((from, left, joint));
            }
            None => found.push(Atom { range: from..from + piece.len(), tokens, joint }),
        }
    }
}

/// The place to cut that is nearest to the middle: between words in the middle half, else between letters.
fn middle(piece: &str) -> Option<(usize, Joint)> {
    let half = piece.len() / 2;
    let far = |at: usize| at.abs_diff(half);
    let words = cuts(piece).filter(|(at, is_word)| *is_word && far(*at) <= half / 2);
    let word = words.map(|(at, _)| at).min_by_key(|at| far(*at));
    let letter = || cuts(piece).map(|(at, _)| at).min_by_key(|at| far(*at));
    word.map(|at| (at, Joint::Word)).or_else(|| letter().map(|at| (at, Joint::Letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, lines: Lines) -> Vec<(String, Joint)> {
        let found = atoms((text, 0..text.len()), (Joint::Part, lines), &|text| text.len() / 4);
        let mut end = 0;
        for atom in &found {
            assert_eq!(std::mem::replace(&mut end, atom.range.end), atom.range.start);
            assert!(atom.tokens <= ATOM_TOKENS_MAX);
        }
        assert_eq!(end, text.len());
        found.into_iter().map(|atom| (text[atom.range].to_owned(), atom.joint)).collect()
    }

    fn owned(due: &[(&str, Joint)]) -> Vec<(String, Joint)> {
        due.iter().map(|(text, joint)| ((*text).to_owned(), *joint)).collect()
    }

    #[test]
    fn sentences_and_lines() {
        use Joint::{Blank, Line, Part, Sentence, Wrapped};
        let text = "One. Two\nis long.\nThree.\n\nFour";
        let due = [
            ("One. ", Part),
            ("Two\n", Sentence),
            ("is long.\n", Wrapped),
            ("Three.\n\n", Sentence),
            ("Four", Blank),
        ];
        assert_eq!(cut(text, Lines::Flowing), owned(&due));
        let due = [("a. B\n\n", Part), ("  c\n", Blank), ("d", Line)];
        assert_eq!(cut("a. B\n\n  c\nd", Lines::Fixed), owned(&due));
        assert!(cut("", Lines::Fixed).is_empty());
    }

    #[test]
    fn what_is_too_long_is_cut_between_words_and_letters() {
        let words = cut(&"word ".repeat(200), Lines::Flowing);
        assert!(
            words
                .iter()
                .skip(1)
                .all(|(text, joint)| *joint == Joint::Word && text.starts_with("word"))
        );
        let letters = cut(&"가".repeat(1_000), Lines::Flowing);
        assert!(letters.iter().skip(1).all(|(_, joint)| *joint == Joint::Letter));
        assert!(letters.len() < 40);
    }

    #[test]
    fn a_counter_that_is_never_content_ends_too() {
        let found = atoms(("가나다 라", 0..13), (Joint::Part, Lines::Flowing), &|_| 1_000);
        assert_eq!(found.len(), 5);
        let none = atoms(("aaaa", 0..4), (Joint::Part, Lines::Flowing), &|_| 0);
        assert_eq!((none.len(), none[0].tokens), (1, 1));
    }
}
