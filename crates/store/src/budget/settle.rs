//! Settles a call or an execution: its holds end, and its cost counts in their windows.

use super::{CallState, alert::settling};
use crate::{
    database::{
        entity::{hold, model_call},
        number::{COUNT_MAX, from_db, to_db},
        statement::{Reads, Writes, execute, models, query},
    },
    error::StoreError,
    writer::boundary::AuditEntry,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use uuid::Uuid;
use wiiiv_domain::{Amount, CallId, ExecutionId, SessionId, Timestamp, Usage};

/// What a call's end makes of its hold.
enum Spent {
    /// What it really used. More than was held counts in full all the same.
    Actual {
        tokens: i64,
        micros: i64,
    },
    Nothing,
    /// Nobody knows: everything that was held.
    Unknown,
}

/// What a call has come to, as far as somebody knows.
struct KnownUsage<'a> {
    usage: &'a Usage,
    amount: &'a Amount,
}

/// What else is to be on record because of it comes back.
pub(crate) async fn settle<C: Writes>(
    db: &C,
    call: CallId,
    (usage, amount): (&Usage, &Amount),
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let spent =
        Spent::Actual { tokens: count(amount.tokens)?, micros: count(amount.micros.unwrap_or(0))? };
    end_call(db, call, (spent, Some(KnownUsage { usage, amount })), now).await
}

pub(crate) async fn release_call<C: Writes>(
    db: &C,
    call: CallId,
    now: Timestamp,
) -> Result<(), StoreError> {
    end_call(db, call, (Spent::Nothing, None), now).await.map(drop)
}

fn count(count: u64) -> Result<i64, StoreError> {
    to_db(count.min(COUNT_MAX))
}

/// A call that is no longer open is left as it is: it was healed, or this is a repetition.
async fn end_call<C: Writes>(
    db: &C,
    call: CallId,
    (spent, known): (Spent, Option<KnownUsage<'_>>),
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let (state, is_unknown) = match spent {
        Spent::Actual { .. } => (CallState::Settled, false),
        Spent::Unknown => (CallState::Settled, true),
        Spent::Nothing => (CallState::Released, false),
    };
    let update = "UPDATE model_call SET state = $2, ended_at = $3, usage = $4, amount = $5, \
        input_tokens = $6, output_tokens = $7, estimated = $8, \
        tokens = CASE WHEN $11 THEN held_tokens ELSE $9 END, \
        micros = CASE WHEN $11 THEN held_micros ELSE $10 END \
        WHERE id = $1 AND state = 'open' RETURNING from_execution";
    let usage = known.as_ref().map(|known| known.usage);
    let amount = known.as_ref().map(|known| known.amount);
    let number = |number: Option<u64>| number.map(count).transpose();
    let values = vec![
        call.uuid().into(),
        state.into(),
        now.unix_ms().into(),
        usage.map(serde_json::to_string).transpose()?.into(),
        amount.map(serde_json::to_string).transpose()?.into(),
        number(usage.map(|usage| usage.input_tokens))?.into(),
        number(usage.map(|usage| usage.output_tokens))?.into(),
        usage.map(|usage| usage.estimated).into(),
        number(amount.map(|amount| amount.tokens))?.into(),
        number(amount.and_then(|amount| amount.micros))?.into(),
        is_unknown.into(),
    ];
    let Some(row) = query(db, update, values).await? else { return Ok(Vec::new()) };
    let from: Option<Uuid> = row.get(0)?;
    match from {
        Some(execution) => draw(db, execution, &spent, now).await,
        None => end_holds(db, call.uuid(), &spent, now).await,
    }
}

/// The whole hold ends; what was spent counts in each of its windows.
async fn end_holds<C: Writes>(
    db: &C,
    holder: Uuid,
    spent: &Spent,
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let (all, (tokens, micros)) = match spent {
        Spent::Actual { tokens, micros } => (false, (*tokens, *micros)),
        Spent::Nothing => (false, (0, 0)),
        Spent::Unknown => (true, (0, 0)),
    };
    let update = "UPDATE budget SET held_tokens = budget.held_tokens - hold.tokens, \
        held_micros = budget.held_micros - hold.micros, \
        settled_tokens = budget.settled_tokens + CASE WHEN $2 THEN hold.tokens ELSE $3 END, \
        settled_micros = budget.settled_micros + CASE WHEN $2 THEN hold.micros ELSE $4 END \
        FROM hold WHERE hold.holder = $1 AND hold.budget = budget.id";
    let values = vec![holder.into(), all.into(), tokens.into(), micros.into()];
    let alerts = match spent {
        Spent::Actual { .. } | Spent::Unknown => {
            let again = held_by(db, holder).await?;
            settling(db, (update, values), again, now).await?
        }
        // Nobody is told of what was near before: the next settlement does.
        Spent::Nothing => {
            execute(db, update, values).await?;
            Vec::new()
        }
    };
    let delete = "DELETE FROM hold WHERE holder = $1";
    execute(db, delete, vec![holder.into()]).await?;
    Ok(alerts)
}

/// The most in any window, in tokens and micro-units.
async fn held_by<C: Reads>(db: &C, holder: Uuid) -> Result<(u64, u64), StoreError> {
    let holds = models(hold::Entity::find().filter(hold::Column::Holder.eq(holder)), db).await?;
    let most = |of: fn(&hold::Model) -> i64| holds.iter().map(of).max().map_or(0, from_db);
    Ok((most(|hold| hold.tokens), most(|hold| hold.micros)))
}

/// A call inside an execution draws on that execution's hold, never on the windows again.
async fn draw<C: Writes>(
    db: &C,
    execution: Uuid,
    spent: &Spent,
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let mut alerts = Vec::new();
    let holds = models(hold::Entity::find().filter(hold::Column::Holder.eq(execution)), db).await?;
    // What was drawn for nothing changes no sum.
    if matches!(spent, Spent::Nothing) {
        return Ok(alerts);
    }
    for hold in holds {
        let (tokens, micros) = match spent {
            Spent::Actual { tokens, micros } => (*tokens, *micros),
            Spent::Nothing => (0, 0),
            Spent::Unknown => (hold.tokens, hold.micros),
        };
        let (held_tokens, held_micros) = (tokens.min(hold.tokens), micros.min(hold.micros));
        let window = "UPDATE budget SET held_tokens = held_tokens - $2, \
            held_micros = held_micros - $3, settled_tokens = settled_tokens + $4, \
            settled_micros = settled_micros + $5 WHERE id = $1";
        let values = vec![
            hold.budget.clone().into(),
            held_tokens.into(),
            held_micros.into(),
            tokens.into(),
            micros.into(),
        ];
        alerts.extend(settling(db, (window, values), (0, 0), now).await?);
        let rest = "UPDATE hold SET tokens = tokens - $3, micros = micros - $4 \
                    WHERE holder = $1 AND budget = $2";
        let values =
            vec![execution.into(), hold.budget.into(), held_tokens.into(), held_micros.into()];
        execute(db, rest, values).await?;
    }
    Ok(alerts)
}

/// What an execution still holds goes back when it is finished.
pub(crate) async fn release_execution<C: Writes>(
    db: &C,
    execution: ExecutionId,
    now: Timestamp,
) -> Result<(), StoreError> {
    end_holds(db, execution.uuid(), &Spent::Nothing, now).await.map(drop)
}

/// Ends every open call of the session as spent in full. The calls come back with what was held for
/// them, and what else is to be on record.
pub(crate) async fn recover<C: Writes>(
    db: &C,
    session: SessionId,
    now: Timestamp,
) -> Result<(Vec<(CallId, Amount)>, Vec<AuditEntry>), StoreError> {
    let open = model_call::Entity::find()
        .filter(model_call::Column::Session.eq(session.uuid()))
        .filter(model_call::Column::State.eq(CallState::Open));
    let calls: Vec<_> = models(open, db).await?.iter().map(held).collect();
    let mut alerts = Vec::new();
    for (call, _) in &calls {
        alerts.extend(end_call(db, *call, (Spent::Unknown, None), now).await?);
    }
    Ok((calls, alerts))
}

fn held(row: &model_call::Model) -> (CallId, Amount) {
    let tokens = row.held_tokens.map_or(0, from_db);
    (row.id.into(), Amount { tokens, micros: row.held_micros.map(from_db) })
}
