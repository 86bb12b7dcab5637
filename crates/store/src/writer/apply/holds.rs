//! Holds a claim's budget lines from memory, within what is drawn of each cap. What is not drawn yet is
//! drawn by one conditional statement, so that no interleaving exceeds a cap.

use super::claimed::Refused;
use crate::{
    budget::line::{Draw, Sum},
    database::{
        number::{COUNT_MAX, to_db},
        statement::{Reads, Writes, execute, query, rows},
    },
    error::StoreError,
    writer::{refused::Moved, write_transaction::WriteTransaction},
};
use sea_orm::Value;
use uuid::Uuid;
use wiiiv_domain::{Amount, BudgetWindow, ExecutionId};
use wiiiv_gate::{Cap, HoldLine};

/// `execution`: what it holds is remembered by its own rows. A call's row itself tells what it holds.
pub(super) async fn take_all(
    tx: &mut WriteTransaction,
    lines: &[HoldLine],
    execution: Option<ExecutionId>,
) -> Result<(), Refused> {
    let mut takes = Vec::new();
    for line in lines {
        match line {
            HoldLine::Take { window, amount, cap } => {
                let take = Take::hold(tx, window, (amount, cap)).await?;
                if execution.is_some() || !take.draw.is_nothing() {
                    takes.push(take);
                }
            }
            HoldLine::StillHeld(execution) | HoldLine::From(execution) => {
                still_held(&tx.db, *execution).await?;
            }
        }
    }
    draw(&tx.db, &mut takes).await?;
    match execution {
        Some(execution) => Ok(remember(&tx.db, &takes, execution.uuid()).await?),
        None => Ok(()),
    }
}

/// INVARIANT: an execution's holds stand until it is finished.
async fn still_held<C: Reads>(db: &C, execution: ExecutionId) -> Result<(), Refused> {
    let open = "SELECT 1 FROM execution WHERE id = $1 AND state IN ('running', 'indeterminate')";
    match query(db, open, vec![execution.uuid().into()]).await? {
        Some(_) => Ok(()),
        None => Err(Refused::Moved(Moved::BudgetShort)),
    }
}

/// So much of one window, under these caps.
struct Take {
    id: String,
    project: Uuid,
    amount: Sum,
    cap: Cap,
    draw: Draw,
}

impl Take {
    async fn hold(
        tx: &mut WriteTransaction,
        window: &BudgetWindow,
        (amount, cap): (&Amount, &Cap),
    ) -> Result<Self, Refused> {
        let short = || Refused::Moved(Moved::BudgetShort);
        let micros = match (amount.micros, cap.micros) {
            (Some(micros), Some(_) | None) => micros,
            // Without a price it does not fit under a cap of money; without such a cap its tokens
            // count alone.
            (None, None) => 0,
            (None, Some(_)) => return Err(short()),
        };
        let amount = Sum { tokens: amount.tokens, micros };
        let mut line = tx.memory.ledger.get_or_load(window, &tx.db).await?;
        let draw = line.hold(window, amount, *cap).ok_or_else(short)?;
        tx.memory.ledger.put(window.clone(), line);
        let (id, project) = (window.to_string(), window.project.uuid());
        Ok(Self { id, project, amount, cap: *cap, draw })
    }
}

/// In the order of the windows' keys: two claims never wait for each other in a circle. The row keeps the
/// cap that it was last held under: under another one than before, what came near the former says nothing
/// any more. Its `held` is what is drawn and not settled in it, which is never less than what is held. The
/// places are SQLite's: nothing draws on PostgreSQL (ADR 0034).
// INVARIANT: one statement draws for every window; if it changed fewer rows, the boundary is undone.
async fn draw<C: Writes>(db: &C, takes: &mut [Take]) -> Result<(), Refused> {
    const COLUMNS: usize = 8;
    if takes.is_empty() {
        return Ok(());
    }
    takes.sort_by(|left, right| left.id.cmp(&right.id));
    let rows = rows(takes.len(), COLUMNS);
    let upsert = format!(
        "INSERT INTO budget (id, project, held_tokens, held_micros, settled_tokens, \
         settled_micros, cap_tokens, cap_micros) VALUES {rows} ON CONFLICT (id) DO UPDATE SET \
         held_tokens = budget.held_tokens + excluded.held_tokens, \
         held_micros = budget.held_micros + excluded.held_micros, \
         cap_tokens = excluded.cap_tokens, cap_micros = excluded.cap_micros, \
         alerted_at = CASE WHEN budget.cap_tokens IS NOT DISTINCT FROM excluded.cap_tokens \
         AND budget.cap_micros IS NOT DISTINCT FROM excluded.cap_micros \
         THEN budget.alerted_at END \
         WHERE (excluded.held_tokens = 0 \
         OR budget.settled_tokens + budget.held_tokens + excluded.held_tokens \
         <= COALESCE(excluded.cap_tokens, {COUNT_MAX})) AND (excluded.held_micros = 0 \
         OR budget.settled_micros + budget.held_micros + excluded.held_micros \
         <= COALESCE(excluded.cap_micros, {COUNT_MAX}))"
    );
    let mut values: Vec<Value> = Vec::with_capacity(takes.len() * COLUMNS);
    for take in takes.iter() {
        values.extend([
            take.id.clone().into(),
            take.project.into(),
            to_db(take.draw.more.tokens)?.into(),
            to_db(take.draw.more.micros)?.into(),
            0_i64.into(),
            0_i64.into(),
            limit(take.cap.tokens)?.into(),
            limit(take.cap.micros)?.into(),
        ]);
    }
    if execute(db, &upsert, values).await? == takes.len() as u64 {
        Ok(())
    } else {
        Err(Refused::Moved(Moved::BudgetShort))
    }
}

fn limit(cap: Option<u64>) -> Result<Option<i64>, StoreError> {
    cap.map(|cap| to_db(cap.min(COUNT_MAX))).transpose()
}

/// Who holds it, for the day that it is settled or released.
async fn remember<C: Writes>(db: &C, takes: &[Take], holder: Uuid) -> Result<(), StoreError> {
    const COLUMNS: usize = 4;
    if takes.is_empty() {
        return Ok(());
    }
    let rows = rows(takes.len(), COLUMNS);
    let upsert = format!(
        "INSERT INTO hold (holder, budget, tokens, micros) VALUES {rows} \
         ON CONFLICT (holder, budget) DO UPDATE SET tokens = hold.tokens + excluded.tokens, \
         micros = hold.micros + excluded.micros"
    );
    let mut values: Vec<Value> = Vec::with_capacity(takes.len() * COLUMNS);
    for take in takes {
        let id = take.id.clone();
        let amount = [to_db(take.amount.tokens)?.into(), to_db(take.amount.micros)?.into()];
        values.extend([holder.into(), id.into()].into_iter().chain(amount));
    }
    execute(db, &upsert, values).await.map(drop)
}
