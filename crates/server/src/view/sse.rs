//! A session's events as a stream: first those of the journal, then live ones.

use crate::{
    access::{authorization::Rule, caller::Caller},
    dto::event::EventView,
    limits::SSE_HEARTBEAT_SECONDS,
    listen::slots::HeldSlot,
    problem::{Problem, ProblemCode},
    view::{halts::halts_over, journal::event_views},
};
use axum::{
    http::HeaderMap,
    response::{Sse, sse::Event},
};
use futures::{Stream, stream};
use serde_json::json;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::time::{Interval, MissedTickBehavior, interval};
use wiiiv_domain::{SessionId, TurnId};
use wiiiv_governor::{Events, Journalled, Live};
use wiiiv_store::SessionRow;

/// `Last-Event-ID` is `turn:seq`; it goes before `?after=`.
pub(crate) fn last_event(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let text = value.to_str().unwrap_or_default();
    let seq = text.rsplit(':').next().and_then(|seq| seq.parse().ok());
    let malformed = || Problem::new(ProblemCode::InvalidHeader).with("header", "Last-Event-ID");
    seq.map(Some).ok_or_else(malformed)
}

/// One reader of one session.
pub(crate) struct Feed {
    caller: Caller,
    rule: &'static Rule,
    row: Arc<SessionRow>,
    /// Of this turn alone, until it ends.
    turn: Option<TurnId>,
    events: Events,
    heartbeat: Interval,
    over: bool,
    _slot: HeldSlot,
}

impl Feed {
    /// Listens from now on, and reads what came after the event `after`; `None`: nothing.
    pub(crate) async fn open(
        caller: &Caller,
        rule: &'static Rule,
        row: Arc<SessionRow>,
        after: Option<u64>,
    ) -> Result<Self, Problem> {
        let place = caller.state.streams().take(caller.user())?;
        let events = caller.state.governor().subscribe(row.id, after).await?;
        let mut heartbeat = interval(Duration::from_secs(SSE_HEARTBEAT_SECONDS));
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        Ok(Self {
            caller: caller.clone(),
            rule,
            row,
            turn: None,
            events,
            heartbeat,
            over: false,
            _slot: place,
        })
    }

    pub(crate) fn only(self, turn: TurnId) -> Self {
        Self { turn: Some(turn), ..self }
    }

    pub(crate) fn stream(self) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
        Sse::new(stream::unfold(self, |mut feed| async move {
            let event = feed.event().await?;
            Some((Ok(event), feed))
        }))
    }

    async fn event(&mut self) -> Option<Event> {
        while !self.over {
            match self.wait().await {
                Ok(None) => {}
                Ok(Some(event)) => return Some(event),
                Err(problem) => return Some(self.fail(&problem)),
            }
        }
        None
    }

    async fn wait(&mut self) -> Result<Option<Event>, Problem> {
        let stop = self.caller.state.stop().clone();
        tokio::select! {
            () = stop.cancelled() => Err(ProblemCode::Unavailable.into()),
            _ = self.heartbeat.tick() => {
                self.still_reads().await?;
                Ok(Some(Event::default().comment("")))
            }
            live = self.events.next() => self.happened(live?).await,
        }
    }

    /// The reader's rights, asked before anything is sent: they are cached until they change.
    async fn still_reads(&self) -> Result<(), Problem> {
        self.caller.converse(&self.row, self.rule).await.map(drop)
    }

    async fn happened(&mut self, live: Live) -> Result<Option<Event>, Problem> {
        self.still_reads().await?;
        match live {
            Live::Delta { turn, text } => {
                let mine = self.turn.is_none_or(|only| only == turn);
                let data = json!({ "turn": turn.uuid(), "text": &*text }).to_string();
                Ok(mine.then(|| Event::default().event("delta").data(data)))
            }
            Live::Halts if self.turn.is_some() => Ok(None),
            Live::Halts => {
                let halts = halts_over(&self.caller, self.row.project, Some(self.row.id)).await?;
                let data = json!({ "halts": halts }).to_string();
                Ok(Some(Event::default().event("halts").data(data)))
            }
            // What was journalled before it came first.
            Live::Down => Err(ProblemCode::Unavailable.into()),
            Live::Journalled(Journalled { seq, event }) => {
                let views =
                    event_views(&self.caller.state, self.row.owner, &[(seq, &*event)]).await?;
                Ok(views.iter().find_map(|view| self.show(view)))
            }
        }
    }

    fn show(&mut self, view: &EventView) -> Option<Event> {
        if self.turn.is_some_and(|only| only.uuid() != view.turn) {
            return None;
        }
        self.over = self.turn.is_some() && view.is_last();
        let id = format!("{}:{}", view.turn, view.seq);
        let data = serde_json::to_string(view).ok()?;
        Some(Event::default().id(id).event(view.name()).data(data))
    }

    /// Every way out ends with an event that says why.
    fn fail(&mut self, problem: &Problem) -> Event {
        self.over = true;
        let code = problem.code().as_str();
        let data = json!({ "code": code, "params": problem.params() }).to_string();
        Event::default().event("error").data(data)
    }
}

/// Where the events of a session are.
pub(crate) fn events_address(session: SessionId) -> String {
    format!("/api/v2/sessions/{session}/events")
}
