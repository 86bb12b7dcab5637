//! Reads the list of what no scenario can visit over REST in this build, with the reasons.

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

/// An item that cannot be visited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreachable {
    pub item: String,
    pub why: String,
}

/// The built-in list; a test proves that it is readable.
pub(super) fn reasons() -> Vec<Reason> {
    read(DATA).unwrap_or_default()
}

fn read(text: &str) -> Result<Vec<Reason>, YamlError> {
    serde_saphyr::from_str(text)
}

/// Splits what was not visited into what could be visited and what could not.
pub(super) fn split(
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

/// Visited items that the list calls unreachable.
pub(super) fn refuted(visited: &BTreeSet<String>, reasons: &[Reason], pick: Pick) -> Vec<String> {
    let listed = reasons.iter().flat_map(pick);
    listed.filter(|item| visited.contains(*item)).cloned().collect()
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
            let listed: Vec<&String> = reasons.iter().flat_map(pick).collect();
            let once: BTreeSet<&String> = listed.iter().copied().collect();
            assert_eq!(listed.len(), once.len());
            let stray: Vec<_> = once.into_iter().filter(|item| !known.contains(*item)).collect();
            assert!(stray.is_empty(), "{stray:?}");
        }
    }
}
