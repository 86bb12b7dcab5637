//! Settles a call or an execution: its holds end, and its cost counts in their windows.

use super::{
    CallState, alert,
    line::{Line, Sum},
    load::load,
};
use crate::{
    database::{
        column::time,
        entity::{hold, model_call},
        number::{CALL_COUNT_MAX, from_db, to_db},
        statement::{Row, execute, models, query},
    },
    error::StoreError,
    writer::{boundary::AuditEntry, write_transaction::WriteTransaction},
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use uuid::Uuid;
use wiiiv_domain::{
    Amount, BudgetWindow, CallId, ExecutionId, ProjectId, SessionId, TaskId, Timestamp, Usage,
    UserId,
};

/// What a call's end makes of its hold.
#[derive(Clone, Copy)]
enum Spent {
    /// What it really used. More than was held counts in full all the same.
    Actual(Sum),
    Nothing,
    /// Nobody knows: everything that was held.
    Unknown,
}

impl Spent {
    const fn of(self, held: Sum) -> Sum {
        match self {
            Self::Actual(sum) => sum,
            Self::Nothing => Sum::ZERO,
            Self::Unknown => held,
        }
    }
}

/// What a call has come to, as far as somebody knows.
struct KnownUsage<'a> {
    usage: &'a Usage,
    amount: &'a Amount,
}

/// What else is to be on record because of it comes back.
pub(crate) async fn settle(
    tx: &mut WriteTransaction,
    call: CallId,
    (usage, amount): (&Usage, &Amount),
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let micros = amount.micros.unwrap_or(0).min(CALL_COUNT_MAX);
    let spent = Spent::Actual(Sum { tokens: amount.tokens.min(CALL_COUNT_MAX), micros });
    end_call(tx, call, (spent, Some(KnownUsage { usage, amount })), now).await
}

pub(crate) async fn release_call(
    tx: &mut WriteTransaction,
    call: CallId,
    now: Timestamp,
) -> Result<(), StoreError> {
    end_call(tx, call, (Spent::Nothing, None), now).await.map(drop)
}

fn count(count: u64) -> Result<i64, StoreError> {
    to_db(count.min(CALL_COUNT_MAX))
}

/// A call that is no longer open is left as it is: it was healed, or this is a repetition.
async fn end_call(
    tx: &mut WriteTransaction,
    call: CallId,
    (spent, known): (Spent, Option<KnownUsage<'_>>),
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let (state, is_unknown) = match spent {
        Spent::Actual(_) => (CallState::Settled, false),
        Spent::Unknown => (CallState::Settled, true),
        Spent::Nothing => (CallState::Released, false),
    };
    let update = "UPDATE model_call SET state = $2, ended_at = $3, usage = $4, amount = $5, \
        input_tokens = $6, output_tokens = $7, estimated = $8, \
        tokens = CASE WHEN $11 THEN held_tokens ELSE $9 END, \
        micros = CASE WHEN $11 THEN held_micros ELSE $10 END \
        WHERE id = $1 AND state = 'open' RETURNING from_execution, held_tokens, held_micros, \
        project, payer, task, COALESCE(held_on, started_at)";
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
    let Some(row) = query(&tx.db, update, values).await? else { return Ok(Vec::new()) };
    if let Some(execution) = row.get(0)? {
        return draw(tx, execution, spent, now).await;
    }
    let Some((held, windows)) = held_in(&row)? else { return Ok(Vec::new()) };
    let mut told = Vec::new();
    for window in windows {
        told.extend(end_hold(tx, window, (held, held), spent, now).await?);
    }
    Ok(told)
}

/// What a call holds, and where. `None`: nothing.
fn held_in(row: &Row) -> Result<Option<(Sum, [BudgetWindow; 5])>, StoreError> {
    let (tokens, payer) = (row.get::<Option<i64>>(1)?, row.get::<Option<Uuid>>(4)?);
    let Some((tokens, payer)) = tokens.zip(payer) else { return Ok(None) };
    let held = sum(tokens, row.get::<Option<i64>>(2)?.unwrap_or(0));
    let (project, task): (Uuid, Uuid) = (row.get(3)?, row.get(5)?);
    let (project, user, task) = (ProjectId::from(project), UserId::from(payer), TaskId::from(task));
    Ok(Some((held, BudgetWindow::all(project, user, task, time(row.get(6)?)))))
}

fn sum(tokens: i64, micros: i64) -> Sum {
    Sum { tokens: from_db(tokens), micros: from_db(micros) }
}

/// So much of what is held in a window ends; what was spent counts there. Its rows are written already.
/// Nobody is told of what was near its cap before: the next settlement does. `again`: what another such
/// call would hold.
async fn end_hold(
    tx: &mut WriteTransaction,
    window: BudgetWindow,
    (held, again): (Sum, Sum),
    spent: Spent,
    now: Timestamp,
) -> Result<Option<AuditEntry>, StoreError> {
    let mut line = match tx.memory.ledger.get(&window) {
        Some(mut line) => {
            line.end(held, spent.of(held));
            line
        }
        None => load(&tx.db, &window).await?,
    };
    let told = match spent {
        Spent::Actual(_) | Spent::Unknown => alert::due(&window, &line, again),
        Spent::Nothing => None,
    };
    if told.is_some() {
        line.alerted_at = Some(now);
    }
    let beyond = line.cover();
    if told.is_some() || !beyond.is_zero() {
        write(tx, &window, (&line, beyond)).await?;
    }
    tx.memory.ledger.put(window, line);
    Ok(told)
}

async fn write(
    tx: &WriteTransaction,
    window: &BudgetWindow,
    (line, beyond): (&Line, Sum),
) -> Result<(), StoreError> {
    let update = "UPDATE budget SET held_tokens = held_tokens + $2, \
        held_micros = held_micros + $3, alerted_at = $4 WHERE id = $1";
    let values = vec![
        window.to_string().into(),
        count(beyond.tokens)?.into(),
        count(beyond.micros)?.into(),
        line.alerted_at.map(Timestamp::unix_ms).into(),
    ];
    execute(&tx.db, update, values).await.map(drop)
}

async fn holds_of(tx: &WriteTransaction, execution: Uuid) -> Result<Vec<hold::Model>, StoreError> {
    models(hold::Entity::find().filter(hold::Column::Holder.eq(execution)), &tx.db).await
}

/// A call inside an execution draws on that execution's hold, never on the windows again.
async fn draw(
    tx: &mut WriteTransaction,
    execution: Uuid,
    spent: Spent,
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let mut told = Vec::new();
    // What was drawn for nothing changes no sum.
    if matches!(spent, Spent::Nothing) {
        return Ok(told);
    }
    for hold in holds_of(tx, execution).await? {
        let left = sum(hold.tokens, hold.micros);
        let used = spent.of(left);
        let ended = used.least(left);
        let update = "UPDATE hold SET tokens = tokens - $3, micros = micros - $4, \
            spent_tokens = spent_tokens + $5, spent_micros = spent_micros + $6 \
            WHERE holder = $1 AND budget = $2";
        let values = vec![
            execution.into(),
            hold.budget.clone().into(),
            count(ended.tokens)?.into(),
            count(ended.micros)?.into(),
            count(used.tokens)?.into(),
            count(used.micros)?.into(),
        ];
        execute(&tx.db, update, values).await?;
        let window = window(&hold)?;
        told.extend(end_hold(tx, window, (ended, Sum::ZERO), Spent::Actual(used), now).await?);
    }
    Ok(told)
}

fn window(hold: &hold::Model) -> Result<BudgetWindow, StoreError> {
    hold.budget.parse().map_err(|_| StoreError::corrupt("the key of a budget's window"))
}

/// What an execution still holds goes back when it is finished.
pub(crate) async fn release_execution(
    tx: &mut WriteTransaction,
    execution: ExecutionId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let holds = holds_of(tx, execution.uuid()).await?;
    let update = "UPDATE hold SET tokens = 0, micros = 0 WHERE holder = $1";
    execute(&tx.db, update, vec![execution.uuid().into()]).await?;
    for hold in holds {
        let held = sum(hold.tokens, hold.micros);
        end_hold(tx, window(&hold)?, (held, held), Spent::Nothing, now).await?;
    }
    Ok(())
}

/// Ends every open call of the session as spent in full. The calls come back with what was held for
/// them, and what else is to be on record.
pub(crate) async fn recover(
    tx: &mut WriteTransaction,
    session: SessionId,
    now: Timestamp,
) -> Result<(Vec<(CallId, Amount)>, Vec<AuditEntry>), StoreError> {
    let open = model_call::Entity::find()
        .filter(model_call::Column::Session.eq(session.uuid()))
        .filter(model_call::Column::State.eq(CallState::Open));
    let calls: Vec<_> = models(open, &tx.db).await?.iter().map(held).collect();
    let mut alerts = Vec::new();
    for (call, _) in &calls {
        alerts.extend(end_call(tx, *call, (Spent::Unknown, None), now).await?);
    }
    Ok((calls, alerts))
}

fn held(row: &model_call::Model) -> (CallId, Amount) {
    let tokens = row.held_tokens.map_or(0, from_db);
    (row.id.into(), Amount { tokens, micros: row.held_micros.map(from_db) })
}
