//! What a yes may repeat: the verb of what waits for it (`네 저장해 주세요`), and no other.

use crate::{concept::Concept, reading::Situation};
use std::collections::BTreeSet;
use wiiiv_domain::TaskType;

/// Whether this verb asks for nothing but what the preview shows.
pub(crate) fn agrees(situation: &Situation, asked: &BTreeSet<Concept>) -> bool {
    let Some((task, _)) = situation.active.as_ref().filter(|_| situation.is_confirming()) else {
        return false;
    };
    let fits = fitting(*task);
    let plain = |concept: &Concept| matches!(concept, Concept::Vague | Concept::Start);
    asked.iter().all(|concept| plain(concept) || *concept == Concept::Run)
        || asked.iter().any(|concept| fits.contains(concept))
}

/// What is asked for where such a task is. What an API call does is its operation's to say: to
/// delete by one is agreed to without the word.
pub(crate) const fn fitting(task: TaskType) -> &'static [Concept] {
    use Concept as C;
    match task {
        TaskType::FileWrite => &[C::Save, C::Write, C::Add, C::Create],
        TaskType::FileRead => &[C::Read, C::Get],
        TaskType::FileDelete => &[C::Delete],
        TaskType::ApiWorkflow => &[C::Save, C::Write, C::Send, C::Get],
        TaskType::WebFetch => &[C::Save, C::Write, C::Get, C::Read],
        TaskType::CodeEdit => &[C::Edit, C::Add, C::Write],
        TaskType::ProjectCreate | TaskType::WorkflowCreate => &[C::Create],
        TaskType::DbQuery => &[C::Read, C::Get],
        TaskType::Command
        | TaskType::WorkflowRun
        | TaskType::WorkflowManage
        | TaskType::Conversation
        | TaskType::Information => &[],
    }
}
