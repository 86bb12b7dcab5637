//! All that exists, from the words of the domain. A new word breaks our build.

use serde_json::Value;
use std::collections::BTreeSet;
use wiiiv_domain::{Action, Asks, Consensus, DenyCode, GateName, StateName};

const SIGNALS: [&str; 9] =
    ["say", "affirm", "deny", "cancel", "modify", "follow_up", "remember", "switch", "reset"];
/// Taken even while an answer is outstanding.
const STOPS: [&str; 2] = ["cancel", "reset"];
const DECISIONS: [&str; 3] = ["approved", "refused", "expired"];
const GATE_ANSWERS: [&str; 3] = ["ALLOW", "DENY", "NOT_ASKED"];

/// `STATE input outcome`: what each state waits for, and the user's signals. Answers that name
/// anything but the current are ignored, and are no transitions.
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
    // A yes binds in every stage: it never comes as a shadow.
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

/// The answer's word, and the code of a denial.
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
        assert_eq!(counts, (92, 12, 24));
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(answer(&json!({"answer": "ALLOW"})), ("ALLOW".to_owned(), None));
        let denied = answer(&json!({"answer": "DENY", "code": "HALTED"}));
        assert_eq!(denied, ("DENY".to_owned(), Some("HALTED".to_owned())));
    }
}
