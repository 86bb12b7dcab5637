//! Takes a claim's approvals and grants, its budget and its start. Each statement changes exactly one row, or
//! the boundary is undone.

use super::{
    attempts,
    claimed::{Claimed, Refused},
    holds,
};
use crate::{
    approval::{question, quorum},
    database::{
        number::{COUNT_MAX, to_db},
        statement::{Writes, execute},
    },
    error::StoreError,
    grant::taken,
    writer::{refused::Moved, write_transaction::WriteTransaction},
};
use std::sync::LazyLock;
use wiiiv_domain::{Amount, CallId, ExecutionId, Timestamp, UserId, WindowKind};
use wiiiv_gate::{ApprovalKey, ExecutionStarted, Guard, HoldLine, RuledOn, Start};

pub(super) async fn take(
    tx: &mut WriteTransaction,
    claimed: &Claimed<'_>,
    guard: &Guard,
    place: (u64, Timestamp),
) -> Result<(), Refused> {
    for key in &guard.consume {
        consume(&tx.db, key, &guard.start, place.1).await?;
    }
    for key in &guard.grants {
        let Start::Execution { execution, .. } = &guard.start else {
            return Err(Refused::Moved(Moved::GrantGone));
        };
        if !taken::take(tx, key, (guard.policy.0, *execution), place.1).await? {
            return Err(Refused::Moved(Moved::GrantGone));
        }
    }
    holds::take_all(tx, &guard.hold, holder(&guard.start)).await?;
    start(&tx.db, claimed, guard, place).await?;
    take_override(&tx.db, &guard.start, place.1).await
}

/// An override of one request is for one run. Nothing is asked where the run takes none.
async fn take_override<C: Writes>(db: &C, start: &Start, now: Timestamp) -> Result<(), Refused> {
    let Start::Execution { execution, takes: Some(id), .. } = start else { return Ok(()) };
    let update = "UPDATE policy_override SET used_by = $1 WHERE id = $2 AND used_by IS NULL \
                  AND approved_by IS NOT NULL AND ended_at IS NULL AND ends_at > $3";
    let values = vec![execution.uuid().into(), id.uuid().into(), now.unix_ms().into()];
    one_row(execute(db, update, values).await?, Moved::PolicyChanged)
}

fn one_row(changed: u64, otherwise: Moved) -> Result<(), Refused> {
    if changed == 1 { Ok(()) } else { Err(Refused::Moved(otherwise)) }
}

/// Whoever said yes has to be somebody who still may; of several people, as many as were counted.
static CONSUME: LazyLock<String> = LazyLock::new(|| {
    let stands = question::approver_stands("$6");
    let last = ("approval.decided_by", "COALESCE(approval.on_behalf_of, approval.decided_by)");
    let others = quorum::others(last, "$6");
    format!(
        "UPDATE approval SET consumed_by = $1, state = 'consumed' \
         WHERE id = $2 AND state = 'approved' AND consumed_by IS NULL \
         AND blueprint = $3 AND digest = $4 AND requester = $5 AND expires_at > $6 \
         AND (({stands} AND $7 = 1) \
         OR (approvers > 1 AND $7 <= CASE WHEN {stands} THEN 1 ELSE 0 END + {others}))"
    )
});

/// Binds the approval to one execution, once.
async fn consume<C: Writes>(
    db: &C,
    key: &ApprovalKey,
    start: &Start,
    now: Timestamp,
) -> Result<(), Refused> {
    let Start::Execution { execution, .. } = start else {
        return Err(Refused::Moved(Moved::ApprovalGone));
    };
    let values = vec![
        execution.uuid().into(),
        key.id.uuid().into(),
        key.blueprint.uuid().into(),
        key.digest.bytes().to_vec().into(),
        key.requester.uuid().into(),
        now.unix_ms().into(),
        i64::from(key.approvers).into(),
    ];
    one_row(execute(db, &CONSUME, values).await?, Moved::ApprovalGone)
}

/// Which execution holds what is taken; else the call does.
const fn holder(start: &Start) -> Option<ExecutionId> {
    match start {
        Start::Execution { execution, .. }
        | Start::Resume { execution, .. }
        | Start::Step { execution, .. } => Some(*execution),
        Start::Call(_) => None,
    }
}

async fn start<C: Writes>(
    db: &C,
    claimed: &Claimed<'_>,
    guard: &Guard,
    (at, now): (u64, Timestamp),
) -> Result<(), Refused> {
    let changed = match &guard.start {
        Start::Execution { .. } => {
            // INVARIANT: a claim that starts an execution carries the evidence of it.
            let started = claimed.started.as_ref();
            let started = started.ok_or_else(|| StoreError::corrupt("an execution's claim"))?;
            begin(db, guard, started, (at, now)).await?
        }
        Start::Resume { execution, .. } => resume(db, *execution).await?,
        Start::Step { execution, step, attempt, idempotent } => {
            let attempt = attempts::Starting { execution, step, attempt: *attempt };
            attempt.insert(db, *idempotent, (at, now)).await?
        }
        Start::Call(call) => open_call(db, *call, claimed, guard, (at, now)).await?,
    };
    one_row(changed, Moved::AlreadyStarted)
}

/// A blueprint runs once.
async fn begin<C: Writes>(
    db: &C,
    guard: &Guard,
    started: &ExecutionStarted,
    (at, now): (u64, Timestamp),
) -> Result<u64, StoreError> {
    let insert = "INSERT INTO execution \
        (id, blueprint, project, session, digest, at_seq, evidence, state, started_at) \
        SELECT $1, id, project, session, digest, $2, $3, 'running', $4 FROM blueprint \
        WHERE id = $5 AND digest = $6 AND project = $7 AND session = $8 ON CONFLICT DO NOTHING";
    let values = vec![
        started.execution().uuid().into(),
        to_db(at)?.into(),
        serde_json::to_vec(started)?.into(),
        now.unix_ms().into(),
        started.blueprint().uuid().into(),
        started.digest().bytes().to_vec().into(),
        guard.policy.0.uuid().into(),
        guard.standing.session.uuid().into(),
    ];
    execute(db, insert, values).await
}

async fn resume<C: Writes>(db: &C, execution: ExecutionId) -> Result<u64, StoreError> {
    let update = "UPDATE execution SET state = 'running' \
                  WHERE id = $1 AND state IN ('running', 'indeterminate')";
    execute(db, update, vec![execution.uuid().into()]).await
}

async fn open_call<C: Writes>(
    db: &C,
    call: CallId,
    claimed: &Claimed<'_>,
    guard: &Guard,
    (at, now): (u64, Timestamp),
) -> Result<u64, StoreError> {
    let RuledOn::ModelCall { task, provider, model, .. } = &claimed.record.subject else {
        return Err(StoreError::corrupt("a model call's claim"));
    };
    let from = guard.hold.iter().find_map(|line| match line {
        HoldLine::From(execution) => Some(execution.uuid()),
        HoldLine::Take { .. } | HoldLine::StillHeld(_) => None,
    });
    let Taken { payer, held, on } = Taken::of(&guard.hold)?;
    // As nearly every call: the day that it began on.
    let held_on = on.filter(|day| day.utc_day() != now.utc_day());
    let count = |count: Option<u64>| count.map(|count| to_db(count.min(COUNT_MAX))).transpose();
    let insert = "INSERT INTO model_call (id, project, session, task, provider, model, \
        from_execution, at_seq, state, started_at, payer, held_tokens, held_micros, held_on) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9, \
        CASE WHEN $13 THEN (SELECT owner FROM session WHERE session.id = $3) ELSE $10 END, \
        $11, $12, $14) ON CONFLICT DO NOTHING";
    let values = vec![
        call.uuid().into(),
        guard.policy.0.uuid().into(),
        guard.standing.session.uuid().into(),
        task.uuid().into(),
        provider.as_str().into(),
        model.as_str().into(),
        from.into(),
        to_db(at)?.into(),
        now.unix_ms().into(),
        payer.map(UserId::uuid).into(),
        count(held.map(|held| held.tokens))?.into(),
        count(held.and_then(|held| held.micros))?.into(),
        // What costs nothing is held in no window: it is a call of the conversation's owner.
        guard.hold.is_empty().into(),
        held_on.map(Timestamp::unix_ms).into(),
    ];
    execute(db, insert, values).await
}

/// Whose windows a call is held in, how much of each, and the day of those that are a day's or its
/// month's.
#[derive(Default)]
struct Taken {
    payer: Option<UserId>,
    held: Option<Amount>,
    on: Option<Timestamp>,
}

impl Taken {
    fn of(lines: &[HoldLine]) -> Result<Self, StoreError> {
        let mut taken = Self::default();
        for line in lines {
            let HoldLine::Take { window, amount, .. } = line else { continue };
            taken.held = Some(*amount);
            taken.payer = window.user.or(taken.payer);
            if let WindowKind::Day(day) = &window.window {
                let day = Timestamp::of_utc_day(day);
                taken.on = Some(day.map_err(|_| StoreError::corrupt("the day of a hold"))?);
            }
        }
        Ok(taken)
    }
}
