//! What has to hold behind a crash.

use super::{crash::Then, events::journalled};
use crate::{
    scenario::{Fact, Scenario},
    verdict::{Violated, Window},
};
use serde_json::{Value, json};

/// Kinds of audit records whose number a crash does not change.
const STEADY_RECORDS: [&str; 4] =
    ["approval.given", "execution.finished", "step.skipped", "attempt.resolved"];

pub(super) const ACKNOWLEDGED: &str = "acknowledged_record";

/// Whether a run without a fault commits there: turns do, and executions; a write of the project
/// may or may not be part of a scenario.
pub(super) fn is_crossed(boundary: &str, window: &Window) -> bool {
    match boundary {
        "T0" | "T2" => window.named("ended").next().is_some(),
        "E" | "T1" | "S1" | "S2" => !window.runs.is_empty(),
        _ => false,
    }
}

/// Facts that are the same behind a crash. While a step waits for a person the rest of the scenario
/// has not been played: then only what must not have happened can be looked at.
pub(super) fn stands_a_crash(fact: &Fact, then: Then) -> bool {
    match fact {
        Fact::Calls(_)
        | Fact::Rows(_)
        | Fact::File(_)
        | Fact::Files(_)
        | Fact::Executions(_)
        | Fact::Deny(_) => then != Then::Waits,
        Fact::Audit(fact) => then != Then::Waits && STEADY_RECORDS.contains(&fact.kind.as_str()),
        Fact::Outcome(_)
        | Fact::Flow(_)
        | Fact::FlowLacks(_)
        | Fact::Asked(_)
        | Fact::Approvals(_)
        | Fact::Dacs(_)
        | Fact::Steps(_)
        | Fact::Refused(_)
        | Fact::ReplyContains(_)
        | Fact::ReplyLacks(_)
        | Fact::Cost(_) => false,
    }
}

/// While a step is in doubt: no call that acts was made more often than the scenario expects.
pub(super) fn doubled(scenario: &Scenario, window: &Window) -> Option<Violated> {
    for (service, calls) in &window.calls {
        let expected = scenario.expect.iter().filter_map(|fact| {
            let Fact::Calls(calls) = fact else { return None };
            (calls.service == *service).then_some(&calls.exactly)
        });
        let expected: Vec<_> = expected.flatten().collect();
        for call in calls.iter().filter(|call| !call.reads && !call.logs_in) {
            let route = |method: &str, path: &str| method == call.method && path == call.path;
            let seen = calls.iter().filter(|c| route(&c.method, &c.path)).count();
            let most = expected.iter().filter(|c| route(&c.method, &c.path)).count();
            if seen > most {
                let told = json!({ "call": call.told(), "times": seen });
                return Some(Violated::new("calls", json!({ "times_at_most": most }), told));
            }
        }
    }
    None
}

/// The first event that a client heard and the journal does not have.
pub(super) fn lost(heard: &[Value], window: &Window) -> Option<Violated> {
    let told = journalled(heard).find(|event| !window.events.contains(event))?;
    let expected = json!({ "event_that_was_told": told });
    Some(Violated::new(ACKNOWLEDGED, expected, "not in the journal"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(runs: &[&str]) -> Window {
        let events = vec![
            json!({ "event": "accepted", "seq": 1, "text": "저장해줘" }),
            json!({ "event": "ended", "seq": 2, "outcome": "done" }),
        ];
        let runs = runs.iter().map(|run| (*run).to_owned()).collect();
        Window { events, runs, ..Window::default() }
    }

    #[test]
    fn what_a_client_was_told_is_in_the_journal_as_it_was_told() {
        let window = window(&[]);
        let delta = json!({ "event": "delta", "text": "저장" });
        let mut heard = vec![window.events[0].clone(), delta];
        assert_eq!(lost(&heard, &window), None, "words that are being written are no record");
        heard.push(json!({ "event": "ended", "seq": 2, "outcome": "pending" }));
        assert_eq!(lost(&heard, &window).map(|v| v.fact).as_deref(), Some(ACKNOWLEDGED));
        heard.pop();
        heard.push(json!({ "event": "reply", "seq": 3 }));
        assert!(lost(&heard, &window).is_some());
    }

    #[test]
    fn every_boundary_that_a_run_crosses_has_to_end_a_server() {
        let crossed = |window: &Window| {
            let all = super::super::crash::BOUNDARIES.into_iter();
            all.filter(|boundary| is_crossed(boundary, window)).collect::<Vec<_>>()
        };
        assert_eq!(crossed(&window(&["succeeded"])), ["T0", "E", "T1", "S1", "S2", "T2"]);
        assert_eq!(crossed(&window(&[])), ["T0", "T2"]);
        assert!(crossed(&Window::default()).is_empty());
    }
}
