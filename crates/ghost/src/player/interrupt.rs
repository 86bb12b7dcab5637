//! A button that is pressed while a turn runs: while the model works, or during a call.

use super::{
    act::TurnResult,
    meanwhile::halt,
    press::{Sent, send},
    snapshot::state,
};
use crate::{
    harness::{PlayError, ProjectSetup, Servers, follow, journal, number, required_text},
    scenario::{Act, Interrupt, Meanwhile, Stop},
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use wiiiv_fakes::{LOG_IN_PATH, ModelMode};

const WORK_WITHIN: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The events of both turns, as far as the end of every execution.
pub(super) async fn interrupted(
    servers: &Servers,
    setup: &ProjectSetup,
    (act, interrupt): (&Act, Interrupt),
    after: u64,
) -> Result<TurnResult, PlayError> {
    let (rest, session) = (&servers.rest, &setup.session);
    let silent = interrupt.at.service().is_none().then_some(ModelMode::Silent);
    servers.set_hostile(&setup.cassette, silent)?;
    let before = calls_so_far(servers, setup, interrupt);
    // The stream is dropped: both turns are read from the journal.
    match act {
        Act::Say(words) => drop(rest.say(session, words, after).await?),
        Act::Press(pressed) => match send(rest, &setup.conversation(), pressed).await? {
            Sent::Turn(_) => {}
            Sent::NothingWaits => return Ok(TurnResult::NothingWaits),
            Sent::Refused(code) => return Ok(TurnResult::Refused(code)),
        },
        Act::Wait(_) => return Ok(TurnResult::NothingWaits),
    }
    until("work to break in on", || async { Ok(calls_so_far(servers, setup, interrupt) > before) })
        .await?;
    let stopping = match interrupt.press {
        Stop::Cancel | Stop::Reset => {
            let stop = json!({ "action": interrupt.press });
            let made = rest.post(&format!("/sessions/{session}/control"), stop).await?;
            Some(required_text(&made, "turn")?)
        }
        // It has no turn of its own: the one that is broken in on ends.
        Stop::Halt => {
            let halted = Meanwhile { halted: Some(true), ..Meanwhile::default() };
            halt(servers, setup, &halted).await?;
            None
        }
    };
    follow(rest, session, after, stopping.as_deref()).await?;
    servers.set_hostile(&setup.cassette, None)?;
    let listed = format!("/projects/{}/executions", setup.project);
    let ended =
        || async { Ok(rest.rows(&listed).await?.iter().all(|run| state(run) != "running")) };
    until("end of what was broken in on", ended).await?;
    let events = journal(rest, session).await?;
    Ok(TurnResult::Turn(
        events.into_iter().filter(|event| number(event) > after).collect::<Vec<Value>>(),
    ))
}

/// Calls so far at the party that the turn waits for.
fn calls_so_far(servers: &Servers, setup: &ProjectSetup, interrupt: Interrupt) -> usize {
    match interrupt.at.service() {
        None => servers.cassettes.calls(&setup.cassette),
        Some(name) => setup.services.get(&name).map_or(0, |service| {
            service.calls().iter().filter(|call| call.path != LOG_IN_PATH).count()
        }),
    }
}

async fn until<F: Future<Output = Result<bool, PlayError>>>(
    what: &'static str,
    done: impl Fn() -> F,
) -> Result<(), PlayError> {
    let late = Instant::now() + WORK_WITHIN;
    while Instant::now() < late {
        if done().await? {
            return Ok(());
        }
        sleep(LOOK_EVERY).await;
    }
    Err(PlayError::Late { what, seconds: WORK_WITHIN.as_secs() })
}
