//! One utterance in its situation.

use crate::{
    answer,
    character::is_hangul,
    concept::Concept,
    lexicon::{Lexicon, Sign},
    signal,
    signs::Signs,
    slots::{self, Said},
    systems::Named,
    tokenizer,
};
use std::sync::Arc;
use wiiiv_domain::{Lang, MESSAGE_CHARS_MAX, SlotName, Slots, Spec, System, TaskType};

/// A rule that holds while something it needs is not said is less sure by this factor.
const INCOMPLETE: f32 = 0.8;
/// It is not clear which rows are meant: acting would leave out what was said of them.
const UNCLEAR: f32 = 0.4;
/// An answer to our own question.
const ANSWERED: f32 = 0.9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadSignal {
    /// A yes and nothing else.
    Affirm,
    Deny,
    Cancel,
    /// Changes what was asked for.
    Modify,
    /// Refers to an earlier result.
    FollowUp,
    Remember,
    Reset,
    /// None of the others.
    Say,
}

/// What must be known to read an utterance right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Situation {
    /// The active task has asked for what it misses.
    pub awaiting_answer: bool,
    pub active: Option<(TaskType, Vec<SlotName>)>,
    /// The session has a run whose result can be referred to.
    pub earlier_run: bool,
    /// Registered systems, whose aliases and labels are words here.
    pub systems: Arc<[System]>,
}

impl Situation {
    /// Something particular was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.awaiting_answer && self.active.as_ref().is_some_and(|(_, missing)| !missing.is_empty())
    }
    pub(crate) fn asks_for(&self, slot: &str) -> bool {
        let missing = self.active.iter().flat_map(|(_, missing)| missing);
        self.awaiting_answer && missing.into_iter().any(|name| name.as_str() == slot)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub language: Lang,
    pub signal: ReadSignal,
    pub task_type: Option<TaskType>,
    pub slots: Slots,
    /// 0 to 1.
    pub confidence: f32,
    /// "Do not ..": nothing is asked for.
    pub negated: bool,
}

/// Reads the whole utterance or, past the message's bound, nothing of it.
#[must_use]
pub fn read(lexicon: &Lexicon, text: &str, situation: &Situation) -> Reading {
    let language = language(text);
    let nothing = |signal, confidence| Reading {
        language,
        signal,
        task_type: None,
        slots: Slots::default(),
        confidence,
        negated: false,
    };
    if text.chars().count() > MESSAGE_CHARS_MAX {
        return nothing(ReadSignal::Say, 0.0);
    }
    if let Some(signal) = signal::whole(lexicon, text) {
        return nothing(signal, 1.0);
    }
    let mut tokens = tokenizer::tokens(lexicon, text);
    let named = Named::mark(lexicon, language, situation, &mut tokens);
    let signs = Signs::of(lexicon, language, &tokens, &named, situation.earlier_run);
    let said = Said { lexicon, text, tokens: &tokens, signs: &signs, named: &named };
    let signal = spoken(&said, situation);
    match task(&said, signal, situation) {
        Some((task, slots, confidence)) => {
            Reading { language, signal, task_type: Some(task), slots, confidence, negated: false }
        }
        None => Reading { negated: signs.says(Concept::Negate), ..nothing(signal, 0.0) },
    }
}

fn task(
    said: &Said<'_, '_>,
    signal: ReadSignal,
    situation: &Situation,
) -> Option<(TaskType, Slots, f32)> {
    // "Do not" asks for nothing.
    if said.signs.says(Concept::Negate) && !situation.is_asked() {
        return None;
    }
    let read = said.signs.task(said.lexicon).map(|(task, sure)| {
        let slots = slots::slots(task, said);
        let whole = Spec::missing(task, &slots).is_empty();
        let sure = if whole { sure } else { sure * INCOMPLETE };
        let unclear = task == TaskType::ApiWorkflow && slots::selects_unclearly(said);
        (task, slots, if unclear { sure * UNCLEAR } else { sure })
    });
    let found = read.as_ref().map(|(task, slots, _)| (*task, slots));
    let active = match signal {
        ReadSignal::Modify => answer::change(situation, said, found),
        ReadSignal::Affirm
        | ReadSignal::Deny
        | ReadSignal::Cancel
        | ReadSignal::FollowUp
        | ReadSignal::Remember
        | ReadSignal::Reset
        | ReadSignal::Say => answer::fill(situation, said, found),
    };
    match (active, &situation.active) {
        (Some(slots), Some((task, _))) => Some((*task, slots, ANSWERED)),
        (Some(_) | None, _) => read,
    }
}

fn spoken(said: &Said<'_, '_>, situation: &Situation) -> ReadSignal {
    let asks = said.tokens.last().is_some_and(|token| token.is_mark("?"));
    if said.signs.says(Concept::Remember) && !asks && !situation.is_asked() {
        ReadSignal::Remember
    } else if said.signs.says(Concept::Change) && situation.active.is_some() {
        ReadSignal::Modify
    } else if said.signs.has(Sign::EarlierRun) {
        ReadSignal::FollowUp
    } else {
        ReadSignal::Say
    }
}

/// By the words around paths and URLs; where there are none, by all of the text.
fn language(text: &str) -> Lang {
    let korean = |text: &str| text.chars().any(is_hangul);
    let mut words = text.split_whitespace().filter(|word| {
        word.chars().any(char::is_alphabetic) && !word.contains(['/', '.', '\'', '"', '`'])
    });
    let mut any = false;
    let found = words.any(|word| {
        any = true;
        korean(word)
    });
    if found || (!any && korean(text)) { Lang::Ko } else { Lang::En }
}
