//! What has to hold after a crash.

use super::kill_point::Then;
use crate::{
    harness::journalled,
    scenario::{CallFact, Fact, Scenario},
    verdict::{Violated, Window},
};
use serde_json::{Value, json};

/// Kinds of audit records whose number a crash does not change.
const STEADY_RECORDS: [&str; 5] =
    ["approval.given", "approval.edited", "execution.finished", "step.skipped", "attempt.resolved"];

/// Kinds of audit records of a person's answer to a question.
const DECISIONS: [&str; 3] = ["approval.given", "approval.rejected", "approval.edited"];

pub(super) const ACKNOWLEDGED: &str = "acknowledged_record";

/// Whether a run without a fault commits at this boundary. A scenario need not write its project, so `P`
/// is never required. The end of a step goes with what follows at once: only a run that succeeded, which is
/// reported on, is sure to have an S2.
pub(super) fn is_crossed(boundary: &str, window: &Window) -> bool {
    match boundary {
        "T0" | "T2" => window.named("ended").next().is_some(),
        "E" => window.audit.iter().any(|record| DECISIONS.contains(&record.kind.as_str())),
        "T1" | "S1" => !window.runs.is_empty(),
        "S2" => window.runs.iter().any(|state| state == "succeeded"),
        _ => false,
    }
}

/// Whether a fact still holds after a crash. Without the rest of the scenario, only what must not have
/// happened can be checked.
pub(super) fn survives_a_crash(fact: &Fact, then: Then) -> bool {
    match fact {
        Fact::Calls(_)
        | Fact::Rows(_)
        | Fact::File(_)
        | Fact::Files(_)
        | Fact::Executions(_)
        | Fact::Memory(_)
        | Fact::Deny(_) => then.is_played_on(),
        Fact::Audit(fact) => then.is_played_on() && STEADY_RECORDS.contains(&fact.kind.as_str()),
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
        | Fact::PromptContains(_)
        | Fact::PromptLacks(_)
        | Fact::Cites(_)
        | Fact::Cost(_) => false,
    }
}

/// In a scenario that was not played to its end: a call with an effect that was made more often than
/// the scenario expects, as a whole or in its turns.
pub(super) fn doubled(scenario: &Scenario, window: &Window) -> Option<Violated> {
    for (service, calls) in &window.calls {
        let expected = |facts: &[Fact]| -> Vec<CallFact> {
            let of_service = facts.iter().filter_map(|fact| match fact {
                Fact::Calls(calls) if calls.service == *service => Some(&calls.exactly),
                _ => None,
            });
            of_service.flatten().cloned().collect()
        };
        let of_turns = scenario.turns.iter().flat_map(|turn| expected(&turn.expect)).collect();
        let wholes: [Vec<CallFact>; 2] = [expected(&scenario.expect), of_turns];
        for call in calls.iter().filter(|call| !call.reads && !call.logs_in) {
            let route = |method: &str, path: &str| method == call.method && path == call.path;
            let seen = calls.iter().filter(|c| route(&c.method, &c.path)).count();
            let often =
                |calls: &Vec<CallFact>| calls.iter().filter(|c| route(&c.method, &c.path)).count();
            let most = wholes.iter().map(often).max().unwrap_or_default();
            if seen > most {
                let seen = json!({ "call": call.to_json(), "times": seen });
                return Some(Violated::new("calls", json!({ "times_at_most": most }), seen));
            }
        }
    }
    None
}

/// The first event that a client received and that is missing in the journal.
pub(super) fn lost(received: &[Value], window: &Window) -> Option<Violated> {
    let lost = journalled(received).find(|event| !window.events.contains(event))?;
    let expected = json!({ "event_that_was_told": lost });
    Some(Violated::new(ACKNOWLEDGED, expected, "not in the journal"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        scenario::{ServiceName, read_folder},
        verdict::{Call, Record},
    };
    use std::{collections::BTreeMap, path::Path};
    use wiiiv_fakes::TokenState;

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
        let mut received = vec![window.events[0].clone(), delta];
        assert_eq!(lost(&received, &window), None, "a part of a reply is no journal event");
        received.push(json!({ "event": "ended", "seq": 2, "outcome": "pending" }));
        assert_eq!(lost(&received, &window).map(|v| v.fact).as_deref(), Some(ACKNOWLEDGED));
        received.pop();
        received.push(json!({ "event": "reply", "seq": 3 }));
        assert!(lost(&received, &window).is_some());
    }

    /// C16 tells of the order in the turn that sends it, and not of the whole.
    #[test]
    fn what_a_turn_sends_is_sent_once_where_the_rest_is_not_played() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ghost-scenarios");
        let all = read_folder(&folder).unwrap();
        let scenario = all.iter().find(|scenario| scenario.id == "C16").unwrap();
        let order = Call {
            method: "POST".to_owned(),
            path: "/purchase-orders".to_owned(),
            query: BTreeMap::new(),
            body: json!({}),
            token: TokenState::Valid,
            key: None,
            status: Some(201),
            reads: false,
            logs_in: false,
        };
        let mut window = window(&[]);
        window.calls.insert(ServiceName::Skystock, vec![order.clone()]);
        assert_eq!(doubled(scenario, &window), None);
        window.calls.insert(ServiceName::Skystock, vec![order.clone(), order]);
        assert!(doubled(scenario, &window).is_some());
        for fact in &scenario.expect {
            assert!(!survives_a_crash(fact, Then::EndedEarly), "{}", fact.name());
        }
    }

    #[test]
    fn every_boundary_that_a_run_crosses_has_to_end_a_server() {
        let crossed = |window: &Window| {
            let all = crate::player::kill_point::BOUNDARIES.into_iter();
            all.filter(|boundary| is_crossed(boundary, window)).collect::<Vec<_>>()
        };
        assert_eq!(crossed(&window(&["succeeded"])), ["T0", "T1", "S1", "S2", "T2"]);
        let given = Record { kind: "approval.given".to_owned(), body: json!({}) };
        let decided = Window { audit: vec![given], ..window(&["succeeded"]) };
        assert_eq!(crossed(&decided), ["T0", "E", "T1", "S1", "S2", "T2"]);
        assert_eq!(crossed(&window(&["failed"])), ["T0", "T1", "S1", "T2"]);
        assert_eq!(crossed(&window(&[])), ["T0", "T2"]);
        assert!(crossed(&Window::default()).is_empty());
    }
}
