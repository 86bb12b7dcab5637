//! Alerts that most of a window is spent, or that another call like the last does not fit: once for
//! each cap, with the settlement that crossed the line.

use crate::{
    database::{
        number::from_db,
        statement::{Row, Writes, execute, query_all},
    },
    error::StoreError,
    writer::boundary::AuditEntry,
};
use sea_orm::Value;
use serde_json::json;
use wiiiv_domain::{BudgetWindow, Timestamp, WindowKind};

/// Of a cap.
pub const ALERT_PERCENT: u64 = 80;

/// For the statements that settle.
const RETURNING: &str =
    "RETURNING id, settled_tokens, settled_micros, cap_tokens, cap_micros, alerted_at";

/// Runs an `UPDATE budget` and tells which of its windows came near their cap by it. `again`: what was
/// held, and would be for such a call (tokens and micro-units).
pub(super) async fn settling<C: Writes>(
    db: &C,
    (update, values): (&str, Vec<Value>),
    again: (u64, u64),
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let mut alerts = Vec::new();
    for row in query_all(db, &format!("{update} {RETURNING}"), values).await? {
        let spent = Spent::read(&row)?;
        if spent.alerted || !(spent.is_near() || spent.is_full_for(again)) {
            continue;
        }
        let mark = "UPDATE budget SET alerted_at = $2 WHERE id = $1";
        execute(db, mark, vec![spent.id.clone().into(), now.unix_ms().into()]).await?;
        alerts.push(spent.entry()?);
    }
    Ok(alerts)
}

struct Spent {
    id: String,
    tokens: u64,
    micros: u64,
    cap_tokens: Option<u64>,
    cap_micros: Option<u64>,
    alerted: bool,
}

impl Spent {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let count = |at: usize| row.get::<i64>(at).map(from_db);
        let cap = |at: usize| row.get::<Option<i64>>(at).map(|count| count.map(from_db));
        Ok(Self {
            id: row.get(0)?,
            tokens: count(1)?,
            micros: count(2)?,
            cap_tokens: cap(3)?,
            cap_micros: cap(4)?,
            alerted: row.get::<Option<i64>>(5)?.is_some(),
        })
    }

    fn is_near(&self) -> bool {
        let near = |spent: u64, cap: Option<u64>| {
            cap.is_some_and(|cap| {
                u128::from(spent) * 100 >= u128::from(cap) * u128::from(ALERT_PERCENT)
            })
        };
        near(self.tokens, self.cap_tokens) || near(self.micros, self.cap_micros)
    }

    /// Such a call is denied from here on, however much of the cap is left. A task has few calls, and
    /// its own cap is told of by its share alone.
    fn is_full_for(&self, (tokens, micros): (u64, u64)) -> bool {
        let is_run = |window: &BudgetWindow| matches!(window.window, WindowKind::Run(_));
        if self.id.parse().as_ref().is_ok_and(is_run) {
            return false;
        }
        let full = |spent: u64, next: u64, cap: Option<u64>| {
            cap.is_some_and(|cap| spent.saturating_add(next) > cap)
        };
        full(self.tokens, tokens, self.cap_tokens) || full(self.micros, micros, self.cap_micros)
    }

    fn entry(&self) -> Result<AuditEntry, StoreError> {
        let window: BudgetWindow =
            self.id.parse().map_err(|_| StoreError::corrupt("the key of a budget's window"))?;
        let (kind, of) = match &window.window {
            WindowKind::Run(task) => ("run", task.to_string()),
            WindowKind::Day(day) => ("day", day.clone()),
            WindowKind::Month(month) => ("month", month.clone()),
        };
        let text = |count: Option<u64>| count.map(|count| count.to_string());
        let body = json!({
            "window": kind,
            "of": of,
            "user": window.user,
            "percent": ALERT_PERCENT,
            // Else another call as the last one does not fit into what is left.
            "reached": self.is_near(),
            "settled": { "tokens": self.tokens.to_string(), "micros": self.micros.to_string() },
            "cap": { "tokens": text(self.cap_tokens), "micros": text(self.cap_micros) },
        });
        Ok(AuditEntry::new("budget.alerted", body))
    }
}
