//! An edit in place of an answer: the question is closed, and what takes the place of its plan goes the whole
//! way of a plan again.

use crate::{
    audit, clock,
    message::{ApprovalEdit, DecideError, Decided, EditRefused},
    plan_counts::PLANS_PER_HOUR_MAX,
    reply,
    runtime::Runtime,
    session::{
        Opening, Session, SessionFault, Stepped,
        answered::{already, why_not},
        drawing::{Surroundings, steps_of},
        earlier_result,
        records::Records,
        task_position,
    },
    telemetry,
};
use std::sync::Arc;
use wiiiv_domain::{
    Blueprint, BlueprintDigest, DecisionNote, EventBody, FlowEffect, FlowInput, NotDrawn, PlanEdit,
    ReplyCode, Slots, Spec, SpecSnapshot, UserId,
};
use wiiiv_gate::{ApprovalRequest, PendingQuestion, Principal, UserEventKind};
use wiiiv_store::{ApprovalRow, ApprovalState, StoreError, Write};

/// The edit as the flow takes it, and the spec that it makes of this one.
fn changed(
    old: &Spec,
    (requester, by): (UserId, UserId),
    slots: Slots,
) -> Result<(PlanEdit, Spec), EditRefused> {
    let may = wiiiv_hlx::editable(&old.slots);
    let names = || may.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    for (slot, _) in slots.iter() {
        if !may.iter().any(|(name, _)| name == slot) {
            return Err(EditRefused::NotAValue { slot: slot.clone(), may: names() });
        }
    }
    let edit = PlanEdit { by: (by != requester).then_some(by), slots };
    if edit.changes(&old.slots).is_empty() {
        return Err(EditRefused::Unchanged);
    }
    let spec = old.edited(&edit).map_err(|fault| {
        let what = fault.to_string();
        EditRefused::NotDrawable(vec![NotDrawn::OutsideEnvelope { what }])
    })?;
    Ok((edit, spec))
}

/// Whether the values make a plan of the same steps: before the question is closed for it. What the
/// gates say of it is decided afterwards, as of any plan.
pub async fn fits(
    runtime: &Arc<Runtime>,
    row: &ApprovalRow,
    by: UserId,
    slots: &Slots,
) -> Result<(), DecideError> {
    let lost = |error: StoreError| DecideError::from(&SessionFault::from(error));
    let asked = &row.request;
    if let Some(seconds) = runtime.plan_counts.wait(asked.requester, clock::now()) {
        return Err(DecideError::TooManyPlans { limit: PLANS_PER_HOUR_MAX, seconds });
    }
    let store = &runtime.deps.store;
    let stored = store.blueprint(asked.blueprint).await.map_err(lost)?;
    let plan = stored.ok_or(DecideError::NotFound)?.blueprint;
    let session = store.session(row.session).await.map_err(lost)?.ok_or(DecideError::NotFound)?;
    let (_, spec) = changed(&plan.spec_snapshot.spec, (asked.requester, by), slots.clone())?;
    let unavailable = |why: String| DecideError::Unavailable(why);
    let policy = runtime.policies.current(asked.project).await;
    let known = Surroundings {
        policy: policy.map_err(|error| unavailable(error.to_string()))?,
        earlier: Records::new(runtime.clone(), &session).earlier_runs().await.map_err(lost)?,
        systems: runtime.systems.current(asked.project).await.map_err(lost)?,
    };
    let systems = known.systems.list.clone();
    let (drawing, project) = (runtime.clone(), asked.project);
    let drawn = tokio::task::spawn_blocking(move || {
        steps_of(&drawing, project, &spec, &known).map(|(nodes, _)| (spec, nodes))
    });
    let drawn = drawn.await.map_err(|error| unavailable(error.to_string()))?;
    let (spec, nodes) = drawn.map_err(EditRefused::NotDrawable)?;
    let same = wiiiv_hlx::is_same_but_for_values(&plan.nodes, &nodes, &systems);
    same.map_err(|step| EditRefused::OtherPlan { step })?;
    let spec_snapshot = SpecSnapshot { spec, ..plan.spec_snapshot };
    let plan = Blueprint { nodes, spec_snapshot, ..plan };
    let fits = earlier_result::check(runtime, &plan, &systems).await;
    Ok(fits.map_err(EditRefused::NotDrawable)?)
}

/// Of two people the second finds the question closed. The outer result is a fault.
pub async fn edited(
    session: &mut Session,
    who: &Principal,
    request: &PendingQuestion,
    edit: ApprovalEdit,
) -> Result<Result<Decided, DecideError>, SessionFault> {
    let ApprovalEdit { digest, slots, note } = edit;
    if let Some(refused) = refused(session, who, (request, digest)).await? {
        return Ok(Err(refused));
    }
    let plan = session.work.plan(&session.journal.records, request.blueprint, digest).await?;
    let old = &plan.spec_snapshot.spec;
    let (edit, spec) = match changed(old, (request.requester, who.user()), slots) {
        Ok(changed) => changed,
        Err(why) => return Ok(Err(why.into())),
    };
    let changes = edit.changes(&old.slots);
    let written = Written { request, old, spec: &spec, edit: &edit, note: &note };
    let Stepped { event, next, effects } =
        session.stepped(FlowInput::Edited { digest, edit: edit.clone() });
    let (told, effects): (Vec<_>, Vec<_>) = effects.into_iter().partition(is_of_edit);
    let Some(FlowEffect::Reply { reply }) = told.into_iter().next() else {
        return why_not(&session.runtime.deps.store, request.id).await.map(Err);
    };
    let turn = session.work.fresh_turn(&mut session.journal);
    let (approval, approved, tally) = (request.id, false, None);
    let opening = DecisionNote { approval, approved, reason: note.clone(), tally, changes };
    session.note_accepted(turn, who, Opening::Decision(opening)).await?;
    session.journal.event(turn, event);
    // With the edit: whoever is told that the plan is void is told what was changed.
    let text = reply::render(session, &reply).await?;
    let shown = EventBody::Replied { reply, text, foreign: false };
    session.journal.event(turn, shown.clone());
    if let Err(refused) = write(session, who, &written).await? {
        if let Some(turn) = session.work.turn.take() {
            session.end(&turn, "denied").await?;
        }
        return Ok(Err(refused));
    }
    telemetry::approval_edited();
    session.flow = next;
    session.conversation.note(&shown);
    // The question is closed: nothing is left to withdraw.
    session.work.set_approval(digest, None);
    session.follow(turn, effects).await?;
    Ok(Ok(Decided { turn, approval, state: ApprovalState::Edited.as_str(), tally: None }))
}

const fn is_of_edit(effect: &FlowEffect) -> bool {
    matches!(effect, FlowEffect::Reply { reply: ReplyCode::Edited { .. } })
}

/// Whoever may answer the question may edit its plan, as long as nobody has answered.
async fn refused(
    session: &Session,
    who: &Principal,
    (request, digest): (&PendingQuestion, BlueprintDigest),
) -> Result<Option<DecideError>, SessionFault> {
    if digest != request.digest {
        return Ok(Some(DecideError::Stale { digest: request.digest }));
    }
    let store = &session.runtime.deps.store;
    if !task_position::asks_about(&session.flow, digest) || session.work.turn.is_some() {
        return why_not(store, request.id).await.map(Some);
    }
    if !request.may_be_answered_by(who) {
        return Ok(Some(DecideError::NotAllowed));
    }
    if clock::now() >= request.expires_at {
        return Ok(Some(DecideError::Expired));
    }
    // Approved, and the ruling could not be had: the yes waits to be used.
    let row = store.approval(request.id).await?;
    if row.is_none_or(|row| row.state != ApprovalState::Pending) {
        return why_not(store, request.id).await.map(Some);
    }
    Ok(session.journal.records.is_halted().await?.then_some(DecideError::Halted))
}

/// What is put on record of an edit.
struct Written<'a> {
    request: &'a PendingQuestion,
    old: &'a Spec,
    spec: &'a Spec,
    edit: &'a PlanEdit,
    note: &'a str,
}

/// E: the turn that does it, the user's event, the end of the question, the input that follows and what
/// is told of it.
async fn write(
    session: &mut Session,
    who: &Principal,
    Written { request, old, spec, edit, note }: &Written<'_>,
) -> Result<Result<(), DecideError>, SessionFault> {
    let ApprovalRequest { id, blueprint, digest, .. } = ***request;
    let (from, to) = (old.digest()?, spec.digest()?);
    let kind = UserEventKind::Edit { approval: id, blueprint, digest, to };
    let Some(event) = session.journal.event_of(who, kind) else {
        return Ok(Err(DecideError::NotFound));
    };
    let (row, store) = (&session.journal.row, &session.runtime.deps.store);
    let value = |slots: &Slots, name: &str| row.salt.digest_of(slots.get(name).unwrap_or_default());
    let values = edit.slots.iter().map(|(name, _)| {
        let (from, to) = (value(&old.slots, name.as_str()), value(&spec.slots, name.as_str()));
        (name.clone(), from, to)
    });
    let values: Vec<_> = values.filter(|(_, from, to)| from != to).collect();
    let hmac = match note.is_empty() {
        true => None,
        false => Some(store.hmac(row.project, note.as_bytes()).await?),
    };
    let told = audit::edited(request, (from, to), who.user(), &values, hmac.as_deref());
    session.journal.audit(told);
    session.journal.write(Write::EditApproval { id, by: who.user(), digest, to });
    match session.journal.record_event(event).await {
        Ok(()) => Ok(Ok(())),
        // Its time ran out this very moment.
        Err(StoreError::NotPending { state: ApprovalState::Pending }) => {
            Ok(Err(DecideError::Expired))
        }
        // Withdrawn with the requester's account.
        Err(StoreError::NotPending { state }) => Ok(Err(already(state))),
        Err(error) => Err(error.into()),
    }
}
