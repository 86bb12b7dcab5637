//! What a written word is made of: forms of the lexicon, and after the first the endings that may
//! follow it. `저장해줘요` is `저장` + `해` + `줘` + `요`.

use crate::{character::is_hangul, concept::Concept, hangul::sound, lexicon::Lexicon};
use std::collections::BTreeSet;

/// What words are compared by.
#[derive(Clone, Copy)]
enum By {
    Letters,
    Sound,
}

impl By {
    fn form<'l>(self, lexicon: &'l Lexicon, piece: &str) -> Option<&'l BTreeSet<Concept>> {
        match self {
            Self::Letters => lexicon.form(piece),
            Self::Sound => lexicon.sounds.form(piece),
        }
    }
    fn is_ending(self, lexicon: &Lexicon, piece: &str) -> bool {
        match self {
            Self::Letters => lexicon.endings.contains(piece),
            Self::Sound => lexicon.sounds.is_ending(piece),
        }
    }
}

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
    forms: usize,
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
        return segmented(lexicon, word, By::Letters).map(|way| way.concepts).unwrap_or_default();
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
    if word.chars().count() < TYPO_SYLLABLES_MIN {
        return BTreeSet::new();
    }
    let cuts = word.char_indices().skip(2).map(|(at, _)| at).chain([word.len()]);
    let mut found = cuts.filter_map(|cut| slipped(lexicon, word, cut));
    found.next().unwrap_or_default()
}

/// Concepts of an unknown word of two syllables that sounds like a verb: `삭재 부탁드려요`.
pub(crate) fn heard_verb(lexicon: &Lexicon, word: &str) -> BTreeSet<Concept> {
    let korean = word.chars().count() == TYPO_SYLLABLES_MIN - 1 && word.chars().all(is_hangul);
    let form = lexicon.sounds.form(&sound(word)).filter(|_| korean && !lexicon.is_known(word));
    form.filter(|form| form.iter().any(|c| c.is_verb())).cloned().unwrap_or_default()
}

/// Concepts of an unknown word that sounds like one of the lexicon.
pub(crate) fn heard(lexicon: &Lexicon, word: &str) -> BTreeSet<Concept> {
    let syllables = word.chars().count();
    let fits = (TYPO_SYLLABLES_MIN..=WORD_CHARS_MAX).contains(&syllables);
    let mut stems = word.char_indices().skip(2).filter_map(|(at, _)| word.get(..at));
    if !fits || !word.chars().all(is_hangul) || stems.any(|stem| lexicon.is_known(stem)) {
        return BTreeSet::new();
    }
    segmented(lexicon, &sound(word), By::Sound).map(|way| way.concepts).unwrap_or_default()
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

/// Forms that a known Korean word is made of.
pub(crate) fn forms(lexicon: &Lexicon, word: &str) -> Option<usize> {
    if lexicon.form(word).is_some() {
        return Some(1);
    }
    let way = segmented(lexicon, word, By::Letters)?;
    (!way.concepts.is_empty()).then_some(way.forms)
}

fn segmented(lexicon: &Lexicon, word: &str, by: By) -> Option<Way> {
    let bounds: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    let mut ways: Vec<Option<Way>> = vec![None; bounds.len()];
    *ways.first_mut()? = Some(Way { pieces: 0, forms: 0, concepts: BTreeSet::new() });
    let longest = lexicon.form_chars_max().max(ENDING_CHARS_MAX);
    for (from, start) in bounds.iter().enumerate() {
        let Some(way) = ways.get(from).cloned().flatten() else { continue };
        for (to, end) in bounds.iter().enumerate().skip(from + 1).take(longest) {
            let Some(piece) = word.get(*start..*end) else { continue };
            let Some(next) = onward(lexicon, by, &way, piece) else { continue };
            if let Some(slot) = ways.get_mut(to)
                && slot.as_ref().is_none_or(|old| next.cost() < old.cost())
            {
                *slot = Some(next);
            }
        }
    }
    ways.pop()?
}

fn onward(lexicon: &Lexicon, by: By, way: &Way, piece: &str) -> Option<Way> {
    let pieces = way.pieces + 1;
    let ending = way.pieces > 0 && by.is_ending(lexicon, piece);
    if let Some(form) = by.form(lexicon, piece) {
        // After a form, a particle that is also a word (`만`, `와`) is only a particle.
        let empty = way.pieces > 0 && form.iter().all(|concept| *concept == Concept::Vague);
        let added = if ending || empty { BTreeSet::new() } else { form.clone() };
        let forms = way.forms + usize::from(!ending);
        return Some(Way { pieces, forms, concepts: &way.concepts | &added });
    }
    ending.then(|| Way { pieces, forms: way.forms, concepts: way.concepts.clone() })
}

/// It only describes the word after it: `저장하는`, `지운`.
pub(crate) fn is_attributive(lexicon: &Lexicon, word: &str) -> bool {
    let describes = lexicon.attributive.iter().any(|ending| word.ends_with(ending.as_str()));
    describes && !lexicon.is_listed(word)
}

/// Bytes of a particle that a verb was written behind: `으로저장하고`.
pub(crate) fn particle(lexicon: &Lexicon, word: &str) -> Option<usize> {
    if !word.starts_with(is_hangul) || !concepts(lexicon, word).is_empty() {
        return None;
    }
    let verb = |rest: &str| {
        let known = concepts(lexicon, rest);
        let heard = || heard(lexicon, rest);
        known.iter().any(|c| c.is_verb()) || heard().iter().any(|c| c.is_verb())
    };
    let particle = |p: &&String| word.strip_prefix(p.as_str()).is_some_and(verb);
    let particles = lexicon.quotes.iter().chain(&lexicon.particles);
    particles.into_iter().find(particle).map(String::len)
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

/// Bytes before the verb that a text was written into one with: `왔다라고써줘`.
pub(crate) fn before_verb(lexicon: &Lexicon, word: &str) -> Option<usize> {
    if word.chars().count() > WORD_CHARS_MAX {
        return None;
    }
    let writes = |rest: &str| {
        let verbs = concepts(lexicon, rest);
        [Concept::Write, Concept::Add, Concept::Save].iter().any(|verb| verbs.contains(verb))
    };
    let ends = lexicon.quotes.iter().filter_map(|quote| Some(word.rfind(quote)? + quote.len()));
    ends.into_iter().find(|end| word.get(*end..).is_some_and(writes))
}

#[cfg(test)]
mod tests;
