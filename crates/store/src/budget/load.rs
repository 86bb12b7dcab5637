//! Sums up a window from the calls that are held or settled in it and the holds of executions, beside
//! the row that says what is drawn for it.

use super::line::{Line, Sum};
use crate::{
    database::{
        column::time,
        number::from_db,
        statement::{Reads, Row, query},
    },
    error::StoreError,
};
use sea_orm::Value;
use std::sync::LazyLock;
use wiiiv_domain::{BudgetWindow, Timestamp, WindowKind};
use wiiiv_gate::Cap;

const DAY_SECONDS: i64 = 86_400;
/// From the beginning of any month into the next one.
const NEXT_MONTH_SECONDS: i64 = 31 * DAY_SECONDS;

/// $1 is the window's key, and $2 its project.
/// A task is of one project: to name that too would have SQLite look through all of its calls.
static TASK: LazyLock<String> = LazyLock::new(|| select(&["task = $3"]));
static PERIOD: LazyLock<String> = LazyLock::new(|| {
    select(&[
        "project = $2 AND started_at >= $3 AND started_at < $4 AND held_on IS NULL",
        "project = $2 AND held_on >= $3 AND held_on < $4",
    ])
});
static OWN_PERIOD: LazyLock<String> = LazyLock::new(|| {
    select(&[
        "project = $2 AND started_at >= $3 AND started_at < $4 AND held_on IS NULL AND payer = $5",
        "project = $2 AND held_on >= $3 AND held_on < $4 AND payer = $5",
    ])
});

/// A call that is held in no window has no `held_tokens`.
fn select(calls: &[&str]) -> String {
    let of_calls = |which: &&str| {
        format!(
            "SELECT CASE state WHEN 'settled' THEN tokens END AS settled_tokens, \
             CASE state WHEN 'settled' THEN micros END AS settled_micros, \
             CASE state WHEN 'open' THEN held_tokens END AS held_tokens, \
             CASE state WHEN 'open' THEN held_micros END AS held_micros FROM model_call \
             WHERE {which} AND held_tokens IS NOT NULL UNION ALL "
        )
    };
    let calls: String = calls.iter().map(of_calls).collect();
    let sum = |column| format!("CAST(COALESCE(SUM({column}), 0) AS bigint) AS {column}");
    let sums = ["settled_tokens", "settled_micros", "held_tokens", "held_micros"].map(sum);
    let sums = sums.join(", ");
    format!(
        "SELECT used.settled_tokens, used.settled_micros, used.held_tokens, used.held_micros, \
         COALESCE(budget.settled_tokens + budget.held_tokens, 0), \
         COALESCE(budget.settled_micros + budget.held_micros, 0), \
         budget.cap_tokens, budget.cap_micros, budget.alerted_at FROM (SELECT {sums} FROM \
         ({calls}SELECT spent_tokens, spent_micros, tokens, micros FROM hold WHERE budget = $1) \
         AS counted) AS used LEFT JOIN budget ON budget.id = $1"
    )
}

pub(super) async fn load<C: Reads>(db: &C, window: &BudgetWindow) -> Result<Line, StoreError> {
    let mut values: Vec<Value> = vec![window.to_string().into(), window.project.uuid().into()];
    let sql = match &window.window {
        WindowKind::Run(task) => {
            values.push(task.uuid().into());
            &TASK
        }
        WindowKind::Day(_) | WindowKind::Month(_) => {
            let (from, until) = span(&window.window)?;
            values.extend([from.unix_ms().into(), until.unix_ms().into()]);
            values.extend(window.user.map(|user| Value::from(user.uuid())));
            if window.user.is_some() { &OWN_PERIOD } else { &PERIOD }
        }
    };
    let row = query(db, sql, values).await?.ok_or_else(StoreError::given_up)?;
    read(&row)
}

fn read(row: &Row) -> Result<Line, StoreError> {
    let sum = |at: usize| -> Result<Sum, StoreError> {
        Ok(Sum { tokens: from_db(row.get(at)?), micros: from_db(row.get(at + 1)?) })
    };
    let count = |at: usize| row.get::<Option<i64>>(at).map(|count| count.map(from_db));
    Ok(Line {
        settled: sum(0)?,
        held: sum(2)?,
        drawn: sum(4)?,
        cap: Cap { tokens: count(6)?, micros: count(7)? },
        alerted_at: row.get::<Option<i64>>(8)?.map(time),
    })
}

/// Beginning and end of a day or a month.
fn span(kind: &WindowKind) -> Result<(Timestamp, Timestamp), StoreError> {
    let unreadable = || StoreError::corrupt("the key of a budget's window");
    let day = |text: &str| Timestamp::of_utc_day(text).map_err(|_| unreadable());
    match kind {
        WindowKind::Run(_) => Err(unreadable()),
        WindowKind::Day(text) => {
            let from = day(text)?;
            Ok((from, from.plus_seconds(DAY_SECONDS)))
        }
        WindowKind::Month(month) => {
            let from = day(&format!("{month}-01"))?;
            let next = from.plus_seconds(NEXT_MONTH_SECONDS).utc_month();
            Ok((from, day(&format!("{next}-01"))?))
        }
    }
}
