//! Windows of spending: what is held before and settled after.

use crate::{
    entity::{budget, hold, model_call},
    error::StoreError,
    number::{COUNT_MAX, from_db, to_db},
    statement::{execute, query},
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, DeriveActiveEnum, EntityTrait as _, EnumIter,
    QueryFilter as _,
};
use uuid::Uuid;
use wiiiv_domain::{Amount, BudgetWindow, CallId, ExecutionId, SessionId, Timestamp, Usage};
use wiiiv_gate::{BudgetLine, BudgetView};

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum CallState {
    Open,
    Settled,
    Released,
}

impl Store {
    /// What each window has settled and holds. A window without a row has spent nothing.
    pub async fn budget(&self, windows: &[BudgetWindow]) -> Result<BudgetView, StoreError> {
        let ids = windows.iter().map(ToString::to_string);
        let rows = budget::Entity::find().filter(budget::Column::Id.is_in(ids));
        let rows = rows.all(self.reader()).await?;
        let line = |row: budget::Model| {
            let window = windows.iter().find(|w| w.to_string() == row.id)?.clone();
            let settled = amount(row.settled_tokens, row.settled_micros);
            Some(BudgetLine { window, settled, held: amount(row.held_tokens, row.held_micros) })
        };
        Ok(BudgetView { lines: rows.into_iter().filter_map(line).collect() })
    }
}

fn amount(tokens: i64, micros: i64) -> Amount {
    Amount { tokens: from_db(tokens), micros: Some(from_db(micros)) }
}

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

pub(crate) async fn settle<C: ConnectionTrait>(
    db: &C,
    call: CallId,
    usage: &Usage,
    amount: &Amount,
    now: Timestamp,
) -> Result<(), StoreError> {
    let micros = amount.micros.unwrap_or(0).min(COUNT_MAX);
    let spent =
        Spent::Actual { tokens: to_db(amount.tokens.min(COUNT_MAX))?, micros: to_db(micros)? };
    let said = (serde_json::to_string(usage)?, serde_json::to_string(amount)?);
    end_call(db, call, CallState::Settled, (spent, Some(said)), now).await
}

pub(crate) async fn release_call<C: ConnectionTrait>(
    db: &C,
    call: CallId,
    now: Timestamp,
) -> Result<(), StoreError> {
    end_call(db, call, CallState::Released, (Spent::Nothing, None), now).await
}

/// A call that is no longer open is left as it is: it was healed, or this is a repetition.
async fn end_call<C: ConnectionTrait>(
    db: &C,
    call: CallId,
    state: CallState,
    (spent, said): (Spent, Option<(String, String)>),
    now: Timestamp,
) -> Result<(), StoreError> {
    let (usage, amount) = said.unzip();
    let update = "UPDATE model_call SET state = $2, usage = $3, amount = $4, ended_at = $5 \
                  WHERE id = $1 AND state = 'open' RETURNING from_execution";
    let values =
        vec![call.uuid().into(), state.into(), usage.into(), amount.into(), now.unix_ms().into()];
    let Some(row) = query(db, update, values).await? else { return Ok(()) };
    let from: Option<Uuid> = row.try_get_by_index(0)?;
    match from {
        Some(execution) => draw(db, execution, &spent).await,
        None => end_holds(db, call.uuid(), &spent).await,
    }
}

/// The whole hold ends; what was spent counts in each of its windows.
async fn end_holds<C: ConnectionTrait>(
    db: &C,
    holder: Uuid,
    spent: &Spent,
) -> Result<(), StoreError> {
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
    execute(db, update, values).await?;
    let delete = "DELETE FROM hold WHERE holder = $1";
    execute(db, delete, vec![holder.into()]).await.map(drop)
}

/// A call inside an execution draws on that execution's hold, never on the windows again.
async fn draw<C: ConnectionTrait>(
    db: &C,
    execution: Uuid,
    spent: &Spent,
) -> Result<(), StoreError> {
    let holds = hold::Entity::find().filter(hold::Column::Holder.eq(execution)).all(db).await?;
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
        execute(db, window, values).await?;
        let rest = "UPDATE hold SET tokens = tokens - $3, micros = micros - $4 \
                    WHERE holder = $1 AND budget = $2";
        let values =
            vec![execution.into(), hold.budget.into(), held_tokens.into(), held_micros.into()];
        execute(db, rest, values).await?;
    }
    Ok(())
}

/// What an execution still holds goes back when it is finished.
pub(crate) async fn release_execution<C: ConnectionTrait>(
    db: &C,
    execution: ExecutionId,
) -> Result<(), StoreError> {
    end_holds(db, execution.uuid(), &Spent::Nothing).await
}

/// Ends every open call of the session as spent in full. The calls come back.
pub(crate) async fn heal<C: ConnectionTrait>(
    db: &C,
    session: SessionId,
    now: Timestamp,
) -> Result<Vec<CallId>, StoreError> {
    let open = model_call::Entity::find()
        .filter(model_call::Column::Session.eq(session.uuid()))
        .filter(model_call::Column::State.eq(CallState::Open));
    let calls: Vec<CallId> = open.all(db).await?.into_iter().map(|row| row.id.into()).collect();
    for call in &calls {
        end_call(db, *call, CallState::Settled, (Spent::Unknown, None), now).await?;
    }
    Ok(calls)
}
