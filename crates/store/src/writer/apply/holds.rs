//! Holds a claim's budget lines by a conditional update, so that no interleaving exceeds a cap.

use super::claimed::Refused;
use crate::{
    database::{
        number::{COUNT_MAX, to_db},
        statement::{Reads, Writes, execute, query, rows},
    },
    error::StoreError,
    writer::refused::Moved,
};
use sea_orm::Value;
use uuid::Uuid;
use wiiiv_domain::{Amount, BudgetWindow, ExecutionId};
use wiiiv_gate::{Cap, HoldLine};

/// In the order of the windows' keys: two claims never wait for each other in a circle.
pub(super) async fn take_all<C: Writes>(
    db: &C,
    lines: &[HoldLine],
    holder: Uuid,
) -> Result<(), Refused> {
    let mut takes = Vec::new();
    for line in lines {
        match line {
            HoldLine::Take { window, amount, cap } => takes.push(Take::of(window, amount, cap)?),
            HoldLine::StillHeld(execution) | HoldLine::From(execution) => {
                still_held(db, *execution).await?;
            }
        }
    }
    takes.sort_by(|left, right| left.id.cmp(&right.id));
    hold(db, &takes).await?;
    remember(db, &takes, holder).await?;
    Ok(())
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
    tokens: i64,
    micros: i64,
    tokens_max: Option<i64>,
    micros_max: Option<i64>,
}

impl Take {
    fn of(window: &BudgetWindow, amount: &Amount, cap: &Cap) -> Result<Self, Refused> {
        let short = || Refused::Moved(Moved::BudgetShort);
        let micros = match (amount.micros, cap.micros) {
            (Some(micros), Some(_) | None) => micros,
            // Without a price it does not fit under a cap of money; without such a cap its tokens
            // count alone.
            (None, None) => 0,
            (None, Some(_)) => return Err(short()),
        };
        let take = Self {
            id: window.to_string(),
            project: window.project.uuid(),
            tokens: to_db(amount.tokens).map_err(|_| short())?,
            micros: to_db(micros).map_err(|_| short())?,
            tokens_max: limit(cap.tokens)?,
            micros_max: limit(cap.micros)?,
        };
        let within = |amount: i64, cap: Option<i64>| cap.is_none_or(|cap| amount <= cap);
        let fits = within(take.tokens, take.tokens_max) && within(take.micros, take.micros_max);
        if fits { Ok(take) } else { Err(short()) }
    }
}

/// A window's row is inserted with the first hold in it, which fits as far as `of` saw; any further
/// one must fit beside what is settled and held. The row keeps the cap that it was last held under:
/// under another one than before, what came near the former says nothing any more.
// INVARIANT: one statement holds in every window; if it changed fewer rows, the boundary is undone.
async fn hold<C: Writes>(db: &C, takes: &[Take]) -> Result<(), Refused> {
    const COLUMNS: usize = 8;
    if takes.is_empty() {
        return Ok(());
    }
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
         WHERE budget.settled_tokens + budget.held_tokens + excluded.held_tokens \
         <= COALESCE(excluded.cap_tokens, {COUNT_MAX}) \
         AND budget.settled_micros + budget.held_micros + excluded.held_micros \
         <= COALESCE(excluded.cap_micros, {COUNT_MAX})"
    );
    let mut values: Vec<Value> = Vec::with_capacity(takes.len() * COLUMNS);
    for take in takes {
        values.extend([
            take.id.clone().into(),
            take.project.into(),
            take.tokens.into(),
            take.micros.into(),
            0_i64.into(),
            0_i64.into(),
            take.tokens_max.into(),
            take.micros_max.into(),
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
        values.extend([holder.into(), id.into(), take.tokens.into(), take.micros.into()]);
    }
    execute(db, &upsert, values).await.map(drop)
}
