//! What an utterance says about a task, as the task's slots.

use crate::{
    concept::Concept,
    content,
    lexicon::Lexicon,
    paths, request, select,
    signs::Signs,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotError, SlotName, Slots, TaskType};

/// An intent is a line, not a message.
const INTENT_CHARS_MAX: usize = 200;
/// The value of `sourceRun` that means the session's last run.
const LAST_RUN: &str = "last";

/// One utterance, read as far as its words.
pub(crate) struct Said<'a, 't> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) text: &'t str,
    pub(crate) tokens: &'a [Token<'t>],
    pub(crate) signs: &'a Signs,
}

/// A value that does not fit a slot is left out: it is asked for.
pub(crate) fn slots(task: TaskType, said: &Said<'_, '_>) -> Slots {
    let mut slots = Slots::default();
    let filled = match task {
        TaskType::Conversation
        | TaskType::Information
        | TaskType::ProjectCreate
        | TaskType::WorkflowCreate
        | TaskType::WorkflowRun
        | TaskType::WorkflowManage => Ok(()),
        TaskType::FileRead | TaskType::FileDelete => path(&mut slots, said),
        TaskType::FileWrite => file_write(&mut slots, said),
        TaskType::ApiWorkflow => api(&mut slots, said),
        TaskType::CodeEdit => slots
            .set("instruction", intent(said.text))
            .and_then(|()| set(&mut slots, "sources", target(said))),
        TaskType::Command => {
            let command = first(said.tokens, &[TokenKind::Code, TokenKind::Quoted]);
            set(&mut slots, "command", command)
        }
        TaskType::DbQuery => slots.set(SlotName::INTENT, intent(said.text)),
        TaskType::WebFetch => set(&mut slots, SlotName::URL, request::url(said.tokens)),
    };
    if filled.is_ok() { slots } else { Slots::default() }
}

fn path(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    set(slots, SlotName::TARGET_PATH, target(said))
}

fn file_write(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    path(slots, said)?;
    if said.signs.has(crate::lexicon::Sign::EarlierRun) {
        slots.set(SlotName::SOURCE_RUN, LAST_RUN)?;
        return set(slots, SlotName::SELECT, select::select(said.lexicon, said.tokens).as_deref());
    }
    let at = paths::target(said.lexicon, said.tokens);
    set(slots, SlotName::CONTENT, content::content(said.lexicon, said.text, said.tokens, at))
}

fn api(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    slots.set(SlotName::INTENT, intent(said.text))?;
    match request::url(said.tokens) {
        Some(url) if request::has_scheme(url) => {
            slots.set(SlotName::DOMAIN, request::authority(url).to_lowercase())?;
            slots.set(SlotName::URL, url)?;
        }
        // Which scheme a bare place is spoken to with is policy's to say.
        Some(place) => slots.set(SlotName::DOMAIN, place)?,
        None => {}
    }
    let keeps = said.signs.says(Concept::Save) || said.signs.says(Concept::Write);
    if keeps || said.tokens.iter().any(|t| t.kind == TokenKind::Path) {
        path(slots, said)?;
    }
    let method = request::method(said.tokens, said.signs);
    set(slots, SlotName::METHOD, method.map(|method| method.as_str()))?;
    if method.is_some_and(|method| !method.is_safe()) {
        let at = paths::target(said.lexicon, said.tokens);
        set(slots, SlotName::BODY, request::body(said.tokens, at))?;
        if said.signs.has(crate::lexicon::Sign::EarlierRun) {
            slots.set(SlotName::SOURCE_RUN, LAST_RUN)?;
        }
    }
    set(slots, SlotName::SELECT, select::select(said.lexicon, said.tokens).as_deref())
}

fn target<'t>(said: &Said<'_, 't>) -> Option<&'t str> {
    let at = paths::target(said.lexicon, said.tokens)?;
    said.tokens.get(at).map(|token| token.text)
}

fn first<'t>(tokens: &[Token<'t>], kinds: &[TokenKind]) -> Option<&'t str> {
    kinds.iter().find_map(|kind| tokens.iter().find(|t| t.kind == *kind)).map(|token| token.text)
}

fn set(slots: &mut Slots, name: &str, value: Option<&str>) -> Result<(), SlotError> {
    value.map_or(Ok(()), |value| slots.set(name, value))
}

/// The utterance on one line.
pub(crate) fn intent(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(INTENT_CHARS_MAX).collect()
}
