//! What a job that waits is called by: its file, what it does, or its place.

use crate::{concept::Concept, consent, lexicon::Lexicon, part::Part, token::Token};
use std::collections::BTreeSet;
use wiiiv_domain::{SlotName, Slots, TaskType};

/// By what the one is called.
#[derive(Default)]
pub(super) struct Described<'t> {
    pub(super) paths: BTreeSet<&'t str>,
    pub(super) acts: BTreeSet<Concept>,
    pub(super) nth: Option<usize>,
}

impl<'t> Described<'t> {
    pub(super) fn of(
        lexicon: &Lexicon,
        tokens: &[Token<'t>],
        jobs: &[(TaskType, &Slots)],
    ) -> Option<Self> {
        let paths = tokens.iter().filter(|token| token.is_path()).map(|token| token.text).collect();
        // `touch` says of no job which one it is.
        let tells = |act: &Concept| jobs.iter().any(|(task, _)| is_act(*task, *act));
        let acts = tokens.iter().filter_map(Token::verb).filter(tells).collect();
        let ordinals = (0..tokens.len()).filter_map(|at| ordinal(lexicon, tokens, at, jobs.len()));
        let ordinals: BTreeSet<usize> = ordinals.collect();
        let nth = ordinals.first().copied();
        let described = Self { paths, acts, nth };
        let one = described.paths.len() < 2 && described.acts.len() < 2 && ordinals.len() < 2;
        (one && described.says_anything()).then_some(described)
    }

    fn says_anything(&self) -> bool {
        !self.paths.is_empty() || !self.acts.is_empty() || self.nth.is_some()
    }

    pub(super) fn fits(&self, at: usize, (task, slots): (TaskType, &Slots)) -> bool {
        let path = slots.get(SlotName::TARGET_PATH).or_else(|| slots.get("sources"));
        let named = path.is_some_and(|path| self.paths.contains(path));
        (self.paths.is_empty() || named)
            && self.acts.iter().all(|act| is_act(task, *act))
            && self.nth.is_none_or(|nth| nth == at)
    }
}

pub(super) fn is_act(task: TaskType, act: Concept) -> bool {
    consent::fitting(task).contains(&act)
}

/// `the second one`, `두 번째`, `2번`, `number 2`, `the last one`; not `두 번`, which is how often.
pub(super) fn ordinal(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    at: usize,
    jobs: usize,
) -> Option<usize> {
    let token = tokens.get(at).filter(|token| token.is_word())?;
    let joined = || {
        let next = tokens.get(at + 1).filter(|next| next.is_word());
        format!("{}{}", token.text, next.map_or("", |next| next.text)).to_lowercase()
    };
    let counted = || {
        let joined = joined();
        let cut = |part| lexicon.parts.split(part, &joined);
        let digits = |n: &str| n.bytes().all(|b| b.is_ascii_digit());
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let called = before.filter(|before| before.is(Part::Key) && digits(token.text));
        let numbered = || cut(Part::Numbered).filter(|(number, _)| digits(number));
        let (number, _) = cut(Part::Nth).or_else(numbered).unwrap_or_default();
        let number = called.map_or(number, |_| token.text);
        let numbers = [&lexicon.numbers, &lexicon.ordinals];
        number.parse().ok().or_else(|| numbers.iter().find_map(|n| n.get(number)).copied())
    };
    let named = lexicon.ordinals.get(token.text.to_lowercase().as_str()).copied();
    let number = usize::try_from(named.or_else(counted)?).ok()?;
    // The last of them, however many there are.
    let place = if number == 0 { jobs } else { number };
    place.checked_sub(1)
}
