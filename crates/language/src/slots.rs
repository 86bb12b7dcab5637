//! What an utterance says about a task, as the task's slots.

use crate::{
    comparison,
    concept::Concept,
    content,
    lexicon::{Lexicon, Sign},
    paths, request, select,
    signs::Signs,
    systems::Named,
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
    pub(crate) named: &'a Named<'a>,
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
    if said.signs.has(Sign::EarlierRun) {
        slots.set(SlotName::SOURCE_RUN, LAST_RUN)?;
        return set(slots, SlotName::SELECT, select::select(said.lexicon, said.tokens).as_deref());
    }
    let at = paths::target(said.lexicon, said.tokens);
    set(slots, SlotName::CONTENT, content::content(said.lexicon, said.text, said.tokens, at))
}

fn api(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    slots.set(SlotName::INTENT, intent(said.text))?;
    let url = request::url(said.tokens);
    match url {
        Some(url) if request::has_scheme(url) => {
            slots.set(SlotName::DOMAIN, request::authority(url).to_lowercase())?;
            slots.set(SlotName::URL, url)?;
        }
        // Which scheme a bare place is spoken to with is policy's to say.
        Some(place) => slots.set(SlotName::DOMAIN, place)?,
        None => {
            set(slots, SlotName::DOMAIN, said.named.domain().as_deref())?;
            set(slots, SlotName::OPERATION, said.named.operation().as_deref())?;
        }
    }
    let keeps = said.signs.says(Concept::Save) || said.signs.says(Concept::Write);
    if keeps || said.tokens.iter().any(|t| t.kind == TokenKind::Path) {
        path(slots, said)?;
    }
    let own = said.named.method().filter(|_| url.is_none());
    let method = own.or_else(|| request::method(said.tokens, said.signs));
    // A system's operation says its own.
    let free = own.is_none() && (url.is_some() || !said.named.names_system);
    let told = method.filter(|_| free);
    set(slots, SlotName::METHOD, told.map(|method| method.as_str()))?;
    if method.is_some_and(|method| !method.is_safe()) {
        let at = paths::target(said.lexicon, said.tokens);
        set(slots, SlotName::BODY, request::body(said.tokens, at))?;
        if said.signs.has(Sign::EarlierRun) {
            slots.set(SlotName::SOURCE_RUN, LAST_RUN)?;
        }
    }
    if selects_unclearly(said) {
        return Ok(());
    }
    set(slots, SlotName::SELECT, select::select(said.lexicon, said.tokens).as_deref())
}

/// Fields and conditions are said of one system's rows, by the names that the fields have; where
/// they are not, only a written expression says what is meant.
pub(crate) fn selects_unclearly(said: &Said<'_, '_>) -> bool {
    let several = || said.named.is_several() && select::select(said.lexicon, said.tokens).is_some();
    let unread = || comparison::is_unread(said.lexicon, said.tokens);
    select::written(said.tokens).is_none() && (several() || unread())
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
