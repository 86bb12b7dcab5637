//! All transitions, gate answers and deny codes that exist, from the enums of the domain.

use serde_json::Value;
use std::collections::BTreeSet;
use wiiiv_domain::{Action, Asks, Consensus, DenyCode, GateName, StateName};

const SIGNALS: [&str; 9] =
    ["say", "affirm", "deny", "cancel", "modify", "follow_up", "remember", "switch", "reset"];
/// Signals that are accepted even while an answer is outstanding.
const STOPS: [&str; 2] = ["cancel", "reset"];
const DECISIONS: [&str; 4] = ["approved", "refused", "expired", "edited"];
const GATE_ANSWERS: [&str; 3] = ["ALLOW", "DENY", "NOT_ASKED"];

/// `STATE input outcome`: the inputs of each state, and the user's signals. Answers to anything but the
/// current question are ignored, so they are no transitions.
#[must_use]
pub fn all_transitions() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for state in StateName::ALL {
        let signals = if state.is_in_flight() { &STOPS[..] } else { &SIGNALS[..] };
        all.extend(signals.iter().map(|signal| format!("{state} signal {signal}")));
    }
    for state in [StateName::Confirming, StateName::AwaitingApproval, StateName::Proposing] {
        all.extend(DECISIONS.map(|decision| format!("{state} {decision}")));
    }
    all.extend(Action::ALL.map(|action| format!("PROPOSING proposed {}", action.as_str())));
    all.extend(["failed", "told"].map(|it| format!("PROPOSING proposed {it}")));
    all.extend(Consensus::ALL.map(|it| format!("DELIBERATING verdict {}", it.as_str())));
    // A yes is binding in every stage, so it never occurs as a shadow.
    let shadows = [Consensus::Revision, Consensus::No];
    all.extend(shadows.map(|it| format!("DELIBERATING shadowed {}", it.as_str())));
    all.extend(Asks::ALL.map(|asks| format!("DRAWING drawn {}", asks.as_str())));
    all.insert("DRAWING not_drawable".to_owned());
    all.extend(
        ["allow", "deny", "unavailable"].map(|ruling| format!("AUTHORIZING ruling {ruling}")),
    );
    let ends = ["succeeded", "failed", "cancelled", "indeterminate"];
    all.extend(ends.map(|end| format!("RUNNING finished {end}")));
    all
}

/// `gate ANSWER`.
#[must_use]
pub fn all_gate_answers() -> BTreeSet<String> {
    let of_gate = |gate: GateName| GATE_ANSWERS.map(|answer| format!("{} {answer}", gate.as_str()));
    GateName::ALL.into_iter().flat_map(of_gate).collect()
}

#[must_use]
pub fn all_denials() -> BTreeSet<String> {
    DenyCode::ALL.iter().map(|code| code.as_str().to_owned()).collect()
}

/// The answer, and the code of a denial.
pub(super) fn answer(answer: &Value) -> (String, Option<String>) {
    let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
    (text("answer").unwrap_or_default(), text("code"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn there_are_so_many() {
        let counts = (all_transitions().len(), all_gate_answers().len(), all_denials().len());
        assert_eq!(counts, (95, 12, 27));
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(answer(&json!({"answer": "ALLOW"})), ("ALLOW".to_owned(), None));
        let denied = answer(&json!({"answer": "DENY", "code": "HALTED"}));
        assert_eq!(denied, ("DENY".to_owned(), Some("HALTED".to_owned())));
    }
}
