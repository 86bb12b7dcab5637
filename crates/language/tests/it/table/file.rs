//! The format of a table.

use serde::Deserialize;
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};
use wiiiv_domain::{FieldValue, SlotName, Slots, System, TaskType};
use wiiiv_language::Situation;

static SYSTEMS: LazyLock<Arc<[System]>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Systems {
        system: Vec<System>,
    }
    let systems: Systems = toml::from_str(include_str!("../utterances/systems.toml")).unwrap();
    systems.system.into()
});

/// The same, with what their fields hold.
static VALUED: LazyLock<Arc<[System]>> = LazyLock::new(|| {
    let overlay: Overlay = toml::from_str(include_str!("../utterances/values.toml")).unwrap();
    let mut systems: Vec<System> = SYSTEMS.to_vec();
    for system in &mut systems {
        overlay.lay_over(system);
        system.check().unwrap();
    }
    systems.into()
});

/// What `values.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Overlay {
    field: Vec<Held>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    system: String,
    operation: Option<String>,
    name: String,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    values: Vec<FieldValue>,
}

impl Overlay {
    fn lay_over(&self, system: &mut System) {
        let name = system.name.as_str().to_owned();
        for operation in &mut system.operations {
            let own = |of: &Option<String>| of.as_ref().is_none_or(|of| *of == operation.id);
            for field in &mut operation.fields {
                for held in self.field.iter().filter(|held| {
                    held.system == name && held.name == field.name && own(&held.operation)
                }) {
                    field.labels.extend(held.labels.iter().cloned());
                    field.values.clone_from(&held.values);
                }
            }
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Utterance {
    #[expect(dead_code, reason = "for whoever reads the table")]
    lang: String,
    pub text: String,
    #[serde(default = "fresh")]
    pub situation: String,
    #[serde(default = "say")]
    pub signal: String,
    /// A task type, or `NONE`.
    pub task: String,
    #[serde(default)]
    pub slots: BTreeMap<String, String>,
    #[serde(default)]
    pub absent: Vec<String>,
    #[serde(default)]
    pub jobs: Vec<Job>,
    /// Parts that nothing can do, as they were said; not looked at where it is not stated.
    pub left: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub task: String,
    #[serde(default)]
    pub slots: BTreeMap<String, String>,
}

fn fresh() -> String {
    "fresh".to_owned()
}
fn say() -> String {
    "say".to_owned()
}

pub fn utterances(text: &str) -> Vec<Utterance> {
    #[derive(Deserialize)]
    struct Table {
        #[serde(default)]
        utterance: Vec<Utterance>,
    }
    let table: Table = toml::from_str(text).unwrap();
    table.utterance
}

fn task_type(name: &str) -> TaskType {
    TaskType::ALL.into_iter().find(|task| task.as_str() == name).unwrap()
}

impl Utterance {
    pub fn situation(&self) -> Situation {
        situation_of(&self.situation)
    }
}

/// `valued earlier ..`: the systems say what their fields hold. `.. && FILE_DELETE targetPath=b.txt`: a job
/// waits behind; `.. && aside FILE_DELETE ..`: one was put aside.
pub fn situation_of(described: &str) -> Situation {
    let mut parts = described.split(" && ");
    let mut situation = active(parts.next().unwrap());
    for part in parts {
        let (aside, part) = match part.strip_prefix("aside ") {
            Some(part) => (true, part),
            None => (false, part),
        };
        let held = plain(&format!("confirming {part}"));
        let to = if aside { &mut situation.aside } else { &mut situation.waiting };
        to.push((held.active.unwrap().0, held.known));
    }
    situation
}

fn active(described: &str) -> Situation {
    match described.strip_prefix("valued") {
        Some("") => Situation { systems: VALUED.clone(), ..Situation::default() },
        Some(rest) => Situation { systems: VALUED.clone(), ..plain(rest.trim()) },
        None => plain(described),
    }
}

fn plain(described: &str) -> Situation {
    let fresh = Situation { systems: SYSTEMS.clone(), ..Situation::default() };
    let mut words = described.split_whitespace().peekable();
    let kind = words.next().unwrap();
    // `earlier targetPath=a.txt`: what the earlier run was asked for.
    let task = words.next_if(|word| !word.contains('='));
    // `targetPath=a.txt` is known, and a bare name missing.
    let mut known = Slots::default();
    let mut missing = Vec::new();
    // A body stays in one.
    let apart = |names: &'_ str| if names.contains('{') { '\0' } else { ',' };
    for word in words.flat_map(|names| names.split(apart(names))) {
        match word.split_once('=') {
            // A space ends the value, and a comma.
            Some((name, value)) => {
                known.set(name, value.replace('·', " ").replace('¸', ",")).unwrap()
            }
            None => missing.push(SlotName::parse(word).unwrap()),
        }
    }
    match kind {
        "fresh" => return fresh,
        "earlier" => return Situation { earlier_run: true, ran: known, ..fresh },
        _ => {}
    }
    let active = task.map(|task| (task_type(task), missing));
    assert!(matches!(kind, "asked" | "confirming"), "`{kind}` is no situation");
    Situation { awaiting_answer: true, active, known, ..fresh }
}
