//! Answers questions about the assistant and the conversation from recorded facts.

use crate::offline::proposal::{Offline, talk};
use wiiiv_context::{MemoryBlocks, PromptParts, Speaker};
use wiiiv_domain::{
    Action, Field, Lang, Operation, Proposal, System, TaskId, TaskSwitch, TaskType,
};
use wiiiv_language::{Reading, Situation, read};
use wiiiv_messages::{Messages, OfflineText, Topic};

/// Systems that an answer names.
const SYSTEMS_TOLD_MAX: usize = 8;
/// Operations whose fields one answer tells.
const OPERATIONS_TOLD_MAX: usize = 3;
/// As much of an earlier answer is said again.
const SAID_CHARS_MAX: usize = 300;

pub(super) fn answered(
    known: &Offline<'_>,
    parts: &PromptParts,
    (topic, reading): (Topic, &Reading),
) -> Proposal {
    let messages = known.messages;
    let lang = parts.language;
    let text = |text| talk(messages.offline(lang, text));
    let recall = |action| Proposal { action, ..talk("") };
    let quoted = |request: Option<&str>| match request {
        Some(request) => {
            let request = [("request", request.to_owned())];
            talk(&messages.told(lang, "offline.request", &request))
        }
        None => text(OfflineText::NoRequest),
    };
    match topic {
        Topic::Abilities => {
            let told = messages.offline(lang, OfflineText::Abilities);
            let example = example(messages, parts).unwrap_or_default();
            talk([told, &example].join("\n").trim_end())
        }
        Topic::Identity => text(OfflineText::Identity),
        Topic::Files => recall(Action::ListFiles),
        Topic::ShowSaved => recall(Action::ShowSaved),
        Topic::Why => recall(Action::Why),
        Topic::Again => recall(Action::Again),
        Topic::Systems => match systems(parts).as_slice() {
            [] => text(OfflineText::NoSystems),
            names => talk(&messages.offline_systems(lang, names)),
        },
        Topic::Deeds => match said_of(parts) {
            Some(said) => talk(&messages.told(lang, "offline.deed", &[("said", said)])),
            None => text(OfflineText::NoDeed),
        },
        Topic::Fields => {
            let told = fields(parts).into_iter().map(|operation| {
                let names: Vec<String> = operation.fields.iter().map(|f| named(f, lang)).collect();
                messages.offline_fields(
                    lang,
                    operation.label(lang).unwrap_or(&operation.id),
                    &names,
                )
            });
            talk(&told.collect::<Vec<_>>().join("\n"))
        }
        Topic::Thanks => text(OfflineText::Welcome),
        // Whoever may not approve is not told to.
        Topic::Approval if asks_others(parts) => {
            talk(&messages.told(lang, "offline.approval_other", &[]))
        }
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
        Topic::FirstRequest => quoted(requests(known, parts).next()),
        Topic::LastRequest => quoted(requests(known, parts).next_back()),
        Topic::Memory => talk(&memory(messages, parts)),
        Topic::Back => match (aside(parts, reading), &parts.task) {
            (Some(task), _) => Proposal { task_switch: TaskSwitch::To(task), ..talk("") },
            // It is there already: what waits is shown again.
            (None, Some(task)) if task.missing.is_empty() => {
                Proposal { action: Action::Execute, task_type: task.task_type, ..talk("") }
            }
            (None, _) => text(OfflineText::NothingAside),
        },
    }
}

/// What is kept in mind, as it stands there.
fn memory(messages: &Messages, parts: &PromptParts) -> String {
    let MemoryBlocks { user, project } = &parts.memory;
    let kept = [("memory.told_user", user), ("memory.told_project", project)];
    let kept = kept.into_iter().filter(|(_, text)| !text.is_empty());
    let told = kept.map(|(key, text)| {
        messages.told(parts.language, key, &[("text", text.as_str().to_owned())])
    });
    let told = told.collect::<Vec<_>>().join("\n");
    if told.is_empty() { messages.told(parts.language, "memory.nothing", &[]) } else { told }
}

/// Of a system that this project has registered and its policy reaches; none is made up.
fn example(messages: &Messages, parts: &PromptParts) -> Option<String> {
    let lang = parts.language;
    let listed = |system: &System| Some((system.name.to_string(), system.listing()?.clone()));
    let reached = |system: &&System| !parts.unreached.contains(&system.name);
    let (system, operation) = parts.systems.iter().filter(reached).find_map(listed)?;
    let what = operation.label(lang).unwrap_or(&operation.id).to_owned();
    let example = messages.told(lang, "suggest.show", &[("system", system), ("what", what)]);
    Some(messages.told(lang, "suggest.systems", &[("example", example)]))
}

/// What waits is somebody else's to approve.
fn asks_others(parts: &PromptParts) -> bool {
    parts.task.as_ref().is_some_and(|task| task.asks_others)
}

/// Operations that the message calls by a label and whose rows are known; of several labels, the longest.
pub(super) fn fields(parts: &PromptParts) -> Vec<&Operation> {
    let flat = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
    let message = flat(&parts.message);
    let called = |operation: &&Operation| {
        let labels = operation.labels.iter().map(|label| flat(label));
        labels.filter(|label| message.contains(label.as_str())).map(|label| label.len()).max()
    };
    let known = parts.systems.iter().flat_map(|system| &system.operations);
    let known: Vec<(&Operation, usize)> = known
        .filter(|operation| !operation.fields.is_empty())
        .filter_map(|operation| Some((operation, called(&operation)?)))
        .collect();
    let longest = known.iter().map(|(_, length)| *length).max();
    let meant = known.into_iter().filter(|(_, length)| Some(*length) == longest);
    meant.map(|(operation, _)| operation).take(OPERATIONS_TOLD_MAX).collect()
}

/// `price (가격)`
pub(super) fn named(field: &Field, lang: Lang) -> String {
    let name = &field.name;
    field.label(lang).map_or_else(|| name.clone(), |label| format!("{name} ({label})"))
}

/// `skymall (스카이몰)`
fn systems(parts: &PromptParts) -> Vec<String> {
    let called = |system: &System| {
        let alias = system.alias(parts.language).map(|alias| format!(" ({alias})"));
        format!("{}{}", system.name, alias.unwrap_or_default())
    };
    parts.systems.iter().take(SYSTEMS_TOLD_MAX).map(called).collect()
}

/// The last that was answered, of the file that the question names if it names one.
fn said_of(parts: &PromptParts) -> Option<String> {
    let mark = |c: char| !(c.is_alphanumeric() || c == '/');
    let words = parts.message.split_whitespace().map(|word| word.trim_matches(mark));
    let named = words.filter(|word| word.contains('.'));
    let file = named.map(|word| word.trim_end_matches(is_hangul)).next_back();
    let answers = parts.history.iter().rev().filter(|(who, _)| *who != Speaker::User);
    let older = parts.long_term.iter().flat_map(|long_term| long_term.summary.reports().rev());
    let mut answers = answers.map(|(_, text)| text.as_str()).chain(older);
    let said = answers.find(|text| file.is_none_or(|file| text.contains(file)))?;
    Some(said.chars().take(SAID_CHARS_MAX).collect())
}

fn is_hangul(c: char) -> bool {
    matches!(c, '가'..='힣')
}

/// What the user said that asked for work or to know something, oldest first, as far as it is remembered;
/// not what only asked for this.
fn requests<'p>(
    known: &'p Offline<'p>,
    parts: &'p PromptParts,
) -> impl DoubleEndedIterator<Item = &'p str> {
    let heard = Situation { systems: parts.systems.clone(), ..Situation::default() };
    let again = [Topic::FirstRequest, Topic::LastRequest, Topic::Memory].map(Some);
    let works = move |said: &&str| {
        let reading = read(known.lexicon, said, &heard);
        let asks = reading.task_type.is_some_and(|task| task != TaskType::Conversation);
        (asks || reading.lost.is_some()) && !again.contains(&known.topics.of(said))
    };
    let said = parts.history.iter().filter(|(speaker, _)| *speaker == Speaker::User);
    let older = parts.long_term.as_deref().map(|long_term| long_term.summary.said());
    let said = said.map(|(_, text)| text.as_str());
    older.into_iter().flatten().chain(said).filter(works)
}

/// The one of the kind that is spoken of, else the one that was put aside last.
pub(super) fn aside(parts: &PromptParts, reading: &Reading) -> Option<TaskId> {
    let of_kind = |(_, task): &&(TaskId, TaskType)| Some(*task) == reading.task_type;
    let found = parts.suspended.iter().rev().find(of_kind).or(parts.suspended.last());
    found.map(|(id, _)| *id)
}
