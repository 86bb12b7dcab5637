//! What no scenario can visit over REST in this build, each with its reason. Data, not code.

use serde::{Deserialize, Serialize};
use serde_saphyr::Error as YamlError;
use std::collections::BTreeSet;

const DATA: &str = include_str!("../../data/unreachable.yaml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    pub(super) why: String,
    #[serde(default)]
    pub(super) transitions: Vec<String>,
    #[serde(default)]
    pub(super) gates: Vec<String>,
    #[serde(default)]
    pub(super) denials: Vec<String>,
}

/// The column of a reason.
pub(super) type Pick = fn(&Reason) -> &[String];

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreachable {
    pub item: String,
    pub why: String,
}

/// The file is built in, and a test reads it.
pub(super) fn reasons() -> Vec<Reason> {
    read(DATA).unwrap_or_default()
}

fn read(text: &str) -> Result<Vec<Reason>, YamlError> {
    serde_saphyr::from_str(text)
}

/// What has not been visited, parted into what could be and what could not.
pub(super) fn parted(
    missing: Vec<String>,
    reasons: &[Reason],
    pick: Pick,
) -> (Vec<String>, Vec<Unreachable>) {
    let mut unreachable = Vec::new();
    let mut open = Vec::new();
    for item in missing {
        match reasons.iter().find(|reason| pick(reason).contains(&item)) {
            Some(reason) => {
                unreachable.push(Unreachable { item, why: reason.why.trim().to_owned() });
            }
            None => open.push(item),
        }
    }
    (open, unreachable)
}

/// Of these, what is said to be out of reach.
pub(super) fn refuted(visited: &BTreeSet<String>, reasons: &[Reason], pick: Pick) -> Vec<String> {
    let said = reasons.iter().flat_map(pick);
    said.filter(|item| visited.contains(*item)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::classes::{all_denials, all_gate_answers, all_transitions};

    #[test]
    fn each_is_said_once_with_a_reason_and_exists() {
        let reasons = read(DATA).unwrap();
        assert!(reasons.iter().all(|reason| reason.why.trim().ends_with('.')));
        let all = [
            (all_transitions(), (|r| &r.transitions) as fn(&Reason) -> &Vec<String>),
            (all_gate_answers(), |r| &r.gates),
            (all_denials(), |r| &r.denials),
        ];
        for (known, pick) in all {
            let said: Vec<&String> = reasons.iter().flat_map(pick).collect();
            let once: BTreeSet<&String> = said.iter().copied().collect();
            assert_eq!(said.len(), once.len());
            let stray: Vec<_> = once.into_iter().filter(|item| !known.contains(*item)).collect();
            assert!(stray.is_empty(), "{stray:?}");
        }
    }
}
