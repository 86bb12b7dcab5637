//! A button that breaks in on a turn at work: on a model that thinks, on a call that is under way.

use super::{
    act::Acted,
    error::PlayError,
    events::{follow, journal, number},
    house::House,
    press::{Sent, send},
    rest::text,
    sight::state,
    stage::Stage,
};
use crate::{
    model::ModelMode,
    scenario::{Act, Interrupt},
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const WORK_WITHIN: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(5);
const LOG_IN: &str = "/login";

/// Events of both turns, and what ends behind them.
pub(super) async fn interrupted(
    house: &House,
    stage: &Stage,
    (act, interrupt): (&Act, Interrupt),
    after: u64,
) -> Result<Acted, PlayError> {
    let (rest, session) = (&house.rest, &stage.session);
    let silent = interrupt.at.service().is_none().then_some(ModelMode::Silent);
    hold(house, stage, silent)?;
    let before = work(house, stage, interrupt);
    // The stream is let go of: both turns are read from the journal.
    match act {
        Act::Say(words) => drop(rest.say(session, words).await?),
        Act::Press(pressed) => match send(rest, &stage.talk(), pressed).await? {
            Sent::Turn(_) => {}
            Sent::NothingWaits => return Ok(Acted::NothingWaits),
            Sent::Refused(code) => return Ok(Acted::Refused(code)),
        },
        Act::Wait(_) => return Ok(Acted::NothingWaits),
    }
    until("work to break in on", || async { Ok(work(house, stage, interrupt) > before) }).await?;
    let stop = json!({ "action": interrupt.press.as_str() });
    let made = rest.post(&format!("/sessions/{session}/control"), stop).await?;
    follow(rest, session, after, Some(&text(&made, "turn")?)).await?;
    hold(house, stage, None)?;
    let listed = format!("/projects/{}/executions", stage.project);
    let ended =
        || async { Ok(rest.rows(&listed).await?.iter().all(|run| state(run) != "running")) };
    until("end of what was broken in on", ended).await?;
    let events = journal(rest, session).await?;
    Ok(Acted::Turn(
        events.into_iter().filter(|event| number(event) > after).collect::<Vec<Value>>(),
    ))
}

fn hold(house: &House, stage: &Stage, mode: Option<ModelMode>) -> Result<(), PlayError> {
    house.cassettes.set_hostile(&stage.key, mode).map_err(PlayError::io("the model server"))
}

/// How much there has been to break in on.
fn work(house: &House, stage: &Stage, interrupt: Interrupt) -> usize {
    match interrupt.at.service() {
        None => house.cassettes.asked(&stage.key),
        Some(name) => stage
            .services
            .get(&name)
            .map_or(0, |service| service.calls().iter().filter(|call| call.path != LOG_IN).count()),
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
