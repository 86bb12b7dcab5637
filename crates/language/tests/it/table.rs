//! The committed tables of utterances: how much of them is read fully right.

mod file;
mod judge;

use crate::LEXICON;
use file::Utterance;
pub use file::situation_of;
use judge::{Fault, judge};
use std::{collections::BTreeMap, fmt::Write as _};
use wiiiv_language::read;

const INDEPENDENT: &str = include_str!("utterances/independent.toml");
const OWN: &str = include_str!("utterances/utterances.toml");
/// Nobody who wrote the code had seen it when it was first measured (docs/language.md).
const UNSEEN: &str = include_str!("utterances/unseen.toml");
/// Nor this, which was written by another.
const SECOND: &str = include_str!("utterances/second.toml");
/// Nor this, for which little was mended: what to expect of words that nobody has tried.
const THIRD: &str = include_str!("utterances/third.toml");
/// Nor this, by yet another, for which nothing was mended.
const FOURTH: &str = include_str!("utterances/fourth.toml");
/// Nor this, of a later day.
const FIFTH: &str = include_str!("utterances/fifth.toml");
/// Of systems that say what their fields hold.
const ROWS: &str = include_str!("utterances/rows.toml");
/// Beside a question of ours, a preview, or what was put aside.
const BESIDE: &str = include_str!("utterances/beside.toml");
const TABLES: [(&str, &str, usize); 9] = [
    ("independent", INDEPENDENT, RIGHT_PERCENT_MIN),
    ("own", OWN, RIGHT_PERCENT_MIN),
    ("rows", ROWS, RIGHT_PERCENT_MIN),
    ("beside", BESIDE, 100),
    ("unseen", UNSEEN, RIGHT_PERCENT_MIN),
    ("second", SECOND, RIGHT_PERCENT_MIN),
    ("third", THIRD, UNSEEN_PERCENT_MIN),
    ("fourth", FOURTH, UNSEEN_PERCENT_MIN),
    ("fifth", FIFTH, UNSEEN_PERCENT_MIN),
];

/// What must be fully right, in per cent.
const RIGHT_PERCENT_MIN: usize = 95;
/// The same of what was written by others and hardly mended for.
const UNSEEN_PERCENT_MIN: usize = 85;
const UTTERANCES_MIN: usize = 400;
const PER_TASK_MIN: usize = 25;

/// All that the tables hold.
fn all() -> impl Iterator<Item = Utterance> {
    TABLES.into_iter().flat_map(|(_, text, _)| file::utterances(text))
}

/// What the tables say, as a corpus.
pub fn texts() -> Vec<String> {
    all().map(|utterance| utterance.text).collect()
}

fn faults(utterance: &Utterance) -> Vec<Fault> {
    judge(utterance, &read(&LEXICON, &utterance.text, &utterance.situation()))
}

/// The share that is right, after every utterance that is not.
fn measured(name: &str, table: &[Utterance]) -> (usize, String) {
    let (mut right, mut told) = (0, String::new());
    for utterance in table {
        let faults = faults(utterance);
        if faults.is_empty() {
            right += 1;
            continue;
        }
        let _ = writeln!(told, "{} [{}] {:?}", utterance.situation, utterance.task, utterance.text);
        for fault in faults {
            let _ = writeln!(told, "    {fault}");
        }
    }
    let _ = writeln!(told, "{name}: {right} of {} fully right", table.len());
    (right, told)
}

#[test]
fn the_tables_are_read_right() {
    for (name, text, percent_min) in TABLES {
        let table = file::utterances(text);
        let (right, told) = measured(name, &table);
        println!("{told}");
        assert!(right * 100 >= table.len() * percent_min, "{told}");
    }
}

/// A wrong reading may ask too much; it never does more than was said.
#[test]
fn no_misreading_has_an_effect_that_nobody_asked_for() {
    for utterance in all() {
        let reading = read(&LEXICON, &utterance.text, &utterance.situation());
        let unasked = judge::unasked_effect(&utterance, &reading);
        assert!(unasked.is_none(), "{:?} is read as {unasked:?}", utterance.text);
    }
}

/// Confidence in tenths against how often such readings are fully right.
#[test]
fn confidence_is_calibrated() {
    for (table, ece_max) in [(THIRD, 0.1), (FOURTH, 0.1)] {
        let ece = calibration(file::utterances(table).into_iter());
        assert!(ece <= ece_max, "{ece:.3}");
    }
    let ece = calibration(all());
    assert!(ece <= 0.1, "{ece:.3}");
}

/// The expected calibration error.
fn calibration(utterances: impl Iterator<Item = Utterance>) -> f64 {
    let mut bins: BTreeMap<u32, (u32, f64, f64)> = BTreeMap::new();
    for utterance in utterances {
        let reading = read(&LEXICON, &utterance.text, &utterance.situation());
        if reading.task_type.is_none() {
            continue;
        }
        let right = if judge(&utterance, &reading).is_empty() { 1.0 } else { 0.0 };
        let sure = f64::from(reading.confidence);
        let tenth = (1..=10).rev().find(|tenth| sure * 10.0 >= f64::from(*tenth)).unwrap_or(0);
        let bin = bins.entry(tenth).or_default();
        *bin = (bin.0 + 1, bin.1 + sure, bin.2 + right);
    }
    let all: u32 = bins.values().map(|bin| bin.0).sum();
    let ece: f64 = bins.values().map(|(_, sure, right)| (sure - right).abs()).sum();
    let ece = ece / f64::from(all);
    for (tenth, (count, sure, right)) in &bins {
        let n = f64::from(*count);
        println!("0.{tenth}: {count} readings, said {:.2}, right {:.2}", sure / n, right / n);
    }
    println!("expected calibration error {ece:.3} over {all}");
    ece
}

#[test]
fn the_tables_hold_enough_of_everything() {
    let all: Vec<Utterance> = all().collect();
    assert!(all.len() >= UTTERANCES_MIN, "{} utterances", all.len());
    let mut tasks: BTreeMap<String, usize> = BTreeMap::new();
    for utterance in &all {
        *tasks.entry(utterance.task.clone()).or_default() += 1;
    }
    let few: Vec<_> = tasks.iter().filter(|(_, count)| **count < PER_TASK_MIN).collect();
    assert!(tasks.len() == 15 && few.is_empty(), "{tasks:?}");
}
