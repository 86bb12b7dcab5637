//! Several jobs of one message. A second verb with an object of its own is a second job; what only
//! says where the result of the first goes is a part of it.

use crate::{
    clause,
    concept::Concept,
    heard::{Found, Heard, Told},
    reading::{JOBS_LATER_MAX, Job, ReadSignal},
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{SlotName, Slots, TaskType};

/// Places where a message is tried to be cut.
const CUTS_MAX: usize = 16;
/// Longer messages are one job.
const TOKENS_MAX: usize = 400;

/// The jobs in the order of the message; none where there are too many to take.
pub(crate) fn told(
    heard: &Heard<'_>,
    tokens: &[Token<'_>],
    signal: ReadSignal,
    whole: Option<Found>,
) -> Told {
    let parts = cut(heard, tokens);
    let mut confidence = 1.0_f32;
    let mut jobs = Vec::new();
    if let Some(whole) = whole.filter(|_| parts.len() < 2) {
        confidence = whole.confidence;
        jobs.extend(each(tokens, whole.job));
    }
    for part in parts.iter().filter(|_| parts.len() > 1) {
        let Some(found) = heard.part(part) else { continue };
        confidence = confidence.min(found.confidence);
        jobs.extend(each(part, found.job));
    }
    if jobs.len() > JOBS_LATER_MAX + 1 {
        jobs.clear();
    }
    Told { signal, confidence: if jobs.is_empty() { 0.0 } else { confidence }, jobs }
}

/// Cut wherever what stands before and what comes next are jobs of their own.
fn cut<'a, 't>(heard: &Heard<'_>, tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let begins = clause::begins(heard.lexicon, heard.language, tokens);
    if tokens.len() > TOKENS_MAX || begins.len() > CUTS_MAX {
        return Vec::new();
    }
    let (mut parts, mut from) = (Vec::new(), 0);
    for (nth, at) in begins.iter().enumerate().skip(1) {
        let end = begins.get(nth + 1).copied().unwrap_or(tokens.len());
        let (Some(left), Some(right)) = (tokens.get(from..*at), tokens.get(*at..end)) else {
            continue;
        };
        let rest = tokens.get(*at..).unwrap_or_default();
        // `읽고 요약해줘 그리고 ..`: not in the middle of the first where there is a place behind it.
        let behind = || {
            let later = begins.get(nth + 1..).unwrap_or_default();
            later.iter().any(|at| {
                let parts = tokens.get(from..*at).zip(tokens.get(*at..));
                parts.is_some_and(|(left, rest)| are_two(heard, left, rest))
            })
        };
        let rests = || end < tokens.len() && are_two(heard, left, rest) && !behind();
        if are_two(heard, left, right) || rests() {
            parts.push(left);
            from = *at;
        }
    }
    parts.extend(tokens.get(from..));
    parts
}

fn are_two(heard: &Heard<'_>, left: &[Token<'_>], right: &[Token<'_>]) -> bool {
    let leads = |token: &Token<'_>| token.verb().is_some_and(|verb| !verb.is_weak_verb());
    // `disable the workflow`
    let manages = right.iter().any(|token| token.has(Concept::Workflow));
    let acts = |token: &Token<'_>| leads(token) || manages && token.has(Concept::Manage);
    if !left.iter().any(leads) || !right.iter().any(acts) {
        return false;
    }
    let (Some(one), Some(other)) = (heard.part(left), heard.part(right)) else { return false };
    let (one, other) = (one.job, other.job);
    if keeps_answer(&one, &other, right) {
        return false;
    }
    // What a workflow or a project is to do is no job of its own.
    let describes = one.task_type == TaskType::WorkflowCreate
        || one.task_type == TaskType::ProjectCreate
        || (is_created(other.task_type)
            && right.iter().any(|t| t.verb().is_some() && t.attributive));
    let ends = left.last().is_some_and(|token| token.is_mark(".") || token.is_mark("!"));
    let joins = |t: &Token<'_>| t.has(Concept::Join);
    let joined = one.task_type == TaskType::ApiWorkflow
        && other.task_type == TaskType::ApiWorkflow
        && left.iter().chain(right).any(joins);
    has_object(&one) && has_object(&other) && (!describes || ends) && !joined
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
fn has_object(job: &Job) -> bool {
    let any = |names: &[&str]| names.iter().any(|name| job.slots.get(name).is_some());
    match job.task_type {
        TaskType::Conversation | TaskType::Information => false,
        TaskType::FileRead | TaskType::FileDelete => any(&[SlotName::TARGET_PATH]),
        TaskType::FileWrite => any(&[SlotName::CONTENT]),
        TaskType::CodeEdit => any(&["sources"]),
        TaskType::Command => any(&["command"]),
        TaskType::ApiWorkflow => any(&[SlotName::DOMAIN, SlotName::URL]),
        TaskType::DbQuery => any(&["database"]),
        TaskType::ProjectCreate | TaskType::WorkflowCreate => any(&[SlotName::DOMAIN, "workflow"]),
        TaskType::WorkflowRun | TaskType::WorkflowManage => any(&["workflow"]),
        TaskType::WebFetch => any(&[SlotName::URL, "query"]),
    }
}

/// One verb for several files: `a.txt랑 b.txt 지워줘`, `create a.txt with 'a' and b.txt with 'b'`.
fn each(tokens: &[Token<'_>], job: Job) -> Vec<Job> {
    let of = |kind: TokenKind| tokens.iter().filter(move |t| t.kind == kind).map(|t| t.text);
    let paths: Vec<&str> = of(TokenKind::Path).collect();
    let distinct = paths.iter().collect::<BTreeSet<_>>().len() == paths.len();
    let texts: Vec<&str> = of(TokenKind::Quoted).collect();
    let verbs: BTreeSet<Concept> = tokens.iter().filter_map(Token::verb).collect();
    let alone = job.slots.get(SlotName::TARGET_PATH).is_none() && distinct && paths.len() > 1;
    let sets: Vec<Vec<(&str, &str)>> = match job.task_type {
        TaskType::FileRead | TaskType::FileDelete if alone && verbs.len() == 1 => {
            paths.iter().map(|path| vec![(SlotName::TARGET_PATH, *path)]).collect()
        }
        TaskType::FileWrite if alone && texts.len() == paths.len() => paths
            .iter()
            .zip(&texts)
            .map(|(path, text)| vec![(SlotName::TARGET_PATH, *path), (SlotName::CONTENT, *text)])
            .collect(),
        _ => Vec::new(),
    };
    if sets.is_empty() {
        return vec![job];
    }
    let one = |set: Vec<(&str, &str)>| {
        let mut slots = Slots::default();
        let filled = set.into_iter().try_for_each(|(name, value)| slots.set(name, value));
        filled.ok().map(|()| Job { slots, ..job.clone() })
    };
    sets.into_iter().filter_map(one).collect()
}
