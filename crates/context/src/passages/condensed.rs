//! Passages in fewer words: whole sentences of theirs, word for word. By rule: no model is asked.

use super::hit::PassageHit;
use crate::{
    related::{Terms, scores},
    sentence::{MORE, of_line},
};

/// Of the best sentence's score: one that has less is not what answers.
const SCORE_PERCENT_MIN: f64 = 30.0;

/// A sentence or a paragraph.
pub(super) struct Piece<'t> {
    /// With white space around it.
    text: &'t str,
    score: f64,
    is_kept: bool,
}

/// Each passage in the sentences that answer the question, as far as words can tell.
pub(super) fn condensed(hits: &[PassageHit], question: &str) -> Vec<PassageHit> {
    let sentences = pieces(hits, question, split);
    let best = scores_of(&sentences).fold(0.0, f64::max);
    with_nearest(hits, sentences, best * SCORE_PERCENT_MIN / 100.0)
}

/// The pieces of each passage, scored beside those of all.
pub(super) fn pieces<'t>(
    hits: &'t [PassageHit],
    question: &str,
    split: impl Fn(&'t str) -> Vec<&'t str>,
) -> Vec<Vec<Piece<'t>>> {
    let texts: Vec<Vec<&str>> = hits.iter().map(|hit| split(&hit.text)).collect();
    let all: Vec<&str> = texts.iter().flatten().copied().collect();
    let mut rest = scored(&all, question).into_iter();
    texts.iter().map(|texts| rest.by_ref().take(texts.len()).collect()).collect()
}

pub(super) fn scores_of(pieces: &[Vec<Piece<'_>>]) -> impl Iterator<Item = f64> {
    pieces.iter().flatten().map(|piece| piece.score)
}

/// Each passage in its pieces of at least that score, or else in the nearest of its own.
// INVARIANT: as many as there were, in their order: a number that a prompt shows is the same passage's. One that has no word
// of the question stays whole: it may answer in another language.
pub(super) fn with_nearest(
    hits: &[PassageHit],
    pieces: Vec<Vec<Piece<'_>>>,
    least: f64,
) -> Vec<PassageHit> {
    let of = |(hit, mut pieces): (&PassageHit, Vec<Piece<'_>>)| {
        let best = pieces.iter().map(|piece| piece.score).fold(0.0, f64::max);
        if best <= 0.0 {
            return hit.clone();
        }
        let least = least.min(best);
        pieces.iter_mut().for_each(|piece| piece.is_kept = piece.score >= least);
        PassageHit { text: joined(&pieces), ..hit.clone() }
    };
    hits.iter().zip(pieces).map(of).collect()
}

/// In so many Unicode scalar values: the sentences that are nearest to the question, in their order. Of none that is near
/// the beginning; of a single one that is too long its beginning.
pub(crate) fn shortened(text: &str, question: &str, chars_max: usize) -> String {
    if text.char_indices().nth(chars_max).is_none() {
        return text.to_owned();
    }
    let mut sentences = scored(&split(text), question);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let score = |at: &usize| sentences.get(*at).map_or(0.0, |sentence| sentence.score);
    order.sort_by(|left, right| score(right).total_cmp(&score(left)).then(left.cmp(right)));
    let mut left = chars_max;
    for at in order {
        let Some(sentence) = sentences.get_mut(at) else { continue };
        let Some(rest) = left.checked_sub(sentence.text.chars().count()) else { break };
        (left, sentence.is_kept) = (rest, true);
    }
    if sentences.iter().any(|sentence| sentence.is_kept) {
        return joined(&sentences);
    }
    let beginning: String = text.chars().take(chars_max).collect();
    format!("{beginning} {MORE}")
}

fn split(text: &str) -> Vec<&str> {
    let of = |line| of_line(line).into_iter().filter_map(move |range| str::get(line, range));
    text.split_inclusive('\n').flat_map(of).filter(|text| !text.is_empty()).collect()
}

fn scored<'t>(texts: &[&'t str], question: &str) -> Vec<Piece<'t>> {
    let terms: Vec<Terms> = texts.iter().map(|text| Terms::of(text)).collect();
    let scores = scores(&terms.iter().collect::<Vec<_>>(), question);
    let scores = scores.into_iter().chain(std::iter::repeat(0.0));
    let piece = |(text, score): (&&'t str, f64)| Piece { text, score, is_kept: false };
    texts.iter().zip(scores).map(piece).collect()
}

/// With a mark where something was left out.
fn joined(pieces: &[Piece<'_>]) -> String {
    let (mut text, mut has_gap) = (String::new(), false);
    for piece in pieces {
        if piece.is_kept {
            if has_gap {
                text.push_str(MORE);
                text.push(' ');
            }
            text.push_str(if has_gap { piece.text.trim_start() } else { piece.text });
            has_gap = false;
        } else if piece.text.trim().is_empty() {
            text.push_str(if has_gap { "" } else { piece.text });
        } else {
            if !has_gap && !text.is_empty() && !text.ends_with(char::is_whitespace) {
                text.push(' ');
            }
            has_gap = true;
        }
    }
    let mut text = text.trim_end().to_owned();
    if has_gap {
        text.push(' ');
        text.push_str(MORE);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(text: &str) -> PassageHit {
        PassageHit { text: text.to_owned(), file: Some("a.md".to_owned()), ..PassageHit::default() }
    }

    #[test]
    fn the_sentences_that_answer_stay_word_for_word() {
        let filler = "The canteen opens at noon. ".repeat(200);
        let answer = "연차는 입사 1년차에 15일입니다.\nParental leave takes 90 days.";
        let hits = [hit(&format!("{filler}{answer} {filler}")), hit(&filler), hit("연차. 휴무.")];
        let found = condensed(&hits, "연차 15일? parental leave days");
        // Each at its place: one that shares no word whole, another at least with the nearest of its own.
        assert_eq!(found, [hit(&format!("[…] {answer} […]")), hit(&filler), hit("연차. […]")]);
    }

    #[test]
    fn where_no_word_is_shared_all_stay_as_they_are() {
        let hits = [hit(&"The canteen opens at noon. ".repeat(500)), hit("x")];
        assert_eq!(condensed(&hits, "연차 휴가"), hits);
        assert_eq!(condensed(&hits, ""), hits);
        assert!(condensed(&[], "x").is_empty());
    }

    #[test]
    fn what_is_cut_short_keeps_what_is_nearest() {
        let text = "First comes this. 연차는 15일입니다. Then comes that, and more.";
        assert_eq!(shortened(text, "연차는 며칠?", 20), "[…] 연차는 15일입니다. […]");
        assert_eq!(shortened(text, "휴무", 20), "First comes this. […]");
        assert_eq!(shortened("가나다라마", "x", 3), "가나다 […]");
        assert_eq!(shortened(text, "x", 500), text);
    }
}
