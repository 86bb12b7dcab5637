//! A person's yes or no to exactly one digest: evidence first, then the flow.

use crate::{
    audit, clock,
    message::{DecideError, Decided, Decision},
    session::{
        actor::SessionActor,
        place,
        state::{Down, Session},
        turn::Opening,
    },
};
use kameo::prelude::*;
use tokio::sync::oneshot;
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, DecisionNote, EventBody, FlowEffect, FlowInput, Lang, SignalKind,
    TurnId, UserSignal,
};
use wiiiv_gate::{ApprovalRequest, Principal, UserEvent, UserEventKind, approval};
use wiiiv_store::{ApprovalError, ApprovalRow, ApprovalState, Point, StoreError, Write};

pub struct Decide {
    pub who: Principal,
    pub row: ApprovalRow,
    pub decision: Decision,
    /// What its author set to be answered in: of the session's owner alone it counts.
    pub language: Option<Lang>,
    pub answer: oneshot::Sender<Result<Decided, DecideError>>,
}

impl Message<Decide> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, ask: Decide, _: &mut Context<Self, ()>) {
        self.decide(ask).await;
    }
}

impl SessionActor {
    /// A turn in progress is not interrupted: the word waits behind it.
    async fn decide(&mut self, ask: Decide) {
        let Some(session) = self.session().await else {
            let why = "the session store is not reachable".to_owned();
            let _ = ask.answer.send(Err(DecideError::Unavailable(why)));
            return;
        };
        if session.turn.is_some() && place::asks_about(&session.flow, ask.row.request.digest) {
            session.wait(ask);
            return;
        }
        let done = session.take_decision(ask).await;
        self.after(done).await;
    }
}

/// Its time is over.
pub struct Expire {
    pub approval: ApprovalId,
    pub digest: BlueprintDigest,
}

impl Message<Expire> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, expire: Expire, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        let done = session.expire(expire.approval, expire.digest).await;
        self.after(done).await;
    }
}

impl Session {
    fn wait(&mut self, ask: Decide) {
        let limit = self.room.config.queue_max;
        if self.waiting.len() >= limit {
            let why = format!("`{limit}` decisions wait already: try again");
            let _ = ask.answer.send(Err(DecideError::Unavailable(why)));
        } else {
            self.waiting.push_back(ask);
        }
    }

    pub async fn take_decision(&mut self, ask: Decide) -> Result<(), Down> {
        let Decide { who, row, decision, language, answer } = ask;
        if let Some(language) = language.filter(|_| who.user() == self.row.owner) {
            self.language = language;
        }
        match self.decide(&who, &row.request, decision).await {
            Ok(decided) => {
                let _ = answer.send(decided);
                Ok(())
            }
            Err(down) => {
                let _ = answer.send(Err(DecideError::Unavailable(down.to_string())));
                Err(down)
            }
        }
    }

    /// Two at once are ruled on one after the other: the second finds the flow elsewhere.
    async fn decide(
        &mut self,
        who: &Principal,
        request: &ApprovalRequest,
        decision: Decision,
    ) -> Result<Result<Decided, DecideError>, Down> {
        self.touch();
        let (digest, yes) = match &decision {
            Decision::Approve { digest } => (*digest, true),
            Decision::Reject { digest, .. } => (*digest, false),
        };
        if digest != request.digest {
            return Ok(Err(DecideError::Stale { digest: request.digest }));
        }
        if !place::asks_about(&self.flow, digest) || self.turn.is_some() {
            return self.why_not(request.id).await.map(Err);
        }
        let (rights, own) = (who.rights(), who.user() == request.requester);
        let no = rights.may_approve() || (own && rights.may_request());
        if !(if yes { request.may_be_given_by(who) } else { no }) {
            return Ok(Err(DecideError::NotAllowed));
        }
        if clock::now() >= request.expires_at {
            return Ok(Err(DecideError::Expired));
        }
        self.shown = None;
        let turn = self.fresh_turn();
        // A reason is the decider's own words: session store, never audit, and no message of the
        // requester.
        let reason = match decision {
            Decision::Approve { .. } => String::new(),
            Decision::Reject { reason, .. } => reason,
        };
        let note = DecisionNote { approval: request.id, approved: yes, reason };
        self.note_accepted(turn, who, Opening::Decision(note)).await?;
        let (done, state) = if yes {
            (self.give(turn, who, request).await?, "approved")
        } else {
            (self.refuse(turn, who, request).await?, "rejected")
        };
        match done {
            Ok(()) => Ok(Ok(Decided { turn, approval: request.id, state })),
            Err(refused) => {
                if let Some(turn) = self.turn.take() {
                    self.end(&turn, "denied").await?;
                }
                Ok(Err(refused))
            }
        }
    }

    async fn why_not(&self, id: ApprovalId) -> Result<DecideError, Down> {
        let row = self.room.deps.store.approval(id).await?;
        Ok(match row {
            None => DecideError::NotFound,
            Some(row) if row.state == ApprovalState::Expired => DecideError::Expired,
            Some(row) => DecideError::AlreadyDecided { state: row.state.as_str().to_owned() },
        })
    }

    /// The requester's own typed yes to the previewed digest *is* the evidence.
    pub async fn affirm(
        &mut self,
        turn: TurnId,
        who: &Principal,
        digest: BlueprintDigest,
    ) -> Result<(), Down> {
        let Some(id) = self.approval_of(digest).await? else {
            return self.feed(turn, FlowInput::Expired { digest }).await;
        };
        let Some(row) = self.room.deps.store.approval(id).await? else {
            return self.feed(turn, FlowInput::Expired { digest }).await;
        };
        match self.give(turn, who, &row.request).await? {
            Ok(()) => Ok(()),
            Err(_) => self.feed(turn, FlowInput::Expired { digest }).await,
        }
    }

    async fn approval_of(&self, digest: BlueprintDigest) -> Result<Option<ApprovalId>, Down> {
        if let Some(plan) = self.plans.get(&digest) {
            return Ok(plan.approval);
        }
        Ok(None)
    }

    /// E: the user's event, then the approval that it proves, with the input that follows.
    async fn give(
        &mut self,
        turn: TurnId,
        who: &Principal,
        request: &ApprovalRequest,
    ) -> Result<Result<(), DecideError>, Down> {
        let store = self.room.deps.store.clone();
        let kind = UserEventKind::Approve {
            approval: request.id,
            blueprint: request.blueprint,
            digest: request.digest,
        };
        let event = UserEvent::of(who, self.row.project, Some(self.row.id), kind, clock::now());
        let Ok(event) = event else { return Ok(Err(DecideError::NotFound)) };
        let boundary = self.book.close(Point::T0, false);
        let event = store.record_user_event(&self.writer(), boundary, event).await?;
        self.room.hub.grew(self.row.id);
        let Ok(given) = approval::given(&event, request) else {
            return Ok(Err(DecideError::NotAllowed));
        };
        let input = self.yes(turn, request.digest);
        let limits = self.room.config.flow;
        let (next, effects) = wiiiv_flow::step(&limits, &self.flow, input.clone());
        let body = EventBody::Input { input: Box::new(input), state: next.hash() };
        self.book.event(turn, body.clone());
        let boundary = self.book.close(Point::E, false);
        match store.record_approval(&self.writer(), boundary, given).await {
            Ok(_) => {
                self.room.hub.grew(self.row.id);
                self.room.hub.questions_changed();
            }
            // Given before a ruling that could not be had: it still counts, once.
            Err(ApprovalError::AlreadyDecided { state: ApprovalState::Approved }) => {
                self.book.event(turn, body);
            }
            Err(ApprovalError::Store(error)) => return Err(error.into()),
            Err(ApprovalError::Expired) => return Ok(Err(DecideError::Expired)),
            Err(ApprovalError::Unknown) => return Ok(Err(DecideError::NotFound)),
            Err(ApprovalError::AlreadyDecided { state }) => {
                let state = state.as_str().to_owned();
                return Ok(Err(DecideError::AlreadyDecided { state }));
            }
        }
        self.flow = next;
        self.follow(turn, effects).await.map(Ok)
    }

    /// As the question was put: to the requester, or to somebody else.
    fn yes(&self, turn: TurnId, digest: BlueprintDigest) -> FlowInput {
        if place::confirming(&self.flow) == Some(digest) {
            let signal = SignalKind::Affirm { digest: Some(digest) };
            FlowInput::Signal(UserSignal { turn, signal })
        } else {
            FlowInput::Approved { digest }
        }
    }

    /// E: the user's event and the end of the question, with the input that follows.
    async fn refuse(
        &mut self,
        turn: TurnId,
        who: &Principal,
        request: &ApprovalRequest,
    ) -> Result<Result<(), DecideError>, Down> {
        let (id, digest) = (request.id, request.digest);
        let blueprint = request.blueprint;
        let kind = UserEventKind::Reject { approval: id, blueprint, digest };
        let event = UserEvent::of(who, self.row.project, Some(self.row.id), kind, clock::now());
        let Ok(event) = event else { return Ok(Err(DecideError::NotFound)) };
        self.book.audit(audit::approval("rejected", id, digest, Some(who.user())));
        self.book.write(Write::RejectApproval { id, by: who.user() });
        let input = if place::confirming(&self.flow) == Some(digest) {
            let signal = SignalKind::Deny { digest: Some(digest) };
            FlowInput::Signal(UserSignal { turn, signal })
        } else {
            FlowInput::Refused { digest }
        };
        let limits = self.room.config.flow;
        let (next, effects) = wiiiv_flow::step(&limits, &self.flow, input.clone());
        let body = EventBody::Input { input: Box::new(input), state: next.hash() };
        self.book.event(turn, body);
        let boundary = self.book.close(Point::E, false);
        let store = self.room.deps.store.clone();
        match store.record_user_event(&self.writer(), boundary, event).await {
            Ok(_) => {}
            // It went with its requester's account.
            Err(StoreError::NotPending { state }) => {
                let state = state.as_str().to_owned();
                return Ok(Err(DecideError::AlreadyDecided { state }));
            }
            Err(error) => return Err(error.into()),
        }
        self.room.hub.grew(self.row.id);
        self.room.hub.questions_changed();
        self.flow = next;
        // The question is closed: nothing is left to withdraw.
        if let Some(plan) = self.plans.get_mut(&digest) {
            plan.approval = None;
        }
        self.follow(turn, effects).await.map(Ok)
    }

    /// What the flow asks for after an input that is journalled already.
    async fn follow(&mut self, turn: TurnId, effects: Vec<FlowEffect>) -> Result<(), Down> {
        for effect in effects {
            for input in self.perform(turn, effect).await? {
                self.feed(turn, input).await?;
            }
        }
        self.rest().await
    }

    /// The sweep may have looked twice, or a cancel may have come first.
    async fn expire(&mut self, id: ApprovalId, digest: BlueprintDigest) -> Result<(), Down> {
        if self.turn.is_some() {
            return Ok(());
        }
        let row = self.room.deps.store.approval(id).await?;
        let open = [ApprovalState::Pending, ApprovalState::Approved];
        if row.is_none_or(|row| !open.contains(&row.state)) {
            return Ok(());
        }
        self.book.audit(audit::approval("expired", id, digest, None));
        self.book.write(Write::ExpireApproval { id });
        if !place::asks_about(&self.flow, digest) {
            return self.flush(Point::P).await;
        }
        let turn = self.fresh_turn();
        if self.shown == Some(digest) {
            self.shown = None;
        }
        self.feed(turn, FlowInput::Expired { digest }).await
    }
}
