//! What a client does after a lost connection: it reads the state, and repeats a request only if it was
//! not accepted or had no result.

use super::{
    act::{TurnResult, act},
    prepare::prepare,
    press::is_open,
    snapshot::state,
};
use crate::{
    harness::{PlayError, ProjectSetup, RestClient, Servers, last_number, number},
    scenario::{Act, Turn, TurnOutcome},
    verdict::text_of,
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use wiiiv_domain::{Action, Timestamp};

const REST_WITHIN: Duration = Duration::from_secs(30);
/// Attempts to repeat a request.
const REPEATS_MAX: usize = 2;
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// `last`: the number of the last event.
pub(super) enum Resumed {
    WentOn {
        last: u64,
    },
    SaidAgain {
        last: u64,
    },
    /// A step is in doubt.
    Waits,
    /// It ran, but the model's next proposal is lost.
    EndedEarly,
    /// It had been acknowledged, and nothing of it is left.
    Forgotten,
}

/// `after`: the last event before the interrupted turn; `acknowledged`: the server had accepted the
/// act.
pub(super) async fn resume(
    servers: &Servers,
    setup: &ProjectSetup,
    turn: &Turn,
    (done, acknowledged): (&Act, bool),
    after: u64,
) -> Result<Resumed, PlayError> {
    let rest = &servers.rest;
    let SettledSession { events, in_doubt } = settled(rest, setup).await?;
    if in_doubt {
        return Ok(Resumed::Waits);
    }
    let new: Vec<&Value> = events.iter().filter(|event| number(event) > after).collect();
    let last = last_number(&events);
    if acknowledged && new.is_empty() && has_own_turn(done) {
        return Ok(Resumed::Forgotten);
    }
    if has_run(&new) && is_ended(&new, TurnOutcome::Done) && is_to_go_on(turn, &new) {
        return Ok(Resumed::EndedEarly);
    }
    if !is_to_be_said_again(rest, setup, (turn, done), &new).await? {
        return Ok(Resumed::WentOn { last });
    }
    say_again(servers, setup, turn, (done, last)).await
}

/// A decision on a step in doubt has no turn of its own: the continued run reports it.
const fn has_own_turn(done: &Act) -> bool {
    match done {
        Act::Say(_) => true,
        Act::Press(pressed) => !pressed.press.is_about_a_step(),
        Act::Wait(_) => false,
    }
}

/// Whether an approval only showed the question again, because the question was not on screen any more.
/// Then it has to be repeated.
pub(super) fn is_only_shown(turn: &Turn, events: &[Value]) -> bool {
    let is_shown = events.iter().any(|event| text_of(event, "reply") == "waiting");
    is_shown && !turn.is_to_ask()
}

async fn say_again(
    servers: &Servers,
    setup: &ProjectSetup,
    turn: &Turn,
    (done, mut last): (&Act, u64),
) -> Result<Resumed, PlayError> {
    for _ in 0..REPEATS_MAX {
        prepare(servers, setup, turn)?;
        let TurnResult::Turn(events) =
            act(&servers.rest, &setup.conversation(), done, last).await?
        else {
            return Err(PlayError::Scenario("the question that was shown is gone".to_owned()));
        };
        last = last_number(&events).max(last);
        if !is_only_shown(turn, &events) {
            break;
        }
    }
    Ok(Resumed::SaidAgain { last })
}

async fn is_to_be_said_again(
    rest: &RestClient,
    setup: &ProjectSetup,
    (turn, done): (&Turn, &Act),
    new: &[&Value],
) -> Result<bool, PlayError> {
    let has = |name: &str| new.iter().any(|event| text_of(event, "event") == name);
    match done {
        Act::Say(_) => {
            let failed = is_ended(new, TurnOutcome::Error);
            let as_it_should =
                turn.is_to_end(TurnOutcome::Error) && turn.is_to_run() == has_run(new);
            Ok(!has("accepted") || (failed && !as_it_should))
        }
        // The answer was not accepted as long as the question waits. Another question may have followed.
        // One of several people's is accepted while it still waits.
        Act::Press(pressed) if pressed.press.is_an_answer() => {
            let counted = |event: &&Value| event.pointer("/decision/approvers").is_some();
            let was_counted = new.iter().any(counted);
            Ok(!has("preview")
                && !was_counted
                && is_open(rest, &setup.conversation(), pressed).await?)
        }
        Act::Press(_) => Ok(!has("ended")),
        Act::Wait(_) => Ok(false),
    }
}

/// Whether the model had more to propose: what is to be asked about, or one more job.
fn is_to_go_on(turn: &Turn, new: &[&Value]) -> bool {
    let is_job = |event: &&&Value| {
        let is_execute = text_of(event, "outcome") == Action::Execute.as_str();
        text_of(event, "input") == "proposed" && is_execute
    };
    turn.is_to_end(TurnOutcome::Pending) || new.iter().filter(is_job).count() < turn.jobs()
}

/// Whether a reply reports a run.
fn has_run(new: &[&Value]) -> bool {
    new.iter().any(|event| event.pointer("/params/execution").is_some())
}

fn is_ended(new: &[&Value], outcome: TurnOutcome) -> bool {
    let last = new.iter().rev().find(|event| text_of(event, "event") == "ended");
    last.is_some_and(|end| end.get("outcome") == Some(&json!(outcome)))
}

struct SettledSession {
    events: Vec<Value>,
    in_doubt: bool,
}

/// Waits until every decision has had its effect and every run has ended. It reads only stored state, so
/// that it starts nothing on the server.
async fn settled(rest: &RestClient, setup: &ProjectSetup) -> Result<SettledSession, PlayError> {
    let project = &setup.project;
    let late = Instant::now() + REST_WITHIN;
    while Instant::now() < late {
        let runs = rest.rows(&format!("/projects/{project}/executions")).await?;
        let decided = rest.rows(&format!("/approvals?project={project}&state=approved")).await?;
        let events = rest.rows(&format!("/sessions/{}/history", setup.session)).await?;
        let ended = events.last().is_none_or(|last| text_of(last, "event") == "ended");
        // An approval may stay unused after its turn: it was refused, or its task waits.
        let end = events.last().and_then(|last| time(last, "at"));
        let followed = decided.iter().all(|approval| time(approval, "decided_at") <= end);
        let in_doubt = runs.iter().any(|run| state(run) == "indeterminate");
        let idle = runs.iter().all(|run| state(run) != "running") && followed;
        if idle && (ended || in_doubt) {
            return Ok(SettledSession { events, in_doubt });
        }
        sleep(LOOK_EVERY).await;
    }
    Err(PlayError::Late { what: "place of rest", seconds: REST_WITHIN.as_secs() })
}

fn time(of: &Value, name: &str) -> Option<Timestamp> {
    text_of(of, name).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::read_folder;
    use std::path::Path;

    /// G27 reads a notice, and then has the model's second proposal refused. In G30 one job is refused.
    #[test]
    fn a_turn_whose_second_job_was_not_proposed_has_ended_early() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ghost-scenarios");
        let all = read_folder(&folder).unwrap();
        let turns = |id: &str| &all.iter().find(|scenario| scenario.id == id).unwrap().turns;
        let job = json!({ "event": "flow", "input": "proposed", "outcome": "execute" });
        let lost = json!({ "event": "flow", "input": "proposed", "outcome": "failed" });
        let run = json!({ "event": "reply", "params": { "execution": 1 } });
        let [denied, asked, approved] = &turns("G27")[..] else { panic!("three turns") };
        assert!(is_to_go_on(denied, &[&job, &run, &lost]));
        assert!(!is_to_go_on(denied, &[&job, &run, &job, &run]), "both ran: that is judged");
        assert!(is_to_go_on(asked, &[&job, &run, &lost]), "the question did not come");
        assert!(!is_to_go_on(approved, &[&run]));
        assert!(!is_to_go_on(&turns("G30")[0], &[&job, &run]), "it ran in place of a refusal");
    }
}
