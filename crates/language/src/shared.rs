//! One verb for several answers, each with a file of its own: `상품은 a.json에, 주문은 b.json에 저장해줘`,
//! `save the products to a.json and the orders to b.json`.

use crate::{
    concept::Concept,
    found::Told,
    heard::Heard,
    reading::{JOBS_LATER_MAX, Job, ReadSignal},
    token::{Token, TokenKind},
};
use std::{collections::BTreeSet, ops::Range};
use wiiiv_domain::{Lang, SlotName, TaskType};

/// Each of them as a call of its own; `None` where one of them is not clear by itself.
pub(crate) fn told(heard: &Heard<'_>, tokens: &[Token<'_>], signal: ReadSignal) -> Option<Told> {
    let verb = only_verb(tokens)?;
    apart(heard, tokens, signal, (verb, groups(heard.language, tokens, verb)), is_clear)
}

/// What the verb does to each group, as a job of its own that is clear, with a file of its own.
pub(crate) fn apart(
    heard: &Heard<'_>,
    tokens: &[Token<'_>],
    signal: ReadSignal,
    (verb, groups): (usize, Vec<Range<usize>>),
    is_clear: fn(&Job) -> bool,
) -> Option<Told> {
    if groups.len() < 2 || groups.len() > JOBS_LATER_MAX + 1 {
        return None;
    }
    let (mut jobs, mut confidence): (Vec<Job>, f32) = (Vec::new(), 1.0);
    for group in groups {
        let own = tokens.get(group)?.iter();
        let said: Vec<Token<'_>> = match heard.language {
            Lang::Ko => own.chain(tokens.get(verb..)?).cloned().collect(),
            Lang::En => tokens.get(..=verb)?.iter().chain(own).cloned().collect(),
        };
        let found = heard.part(&said).filter(|found| is_clear(&found.job))?;
        confidence = confidence.min(found.confidence);
        jobs.push(found.job);
    }
    let files: BTreeSet<_> = jobs.iter().map(|job| job.slots.get(SlotName::TARGET_PATH)).collect();
    let apart = files.len() == jobs.len();
    apart.then_some(Told { signal, confidence, jobs, lost: None, left: Vec::new() })
}

/// `list products and users, save them to a.json`: several answers of one verb go to one file, and
/// only the last would.
pub(crate) fn keeps_all(last: &[Token<'_>], jobs: &[Job]) -> bool {
    let calls = jobs.len() > 1 && jobs.iter().all(|job| job.task_type == TaskType::ApiWorkflow);
    let mut kept = jobs.iter().rev().map(|job| job.slots.get(SlotName::TARGET_PATH).is_some());
    let one = kept.next().is_some_and(|last| last) && !kept.any(|kept| kept);
    let aside = |t: &&Token<'_>| t.has(Concept::And) || t.has(Concept::Vague) || t.is_mark(",");
    let own = last.iter().find(|t| !aside(t)).is_some_and(Token::leads);
    let points = |t: &Token<'_>| t.has(Concept::Pronoun) || t.has(Concept::Both);
    calls && one && !own && last.iter().any(points)
}

/// `.. 주문 생성하고 메모에 '문앞에' 라고 적어줘`: one more field of what is sent.
pub(crate) fn is_sent_too(heard: &Heard<'_>, left: &[Token<'_>], right: &[Token<'_>]) -> bool {
    let field = right.iter().find(|token| !token.has(Concept::Vague) || token.verb().is_some());
    let path = right.iter().any(Token::is_path);
    heard.with(left, |said| {
        !path && field.is_some_and(|field| said.rows.registered(said.lexicon, field).is_some())
    })
}

/// The one verb, where it keeps something and nothing is dictated.
fn only_verb(tokens: &[Token<'_>]) -> Option<usize> {
    let mut verbs = tokens.iter().enumerate().filter(|(_, token)| token.leads());
    let (at, verb) = verbs.next().filter(|_| verbs.next().is_none())?;
    let other = |t: &Token<'_>| t.is_entity() && t.kind != TokenKind::Path;
    (verb.has(Concept::Save) && !tokens.iter().any(other)).then_some(at)
}

/// What stands before the verb, or behind it, up to each of the files.
fn groups(lang: Lang, tokens: &[Token<'_>], verb: usize) -> Vec<Range<usize>> {
    let (start, end) = match lang {
        Lang::Ko => (0, verb),
        Lang::En => (verb + 1, tokens.len()),
    };
    let (mut groups, mut from) = (Vec::new(), start);
    for at in start..end {
        let path = tokens.get(at).is_some_and(|token| token.kind == TokenKind::Path);
        if !path {
            continue;
        }
        let joins = |t: &Token<'_>| t.is_mark(",") || t.has(Concept::And) || t.has(Concept::Then);
        let rest = tokens.get(at + 1..end).unwrap_or_default();
        let own = rest.iter().take_while(|t| t.attached && !joins(t)).count();
        let behind = at + 1 + own;
        groups.push(from..behind);
        let joined = rest.iter().skip(own).take_while(|t| joins(t)).count();
        from = behind + joined;
    }
    groups
}

fn is_clear(job: &Job) -> bool {
    let has = |name: &str| job.slots.get(name).is_some();
    job.task_type == TaskType::ApiWorkflow
        && has(SlotName::DOMAIN)
        && has(SlotName::OPERATION)
        && has(SlotName::TARGET_PATH)
        && !has(SlotName::UNREAD)
}
