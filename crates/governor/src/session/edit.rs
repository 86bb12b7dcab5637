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
        beside,
        drawing::{Surroundings, steps_of},
        earlier_result,
        records::Records,
        task_position,
    },
    telemetry,
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{
    ApprovalBy, Blueprint, BlueprintDigest, DecisionNote, EventBody, FlowEffect, FlowInput, Lang,
    NotDrawn, PlanEdit, ReplyCode, SlotError, SlotName, Slots, Spec, SpecDigest, SpecSnapshot,
    UserId,
};
use wiiiv_gate::{
    ApprovalRequest, PendingQuestion, Principal, Unrecorded, UserEvent, UserEventKind,
};
use wiiiv_store::{ApprovalRow, ApprovalState, Role, Store, StoreError, Write};

/// Whose yes counts for a plan of somebody else.
const APPROVERS: [Role; 2] = [Role::Owner, Role::Approver];

/// The edit as the flow takes it, and the spec that it makes of this one. A value that was there already is
/// left out: whoever sends it again has not written it.
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
    let unfit = |fault: SlotError| {
        let what = fault.to_string();
        EditRefused::NotDrawable(vec![NotDrawn::OutsideEnvelope { what }])
    };
    let mut others = BTreeMap::<SlotName, String>::from(slots);
    others.retain(|name, value| old.slots.get(name.as_str()) != Some(value.as_str()));
    if others.is_empty() {
        return Err(EditRefused::Unchanged);
    }
    let slots = Slots::try_from(others).map_err(unfit)?;
    let edit = PlanEdit { by: (by != requester).then_some(by), slots };
    let spec = old.edited(&edit).map_err(unfit)?;
    Ok((edit, spec))
}

/// Whether the changed plan can still be approved. Under four eyes neither its requester nor anybody who wrote a
/// value of it is counted. Somebody who stands in for one who is left makes no second person of them.
async fn enough_are_left(
    store: &Store,
    asked: &ApprovalRequest,
    (spec, by): (&Spec, UserId),
) -> Result<bool, StoreError> {
    match asked.by {
        // The requester confirms it.
        ApprovalBy::Requester => return Ok(true),
        ApprovalBy::AnotherPerson => {}
    }
    let mut authors = spec.edits.people();
    authors.extend([asked.requester, by]);
    let mut left = 0;
    for member in store.members(asked.project).await?.rows {
        let approves = APPROVERS.iter().any(|role| member.roles.contains(role));
        if approves
            && !authors.contains(&member.user)
            && store.is_at_work(member.user, asked.project).await?
        {
            left += 1;
        }
    }
    Ok(left >= usize::from(asked.approvers))
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
    if !enough_are_left(store, asked, (&spec, by)).await.map_err(lost)? {
        return Err(EditRefused::NobodyLeft.into());
    }
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
    (who, language): (&Principal, Option<Lang>),
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
    let specs = (old.digest()?, spec.digest()?);
    let (approval, blueprint) = (request.id, request.blueprint);
    let kind = UserEventKind::Edit { approval, blueprint, digest, to: specs.1 };
    // Before the turn: where this person is of another project, none begins.
    let Some(event_of_user) = session.journal.event_of(who, kind) else {
        return Ok(Err(DecideError::NotFound));
    };
    let by = who.user();
    let written = Written { request, by, old, spec: &spec, specs, edit: &edit, note: &note };
    let Stepped { event, next, effects } =
        session.stepped(FlowInput::Edited { digest, edit: edit.clone() });
    let (told, effects): (Vec<_>, Vec<_>) = effects.into_iter().partition(is_of_edit);
    let Some(FlowEffect::Reply { reply }) = told.into_iter().next() else {
        return why_not(&session.runtime.deps.store, request.id).await.map(Err);
    };
    let subject = task_position::name_of(&session.flow, (blueprint, digest));
    let own = beside::begin(session, language);
    let (turn, current) = (own.id, own.current());
    let (approved, tally, on_behalf_of) = (false, None, None);
    let reason = note.clone();
    let opening =
        DecisionNote { approval, approved, reason, tally, changes, on_behalf_of, subject };
    session.note_accepted(turn, who, Opening::Decision(opening)).await?;
    session.journal.event(turn, event);
    // With the edit: whoever is told that the plan is void is told what was changed.
    let mut text = reply::render(session, &reply).await?;
    // Nothing is seen of it before what is active has ended.
    let is_parked = next.suspended().any(|task| task.goes_on && task.question.is_none());
    if current.is_some() || is_parked {
        text.push('\n');
        text.push_str(&session.text("reply.edited_waits", &[]));
    }
    let shown = EventBody::replied(reply, text);
    session.journal.event(turn, shown.clone());
    beside::note_over(session, turn, "done");
    if let Err(refused) = write(session, event_of_user, &written).await? {
        beside::forget(session, own);
        return Ok(Err(refused));
    }
    telemetry::approval_edited();
    session.flow = next;
    session.conversation.note(&shown);
    // The question is closed: nothing is left to withdraw.
    session.work.set_approval(digest, None);
    session.follow(current.unwrap_or(turn), effects).await?;
    beside::end(session, own, "done").await?;
    let state = ApprovalState::Edited.as_str();
    Ok(Ok(Decided { turn, approval, state, tally, on_behalf_of, beside: current }))
}

const fn is_of_edit(effect: &FlowEffect) -> bool {
    matches!(effect, FlowEffect::Reply { reply: ReplyCode::Edited { .. } })
}

/// Whoever may answer the question in their own right may edit its plan, as long as nobody has answered.
async fn refused(
    session: &Session,
    who: &Principal,
    (request, digest): (&PendingQuestion, BlueprintDigest),
) -> Result<Option<DecideError>, SessionFault> {
    if digest != request.digest {
        return Ok(Some(DecideError::Stale { digest: request.digest }));
    }
    let store = &session.runtime.deps.store;
    if !task_position::asks_about(&session.flow, (request.blueprint, digest)) {
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
    by: UserId,
    old: &'a Spec,
    spec: &'a Spec,
    /// The digests of both.
    specs: (SpecDigest, SpecDigest),
    edit: &'a PlanEdit,
    note: &'a str,
}

/// E: the turn that does it, the user's event, the end of the question, the input that follows and what
/// is told of it. Where it is refused nothing of that is on record.
async fn write(
    session: &mut Session,
    event: Unrecorded<UserEvent>,
    Written { request, by, old, spec, specs, edit, note }: &Written<'_>,
) -> Result<Result<(), DecideError>, SessionFault> {
    let ApprovalRequest { id, digest, .. } = ***request;
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
    let told = audit::edited(request, *specs, *by, &values, hmac.as_deref());
    session.journal.audit(told);
    session.journal.write(Write::EditApproval { id, by: *by, digest, to: specs.1 });
    match session.journal.record_event(event).await {
        Ok(()) => Ok(Ok(())),
        // Its time ran out this very moment.
        Err(StoreError::NotPending { state: ApprovalState::Pending }) => {
            Ok(Err(DecideError::Expired))
        }
        // Withdrawn with the requester's account.
        Err(StoreError::NotPending { state }) => Ok(Err(already(state))),
        Err(error) => beside::right_gone(error).map(Err),
    }
}
