//! Which state took which input, read off the journal. An answer says by its kind where it was
//! waited for; where a conversation rests is told by what was said last.

use crate::verdict::{said, said_list};
use serde_json::Value;
use std::collections::BTreeSet;
use wiiiv_domain::TaskType;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Listening,
    Proposing,
    Interviewing,
    ConfirmingWorkOrder,
    Deliberating,
    Drawing,
    Confirming,
    AwaitingApproval,
    Authorizing,
    Running,
}

impl At {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Listening => "LISTENING",
            Self::Proposing => "PROPOSING",
            Self::Interviewing => "INTERVIEWING",
            Self::ConfirmingWorkOrder => "CONFIRMING_WORK_ORDER",
            Self::Deliberating => "DELIBERATING",
            Self::Drawing => "DRAWING",
            Self::Confirming => "CONFIRMING",
            Self::AwaitingApproval => "AWAITING_APPROVAL",
            Self::Authorizing => "AUTHORIZING",
            Self::Running => "RUNNING",
        }
    }
}

struct Tracker {
    at: At,
    /// Where a question waits, if one does.
    question: Option<At>,
    found: BTreeSet<String>,
}

pub(super) fn transitions(events: &[Value]) -> BTreeSet<String> {
    let mut tracker = Tracker { at: At::Listening, question: None, found: BTreeSet::new() };
    events.iter().for_each(|event| tracker.take(event));
    tracker.found
}

impl Tracker {
    fn take(&mut self, event: &Value) {
        match said(event, "event") {
            "flow" => self.input(said(event, "input"), said(event, "outcome")),
            "preview" => self.at = self.question.unwrap_or(At::Confirming),
            "ask" => self.asked(event),
            "reply" => self.replied(said(event, "reply")),
            _ => {}
        }
    }

    fn input(&mut self, input: &str, outcome: &str) {
        let from = match input {
            "proposed" => At::Proposing,
            "verdict" | "shadowed" => At::Deliberating,
            "drawn" | "not_drawable" => At::Drawing,
            "ruling" => At::Authorizing,
            "finished" => At::Running,
            // A question may also be answered while a message is with the model.
            "approved" | "refused" | "expired" if self.at != At::Proposing => {
                self.question.unwrap_or(At::Confirming)
            }
            _ => self.at,
        };
        let outcome = if outcome.is_empty() { String::new() } else { format!(" {outcome}") };
        self.found.insert(format!("{} {input}{outcome}", from.as_str()));
        self.at = match (input, outcome.trim()) {
            ("signal", "cancel" | "reset") => At::Listening,
            ("signal", "affirm") | ("approved", _) => At::Authorizing,
            ("signal", _) => At::Proposing,
            ("proposed", _) => At::Deliberating,
            ("verdict" | "shadowed", _) => At::Drawing,
            ("drawn", "another_person") => self.asks(At::AwaitingApproval),
            ("drawn", "requester") => self.asks(At::Confirming),
            ("drawn", _) => At::Authorizing,
            ("not_drawable", _) => At::Proposing,
            ("ruling", "allow") => At::Running,
            ("finished", "succeeded") => At::Proposing,
            _ => At::Listening,
        };
    }

    fn asks(&mut self, place: At) -> At {
        self.question = Some(place);
        place
    }

    /// What is missing is asked for; where nothing is, it is a work order that waits.
    fn asked(&mut self, event: &Value) {
        let types = TaskType::ALL.into_iter();
        let order =
            types.filter(|t| t.has_work_order()).any(|t| t.as_str() == said(event, "task_type"));
        let complete = said_list(event, "missing").is_empty();
        self.at = if order && complete { At::ConfirmingWorkOrder } else { At::Interviewing };
    }

    fn replied(&mut self, reply: &str) {
        self.at = match reply {
            "waiting" => self.question.unwrap_or(At::Confirming),
            "run_indeterminate" => At::Running,
            "needs_revision" | "not_drawable" | "resumed" => At::Interviewing,
            _ => At::Listening,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::transitions;
    use serde_json::json;

    #[test]
    fn a_confirmed_write_is_followed_from_state_to_state() {
        let flow = |input: &str, outcome: &str| json!({"event": "flow", "input": input, "outcome": outcome});
        let events = [
            flow("signal", "say"),
            flow("proposed", "execute"),
            flow("verdict", "yes"),
            flow("drawn", "requester"),
            json!({"event": "preview"}),
            flow("signal", "affirm"),
            flow("ruling", "allow"),
            flow("finished", "succeeded"),
            flow("proposed", "reply"),
            json!({"event": "reply", "reply": "facts"}),
            flow("signal", "say"),
            json!({"event": "ask", "task_type": "API_WORKFLOW", "missing": ["domain"]}),
            flow("signal", "cancel"),
        ];
        let expected = [
            "AUTHORIZING ruling allow",
            "CONFIRMING signal affirm",
            "DELIBERATING verdict yes",
            "DRAWING drawn requester",
            "INTERVIEWING signal cancel",
            "LISTENING signal say",
            "PROPOSING proposed execute",
            "PROPOSING proposed reply",
            "RUNNING finished succeeded",
        ];
        let found = transitions(&events);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        let all = super::super::all_transitions();
        assert!(found.is_subset(&all), "{:?}", found.difference(&all).collect::<Vec<_>>());
    }
}
