//! Coverage of a suite: which of all transitions of the flow, answers of gates and deny codes it
//! visited.

mod classes;
mod tracker;
mod unreachable;

pub use unreachable::Unreachable;

use classes::{all_denials, all_gate_answers, all_transitions};
use unreachable::{Pick, Reason, reasons, refuted, split};

use crate::verdict::{Record, Window, text_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// What one run visited, or several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visited {
    /// `STATE input outcome`.
    pub transitions: BTreeSet<String>,
    /// `gate ANSWER`.
    pub gates: BTreeSet<String>,
    pub denials: BTreeSet<String>,
}

impl Visited {
    pub(crate) fn of(window: &Window) -> Self {
        let mut gates = BTreeSet::new();
        let mut denials = window.denials();
        for record in window.audit.iter().filter(|record| record.kind == "decision") {
            rulings(record, &mut gates, &mut denials);
        }
        // A step can be refused after the gates, with the same codes.
        let steps = window.named("step_finished").map(|event| text_of(event, "code").to_owned());
        denials.extend(steps);
        let known = all_denials();
        denials.retain(|code| known.contains(code));
        Self { transitions: tracker::transitions(&window.events, &window.settled), gates, denials }
    }

    pub fn add(&mut self, other: &Self) {
        self.transitions.extend(other.transitions.iter().cloned());
        self.gates.extend(other.gates.iter().cloned());
        self.denials.extend(other.denials.iter().cloned());
    }

    /// Each part with what was visited and what was not.
    #[must_use]
    pub fn parts(&self) -> [Part; 3] {
        let reasons = reasons();
        let part = |name, visited, all, pick| Part::of(name, (visited, all), (&reasons, pick));
        [
            part("flow transitions", &self.transitions, all_transitions(), |r| &r.transitions),
            part("gate answers", &self.gates, all_gate_answers(), |r| &r.gates),
            part("deny codes", &self.denials, all_denials(), |r| &r.denials),
        ]
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub name: &'static str,
    pub visited: Vec<String>,
    pub missing: Vec<String>,
    /// Not visited, and impossible in this build.
    pub unreachable: Vec<Unreachable>,
    /// Visited although it is listed as unreachable: the listed reason is wrong.
    pub refuted: Vec<String>,
}

impl Part {
    fn of(
        name: &'static str,
        (seen, all): (&BTreeSet<String>, BTreeSet<String>),
        (reasons, pick): (&[Reason], Pick),
    ) -> Self {
        let (visited, missing) = all.into_iter().partition(|item| seen.contains(item));
        let (missing, unreachable) = split(missing, reasons, pick);
        Self { name, visited, missing, unreachable, refuted: refuted(seen, reasons, pick) }
    }
    #[must_use]
    pub const fn total(&self) -> usize {
        self.visited.len() + self.missing.len() + self.unreachable.len()
    }
}

fn rulings(record: &Record, gates: &mut BTreeSet<String>, denials: &mut BTreeSet<String>) {
    let list = |name: &str| record.body.get(name).and_then(Value::as_array);
    for answer in list("answers").into_iter().flatten() {
        let gate = answer.get("gate").and_then(Value::as_str).unwrap_or_default();
        let (word, code) = answer.get("answer").map(classes::answer).unwrap_or_default();
        gates.insert(format!("{gate} {word}"));
        denials.extend(code);
    }
    for would in list("wouldDeny").into_iter().flatten() {
        denials.extend(would.get("code").and_then(Value::as_str).map(str::to_owned));
    }
}
