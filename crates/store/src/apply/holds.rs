//! Budget lines that a claim holds: one conditional update a window, so that no interleaving
//! passes a cap.

use super::Refused;
use crate::{
    error::{Moved, StoreError},
    number::{COUNT_MAX, to_db},
    statement::{execute, query},
};
use sea_orm::ConnectionTrait;
use uuid::Uuid;
use wiiiv_domain::{Amount, BudgetWindow, ExecutionId};
use wiiiv_gate::{Cap, HoldLine};

/// In the order of the windows' keys: two claims never wait for each other in a circle.
pub(super) async fn take_all<C: ConnectionTrait>(
    db: &C,
    lines: &[HoldLine],
    holder: Uuid,
) -> Result<(), Refused> {
    let mut takes = Vec::new();
    for line in lines {
        match line {
            HoldLine::Take { window, amount, cap } => {
                takes.push((window.to_string(), window, amount, cap));
            }
            HoldLine::StillHeld(execution) | HoldLine::From(execution) => {
                still_held(db, *execution).await?;
            }
        }
    }
    takes.sort_by(|left, right| left.0.cmp(&right.0));
    for (id, window, amount, cap) in takes {
        take(db, (&id, window), amount, cap, holder).await?;
    }
    Ok(())
}

/// INVARIANT: an execution's holds stand until it is finished.
async fn still_held<C: ConnectionTrait>(db: &C, execution: ExecutionId) -> Result<(), Refused> {
    let open = "SELECT 1 FROM execution WHERE id = $1 AND state IN ('running', 'indeterminate')";
    match query(db, open, vec![execution.uuid().into()]).await? {
        Some(_) => Ok(()),
        None => Err(Refused::Moved(Moved::BudgetShort)),
    }
}

async fn take<C: ConnectionTrait>(
    db: &C,
    (id, window): (&str, &BudgetWindow),
    amount: &Amount,
    cap: &Cap,
    holder: Uuid,
) -> Result<(), Refused> {
    let (tokens, micros) = fitting(amount, cap).ok_or(Refused::Moved(Moved::BudgetShort))?;
    insert_absent(db, id, window).await?;
    let update = "UPDATE budget SET held_tokens = held_tokens + $2, held_micros = held_micros + $3 \
                  WHERE id = $1 AND settled_tokens + held_tokens + $2 <= $4 \
                  AND settled_micros + held_micros + $3 <= $5";
    let values = vec![
        id.into(),
        tokens.into(),
        micros.into(),
        limit(cap.tokens)?.into(),
        limit(cap.micros)?.into(),
    ];
    if execute(db, update, values).await? != 1 {
        return Err(Refused::Moved(Moved::BudgetShort));
    }
    let hold = "INSERT INTO hold (holder, budget, tokens, micros) VALUES ($1, $2, $3, $4) \
                ON CONFLICT (holder, budget) DO UPDATE SET tokens = hold.tokens + excluded.tokens, \
                micros = hold.micros + excluded.micros";
    let values = vec![holder.into(), id.into(), tokens.into(), micros.into()];
    execute(db, hold, values).await?;
    Ok(())
}

/// An amount without a price does not fit under a cap of money; one without such a cap counts its
/// tokens alone.
fn fitting(amount: &Amount, cap: &Cap) -> Option<(i64, i64)> {
    let micros = match (amount.micros, cap.micros) {
        (Some(micros), Some(_) | None) => micros,
        (None, None) => 0,
        (None, Some(_)) => return None,
    };
    Some((to_db(amount.tokens).ok()?, to_db(micros).ok()?))
}

fn limit(cap: Option<u64>) -> Result<i64, StoreError> {
    to_db(cap.unwrap_or(COUNT_MAX).min(COUNT_MAX))
}

async fn insert_absent<C: ConnectionTrait>(
    db: &C,
    id: &str,
    window: &BudgetWindow,
) -> Result<(), StoreError> {
    let insert = "INSERT INTO budget \
        (id, project, held_tokens, held_micros, settled_tokens, settled_micros) \
        VALUES ($1, $2, 0, 0, 0, 0) ON CONFLICT DO NOTHING";
    execute(db, insert, vec![id.into(), window.project.uuid().into()]).await.map(drop)
}
