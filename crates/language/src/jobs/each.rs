//! One job of a part of a message, and one verb for several files.

use crate::{
    concept::Concept,
    heard::Heard,
    reading::{Job, Situation},
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{SlotName, TaskType};

pub(super) fn job(heard: &Heard<'_>, situation: &Situation, tokens: &[Token<'_>]) -> Option<Job> {
    let asks = tokens.iter().any(leads) || tells_how_many(tokens);
    asks.then(|| heard.within(situation).part(tokens))?.map(|found| found.job)
}

/// Says what is to be done; a list is also asked for by its name.
pub(super) fn leads(token: &Token<'_>) -> bool {
    token.leads() || token.has(Concept::Manage)
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
pub(super) fn each<'t>(tokens: &[Token<'t>], job: Job) -> Vec<Job> {
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
