//! `remember that I like tea`, `my name is Kim, can you remember that`, `from now on answer in one sentence`.

use super::wish::{Wish, is_mark, kept, trimmed, wonders, words};
use wiiiv_domain::MemoryScope;

const ASKS: &str = "don't forget that|make a mental note that|make a mental note|keep in mind|bear in mind|\
                    note that|memorize|memorise|remember";
/// They stay: without them the sentence would be about today.
const STANDING: &str = "from now on|for future reference";
const POLITE: &str = "please|can you|could you|would you|will you|thanks|thank you";
const LINKS: &str = "and|so";
/// Before the asking word they say nothing of their own.
const HEADS: &str = "hi|hey|hello|ok|okay|wiiiv|also|now|just|always|do|you should|you must|make sure to|\
                     make sure you|i want you to|i need you to|i'd like you to|from now on|\
                     for future reference";
/// Behind the asking word.
const LEADS: &str = "that|please";
/// The same, where they stand for what is said elsewhere.
const PRONOUNS: &str = "this|it|the following";
/// Where it is to be kept for everybody in the project.
const PROJECT: &str = "for this project|for the project|for our project|in the project memory|\
                       in the project's memory|to the project memory|in project memory";

/// `open`: the same text without what is quoted.
pub(super) fn wish(text: &str, open: &str) -> Wish {
    let line = open.lines().next().unwrap_or_default();
    let places = words(ASKS).filter_map(|ask| Some((word(line, ask)?, ask.len())));
    // The first one; of several there, the longest.
    let first = places.min_by_key(|(at, length)| (*at, usize::MAX - length));
    match first.map_or(Wish::No, |(at, length)| imperative(text, at, length)) {
        Wish::No => standing(text, open),
        found => found,
    }
}

/// Where this stands as words of their own.
pub(super) fn word(text: &str, wanted: &str) -> Option<usize> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(wanted).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).unwrap_or_default();
        let behind = text.get(at + wanted.len()..).unwrap_or_default();
        !before.ends_with(joins) && !behind.starts_with(joins)
    })
}

fn imperative(text: &str, at: usize, length: usize) -> Wish {
    let before = text.get(..at).unwrap_or_default();
    let ask = text.get(at..at + length).unwrap_or_default();
    let behind = Behind::read(text.get(at + length..).unwrap_or_default());
    if let Some(scope) = begins(before) {
        return kept(if behind.for_project { MemoryScope::Project } else { scope }, behind.text);
    }
    // `My name is Kim, can you remember that`, but neither `do you remember` nor `we met, remember`.
    let told = without(before, &[POLITE, LINKS]);
    let parting = before.get(told.len()..).unwrap_or_default().to_ascii_lowercase();
    let politely = words(POLITE).any(|word| parting.contains(word));
    let parted = politely || parting.contains(|c: char| is_mark(c) && !c.is_whitespace());
    match (parted, behind.text.is_empty()) {
        (true, false) => Wish::Unclear,
        (true, true) if politely || behind.leads || ask.ends_with("that") => {
            kept(MemoryScope::User, told)
        }
        _ => Wish::No,
    }
}

/// Whose memory, where nothing stands there but what leads to the asking word.
pub(super) fn begins(before: &str) -> Option<MemoryScope> {
    let heads = [POLITE, LINKS, HEADS];
    let own = without(before, &heads);
    match words(PROJECT).find_map(|place| without_end(own, place)) {
        None => own.is_empty().then_some(MemoryScope::User),
        Some(rest) => without(rest, &heads).is_empty().then_some(MemoryScope::Project),
    }
}

/// What stands behind the asking word.
struct Behind<'t> {
    text: &'t str,
    /// A word leads to it, or stands for what was said before.
    leads: bool,
    for_project: bool,
}

impl<'t> Behind<'t> {
    fn read(text: &'t str) -> Self {
        let mut behind = Self { text, leads: false, for_project: false };
        loop {
            let lead = |table| words(table).find_map(|word| without_lead(behind.text, word));
            let pronoun = || lead(PRONOUNS).filter(|rest| is_parted(rest));
            if let Some(rest) = lead(LEADS).or_else(pronoun) {
                (behind.text, behind.leads) = (rest, true);
            } else if let Some(rest) = lead(PROJECT).filter(|rest| is_parted(rest)) {
                (behind.text, behind.for_project) = (rest, true);
            } else {
                behind.text = without_courtesy(behind.text);
                return behind;
            }
        }
    }
}

/// What stands before this stands by itself: `this: ..`, but not `this project`.
fn is_parted(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t']);
    let led = |word| without_lead(rest, word).is_some();
    let courteous = without_courtesy(rest).is_empty();
    courteous || rest.starts_with(is_mark) || words(PROJECT).chain(["that"]).any(led)
}

fn standing(text: &str, open: &str) -> Wish {
    // `what should I do from now on`
    if wonders(open) {
        return Wish::No;
    }
    let line = open.lines().next().unwrap_or_default();
    let places = words(STANDING).filter_map(|phrase| Some((word(line, phrase)?, phrase.len())));
    if let Some((at, length)) = places.min()
        && let Some(scope) = begins(line.get(..at).unwrap_or_default())
    {
        let says = open.get(at + length..).unwrap_or_default().contains(|c| !is_mark(c));
        return if says { kept(scope, text.get(at..).unwrap_or_default()) } else { Wish::Unclear };
    }
    let said = without_courtesy(open);
    let is_own = !open.contains('\n') && !open.contains(": ");
    if is_own && words(STANDING).any(|phrase| without_end(said, phrase).is_some()) {
        return kept(MemoryScope::User, without_courtesy(text));
    }
    Wish::No
}

fn without_lead<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let (found, rest) = text.trim_start_matches(is_mark).split_at_checked(lead.len())?;
    let joins = |c: char| c.is_alphanumeric() || c == '\'';
    (found.eq_ignore_ascii_case(lead) && !rest.starts_with(joins)).then_some(rest)
}

fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let (rest, found) = text.split_at_checked(text.len().checked_sub(end.len())?)?;
    (found.eq_ignore_ascii_case(end) && !rest.ends_with(char::is_alphanumeric)).then_some(rest)
}

/// Without such words and marks at its end.
fn without<'t>(text: &'t str, tables: &[&str]) -> &'t str {
    let mut text = text.trim_end_matches(is_mark);
    let ends = || tables.iter().flat_map(|table| words(table));
    while let Some(rest) = ends().find_map(|word| without_end(text, word)) {
        text = rest.trim_end_matches(is_mark);
    }
    text
}

/// `.., please`: behind a mark, or alone. Elsewhere such words are a part of what is said.
pub(super) fn without_courtesy(text: &str) -> &str {
    let courteous = |text: &str| without(text, &[POLITE]).trim().is_empty();
    let mut text = trimmed(text);
    while let Some((rest, end)) = text.rsplit_once([',', '.', '!', '?', ';', '\n'])
        && courteous(end)
    {
        text = trimmed(rest);
    }
    if courteous(text) { "" } else { text }
}
