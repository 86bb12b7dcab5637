//! Several jobs of one message. A second verb with an object of its own is a second job; what only
//! says where the result of the first goes is a part of it.

use crate::{
    bound,
    character::is_hangul,
    clause,
    concept::Concept,
    figures,
    heard::{Found, Heard, Told},
    lexicon::Lexicon,
    order, pairs, paths,
    reading::{JOBS_LATER_MAX, Job, Lost, ReadSignal, Situation},
    shared,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{Lang, SlotName, Slots, TaskType};

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
    let lost = |lost| nothing(signal, lost);
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
        let why = whole.as_ref().and_then(|whole| why_lost(heard, tokens, &whole.job));
        return why.map_or_else(|| of_whole(heard, tokens, signal, whole), lost);
    }
    let (mut confidence, mut jobs, mut left) = (1.0_f32, Vec::new(), Vec::new());
    for Part { tokens, situation } in &parts {
        let Some(found) = heard.within(situation).part(tokens) else { continue };
        if let Some(why) = why_lost(heard, tokens, &found.job) {
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

pub(crate) const fn nothing(signal: ReadSignal, lost: Lost) -> Told {
    Told { signal, confidence: 0.0, jobs: Vec::new(), lost: Some(lost), left: Vec::new() }
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
        return nothing(signal, Lost::TooMany);
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
        let two = |right| are_two(heard, (left, &one), (right, &next));
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
    are_two(heard, (left, &one), (rest, &after(situation, &one)))
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

fn are_two(
    heard: &Heard<'_>,
    (left, one): (&[Token<'_>], &Job),
    (right, situation): (&[Token<'_>], &Situation),
) -> bool {
    // English says what is done before what it is done to: `a.txt and b.txt`.
    let first = right.iter().find(|token| leads(token) || token.is_entity());
    if heard.language == Lang::En && first.is_some_and(Token::is_entity) {
        return false;
    }
    // `place an order for user 3, product 4, status paid`: more of what is sent.
    let opens = opening(right, 0..right.len()).and_then(|at| right.get(at)).is_some_and(leads);
    if heard.language == Lang::En && one.slots.get(SlotName::BODY).is_some() && !opens {
        return false;
    }
    if one.slots.get(SlotName::BODY).is_some() && shared::is_sent_too(heard, left, right) {
        return false;
    }
    let Some(other) = job(heard, situation, right) else { return false };
    if keeps_answer(one, &other, right) {
        return false;
    }
    // What a workflow or a project is to do is no job of its own.
    let describes = is_created(one.task_type)
        || (is_created(other.task_type)
            && right.iter().any(|t| t.verb().is_some() && t.attributive));
    let ends = left.last().is_some_and(|token| token.is_mark(".") || token.is_mark("!"));
    let joins = |t: &Token<'_>| t.has(Concept::Join);
    let joined = one.task_type == TaskType::ApiWorkflow
        && other.task_type == TaskType::ApiWorkflow
        && left.iter().chain(right).any(joins);
    let again = one.task_type == other.task_type
        && (one.slots == other.slots || is_same_answer(one, &other));
    let begun = is_created(other.task_type) || has_object(right, &other);
    has_object(left, one) && begun && (!describes || ends) && !joined && !again
}

/// `상품 목록에서 비싼 상품만 a.json에 저장해줘`: the rows of one answer, named twice.
fn is_same_answer(one: &Job, other: &Job) -> bool {
    let both = |name| one.slots.get(name).zip(other.slots.get(name));
    let same = |name| both(name).is_some_and(|(one, other)| one == other);
    let called = [SlotName::DOMAIN, SlotName::OPERATION].into_iter().all(same);
    called && both(SlotName::TARGET_PATH).is_none() && both(SlotName::ARGUMENTS).is_none()
}

/// `.. and save the rows to a.json`: where the answer of the call before it goes. What is written
/// instead of an answer is quoted, or nothing points to it.
fn keeps_answer(one: &Job, other: &Job, right: &[Token<'_>]) -> bool {
    let calls = matches!(one.task_type, TaskType::ApiWorkflow | TaskType::WebFetch);
    let quotes = right.iter().any(|token| {
        matches!(token.kind, TokenKind::Quoted | TokenKind::Code | TokenKind::Json)
            || token.has(Concept::Saying)
    });
    let save = right.iter().position(|token| token.has(Concept::Save));
    let object = save.and_then(|at| right.get(at + 1));
    let points = [Concept::Vague, Concept::Only, Concept::Pronoun, Concept::That];
    let definite = object.is_some_and(|token| points.into_iter().any(|c| token.has(c)));
    calls && other.task_type == TaskType::FileWrite && definite && !quotes
}

const fn is_created(task: TaskType) -> bool {
    matches!(task, TaskType::WorkflowCreate | TaskType::ProjectCreate)
}

/// It says by itself what it is about.
fn has_object(tokens: &[Token<'_>], job: &Job) -> bool {
    let any = |names: &[&str]| names.iter().any(|name| job.slots.get(name).is_some());
    match job.task_type {
        TaskType::Conversation | TaskType::Information => false,
        TaskType::FileRead | TaskType::FileDelete => {
            any(&[SlotName::TARGET_PATH]) || each(tokens, job.clone()).len() > 1
        }
        TaskType::FileWrite => any(&[SlotName::CONTENT]) || each(tokens, job.clone()).len() > 1,
        TaskType::CodeEdit => any(&["sources"]),
        TaskType::Command => any(&["command"]),
        TaskType::ApiWorkflow => any(&[SlotName::DOMAIN, SlotName::URL]),
        TaskType::DbQuery => tokens.iter().any(|token| token.has(Concept::Database)),
        TaskType::ProjectCreate | TaskType::WorkflowCreate => any(&[SlotName::DOMAIN, "workflow"]),
        TaskType::WorkflowRun | TaskType::WorkflowManage => any(&["workflow"]),
        TaskType::WebFetch => any(&[SlotName::URL, "query"]),
    }
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

/// Why nothing is done of it.
fn why_lost(heard: &Heard<'_>, tokens: &[Token<'_>], job: &Job) -> Option<Lost> {
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
fn opening(tokens: &[Token<'_>], clause: std::ops::Range<usize>) -> Option<usize> {
    let aside = [Concept::Vague, Concept::And, Concept::Then];
    let aside = |token: &Token<'_>| aside.into_iter().any(|concept| token.has(concept));
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
    let asks = |request: &String| word.contains(request.as_str());
    lexicon.connectives.iter().any(connects) || lexicon.requests.iter().any(asks)
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
