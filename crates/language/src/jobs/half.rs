//! Why a job is not taken: a part of what it is to do was not understood.

use super::each::{each, fits};
use crate::{
    bound,
    character::is_hangul,
    clause,
    concept::Concept,
    heard::Heard,
    lexicon::Lexicon,
    paths,
    reading::{Job, Lost},
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, TaskType};

/// Why nothing is done of it.
pub(super) fn why_lost(heard: &Heard<'_>, tokens: &[Token<'_>], job: &Job) -> Option<Lost> {
    if heard.situation.is_asked() {
        return None;
    }
    let start = tokens.first().map_or(0, |token| token.start);
    let before = heard.source.text.get(..start).unwrap_or_default();
    let lost = bound::lost(heard.lexicon, tokens, job, before.trim().is_empty());
    // A part that is not read says more than that nobody asks for the whole.
    let half = lost.is_none_or(|lost| lost == Lost::Told) && is_half(heard, tokens, job);
    if half { Some(Lost::Half) } else { lost }
}

/// A verb that changes something is no part of this job, nor of what it writes or runs; or which
/// file is to go is not clear.
fn is_half(heard: &Heard<'_>, tokens: &[Token<'_>], job: &Job) -> bool {
    let told = [SlotName::CONTENT, "command"].map(|slot| job.slots.get(slot).unwrap_or_default());
    let begins = clause::ranges(heard.lexicon, heard.language, tokens);
    let opening: Vec<usize> =
        begins.into_iter().filter_map(|clause| opening(tokens, clause)).collect();
    let lost = |(at, token): (usize, &Token<'_>)| {
        let mut verbs = token.concepts.iter().filter(|concept| concept.changes()).peekable();
        // What a text becomes is written.
        let rewords = token.has(Concept::Change) && job.task_type == TaskType::FileWrite;
        let changes = verbs.peek().is_some() && !verbs.any(|verb| fits(job.task_type, *verb));
        let changes = changes && !rewords;
        changes
            && is_order(heard.lexicon, token, opening.contains(&at))
            && !told.iter().any(|t| t.contains(token.text))
    };
    // `copy a.txt to b.txt and delete c.txt`
    let count = tokens.iter().filter(|token| token.kind == TokenKind::Path).count();
    let loose = tokens.iter().any(|token| token.kind == TokenKind::LoosePath);
    let unclear = job.slots.get(SlotName::TARGET_PATH).is_none() && count > 1;
    let mixed = job.task_type == TaskType::FileDelete
        && ((unclear && each(tokens, job.clone()).len() < 2)
            || (loose && count > 0)
            || (count > 1 && paths::may_begin_before(heard.lexicon, tokens)));
    mixed || counts_behind(heard, tokens, job) || tokens.iter().enumerate().any(lost)
}

/// `delete a.txt and tell me the number of users`: what is asked for behind it is no part of it.
fn counts_behind(heard: &Heard<'_>, tokens: &[Token<'_>], job: &Job) -> bool {
    let tells = |t: &Token<'_>| t.has(Concept::Tell) || t.has(Concept::Count);
    let other = |clause: &[Token<'_>]| {
        let asks = clause.iter().any(tells) && !clause.iter().any(Token::is_entity);
        asks && heard.with(clause, |said| said.named.is_implied || said.named.names_operation)
    };
    let mut clauses = clause::ranges(heard.lexicon, heard.language, tokens).into_iter();
    job.task_type == TaskType::FileDelete
        && clauses.any(|clause| tokens.get(clause).is_some_and(other))
}

/// The first word of a clause that says something.
pub(super) fn opening(tokens: &[Token<'_>], clause: std::ops::Range<usize>) -> Option<usize> {
    let aside = [Concept::Vague, Concept::And, Concept::Then];
    let aside = |token: &Token<'_>| token.has_any(&aside);
    let mut places = clause.filter_map(|at| Some((at, tokens.get(at)?)));
    places.find(|(_, token)| !aside(token)).map(|(at, _)| at)
}

/// As one is told to do it: `지우고`, `지워줘`, `delete`; not `적은거` or `the last run`.
fn is_order(lexicon: &Lexicon, token: &Token<'_>, opens: bool) -> bool {
    let word = token.text.to_lowercase();
    if !word.starts_with(is_hangul) {
        return opens && lexicon.is_listed(&word);
    }
    let connects = |ending: &String| word.ends_with(ending.as_str());
    lexicon.connectives.iter().any(connects) || lexicon.requests_in(&word)
}
