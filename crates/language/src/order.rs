//! What is to be done first and is said last: `delete a.json after you read it`.

use crate::{
    concept::Concept,
    found::Told,
    heard::Heard,
    part::Part,
    reading::{Lost, ReadSignal},
    token::Token,
};
use wiiiv_domain::{Lang, SlotName, TaskType};

/// `after you have read it`
const WORDS_BEFORE_MAX: usize = 3;

/// The jobs in the order in which they are to be done; lost where the first is not clear. `None`
/// where nothing is said in that order.
pub(crate) fn reversed(
    heard: &Heard<'_>,
    tokens: &[Token<'_>],
    signal: ReadSignal,
) -> Option<Told> {
    let is_after = |token: &Token<'_>| {
        // `after that` is what comes next.
        token.is_word() && token.is(Part::After) && !token.has(Concept::Then)
    };
    let at = tokens.iter().position(is_after).filter(|_| heard.language == Lang::En)?;
    let (last, first) = (tokens.get(..at)?, tokens.get(at + 1..)?);
    let acts = first.iter().take(WORDS_BEFORE_MAX + 1).any(Token::leads);
    // `after lunch`
    let entity = |token: &Token<'_>| token.has(Concept::Pronoun) || token.is_entity();
    if !acts || !first.iter().any(entity) || !last.iter().any(Token::leads) {
        return None;
    }
    let lost = Told::none(signal, Some(Lost::Half));
    let Some(last) = heard.part(last) else { return Some(lost) };
    let situation = heard.situation.after(&last.job);
    let Some(first) = heard.within(&situation).part(first) else { return Some(lost) };
    let file =
        |task| matches!(task, TaskType::FileRead | TaskType::FileWrite | TaskType::FileDelete);
    let placed = first.job.slots.get(SlotName::TARGET_PATH).is_some();
    if !(file(first.job.task_type) && file(last.job.task_type) && placed) {
        return Some(lost);
    }
    let confidence = first.confidence.min(last.confidence);
    Some(Told { signal, jobs: vec![first.job, last.job], confidence, lost: None, left: Vec::new() })
}
