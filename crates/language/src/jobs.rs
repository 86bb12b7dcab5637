//! Several jobs of one message. A second verb with an object of its own is a second job; what only
//! says where the result of the first goes is a part of it.

mod each;
mod half;
mod two;

use crate::{
    clause, figures,
    found::{Found, Told},
    heard::Heard,
    order, pairs,
    reading::{JOBS_LATER_MAX, Lost, ReadSignal, Situation},
    shared,
    token::{Token, TokenKind},
};
pub(crate) use each::fits;
use each::{each, job, leads};
use wiiiv_domain::Lang;

/// Places where a message is tried to be cut.
const CUTS_MAX: usize = 16;
/// Longer messages are one job.
const TOKENS_MAX: usize = 400;

/// A job's part of the message, read after the parts before it.
struct Part<'a, 't> {
    tokens: &'a [Token<'t>],
    situation: Situation,
}

/// The jobs in the order of the message; none where there are too many to take, or where a part of
/// them would be lost.
pub(crate) fn told(
    heard: &Heard<'_>,
    tokens: &[Token<'_>],
    signal: ReadSignal,
    whole: Option<Found>,
) -> Told {
    let lost = |lost| Told::none(signal, Some(lost));
    let begins = clause::begins(heard.lexicon, heard.language, tokens);
    if tokens.len() > TOKENS_MAX || begins.len() > CUTS_MAX {
        if are_many(tokens, &begins) {
            return lost(Lost::TooMany);
        }
        return of_whole(heard, tokens, signal, whole);
    }
    if heard.language == Lang::En && order::is_reversed(tokens) {
        return lost(Lost::Half);
    }
    let parts = cut(heard, tokens, &begins);
    if parts.len() < 2 {
        let many = || tokens.iter().filter(|token| token.kind == TokenKind::Path).count() > 1;
        if many()
            && let Some(told) =
                shared::told(heard, tokens, signal).or_else(|| pairs::told(heard, tokens, signal))
        {
            return told;
        }
        let why = whole.as_ref().and_then(|whole| half::why_lost(heard, tokens, &whole.job));
        return why.map_or_else(|| of_whole(heard, tokens, signal, whole), lost);
    }
    let (mut confidence, mut jobs, mut left) = (1.0_f32, Vec::new(), Vec::new());
    for Part { tokens, situation } in &parts {
        let Some(found) = heard.within(situation).part(tokens) else { continue };
        if let Some(why) = half::why_lost(heard, tokens, &found.job) {
            return lost(why);
        }
        // `.. and count the orders in skymall` is of no file.
        let heard_here = heard.within(situation);
        let elsewhere = heard_here.with(tokens, |said| said.named.names_system);
        if !elsewhere && figures::is_of_file(&jobs, tokens, &found.job) {
            left.push(found.job.text);
            continue;
        }
        confidence = confidence.min(found.confidence);
        left.extend(figures::of_file(heard, tokens, &found.job));
        left.extend(figures::of_page(heard, tokens, &found.job));
        jobs.extend(each(tokens, found.job));
    }
    if jobs.len() > JOBS_LATER_MAX + 1 {
        return lost(Lost::TooMany);
    }
    if parts.last().is_some_and(|part| shared::keeps_all(part.tokens, &jobs)) {
        return lost(Lost::Half);
    }
    let confidence = if jobs.is_empty() { 0.0 } else { confidence };
    Told { signal, confidence, jobs, lost: None, left }
}

fn of_whole(
    heard: &Heard<'_>,
    tokens: &[Token<'_>],
    signal: ReadSignal,
    whole: Option<Found>,
) -> Told {
    let left = whole.as_ref().and_then(|Found { job, .. }| {
        figures::of_file(heard, tokens, job).or_else(|| figures::of_page(heard, tokens, job))
    });
    let confidence = whole.as_ref().map_or(0.0, |whole| whole.confidence);
    let jobs = whole.map(|whole| each(tokens, whole.job)).unwrap_or_default();
    if jobs.len() > JOBS_LATER_MAX + 1 {
        return Told::none(signal, Some(Lost::TooMany));
    }
    Told { signal, confidence, jobs, lost: None, left: left.into_iter().collect() }
}

/// More clauses than there may be jobs do something to something.
fn are_many(tokens: &[Token<'_>], begins: &[usize]) -> bool {
    let ends = begins.iter().skip(1).copied().chain([tokens.len()]);
    let clauses = begins.iter().zip(ends).filter_map(|(from, to)| tokens.get(*from..to));
    let job =
        |clause: &&[Token<'_>]| clause.iter().any(leads) && clause.iter().any(Token::is_entity);
    clauses.filter(job).count() > JOBS_LATER_MAX + 1
}

/// Cut wherever what stands before and what comes next are jobs of their own.
fn cut<'a, 't>(heard: &Heard<'_>, tokens: &'a [Token<'t>], begins: &[usize]) -> Vec<Part<'a, 't>> {
    let (mut parts, mut from) = (Vec::new(), 0);
    let mut situation = heard.situation.clone();
    for (nth, at) in begins.iter().enumerate().skip(1) {
        let end = begins.get(nth + 1).copied().unwrap_or(tokens.len());
        let (Some(left), Some(right)) = (tokens.get(from..*at), tokens.get(*at..end)) else {
            continue;
        };
        let rest = tokens.get(*at..).unwrap_or_default();
        let Some(one) = job(heard, &situation, left) else { continue };
        let next = situation.after(&one);
        let two = |right| two::are_two(heard, (left, &one), (right, &next));
        // `읽고 요약해줘 그리고 ..`: not in the middle of the first where there is a place behind it.
        let behind = || {
            let later = begins.get(nth + 1..).unwrap_or_default();
            later.iter().any(|at| cuts(heard, &situation, (tokens, from, *at)))
        };
        if two(right) || (end < tokens.len() && two(rest) && !behind()) {
            parts.push(Part { tokens: left, situation: std::mem::replace(&mut situation, next) });
            from = *at;
        }
    }
    parts.extend(tokens.get(from..).map(|tokens| Part { tokens, situation }));
    parts
}

/// What stands from there to this place, and what comes behind it, are jobs of their own.
fn cuts(
    heard: &Heard<'_>,
    situation: &Situation,
    (tokens, from, at): (&[Token<'_>], usize, usize),
) -> bool {
    let Some((left, rest)) = tokens.get(from..at).zip(tokens.get(at..)) else { return false };
    let Some(one) = job(heard, situation, left) else { return false };
    two::are_two(heard, (left, &one), (rest, &situation.after(&one)))
}
