//! Utterances in, readings out.
#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot set up")]

mod api;
mod files;
mod filters;
mod jobs;
mod menu;
mod other;
mod property;
mod signals;
mod systems;
mod table;
mod talk;
mod unheard;
mod unread;

use expect_test::Expect;
use std::{fmt::Write as _, sync::LazyLock};
use wiiiv_domain::{SlotName, TaskType};
use wiiiv_language::{Lexicon, Reading, Situation, read};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::embedded().unwrap());

fn shown(reading: &Reading) -> String {
    let task = reading.task_type.map_or("-", TaskType::as_str);
    let mut line = format!("{} {:?} {task}", reading.language, reading.signal);
    for (name, value) in reading.slots.iter() {
        // The intent is the utterance itself.
        if name.as_str() != SlotName::INTENT {
            let _ = write!(line, " {name}={value:?}");
        }
    }
    line
}

/// One utterance a line, as the start of a session hears it.
#[track_caller]
fn check(utterances: &str, expected: Expect) {
    check_in(&Situation::default(), utterances, expected);
}

#[track_caller]
fn check_in(situation: &Situation, utterances: &str, expected: Expect) {
    let lines = utterances.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = |text: &str| shown(&read(&LEXICON, text, situation));
    let table: String = lines.map(|text| format!("{text}\n    {}\n", read(text))).collect();
    expected.assert_eq(&table);
}

fn asked_for(task: TaskType, missing: &[&str]) -> Situation {
    let missing = missing.iter().map(|name| SlotName::parse(name).unwrap()).collect();
    Situation { awaiting_answer: true, active: Some((task, missing)), ..Situation::default() }
}
