//! All that exists, from the words of the domain. A new word breaks our build.

use serde_json::Value;
use std::collections::BTreeSet;
use wiiiv_domain::{Action, Asks, Consensus, DenyCode, GateName};

/// States that a conversation rests in.
const AT_REST: [&str; 5] =
    ["LISTENING", "INTERVIEWING", "CONFIRMING", "AWAITING_APPROVAL", "CONFIRMING_WORK_ORDER"];
/// States in which an answer is outstanding; the user's cancel and reset are taken there too.
const IN_FLIGHT: [&str; 5] = ["PROPOSING", "DELIBERATING", "DRAWING", "AUTHORIZING", "RUNNING"];
const SIGNALS: [&str; 9] =
    ["say", "affirm", "deny", "cancel", "modify", "follow_up", "remember", "switch", "reset"];
const DECISIONS: [&str; 3] = ["approved", "refused", "expired"];
const GATE_ANSWERS: [&str; 3] = ["ALLOW", "DENY", "NOT_ASKED"];

/// `STATE input outcome`: what each state waits for, and the user's signals. Answers that name
/// anything but the current are ignored, and are no transitions.
#[must_use]
pub fn all_transitions() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for state in AT_REST {
        all.extend(SIGNALS.map(|signal| format!("{state} signal {signal}")));
    }
    for state in IN_FLIGHT {
        all.extend(["cancel", "reset"].map(|signal| format!("{state} signal {signal}")));
    }
    for state in ["CONFIRMING", "AWAITING_APPROVAL", "PROPOSING"] {
        all.extend(DECISIONS.map(|decision| format!("{state} {decision}")));
    }
    let actions = [Action::Reply, Action::Ask, Action::Confirm, Action::Execute, Action::Cancel];
    all.extend(actions.map(|action| format!("PROPOSING proposed {}", action_name(action))));
    all.insert("PROPOSING proposed failed".to_owned());
    let verdicts = [Consensus::Yes, Consensus::Revision, Consensus::No];
    all.extend(verdicts.map(|verdict| format!("DELIBERATING verdict {}", consensus_name(verdict))));
    // A yes binds in every stage: it never comes as a shadow.
    let shadows = [Consensus::Revision, Consensus::No];
    all.extend(shadows.map(|verdict| format!("DELIBERATING shadowed {}", consensus_name(verdict))));
    let asks = [Asks::Nothing, Asks::Requester, Asks::AnotherPerson, Asks::Refused];
    all.extend(asks.map(|asks| format!("DRAWING drawn {}", asks_name(asks))));
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
    let of_gate = |gate| GATE_ANSWERS.map(|answer| format!("{} {answer}", gate_name(gate)));
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

const fn action_name(action: Action) -> &'static str {
    match action {
        Action::Reply => "reply",
        Action::Ask => "ask",
        Action::Confirm => "confirm",
        Action::Execute => "execute",
        Action::Cancel => "cancel",
    }
}

const fn consensus_name(consensus: Consensus) -> &'static str {
    match consensus {
        Consensus::Yes => "yes",
        Consensus::Revision => "revision",
        Consensus::No => "no",
    }
}

const fn asks_name(asks: Asks) -> &'static str {
    match asks {
        Asks::Nothing => "nothing",
        Asks::Requester => "requester",
        Asks::AnotherPerson => "another_person",
        Asks::Refused => "refused",
    }
}

const fn gate_name(gate: GateName) -> &'static str {
    match gate {
        GateName::Dacs => "dacs",
        GateName::UserApproval => "user_approval",
        GateName::Permission => "permission",
        GateName::Cost => "cost",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn there_are_so_many() {
        let counts = (all_transitions().len(), all_gate_answers().len(), all_denials().len());
        assert_eq!(counts, (87, 12, 24));
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(answer(&json!({"answer": "ALLOW"})), ("ALLOW".to_owned(), None));
        let denied = answer(&json!({"answer": "DENY", "code": "HALTED"}));
        assert_eq!(denied, ("DENY".to_owned(), Some("HALTED".to_owned())));
    }
}
