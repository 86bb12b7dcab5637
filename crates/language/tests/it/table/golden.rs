//! How each utterance of a table was read when its golden was written: a block an utterance, in the
//! order of the table. `+`: fully right by the table; `-`: not; `!`: it does what nobody asked for.

use super::{Row, Table, judge};
use std::{env, fmt::Write as _, fs, path::PathBuf};
use wiiiv_domain::{SlotName, Slots, Spec, TaskType};
use wiiiv_language::Reading;

/// Less sure than this, a reading claims nothing and is asked about.
const CONFIDENCE_MIN: f32 = 0.4;
/// Blocks that a test names.
const TOLD_MAX: usize = 60;

/// As it is committed.
pub struct Golden {
    blocks: Vec<String>,
}

impl Golden {
    pub fn written(name: &str) -> Self {
        let text = fs::read_to_string(path(name)).unwrap_or_default();
        Self { blocks: text.split_terminator("\n\n").map(str::to_owned).collect() }
    }

    /// How many are fully right, of how many.
    pub fn figures(&self) -> (usize, usize) {
        (self.blocks.iter().filter(|block| block.starts_with('+')).count(), self.blocks.len())
    }
}

/// They are written now, by another test.
pub fn is_written() -> bool {
    env::var_os("UPDATE_EXPECT").is_some()
}

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.join("tests/it/goldens").join(format!("{name}.txt"))
}

/// What is read otherwise than it is written, where that is anything.
pub fn changed(table: &Table) -> Option<String> {
    let blocks: Vec<String> = table.rows.iter().map(block).collect();
    let golden = Golden::written(table.name);
    if blocks == golden.blocks {
        return None;
    }
    if is_written() {
        fs::create_dir_all(path(table.name).parent().unwrap()).unwrap();
        fs::write(path(table.name), blocks.join("\n\n") + "\n\n").unwrap();
        return None;
    }
    let pairs = golden.blocks.iter().zip(&blocks).filter(|(was, is)| was != is);
    let told = pairs.take(TOLD_MAX).map(|(was, is)| format!("was {was}\n is {is}\n"));
    let counts = (golden.blocks.len(), blocks.len());
    Some(format!("{}: {counts:?} blocks\n{}", table.name, told.collect::<String>()))
}

fn block(row: &Row) -> String {
    let Row { utterance, reading, faults, unasked } = row;
    let mark = match (unasked, faults.is_empty()) {
        (Some(_), _) => '!',
        (None, true) => '+',
        (None, false) => '-',
    };
    let mut told = format!("{mark} {:?}", utterance.text);
    if utterance.situation != "fresh" {
        let _ = write!(told, " [{}]", utterance.situation);
    }
    let _ = write!(told, "\n  {}", shown(reading));
    for job in &reading.later {
        let _ = write!(told, "\n  then {}{}", job.task_type.as_str(), slots(&job.slots));
        told += &missing(job.task_type, &job.slots);
    }
    told
}

fn shown(reading: &Reading) -> String {
    let mut told = judge::signal(reading.signal);
    if let Some(task) = reading.task_type {
        let _ = write!(told, " {}{}", task.as_str(), slots(&reading.slots));
        told += &missing(task, &reading.slots);
        told += if reading.confidence < CONFIDENCE_MIN { " unsure" } else { "" };
    }
    for (holds, word) in [(reading.negated, " negated"), (reading.everything, " everything")] {
        told += if holds { word } else { "" };
    }
    if let Some(lost) = reading.lost {
        let _ = write!(told, " lost={lost:?}");
    }
    if !reading.left.is_empty() {
        let _ = write!(told, " left={:?}", reading.left);
    }
    told
}

fn slots(slots: &Slots) -> String {
    // The intent is the utterance itself.
    let named = slots.iter().filter(|(name, _)| name.as_str() != SlotName::INTENT);
    named.map(|(name, value)| format!(" {name}={value:?}")).collect()
}

/// What is asked for.
fn missing(task: TaskType, slots: &Slots) -> String {
    let missing = Spec::missing(task, slots);
    if missing.is_empty() { String::new() } else { format!(" asks {}", missing.join(",")) }
}
