//! Known forms that cover a whole utterance.

use super::whole::{CONSENT, Mask, Whole};
use crate::hangul::sound;
use std::collections::{BTreeSet, HashMap};

/// A place in the text, as it was come to: what was said, and whether endings may follow.
type Come = (Mask, bool);

/// The forms that whole utterances are made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forms {
    pub(crate) closed: HashMap<String, BTreeSet<Whole>>,
    /// Those that endings may follow.
    pub(crate) open: HashMap<String, BTreeSet<Whole>>,
    pub(crate) endings: BTreeSet<String>,
}

impl Forms {
    /// By how they are heard.
    pub(crate) fn heard(&self) -> Self {
        let forms = |forms: &HashMap<String, BTreeSet<Whole>>| {
            let mut heard: HashMap<String, BTreeSet<Whole>> = HashMap::new();
            for (form, wholes) in forms {
                heard.entry(sound(form)).or_default().extend(wholes);
            }
            heard
        };
        let endings = self.endings.iter().map(|ending| sound(ending)).collect();
        Self { closed: forms(&self.closed), open: forms(&self.open), endings }
    }

    /// Nothing but `어`: neither drawn out nor left hanging.
    pub(crate) fn is_murmur(&self, text: &str) -> bool {
        let text = text.trim();
        let text = text.strip_suffix(['.', '!']).unwrap_or(text);
        self.closed.get(text).is_some_and(|wholes| wholes.contains(&Whole::Murmur))
    }

    fn is_asking(&self, form: &str) -> bool {
        self.closed.get(form).is_some_and(|wholes| wholes.contains(&Whole::Asking))
    }

    fn onward(&self, (mask, open): Come, piece: &str) -> Vec<Come> {
        let said = |wholes: Option<&BTreeSet<Whole>>, open: bool| -> Vec<Come> {
            let wholes = wholes.into_iter().flatten();
            wholes.map(|whole| (mask | whole.bit(), open)).collect()
        };
        let mut onward = said(self.closed.get(piece), false);
        onward.extend(said(self.open.get(piece), true));
        if open && self.endings.contains(piece) {
            onward.push((mask, true));
        }
        onward
    }
}

/// Every way to cover the whole text with known forms, as the set of what they say. A question
/// mark stands only at the end of what is asked for: `취소해 줄래?`
pub(super) fn coverings(
    forms: &Forms,
    agreed: &impl Fn(&str) -> bool,
    key: &str,
) -> BTreeSet<Mask> {
    let body = key.trim_end_matches('?');
    let polite = |form: Option<&str>| form.is_some_and(|form| forms.is_asking(form));
    let ends = || body.char_indices().any(|(at, _)| polite(body.get(at..)));
    let begins = || body.char_indices().any(|(at, _)| polite(body.get(..at)));
    if body.len() < key.len() && !(ends() || begins()) {
        return BTreeSet::new();
    }
    let bounds: Vec<usize> = body.char_indices().map(|(at, _)| at).chain([body.len()]).collect();
    let mut reached: Vec<BTreeSet<Come>> = vec![BTreeSet::new(); bounds.len()];
    if let Some(first) = reached.first_mut() {
        first.insert((0, false));
    }
    for (from, start) in bounds.iter().enumerate() {
        let come = reached.get(from).cloned().unwrap_or_default();
        if come.is_empty() {
            continue;
        }
        for (to, end) in bounds.iter().enumerate().skip(from + 1) {
            let Some(piece) = body.get(*start..*end) else { continue };
            if let Some(there) = reached.get_mut(to) {
                there.extend(come.iter().flat_map(|come| forms.onward(*come, piece)));
                if agreed(piece) {
                    there.extend(come.iter().map(|(mask, _)| (mask | CONSENT, false)));
                }
            }
        }
    }
    reached.pop().unwrap_or_default().into_iter().map(|(mask, _)| mask).collect()
}
