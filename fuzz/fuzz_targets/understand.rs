//! Any text, in every situation of a conversation, is read to its end, the same way twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};
use wiiiv_domain::{SlotName, Slots, System, TaskType};
use wiiiv_language::{JOBS_LATER_MAX, Lexicon, ReadSignal, Situation, read};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::embedded().expect("it compiles"));
static SITUATIONS: LazyLock<Vec<Situation>> = LazyLock::new(situations);

fuzz_target!(|text: &str| {
    for situation in SITUATIONS.iter() {
        let reading = read(&LEXICON, text, situation);
        assert_eq!(reading, read(&LEXICON, text, situation), "read otherwise the second time");
        assert!((0.0..=1.0).contains(&reading.confidence), "{}", reading.confidence);
        assert!(reading.later.len() <= JOBS_LATER_MAX, "{} further jobs", reading.later.len());
        if reading.signal == ReadSignal::Affirm {
            assert_eq!(reading.task_type, None, "a yes that carries a task");
        }
    }
});

/// At the start, asked for a path and a content, at a preview, behind an earlier result.
fn situations() -> Vec<Situation> {
    let system: System =
        serde_json::from_str(include_str!("../system.json")).expect("a system that parses");
    let systems = Arc::from([system]);
    let name = |name: &&str| SlotName::parse(name).expect("a slot's name");
    let active = |task, missing: &[&str]| Some((task, missing.iter().map(name).collect()));
    let mut known = Slots::default();
    known.set(SlotName::DOMAIN, "skymall").expect("a slot that fits");
    known.set(SlotName::SELECT, "[.[] | select(.price < 10000)]").expect("a slot that fits");
    let fresh = Situation { systems, ..Situation::default() };
    let asked = [SlotName::TARGET_PATH, SlotName::CONTENT];
    vec![
        Situation {
            awaiting_answer: true,
            active: active(TaskType::FileWrite, &asked),
            ..Situation::default()
        },
        Situation {
            awaiting_answer: true,
            active: active(TaskType::ApiWorkflow, &[]),
            known,
            ..fresh.clone()
        },
        Situation { earlier_run: true, ..fresh.clone() },
        fresh,
    ]
}
