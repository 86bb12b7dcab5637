//! Questions about the assistant and the conversation: answered from what code knows.

use super::talk;
use wiiiv_context::{PromptParts, Speaker};
use wiiiv_domain::{Proposal, TaskId, TaskSwitch, TaskType};
use wiiiv_language::{Lexicon, Messages, OfflineText, Reading, Situation, Topic, read};

pub(super) fn answered(
    lexicon: &Lexicon,
    messages: &Messages,
    parts: &PromptParts,
    (topic, reading): (Topic, &Reading),
) -> Proposal {
    let lang = parts.language;
    let text = |text| talk(messages.offline(lang, text));
    let quoted = |request: Option<&str>| match request {
        Some(request) => talk(&messages.offline_request(lang, request)),
        None => text(OfflineText::NoRequest),
    };
    match topic {
        Topic::Abilities => text(OfflineText::Abilities),
        Topic::Approval => text(OfflineText::Approval),
        Topic::Waiting => {
            let active = parts.task.iter().map(|task| task.task_type);
            let tasks: Vec<TaskType> =
                active.chain(parts.suspended.iter().map(|(_, task)| *task)).collect();
            match tasks.as_slice() {
                [] => text(OfflineText::NothingWaits),
                [..] => talk(&messages.offline_waits(lang, &tasks)),
            }
        }
        Topic::FirstRequest => quoted(requests(lexicon, parts).next()),
        Topic::LastRequest => quoted(requests(lexicon, parts).next_back()),
        Topic::Back => match aside(parts, reading) {
            Some(task) => Proposal { task_switch: TaskSwitch::To(task), ..talk("") },
            None => text(OfflineText::NothingAside),
        },
    }
}

/// What the user said that asked for work, oldest first, as far as it is remembered.
fn requests<'p>(
    lexicon: &'p Lexicon,
    parts: &'p PromptParts,
) -> impl DoubleEndedIterator<Item = &'p str> {
    let heard = Situation { systems: parts.systems.clone(), ..Situation::default() };
    let works = move |said: &&str| {
        read(lexicon, said, &heard).task_type.is_some_and(|task| !task.is_talk())
    };
    let said = parts.history.iter().filter(|(speaker, _)| *speaker == Speaker::User);
    said.map(|(_, text)| text.as_str()).filter(works)
}

/// The one of the kind that is spoken of, else the one that was put aside last.
pub(super) fn aside(parts: &PromptParts, reading: &Reading) -> Option<TaskId> {
    let of_kind = |(_, task): &&(TaskId, TaskType)| Some(*task) == reading.task_type;
    let found = parts.suspended.iter().rev().find(of_kind).or(parts.suspended.last());
    found.map(|(id, _)| *id)
}
