//! Number of open questions of a person as a stream: sent at once and at every change.

use crate::{
    access::caller::Caller,
    dto::approval::{ApprovalsQuery, StateName, WaitingView},
    limits::{QUESTIONS_COUNTED_MAX, QUESTIONS_SETTLE, SSE_HEARTBEAT_SECONDS},
    listen::slots::HeldSlot,
    problem::{Problem, ProblemCode},
    view::inbox::inbox,
};
use axum::response::{Sse, sse::Event};
use futures::{Stream, stream};
use serde_json::json;
use std::{convert::Infallible, time::Duration};
use tokio::{
    sync::watch,
    time::{Interval, MissedTickBehavior, interval, sleep},
};
use uuid::Uuid;
use wiiiv_store::{ApprovalRow, Page};

/// One reader.
pub(crate) struct WaitingFeed {
    caller: Caller,
    changes: watch::Receiver<u64>,
    heartbeat: Interval,
    /// What was told last; `None` before anything was.
    told: Option<(Vec<Uuid>, Vec<Uuid>)>,
    over: bool,
    _slot: HeldSlot,
}

impl WaitingFeed {
    pub(crate) fn open(caller: &Caller) -> Result<Self, Problem> {
        let place = caller.state.streams().take(caller.user())?;
        let mut heartbeat = interval(Duration::from_secs(SSE_HEARTBEAT_SECONDS));
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        let mut changes = caller.state.governor().questions();
        changes.mark_changed();
        Ok(Self {
            caller: caller.clone(),
            changes,
            heartbeat,
            told: None,
            over: false,
            _slot: place,
        })
    }

    pub(crate) fn stream(self) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
        Sse::new(stream::unfold(self, |mut feed| async move {
            let event = feed.event().await?;
            Some((Ok(event), feed))
        }))
    }

    async fn event(&mut self) -> Option<Event> {
        loop {
            if self.over {
                return None;
            }
            match self.wait().await {
                Ok(Some(event)) => return Some(event),
                Ok(None) => {}
                Err(problem) => return Some(self.fail(&problem)),
            }
        }
    }

    async fn wait(&mut self) -> Result<Option<Event>, Problem> {
        let stop = self.caller.state.stop().clone();
        tokio::select! {
            () = stop.cancelled() => Err(ProblemCode::Unavailable.into()),
            changed = self.changes.changed() => {
                changed.map_err(|_| ProblemCode::Unavailable)?;
                // Several that come together are read once.
                if self.told.is_some() {
                    sleep(QUESTIONS_SETTLE).await;
                    self.changes.mark_unchanged();
                }
                self.look().await
            }
            _ = self.heartbeat.tick() => {
                let news = self.look().await?;
                Ok(Some(news.unwrap_or_else(|| Event::default().comment(""))))
            }
        }
    }

    /// An event where something else waits than was told.
    async fn look(&mut self) -> Result<Option<Event>, Problem> {
        self.caller.still_signed_in().await?;
        let query = ApprovalsQuery { state: Some(StateName::Pending), ..ApprovalsQuery::default() };
        let page = Page { before: None, limit: Some(QUESTIONS_COUNTED_MAX) };
        let rows = inbox(&self.caller, &query, page).await?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.request.id.uuid()).collect();
        let late = |row: &&ApprovalRow| row.escalation.is_some_and(|of| of.done_at.is_some());
        let escalated: Vec<Uuid> =
            rows.iter().filter(late).map(|row| row.request.id.uuid()).collect();
        let now = (ids, escalated);
        if self.told.as_ref() == Some(&now) {
            return Ok(None);
        }
        let (approvals, escalated) = now.clone();
        let view = WaitingView { count: approvals.len(), approvals, escalated };
        self.told = Some(now);
        let data = serde_json::to_string(&view).unwrap_or_default();
        Ok(Some(Event::default().event("waiting").data(data)))
    }

    /// Every way out ends with an event that says why.
    fn fail(&mut self, problem: &Problem) -> Event {
        self.over = true;
        let code = problem.code().as_str();
        let data = json!({ "code": code, "params": problem.params() }).to_string();
        Event::default().event("error").data(data)
    }
}
