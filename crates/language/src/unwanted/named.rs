//! A job that waits, called by its file's name without what that ends in: `b1은 냅둬`, `keep b1`.

use crate::{
    lexicon::Lexicon,
    morph,
    part::Part,
    signal::Whole,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, Slots, TaskType};

/// A shorter word ends in what only looks like a particle.
const STEM_CHARS_MIN: usize = 2;

/// As if the names had been written out; `None` where one of them is that of several files.
pub(super) fn written_out<'t>(
    lexicon: &Lexicon,
    tokens: &[Token<'t>],
    jobs: &[(TaskType, &'t Slots)],
) -> Option<Vec<Token<'t>>> {
    let paths: Vec<&'t str> = jobs.iter().filter_map(|(_, slots)| path(slots)).collect();
    let mut all = Vec::with_capacity(tokens.len() + 1);
    for token in tokens {
        let mut called: Vec<&'t str> = Vec::new();
        let mut length = token.text.len();
        for path in paths.iter().filter(|_| token.is_word()) {
            if let Some(own) = calls(lexicon, token.text, stem(path)) {
                length = own;
                called.push(path);
            }
        }
        match called.split_first() {
            None => all.push(token.clone()),
            Some((path, rest)) if rest.iter().all(|other| other == path) => {
                all.extend(parted(lexicon, token, path, length));
            }
            Some(_) => return None,
        }
    }
    Some(all)
}

/// Something is spoken of that nothing here knows: `회의록은 냅둬`, `don't delete the minutes`.
pub(super) fn names_a_stranger(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let unknown = |token: &Token<'_>| {
        let plain = token.is_word() && !token.attached && token.is_nameless();
        plain && !lexicon.bare.closed.contains_key(&Whole::key(token.text))
    };
    let particles = || Part::Topic | Part::Object | Part::Also;
    let named = |at: usize, token: &Token<'_>| {
        let next = tokens.get(at + 1).filter(|next| next.attached);
        let long = |stem: &str| stem.chars().count() >= STEM_CHARS_MIN;
        if next.is_some_and(|next| next.is(particles())) {
            return true;
        }
        if token.is_korean() {
            return lexicon.parts.stem(particles(), token.text).is_some_and(long);
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        before.is_some_and(|before| {
            let acts = before.leads();
            acts || before.is(Part::The | Part::Owner)
        })
    };
    tokens.iter().enumerate().any(|(at, token)| unknown(token) && named(at, token))
}

fn path(slots: &Slots) -> Option<&str> {
    slots.get(SlotName::TARGET_PATH).or_else(|| slots.get("sources"))
}

/// `notes/b1.txt` is called `b1`.
fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Bytes of the name that the word is, or begins with before a particle; a word that says something by
/// itself (`전부`, `all`) is none.
fn calls(lexicon: &Lexicon, word: &str, name: &str) -> Option<usize> {
    let (head, rest) = word.split_at_checked(name.len())?;
    let lower = name.to_lowercase();
    let own = lexicon.form(&lower).is_none() && !lexicon.bare.closed.contains_key(&lower);
    let ends = rest.is_empty() || morph::is_after_name(lexicon, rest);
    let long = rest.is_empty() || name.chars().count() >= STEM_CHARS_MIN;
    (own && ends && long && head.eq_ignore_ascii_case(name)).then_some(name.len())
}

fn parted<'t>(
    lexicon: &Lexicon,
    token: &Token<'t>,
    path: &'t str,
    length: usize,
) -> impl Iterator<Item = Token<'t>> {
    let cut = token.start + length;
    let named = Token::new(lexicon, TokenKind::Path, path, (token.start, cut), token.attached);
    let particle = token.text.get(length..).filter(|rest| !rest.is_empty()).map(|rest| {
        let mut particle = Token::new(lexicon, TokenKind::Word, rest, (cut, token.end), true);
        particle.concepts = morph::concepts(lexicon, rest);
        particle
    });
    std::iter::once(named).chain(particle)
}
