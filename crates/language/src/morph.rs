//! What a written word is made of: forms of the lexicon, and after the first the endings that may
//! follow it. `저장해줘요` is `저장` + `해` + `줘` + `요`.

use crate::{character::is_hangul, concept::Concept, lexicon::Lexicon};
use std::collections::BTreeSet;

/// Longer words are names or noise.
const WORD_CHARS_MAX: usize = 24;
/// No ending of a lexicon is longer.
const ENDING_CHARS_MAX: usize = 6;
/// A word may be a slip of a form only where it is at least so long, endings and all.
const TYPO_SYLLABLES_MIN: usize = 3;

/// The best way to a place in the word: fewest pieces, as longer forms are surer.
#[derive(Clone)]
struct Way {
    pieces: usize,
    concepts: BTreeSet<Concept>,
}

impl Way {
    /// Of two ways as short the one that says something.
    fn cost(&self) -> (usize, bool) {
        (self.pieces, self.concepts.iter().all(|concept| *concept == Concept::Vague))
    }
}

/// Concepts of a lower-case word; none where it is not wholly made of what the lexicon knows.
pub(crate) fn concepts(lexicon: &Lexicon, word: &str) -> BTreeSet<Concept> {
    if let Some(whole) = lexicon.form(word) {
        return whole.clone();
    }
    if word.chars().count() > WORD_CHARS_MAX {
        return BTreeSet::new();
    }
    if word.chars().any(is_hangul) {
        return segmented(lexicon, word).unwrap_or_default();
    }
    let of = |lemma: String| lexicon.form(&lemma).cloned();
    lexicon.lemmas(word).find_map(of).unwrap_or_default()
}

/// Concepts of the one form that this unknown word is a slip of.
pub(crate) fn meant(lexicon: &Lexicon, word: &str) -> BTreeSet<Concept> {
    if word.chars().count() > WORD_CHARS_MAX {
        return BTreeSet::new();
    }
    if !word.chars().any(is_hangul) {
        let form = lexicon.meant(word).and_then(|form| lexicon.form(form));
        return form.cloned().unwrap_or_default();
    }
    let syllables = word.chars().count();
    if syllables < TYPO_SYLLABLES_MIN {
        return BTreeSet::new();
    }
    let cuts = word.char_indices().skip(2).map(|(at, _)| at).chain([word.len()]);
    let mut found = cuts.filter_map(|cut| slipped(lexicon, word, cut));
    found.next().unwrap_or_default()
}

/// The word as a mistyped form and its endings.
fn slipped(lexicon: &Lexicon, word: &str, cut: usize) -> Option<BTreeSet<Concept>> {
    let (stem, tail) = word.split_at_checked(cut)?;
    if !tail.is_empty() && !is_endings(lexicon, tail) {
        return None;
    }
    let concepts = lexicon.form(lexicon.meant(stem)?)?;
    // A noun with a particle is no verb: `생선을` is not `생성`.
    let noun = tail.is_empty() || is_after_name(lexicon, tail);
    let verb = concepts.iter().any(|concept| concept.is_verb());
    (!(noun && verb)).then(|| concepts.clone())
}

fn segmented(lexicon: &Lexicon, word: &str) -> Option<BTreeSet<Concept>> {
    let bounds: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    let mut ways: Vec<Option<Way>> = vec![None; bounds.len()];
    *ways.first_mut()? = Some(Way { pieces: 0, concepts: BTreeSet::new() });
    let longest = lexicon.form_chars_max().max(ENDING_CHARS_MAX);
    for (from, start) in bounds.iter().enumerate() {
        let Some(way) = ways.get(from).cloned().flatten() else { continue };
        for (to, end) in bounds.iter().enumerate().skip(from + 1).take(longest) {
            let Some(piece) = word.get(*start..*end) else { continue };
            let Some(next) = onward(lexicon, &way, piece) else { continue };
            if let Some(slot) = ways.get_mut(to)
                && slot.as_ref().is_none_or(|old| next.cost() < old.cost())
            {
                *slot = Some(next);
            }
        }
    }
    ways.pop()?.map(|way| way.concepts)
}

fn onward(lexicon: &Lexicon, way: &Way, piece: &str) -> Option<Way> {
    let pieces = way.pieces + 1;
    if let Some(form) = lexicon.form(piece) {
        // After a form, a particle that is also a word (`만`, `와`) is only a particle.
        let ending = way.pieces > 0 && lexicon.endings.contains(piece);
        let empty = way.pieces > 0 && form.iter().all(|concept| *concept == Concept::Vague);
        let added = if ending || empty { BTreeSet::new() } else { form.clone() };
        return Some(Way { pieces, concepts: &way.concepts | &added });
    }
    let ending = way.pieces > 0 && lexicon.endings.contains(piece);
    ending.then(|| Way { pieces, concepts: way.concepts.clone() })
}

/// It only describes the word after it: `저장하는`, `지운`.
pub(crate) fn is_attributive(lexicon: &Lexicon, word: &str) -> bool {
    let describes = lexicon.attributive.iter().any(|ending| word.ends_with(ending.as_str()));
    describes && !lexicon.is_listed(word)
}

/// Whether it is nothing but endings and particles.
pub(crate) fn is_endings(lexicon: &Lexicon, text: &str) -> bool {
    is_made_of(&lexicon.endings, text)
}

/// Whether it is nothing but what may stick to a name: `에서만`, `'s`.
pub(crate) fn is_after_name(lexicon: &Lexicon, text: &str) -> bool {
    is_made_of(&lexicon.after_names, text)
}

fn is_made_of(known: &BTreeSet<String>, text: &str) -> bool {
    let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    if text.is_empty() || bounds.len() > WORD_CHARS_MAX {
        return text.is_empty();
    }
    let mut reached = vec![false; bounds.len()];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for (from, start) in bounds.iter().enumerate() {
        if !reached.get(from).copied().unwrap_or(false) {
            continue;
        }
        for (to, end) in bounds.iter().enumerate().skip(from + 1).take(ENDING_CHARS_MAX) {
            let is_known = text.get(*start..*end).is_some_and(|piece| known.contains(piece));
            if let (true, Some(slot)) = (is_known, reached.get_mut(to)) {
                *slot = true;
            }
        }
    }
    reached.pop().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str) -> Vec<Concept> {
        concepts(&Lexicon::embedded().unwrap(), word).into_iter().collect()
    }

    #[test]
    fn endings_follow_forms_and_nothing_else_does() {
        assert_eq!(read("저장해줘요"), [Concept::Save]);
        assert_eq!(read("저장해주십시오"), [Concept::Save]);
        assert_eq!(read("노트파일에다가"), [Concept::File]);
        assert_eq!(read("명령실행해줘"), [Concept::Run, Concept::Command]);
        assert_eq!(read("파일에다저장해줘"), [Concept::Save, Concept::File]);
        assert_eq!(read("저장매체"), []);
        assert_eq!(read("적어도"), [Concept::Vague]);
        assert_eq!(read("deleting"), [Concept::Delete]);
    }

    #[test]
    fn a_slip_is_no_noun_that_looks_like_a_verb() {
        let lexicon = Lexicon::embedded().unwrap();
        let meant = |word: &str| meant(&lexicon, word).into_iter().collect::<Vec<_>>();
        assert_eq!(meant("저잗해줘"), [Concept::Save]);
        assert_eq!(meant("delteing"), []);
        assert_eq!(meant("wrige"), [Concept::Write]);
        assert_eq!(meant("생선을"), []);
        assert_eq!(meant("저잗"), []);
    }
}
