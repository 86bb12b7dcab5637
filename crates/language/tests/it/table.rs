//! The committed tables of utterances: how each of them is read, and how much of them fully right.

mod file;
mod golden;
mod judge;

use crate::LEXICON;
use file::Utterance;
pub use file::situation_of;
use golden::Golden;
use judge::{Fault, judge};
use std::{collections::BTreeMap, sync::LazyLock};
use wiiiv_domain::TaskType;
use wiiiv_language::{Reading, read};

/// Each with how many of it must be fully right.
const TABLES: [(&str, &str, usize); 9] = [
    ("independent", include_str!("utterances/independent.toml"), 247),
    ("own", include_str!("utterances/utterances.toml"), 1300),
    // Of systems that say what their fields hold.
    ("rows", include_str!("utterances/rows.toml"), 233),
    // Beside a question of ours, a preview, or what was put aside.
    ("beside", include_str!("utterances/beside.toml"), 205),
    // Nobody who wrote the code had seen it when it was first measured (docs/language.md).
    ("unseen", include_str!("utterances/unseen.toml"), 209),
    ("second", include_str!("utterances/second.toml"), 190),
    // Those three were hardly mended for: what to expect of words that nobody has tried.
    ("third", include_str!("utterances/third.toml"), 0),
    ("fourth", include_str!("utterances/fourth.toml"), 0),
    ("fifth", include_str!("utterances/fifth.toml"), 0),
];
const UNMENDED: [&str; 3] = ["third", "fourth", "fifth"];
/// What must be fully right of the 520 that were hardly mended for.
const UNMENDED_MIN: usize = 480;
const UTTERANCES_MIN: usize = 400;
const PER_TASK_MIN: usize = 25;

struct Table {
    name: &'static str,
    right_min: usize,
    rows: Vec<Row>,
}

struct Row {
    utterance: Utterance,
    reading: Reading,
    faults: Vec<Fault>,
    /// A task with an effect that the table does not have there.
    unasked: Option<TaskType>,
}

/// Read once for all tests.
static TABLES_READ: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let table = |(name, text, right_min)| {
        let rows = file::utterances(text).into_iter().map(Row::of).collect();
        Table { name, right_min, rows }
    };
    TABLES.into_iter().map(table).collect()
});

impl Row {
    fn of(utterance: Utterance) -> Self {
        let reading = read(&LEXICON, &utterance.text, &utterance.situation());
        let faults = judge(&utterance, &reading);
        let unasked = judge::unasked_effect(&utterance, &reading);
        Self { utterance, reading, faults, unasked }
    }
}

impl Table {
    fn right(&self) -> usize {
        self.rows.iter().filter(|row| row.faults.is_empty()).count()
    }
}

fn all() -> impl Iterator<Item = &'static Row> {
    TABLES_READ.iter().flat_map(|table| &table.rows)
}

/// What the tables say, as a corpus.
pub fn texts() -> Vec<String> {
    all().map(|row| row.utterance.text.clone()).collect()
}

/// Every change of a reading is a line of a diff.
#[test]
fn each_utterance_is_read_as_its_golden_says() {
    let changed: Vec<String> = TABLES_READ.iter().filter_map(golden::changed).collect();
    let told = changed.join("\n");
    assert!(changed.is_empty(), "{told}\nUPDATE_EXPECT=1 writes what is read now");
}

#[test]
fn the_goldens_hold_what_is_to_be_right() {
    if golden::is_written() {
        return;
    }
    let goldens: Vec<Golden> =
        TABLES_READ.iter().map(|table| Golden::written(table.name)).collect();
    for (table, golden) in TABLES_READ.iter().zip(&goldens) {
        let (right, of) = golden.figures();
        println!("{}: {right} of {of} fully right", table.name);
        assert!(right >= table.right_min, "{}: {right}, not {}", table.name, table.right_min);
        assert_eq!((right, of), (table.right(), table.rows.len()), "{}", table.name);
    }
    let unmended = TABLES_READ.iter().zip(&goldens).filter(|(of, _)| UNMENDED.contains(&of.name));
    let right: usize = unmended.map(|(_, golden)| golden.figures().0).sum();
    assert!(right >= UNMENDED_MIN, "{right} of the tables that were hardly mended for");
}

/// A wrong reading may ask too much; it never does more than was said.
#[test]
fn no_misreading_has_an_effect_that_nobody_asked_for() {
    for row in all() {
        assert!(row.unasked.is_none(), "{:?} is read as {:?}", row.utterance.text, row.unasked);
    }
}

/// Confidence in tenths against how often such readings are fully right.
#[test]
fn confidence_is_calibrated() {
    for table in TABLES_READ.iter().filter(|table| ["third", "fourth"].contains(&table.name)) {
        let ece = calibration(table.rows.iter());
        assert!(ece <= 0.1, "{ece:.3}");
    }
    let ece = calibration(all());
    assert!(ece <= 0.1, "{ece:.3}");
}

/// The expected calibration error.
fn calibration<'r>(rows: impl Iterator<Item = &'r Row>) -> f64 {
    let mut bins: BTreeMap<u32, (u32, f64, f64)> = BTreeMap::new();
    for Row { reading, faults, .. } in rows {
        if reading.task_type.is_none() {
            continue;
        }
        let right = if faults.is_empty() { 1.0 } else { 0.0 };
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
    assert!(all().count() >= UTTERANCES_MIN, "{} utterances", all().count());
    let mut tasks: BTreeMap<&str, usize> = BTreeMap::new();
    for row in all() {
        *tasks.entry(&row.utterance.task).or_default() += 1;
    }
    let few: Vec<_> = tasks.iter().filter(|(_, count)| **count < PER_TASK_MIN).collect();
    assert!(tasks.len() == 15 && few.is_empty(), "{tasks:?}");
}
