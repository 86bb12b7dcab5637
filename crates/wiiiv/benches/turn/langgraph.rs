//! The same turn by LangGraph with its SQLite checkpointer and an interrupt: a process that another
//! framework's users would run.

use crate::process::Process;
use std::{path::Path, process::Command};
use wiiiv_fakes::FakeModel;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/turn/langgraph/turn.py");
/// Between two looks at the clock.
const TURNS_AT_ONCE: usize = 20;

pub struct LangGraph {
    process: Process,
}

/// One round.
pub struct Round {
    pub cpu_us: f64,
    pub turns_per_second: f64,
}

impl LangGraph {
    /// `python` has `requirements.txt` installed.
    pub fn start(python: &Path, model: &FakeModel, folder: &Path) -> Self {
        let mut command = Command::new(python);
        command.arg(SCRIPT).arg(model.origin()).arg(folder);
        let mut process = Process::start(command);
        process.ask(&TURNS_AT_ONCE.to_string());
        Self { process }
    }

    pub fn round(&mut self, cpu_seconds: f64) -> Round {
        let (before, mut turns, mut seconds) = (self.process.cpu_seconds(), 0, 0.0);
        while self.process.cpu_seconds() - before < cpu_seconds {
            let answer = self.process.ask(&TURNS_AT_ONCE.to_string());
            seconds += answer["seconds"].as_f64().expect("seconds");
            turns += TURNS_AT_ONCE;
        }
        let cpu = self.process.cpu_seconds() - before;
        Round { cpu_us: cpu * 1e6 / turns as f64, turns_per_second: turns as f64 / seconds }
    }
}
