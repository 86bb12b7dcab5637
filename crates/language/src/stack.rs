//! What a project is to be made with, and how large it is to be.

use crate::{character::is_word, concept::Concept, said::Said, token::Token};
use std::collections::BTreeSet;

/// A shorter name is an everyday word in lower case.
const SAFE_LETTERS_MIN: usize = 3;

/// As it is written in the utterance, by commas, in its order.
pub(crate) fn technologies(said: &Said<'_, '_>) -> Option<String> {
    let part = said.part();
    // Lower case may change lengths outside ASCII; names in Korean have no case.
    let lower = part.to_ascii_lowercase();
    let mut found: Vec<(usize, &str)> = Vec::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for (name, written) in &said.lexicon.technologies {
        let (haystack, needle) = if name.chars().count() < SAFE_LETTERS_MIN {
            (part, written.as_str())
        } else {
            (lower.as_str(), name.as_str())
        };
        let whole = |at: &usize| {
            stands_alone(part, *at, at + needle.len())
                && !(*at..at + needle.len()).any(|b| taken.contains(&b))
        };
        // `Go ahead` is no language.
        let opens = |at: &usize| *at == 0 && needle.len() < SAFE_LETTERS_MIN;
        let mut places = haystack.match_indices(needle).map(|(at, _)| at);
        let Some(at) = places.find(|at| whole(at) && !opens(at)) else { continue };
        taken.extend(at..at + needle.len());
        found.extend(part.get(at..at + needle.len()).map(|text| (at, text)));
    }
    found.sort_unstable();
    let names: Vec<&str> = found.into_iter().map(|(_, name)| name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// No letter of its own script on either side: particles may follow a name.
fn stands_alone(text: &str, from: usize, to: usize) -> bool {
    let korean = text.get(from..).is_some_and(|name| !name.starts_with(|c: char| c.is_ascii()));
    let before = text.get(..from).and_then(|t| t.chars().next_back());
    let after = text.get(to..).and_then(|t| t.chars().next());
    let touches = |c: Option<char>| c.is_some_and(|c| is_word(c) && (korean || c.is_ascii()));
    !touches(before) && (korean || !touches(after))
}

/// `small`, `about 10 users`, `소규모`, `100명`.
pub(crate) fn scale<'t>(said: &Said<'_, 't>) -> Option<&'t str> {
    let number = |t: &Token<'_>| t.is_numeral();
    let users = said
        .tokens
        .windows(2)
        .find(|pair| matches!(pair, [n, u] if number(n) && u.has(Concept::Users)));
    let counted = users.and_then(|pair| said.text.get(pair.first()?.start..pair.last()?.end));
    let said_so =
        || said.tokens.iter().find(|token| token.has(Concept::Scale)).map(|token| token.text);
    counted.or_else(said_so)
}

/// What the project or workflow is about: there is a word that is neither a command nor a tool.
pub(crate) fn is_about_something(said: &Said<'_, '_>, tools: Option<&str>) -> bool {
    let tool = |word: &str| tools.is_some_and(|tools| tools.contains(word));
    let telling = |t: &Token<'_>| t.is_word() && t.is_nameless() && !t.attached && !tool(t.text);
    said.tokens.iter().any(|t| telling(t) || t.has(Concept::App) || t.has(Concept::Schedule))
}
