//! Several jobs of one message. A second verb with an object of its own is a second job; what only
//! says where the result of the first goes is a part of it.

mod half;
mod two;

use crate::{
    clause,
    concept::Concept,
    figures,
    heard::{Found, Heard, Told},
    order, pairs,
    reading::{JOBS_LATER_MAX, Job, Lost, ReadSignal, Situation},
    shared,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{SlotName, Slots, TaskType};

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
    if let Some(told) = order::reversed(heard, tokens, signal) {
        return told;
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
        let next = after(&situation, &one);
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
    two::are_two(heard, (left, &one), (rest, &after(situation, &one)))
}

fn job(heard: &Heard<'_>, situation: &Situation, tokens: &[Token<'_>]) -> Option<Job> {
    let asks = tokens.iter().any(leads) || tells_how_many(tokens);
    asks.then(|| heard.within(situation).part(tokens))?.map(|found| found.job)
}

/// `it` is the file of the job before: `read a.txt and delete it`.
pub(crate) fn after(situation: &Situation, job: &Job) -> Situation {
    let path = job.slots.get(SlotName::TARGET_PATH).or_else(|| job.slots.get("sources"));
    // One that names no file leaves none to be pointed to: not that of an older run.
    let mut ran = situation.ran.clone();
    let kept = ran.set(SlotName::TARGET_PATH, path.unwrap_or_default());
    let ran = kept.map_or_else(|_| Slots::default(), |()| ran);
    Situation { ran, ..situation.clone() }
}

/// Says what is to be done; a list is also asked for by its name.
fn leads(token: &Token<'_>) -> bool {
    token.verb().is_some_and(|verb| !verb.is_weak_verb()) || token.has(Concept::Manage)
}

/// `tell me the number of users`, `주문 몇 건인지 알려줘`
fn tells_how_many(tokens: &[Token<'_>]) -> bool {
    let says = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    says(Concept::Tell) && says(Concept::Count)
}

/// What may be said of such a task; what a request or a workflow does is its own.
pub(crate) const fn fits(task: TaskType, verb: Concept) -> bool {
    use Concept as C;
    match task {
        TaskType::FileRead => matches!(verb, C::Read | C::Get | C::Search | C::Pick),
        TaskType::FileDelete => matches!(verb, C::Delete),
        TaskType::FileWrite => {
            matches!(verb, C::Write | C::Save | C::Add | C::Create | C::Send | C::Edit | C::Pick)
        }
        TaskType::Command => matches!(verb, C::Run | C::Get),
        TaskType::CodeEdit => !matches!(verb, C::Run | C::Send),
        TaskType::WebFetch => matches!(verb, C::Read | C::Get | C::Save | C::Write | C::Search),
        TaskType::Conversation
        | TaskType::Information
        | TaskType::ApiWorkflow
        | TaskType::DbQuery
        | TaskType::ProjectCreate
        | TaskType::WorkflowCreate
        | TaskType::WorkflowRun
        | TaskType::WorkflowManage => true,
    }
}

/// One verb for several files: `a.txt랑 b.txt 지워줘`, `create a.txt with 'a' and b.txt with 'b'`.
fn each<'t>(tokens: &[Token<'t>], job: Job) -> Vec<Job> {
    let of = |kind: TokenKind| tokens.iter().filter(move |t| t.kind == kind).map(|t| t.text);
    let paths: Vec<&str> = of(TokenKind::Path).collect();
    let distinct = paths.iter().collect::<BTreeSet<_>>().len() == paths.len();
    let texts: Vec<&str> = of(TokenKind::Quoted).collect();
    let verbs: BTreeSet<Concept> = tokens.iter().filter_map(Token::verb).collect();
    let alone = job.slots.get(SlotName::TARGET_PATH).is_none() && distinct && paths.len() > 1;
    let adds = job.slots.get(SlotName::APPEND).is_some();
    let sets: Vec<Vec<(&str, &str)>> = match job.task_type {
        TaskType::FileRead | TaskType::FileDelete
            if alone && verbs.len() == 1 && are_listed(tokens) =>
        {
            paths.iter().map(|path| vec![(SlotName::TARGET_PATH, *path)]).collect()
        }
        TaskType::FileWrite if alone && texts.len() == paths.len() => paths
            .iter()
            .zip(&texts)
            .map(|(path, text)| vec![(SlotName::TARGET_PATH, *path), (SlotName::CONTENT, *text)])
            .collect(),
        // `write 'hi' to a.txt and b.txt`, `a.txt랑 b.txt 만들어줘`
        TaskType::FileWrite if alone && texts.len() < 2 && are_listed(tokens) => {
            let told = texts.first().map(|text| (SlotName::CONTENT, *text));
            let set = |path: &&'t str| {
                std::iter::once((SlotName::TARGET_PATH, *path)).chain(told).collect()
            };
            paths.iter().map(set).collect()
        }
        // `append 'a', then 'b' to c.txt`: one behind the other.
        TaskType::FileWrite if paths.len() == 1 && adds && texts.len() > 1 && are_texts(tokens) => {
            texts.iter().map(|text| vec![(SlotName::CONTENT, *text)]).collect()
        }
        _ => Vec::new(),
    };
    if sets.is_empty() {
        return vec![job];
    }
    let one = |set: Vec<(&str, &str)>| {
        // Also what is said of all of them: that it is added.
        let mut slots = job.slots.clone();
        let filled = set.into_iter().try_for_each(|(name, value)| slots.set(name, value));
        filled.ok().map(|()| Job { slots, ..job.clone() })
    };
    sets.into_iter().filter_map(one).collect()
}

/// `a.txt, b.txt and c.txt`; not `a.txt to b.txt`.
fn are_listed(tokens: &[Token<'_>]) -> bool {
    let path = |token: &Token<'_>| token.kind == TokenKind::Path;
    let (first, last) = (tokens.iter().position(path), tokens.iter().rposition(path));
    let between = first.zip(last).and_then(|(first, last)| tokens.get(first..last));
    let plain = |t: &Token<'_>| t.has(Concept::Vague) && !t.has(Concept::Dest);
    let joins =
        |t: &Token<'_>| t.is_mark(",") || t.has(Concept::And) || t.has(Concept::File) || plain(t);
    // `a.txt하고 b.txt 중에 하나만`
    let either = tokens.iter().any(|t| t.has(Concept::Either) || t.has(Concept::Among));
    !either && between.unwrap_or_default().iter().all(|token| path(token) || joins(token))
}

/// `'a', then 'b' and 'c'`, `'빵'이랑 '우유'`; not `'할일'에 '우유'`.
fn are_texts(tokens: &[Token<'_>]) -> bool {
    let text = |token: &Token<'_>| token.kind == TokenKind::Quoted;
    let (first, last) = (tokens.iter().position(text), tokens.iter().rposition(text));
    let between = first.zip(last).and_then(|(first, last)| tokens.get(first..last));
    let joins = |t: &Token<'_>| t.is_mark(",") || t.has(Concept::And) || t.has(Concept::Then);
    between.unwrap_or_default().iter().all(|token| text(token) || joins(token))
}
