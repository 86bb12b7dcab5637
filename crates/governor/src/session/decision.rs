//! A yes or no to exactly one digest: evidence first, then the flow.

use crate::{
    audit, clock,
    message::{Answering, DecideError, Decided, Decision},
    session::{
        Decide, Opening, Session, SessionFault, Stepped,
        answered::{already, why_not},
        beside,
        capacity::capacity,
        edit::edited,
        quorum::{self, Counts},
        revoke::{Revoked, revoked},
        task_position,
    },
    telemetry,
};
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, DecisionNote, FlowEffect, FlowInput, JobName, Lang, OnBehalfOf,
    ReplyCode, SignalKind, TurnId, UserSignal,
};
use wiiiv_flow::FlowState;
use wiiiv_gate::{
    ApprovalRequest, PendingQuestion, Principal, Unrecorded, UserEvent, UserEventKind,
};
use wiiiv_hlx::neutralise;
use wiiiv_store::{ApprovalError, ApprovalState, Point, StoreError, Write};

/// How the turn of a decision ends where nothing follows in it: taken, refused, or waiting for others.
const DONE: &str = "done";
const DENIED: &str = "denied";
const PENDING: &str = "pending";

/// The outer result is a fault, the inner one a refusal.
type Counted<T, E = DecideError> = Result<Result<T, E>, SessionFault>;

/// A decision that does not count.
struct Void {
    why: DecideError,
    /// That it was said is.
    on_record: bool,
}

impl Void {
    const fn unrecorded(why: DecideError) -> Self {
        Self { why, on_record: false }
    }
}

impl Session {
    /// Waits for no turn: it is on record when it is answered, and has its effect in the one in progress.
    pub async fn decide(&mut self, ask: Decide) -> Result<(), SessionFault> {
        let Decide { who, row, decision, answering, answer } = ask;
        let of = (row.request.id, answering);
        let (answered, done) = match self.decided(&who, of, decision).await {
            Ok(decided) => (decided, Ok(())),
            Err(fault) => (Err(DecideError::from(&fault)), Err(fault)),
        };
        let _ = answer.send(answered);
        done
    }

    /// Of two decisions the second finds the flow changed.
    async fn decided(
        &mut self,
        who: &Principal,
        (approval, Answering { language, delegation: mut named }): (ApprovalId, Answering),
        decision: Decision,
    ) -> Counted<Decided> {
        self.work.touch();
        let language = language.filter(|_| who.user() == self.journal.row.owner);
        if let Err(refused) = beside::prepare(self, who).await? {
            return Ok(Err(refused));
        }
        let Some(request) = self.journal.records.question(approval).await? else {
            return Ok(Err(DecideError::NotFound));
        };
        // A reason is text: never in the audit, and no message of the owner.
        let (digest, approved, reason) = match decision {
            Decision::Approve { digest } => (digest, true, String::new()),
            Decision::Reject { digest, reason } => (digest, false, reason),
            Decision::Edit(edit) => return edited(self, (who, language), &request, edit).await,
            Decision::Revoke { reason } => match revoked(self, who, &request, &reason).await? {
                Revoked::Answered(done) => return Ok(done),
                // In the right that the yes was said in, whoever else the person may stand in for.
                Revoked::ByNo(lent) => {
                    named = lent;
                    (request.digest, false, reason)
                }
            },
        };
        if digest != request.digest {
            return Ok(Err(DecideError::Stale { digest: request.digest }));
        }
        let plan = (request.blueprint, digest);
        if !task_position::asks_about(&self.flow, plan) {
            return why_not(&self.runtime.deps.store, request.id).await.map(Err);
        }
        let store = &self.runtime.deps.store;
        let on_behalf_of = match capacity(store, &request, who, (approved, named)).await? {
            Ok(on_behalf_of) => on_behalf_of,
            Err(refused) => return Ok(Err(refused)),
        };
        if clock::now() >= request.expires_at {
            return Ok(Err(DecideError::Expired));
        }
        if approved && beside::is_given(self, (request.id, digest)).await? {
            return Ok(Err(already(ApprovalState::Approved)));
        }
        // A no is taken: nothing begins by it.
        if approved && self.journal.records.is_halted().await? {
            return Ok(Err(DecideError::Halted));
        }
        let counts = match approved {
            true => {
                let right = on_behalf_of.map_or(who.user(), |lent| lent.delegator);
                quorum::count(&self.runtime.deps.store, &request, (who.user(), right)).await?
            }
            false => Counts::Alone,
        };
        if let Counts::Again(tally) = counts {
            return Ok(Err(DecideError::AlreadySaid { tally }));
        }
        let by = (who, on_behalf_of);
        self.write_down(by, &request, (approved, reason, counts), language).await
    }

    /// In a turn of its own.
    async fn write_down(
        &mut self,
        by: (&Principal, Option<OnBehalfOf>),
        request: &PendingQuestion,
        (approved, reason, counts): (bool, String, Counts),
        language: Option<Lang>,
    ) -> Counted<Decided> {
        let subject = task_position::name_of(&self.flow, (request.blueprint, request.digest));
        let own = beside::begin(self, language);
        let (turn, current) = (own.id, own.current());
        let (approval, tally, on_behalf_of) = (request.id, counts.tally(), by.1);
        let (changes, named) = (Vec::new(), subject.clone());
        let note =
            DecisionNote { approval, approved, reason, tally, changes, on_behalf_of, subject };
        self.note_accepted(turn, by.0, Opening::Decision(note)).await?;
        let (done, state) = match counts {
            _ if !approved => (self.refuse(turn, by, request).await?, "rejected"),
            Counts::Joins(_) | Counts::Again(_) => (self.join(turn, by, request).await?, PENDING),
            Counts::Alone | Counts::Last(_) => (self.give(turn, by, request).await?, "approved"),
        };
        let done = match done {
            Err(Void { why, on_record: false }) => {
                beside::forget(self, own);
                return Ok(Err(why));
            }
            Err(Void { why, on_record: true }) => Err(why),
            Ok(()) => Ok(()),
        };
        let outcome = match &done {
            Err(_) => DENIED,
            Ok(()) if state == PENDING => PENDING,
            Ok(()) => DONE,
        };
        if done.is_ok() && on_behalf_of.is_some() {
            telemetry::answered_on_behalf();
        }
        if current.is_none()
            && outcome != DONE
            && let Some(turn) = self.work.turn.take()
        {
            self.end(&turn, outcome).await?;
        }
        if let (DONE, "approved", Some(current), Some(job)) = (outcome, state, current, named) {
            self.tell_approved(current, &job).await?;
        }
        beside::end(self, own, outcome).await?;
        let beside = current;
        Ok(done.map(|()| Decided { turn, approval, state, tally, on_behalf_of, beside }))
    }

    /// Nothing is seen of a yes beside a turn before its plan begins.
    async fn tell_approved(&mut self, current: TurnId, job: &JobName) -> Result<(), SessionFault> {
        if self.work.turn.as_ref().is_none_or(|turn| turn.id != current) {
            return Ok(());
        }
        let job = self.runtime.deps.messages.job(self.conversation.language, job);
        let message = self.text("reply.approved_meanwhile", &[("job", neutralise(&job))]);
        self.reply(current, ReplyCode::Told { message }).await
    }

    /// A requester's typed yes to the shown preview is the evidence.
    pub async fn affirm(
        &mut self,
        turn: TurnId,
        who: &Principal,
        digest: BlueprintDigest,
    ) -> Result<(), SessionFault> {
        let asked = match self.work.approval(digest) {
            Some(id) => self.journal.records.question(id).await?,
            None => None,
        };
        let given = match asked {
            Some(asked) => self.give(turn, (who, None), &asked).await?,
            None => Err(Void::unrecorded(DecideError::NotFound)),
        };
        match given {
            Ok(()) => Ok(()),
            // Of a message, as of any other: its turn was to begin with that commit.
            Err(Void { why: DecideError::RightGone, .. }) => Err(StoreError::AuthorityGone.into()),
            Err(_) => self.feed(turn, FlowInput::Expired { digest }).await,
        }
    }

    /// E: the turn that says it, the user's event, the approval that it proves and the input that
    /// follows.
    async fn give(
        &mut self,
        turn: TurnId,
        who: (&Principal, Option<OnBehalfOf>),
        request: &PendingQuestion,
    ) -> Counted<(), Void> {
        let digest = request.digest;
        let Some((said, again)) = self.said_yes(who, request) else {
            return Ok(Err(Void::unrecorded(DecideError::NotFound)));
        };
        let Stepped { event, next, effects } = self.stepped(answer(&self.flow, turn, digest, true));
        let accepted = self.journal.pending.mark();
        self.journal.event(turn, event);
        beside::note_over(self, turn, DONE);
        match self.journal.record_approval(said, request).await {
            Ok(()) => {}
            // Approved before, and the ruling could not be had: it counts once.
            Err(ApprovalError::AlreadyDecided { state: ApprovalState::Approved }) => {
                if let Err(error) = self.journal.record_event(again).await {
                    return lost(error);
                }
            }
            Err(void) => return self.note_void(turn, (void, accepted), again).await,
        }
        self.flow = next;
        self.go_on(turn, effects).await.map(Ok)
    }

    /// A yes that does not count: that it was said is on record. `accepted`: where its turn's beginning ends.
    async fn note_void(
        &mut self,
        turn: TurnId,
        (void, accepted): (ApprovalError, (usize, usize)),
        said: Unrecorded<UserEvent>,
    ) -> Counted<(), Void> {
        let why = match void {
            ApprovalError::Store(error) => return lost(error),
            ApprovalError::Expired => DecideError::Expired,
            ApprovalError::Unknown => DecideError::NotFound,
            ApprovalError::AlreadyDecided { state } => already(state),
            ApprovalError::NotProven(_) => DecideError::NotAllowed,
            ApprovalError::DelegationOver => DecideError::DelegationOver,
            ApprovalError::AlreadySaid | ApprovalError::Miscounted => {
                DecideError::Unavailable("somebody else answered at the same time".to_owned())
            }
        };
        self.journal.pending.cut(accepted);
        beside::note_over(self, turn, DENIED);
        match self.journal.record_event(said).await {
            Ok(()) => Ok(Err(Void { why, on_record: true })),
            Err(error) => lost(error),
        }
    }

    /// What follows, follows in the turn in progress, where the decision was said beside one.
    async fn go_on(&mut self, turn: TurnId, effects: Vec<FlowEffect>) -> Result<(), SessionFault> {
        let current = self.work.turn.as_ref().map_or(turn, |current| current.id);
        self.follow(current, effects).await
    }

    /// E: the turn that says it, the user's event, and the approval that it proves. Others have to join it:
    /// the flow hears of none before the last.
    async fn join(
        &mut self,
        turn: TurnId,
        who: (&Principal, Option<OnBehalfOf>),
        request: &PendingQuestion,
    ) -> Counted<(), Void> {
        let Some((said, again)) = self.said_yes(who, request) else {
            return Ok(Err(Void::unrecorded(DecideError::NotFound)));
        };
        let accepted = self.journal.pending.mark();
        beside::note_over(self, turn, PENDING);
        match self.journal.join_approval(said, request).await {
            Ok(()) => Ok(Ok(())),
            Err(void) => self.note_void(turn, (void, accepted), again).await,
        }
    }

    /// The act of a yes, and the same for the record alone, where it does not count.
    fn said_yes(
        &self,
        (who, on_behalf_of): (&Principal, Option<OnBehalfOf>),
        request: &PendingQuestion,
    ) -> Option<(Unrecorded<UserEvent>, Unrecorded<UserEvent>)> {
        let ApprovalRequest { id: approval, blueprint, digest, .. } = **request;
        let delegation = on_behalf_of.map(|lent| lent.delegation);
        let kind = UserEventKind::Approve { approval, blueprint, digest, delegation };
        let said = self.journal.event_of(who, kind.clone())?;
        Some((said, self.journal.event_of(who, kind)?))
    }

    /// E: the user's event and the end of the question, with the input that follows.
    async fn refuse(
        &mut self,
        turn: TurnId,
        (who, on_behalf_of): (&Principal, Option<OnBehalfOf>),
        request: &PendingQuestion,
    ) -> Counted<(), Void> {
        let ApprovalRequest { id, blueprint, digest, .. } = **request;
        let delegation = on_behalf_of.map(|lent| lent.delegation);
        let kind = UserEventKind::Reject { approval: id, blueprint, digest, delegation };
        let Some(event) = self.journal.event_of(who, kind) else {
            return Ok(Err(Void::unrecorded(DecideError::NotFound)));
        };
        self.journal.audit(audit::rejected(id, digest, who.user(), on_behalf_of));
        self.journal.write(Write::RejectApproval { id, by: who.user(), on_behalf_of });
        let input = answer(&self.flow, turn, digest, false);
        let Stepped { event: stepped, next, effects } = self.stepped(input.clone());
        self.journal.event(turn, stepped);
        beside::note_over(self, turn, DONE);
        match self.journal.record_event(event).await {
            Ok(()) => {}
            // Withdrawn with the requester's account.
            Err(StoreError::NotPending { state }) => {
                return Ok(Err(Void::unrecorded(already(state))));
            }
            // It was ended between the look and the commit.
            Err(StoreError::DelegationOver) => {
                return Ok(Err(Void::unrecorded(DecideError::DelegationOver)));
            }
            Err(error) => return lost(error),
        }
        self.flow = next;
        // As a replay does.
        self.work.conduct.note(&input);
        // The question is closed: nothing is left to withdraw.
        self.work.set_approval(digest, None);
        self.go_on(turn, effects).await.map(Ok)
    }

    /// The sweep may have looked twice, or a cancel may have come first.
    pub async fn expire(
        &mut self,
        id: ApprovalId,
        digest: BlueprintDigest,
    ) -> Result<(), SessionFault> {
        if self.work.turn.is_some() {
            return Ok(());
        }
        let row = self.runtime.deps.store.approval(id).await?;
        let open = [ApprovalState::Pending, ApprovalState::Approved];
        let Some(row) = row.filter(|row| open.contains(&row.state)) else { return Ok(()) };
        self.journal.audit(audit::approval("expired", id, digest, None));
        self.journal.write(Write::ExpireApproval { id });
        if !task_position::asks_about(&self.flow, (row.request.blueprint, digest)) {
            return self.flush(Point::P).await;
        }
        let turn = self.work.fresh_turn(&mut self.journal);
        self.conversation.hide(digest);
        self.feed(turn, FlowInput::Expired { digest }).await
    }
}

/// The store did not take it.
fn lost(error: StoreError) -> Counted<(), Void> {
    beside::right_gone(error).map(|why| Err(Void::unrecorded(why)))
}

/// The input depends on whom the question was put to.
fn answer(flow: &FlowState, turn: TurnId, digest: BlueprintDigest, yes: bool) -> FlowInput {
    let own = task_position::confirming(flow) == Some(digest);
    let named = Some(digest);
    let signal = |signal| FlowInput::Signal(UserSignal { turn, signal });
    match (own, yes) {
        (true, true) => signal(SignalKind::Affirm { digest: named }),
        (true, false) => signal(SignalKind::Deny { digest: named }),
        (false, true) => FlowInput::Approved { digest },
        (false, false) => FlowInput::Refused { digest },
    }
}
