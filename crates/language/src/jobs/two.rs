//! Whether two clauses are two jobs: the second does something with an object of its own.

use super::{
    each::{each, job, leads},
    half::opening,
};
use crate::{
    concept::Concept,
    heard::Heard,
    reading::{Job, Situation},
    shared,
    token::{Token, TokenKind},
};
use wiiiv_domain::{Lang, SlotName, TaskType};

pub(super) fn are_two(
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
    let definite = object.is_some_and(|token| token.has_any(&points));
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
