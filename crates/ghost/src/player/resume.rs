//! What a client does that has lost the connection: it looks where things stand, and says again only
//! what was not accepted or came to nothing.

use super::{
    act::{Acted, act},
    error::PlayError,
    events::{last_number, number},
    house::House,
    press::is_open,
    replay::prepare,
    rest::Rest,
    sight::state,
    stage::Stage,
};
use crate::scenario::{Act, Press, Turn, TurnOutcome};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use wiiiv_domain::Timestamp;

const REST_WITHIN: Duration = Duration::from_secs(30);
/// How often one and the same thing is said.
const WORDS_MAX: usize = 2;
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// `last`: number of the last event.
pub(super) enum Resumed {
    WentOn {
        last: u64,
    },
    SaidAgain {
        last: u64,
    },
    /// A step is in doubt.
    Waits,
    /// It ran, and what the model would have had done next is lost with its answer.
    EndedEarly,
    /// It had been acknowledged, and nothing is left of it.
    Forgotten,
}

/// `after`: the last event before the turn that was cut; `acknowledged`: the server had accepted
/// what was done.
pub(super) async fn resume(
    house: &House,
    stage: &Stage,
    turn: &Turn,
    (done, acknowledged): (&Act, bool),
    after: u64,
) -> Result<Resumed, PlayError> {
    let rest = &house.rest;
    let Standing { events, in_doubt } = at_rest(rest, stage).await?;
    if in_doubt {
        return Ok(Resumed::Waits);
    }
    let new: Vec<&Value> = events.iter().filter(|event| number(event) > after).collect();
    let last = last_number(&events);
    if acknowledged && new.is_empty() && has_own_turn(done) {
        return Ok(Resumed::Forgotten);
    }
    if turn.is_to_end(TurnOutcome::Pending) && has_run(&new) && is_ended(&new, TurnOutcome::Done) {
        return Ok(Resumed::EndedEarly);
    }
    if !is_to_be_said_again(rest, stage, (turn, done), &new).await? {
        return Ok(Resumed::WentOn { last });
    }
    say_again(house, stage, turn, (done, last)).await
}

/// A word on a step in doubt is told by the run that goes on.
const fn has_own_turn(done: &Act) -> bool {
    match done {
        Act::Say(_) => true,
        Act::Press(pressed) => match pressed.press {
            Press::Approve
            | Press::Reject
            | Press::Cancel
            | Press::Reset
            | Press::Switch
            | Press::Why
            | Press::Again
            | Press::ListFiles
            | Press::ShowSaved => true,
            Press::Happened | Press::DidNotHappen => false,
        },
        Act::Wait(_) => false,
    }
}

/// A yes to a question that had gone from sight only shows it again: it has to be said once more.
pub(super) fn is_only_shown(turn: &Turn, events: &[Value]) -> bool {
    let is_shown = events.iter().any(|event| text(event, "reply") == "waiting");
    is_shown && !turn.is_to_ask()
}

async fn say_again(
    house: &House,
    stage: &Stage,
    turn: &Turn,
    (done, mut last): (&Act, u64),
) -> Result<Resumed, PlayError> {
    for _ in 0..WORDS_MAX {
        prepare(house, stage, turn)?;
        let Acted::Turn(events) = act(&house.rest, &stage.talk(), done, last).await? else {
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
    rest: &Rest,
    stage: &Stage,
    (turn, done): (&Turn, &Act),
    new: &[&Value],
) -> Result<bool, PlayError> {
    let has = |name: &str| new.iter().any(|event| text(event, "event") == name);
    match done {
        Act::Say(_) => {
            let failed = is_ended(new, TurnOutcome::Error);
            let as_it_should =
                turn.is_to_end(TurnOutcome::Error) && turn.is_to_run() == has_run(new);
            Ok(!has("accepted") || (failed && !as_it_should))
        }
        // As long as the question waits, the answer to it was not taken; another may have come since.
        Act::Press(pressed) => match pressed.press {
            Press::Approve | Press::Reject => {
                Ok(!has("preview") && is_open(rest, &stage.talk(), pressed).await?)
            }
            Press::Cancel
            | Press::Reset
            | Press::Switch
            | Press::Happened
            | Press::DidNotHappen
            | Press::Why
            | Press::Again
            | Press::ListFiles
            | Press::ShowSaved => Ok(!has("ended")),
        },
        Act::Wait(_) => Ok(false),
    }
}

/// A reply tells of a run.
fn has_run(new: &[&Value]) -> bool {
    new.iter().any(|event| event.pointer("/params/execution").is_some())
}

fn is_ended(new: &[&Value], outcome: TurnOutcome) -> bool {
    let last = new.iter().rev().find(|event| text(event, "event") == "ended");
    last.is_some_and(|end| text(end, "outcome") == outcome.as_str())
}

struct Standing {
    events: Vec<Value>,
    in_doubt: bool,
}

/// When what was decided has happened and what was begun has ended. Only the store is asked:
/// nothing is woken up by the question.
async fn at_rest(rest: &Rest, stage: &Stage) -> Result<Standing, PlayError> {
    let project = &stage.project;
    let late = Instant::now() + REST_WITHIN;
    while Instant::now() < late {
        let runs = rest.rows(&format!("/projects/{project}/executions")).await?;
        let decided = rest.rows(&format!("/approvals?project={project}&state=approved")).await?;
        let events = rest.rows(&format!("/sessions/{}/history", stage.session)).await?;
        let ended = events.last().is_none_or(|last| text(last, "event") == "ended");
        // A yes that its own turn has dealt with may stay unused: it was refused, or its task waits.
        let end = events.last().and_then(|last| time(last, "at"));
        let followed = decided.iter().all(|yes| time(yes, "decided_at") <= end);
        let in_doubt = runs.iter().any(|run| state(run) == "indeterminate");
        let idle = runs.iter().all(|run| state(run) != "running") && followed;
        if idle && (ended || in_doubt) {
            return Ok(Standing { events, in_doubt });
        }
        sleep(LOOK_EVERY).await;
    }
    Err(PlayError::Late { what: "place of rest", seconds: REST_WITHIN.as_secs() })
}

fn time(of: &Value, name: &str) -> Option<Timestamp> {
    text(of, name).parse().ok()
}

fn text<'a>(event: &'a Value, name: &str) -> &'a str {
    event.get(name).and_then(Value::as_str).unwrap_or_default()
}
