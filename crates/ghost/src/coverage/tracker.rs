//! Reads from the journal which state took which input. The kind of an answer implies the state that
//! waited for it. Between turns the state is the one that the server reported; without a report it
//! follows from the last reply.

use crate::verdict::{SettledState, text_of, texts_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{Asks, StateName, TaskType};

struct Tracker {
    at: StateName,
    /// The state of each question, by its digest.
    questions: BTreeMap<String, StateName>,
    /// The state of the last question.
    question: StateName,
    found: BTreeSet<String>,
}

pub(super) fn transitions(events: &[Value], settled: &[SettledState]) -> BTreeSet<String> {
    let mut tracker = Tracker {
        at: StateName::Listening,
        questions: BTreeMap::new(),
        question: StateName::Confirming,
        found: BTreeSet::new(),
    };
    let mut settled = settled.iter().peekable();
    for event in events {
        let number = event.get("seq").and_then(Value::as_u64).unwrap_or_default();
        while let Some(next) = settled.next_if(|next| next.after < number) {
            tracker.at = next.state;
        }
        tracker.take(event);
    }
    tracker.found
}

impl Tracker {
    fn take(&mut self, event: &Value) {
        match text_of(event, "event") {
            "flow" => self.input(event),
            "preview" => self.at = self.question,
            "ask" => self.ask(event),
            "reply" => self.reply(text_of(event, "reply")),
            _ => {}
        }
    }

    fn input(&mut self, event: &Value) {
        let (input, outcome) = (text_of(event, "input"), text_of(event, "outcome"));
        let digest = text_of(event, "digest");
        if input == "finished" && self.at != StateName::Running {
            // The end of an abandoned run changes no state.
            return;
        }
        let from = match input {
            "proposed" => StateName::Proposing,
            "verdict" | "shadowed" => StateName::Deliberating,
            "drawn" | "not_drawable" => StateName::Drawing,
            "ruling" => StateName::Authorizing,
            // The answer belongs to the state of its question, even while another task is active.
            "approved" | "refused" | "expired" | "edited" if self.at != StateName::Proposing => {
                self.questions.get(digest).copied().unwrap_or(self.question)
            }
            _ => self.at,
        };
        let outcome_part = if outcome.is_empty() { String::new() } else { format!(" {outcome}") };
        self.found.insert(format!("{from} {input}{outcome_part}"));
        self.at = match (input, outcome) {
            ("signal", "cancel" | "reset") => StateName::Listening,
            ("signal", "affirm") | ("approved", _) => StateName::Authorizing,
            ("signal", _) => StateName::Proposing,
            ("proposed" | "edited", _) => StateName::Deliberating,
            ("verdict" | "shadowed", _) => StateName::Drawing,
            ("drawn", asks) if asks == Asks::AnotherPerson.as_str() => {
                self.asks(digest, StateName::AwaitingApproval)
            }
            ("drawn", asks) if asks == Asks::Requester.as_str() => {
                self.asks(digest, StateName::Confirming)
            }
            ("drawn", _) => StateName::Authorizing,
            ("not_drawable", _) => StateName::Proposing,
            ("ruling", "allow") => StateName::Running,
            ("finished", "succeeded") => StateName::Proposing,
            _ => StateName::Listening,
        };
    }

    fn asks(&mut self, digest: &str, state: StateName) -> StateName {
        self.questions.insert(digest.to_owned(), state);
        self.question = state;
        state
    }

    /// A question asks for missing slots. Without any, a work order waits for its confirmation.
    fn ask(&mut self, event: &Value) {
        let types = TaskType::ALL.into_iter();
        let order =
            types.filter(|t| t.has_work_order()).any(|t| t.as_str() == text_of(event, "task_type"));
        let complete = texts_of(event, "missing").is_empty();
        self.at = if order && complete {
            StateName::ConfirmingWorkOrder
        } else {
            StateName::Interviewing
        };
    }

    fn reply(&mut self, reply: &str) {
        self.at = match reply {
            "waiting" => self.question,
            "run_indeterminate" => StateName::Running,
            "needs_revision" | "not_drawable" | "resumed" => StateName::Interviewing,
            _ => StateName::Listening,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{SettledState, transitions};
    use serde_json::json;
    use wiiiv_domain::StateName;

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
        let found = transitions(&events, &[]);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        let all = crate::coverage::classes::all_transitions();
        assert!(found.is_subset(&all), "{:?}", found.difference(&all).collect::<Vec<_>>());
    }

    #[test]
    fn where_it_rests_is_what_the_server_text_of() {
        let signal = |seq: u64, name: &str| json!({"event": "flow", "seq": seq, "input": "signal", "outcome": name});
        let events = [
            signal(1, "switch"),
            json!({"event": "reply", "seq": 2, "reply": "resumed"}),
            signal(4, "deny"),
        ];
        let settled = [SettledState { after: 3, state: StateName::Confirming }];
        let found = transitions(&events, &settled);
        assert!(found.contains("CONFIRMING signal deny"), "{found:?}");
    }

    #[test]
    fn an_answer_stands_with_its_question_and_a_run_that_was_given_up_answers_nobody() {
        let flow = |input: &str, outcome: &str, digest: &str| json!({"event": "flow", "input": input, "outcome": outcome, "digest": digest});
        let events = [
            flow("drawn", "another_person", "a"),
            flow("drawn", "requester", "b"),
            flow("expired", "", "a"),
            flow("ruling", "allow", "b"),
            flow("signal", "cancel", ""),
            flow("finished", "cancelled", ""),
        ];
        let found = transitions(&events, &[]);
        assert!(found.contains("AWAITING_APPROVAL expired"), "{found:?}");
        assert!(found.contains("RUNNING signal cancel"), "{found:?}");
        assert!(!found.contains("RUNNING finished cancelled"), "{found:?}");
    }
}
