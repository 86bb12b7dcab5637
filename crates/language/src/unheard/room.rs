//! A message, its jobs, and what of it they hold.

use crate::{concept::Concept, heard::Heard, lexicon::Lexicon, reading::Job, token::Token};
use std::collections::BTreeSet;
use wiiiv_domain::{SlotName, TaskType};

/// Nothing of it is asked for.
pub(super) fn is_settled(job: &Job) -> bool {
    let has = |name: &str| job.slots.get(name).is_some();
    let text = job.task_type != TaskType::FileWrite || has(SlotName::CONTENT);
    is_file(job.task_type) && has(SlotName::TARGET_PATH) && text
}

pub(super) struct Room<'a, 't> {
    pub(super) heard: &'a Heard<'a>,
    pub(super) tokens: &'a [Token<'t>],
    pub(super) jobs: &'a [Job],
    /// What is told to be left out.
    pub(super) left: &'a [String],
    /// Where the tokens begin that a job says.
    pub(super) held: BTreeSet<usize>,
}

pub(super) fn word(token: &Token<'_>) -> String {
    token.text.to_lowercase().replace('’', "'")
}

/// It makes a statement of what it stands in.
pub(super) fn states(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    lexicon.stating.contains(&word(token))
}

/// Of no job, whatever it may mean.
pub(super) fn is_unknown(token: &Token<'_>) -> bool {
    token.concepts.is_empty() || token.has(Concept::Beyond)
}

/// Says where, and not what: `in it`.
pub(super) fn points(token: &Token<'_>) -> bool {
    let places = [Concept::File, Concept::There, Concept::Within, Concept::Dest];
    token.has_any(&places)
}

pub(super) fn greets(token: &Token<'_>) -> bool {
    !token.concepts.is_empty() && token.concepts.iter().all(|c| *c == Concept::Greet)
}

pub(crate) const fn is_file(task: TaskType) -> bool {
    matches!(task, TaskType::FileRead | TaskType::FileWrite | TaskType::FileDelete)
}
