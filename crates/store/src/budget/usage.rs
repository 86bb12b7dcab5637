//! Usage of model calls: by day, provider and model, and person.

use crate::{
    database::{
        column::time,
        number::from_db,
        statement::{Row, query, query_all},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::Value;
use uuid::Uuid;
use wiiiv_domain::{ProjectId, Timestamp, UserId};

/// Rows of one answer; more are cut off, and the answer says so.
pub const USAGE_ROWS_MAX: usize = 5_000;
const DAY_MS: i64 = 86_400_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsageBy {
    /// UTC.
    Day,
    Model,
    User,
}

impl UsageBy {
    const fn columns(self) -> &'static str {
        match self {
            Self::Day => "started_at / 86400000",
            Self::Model => "provider, model",
            Self::User => "payer",
        }
    }
}

/// Calls that began in `from..until`.
#[derive(Debug, Clone, Copy)]
pub struct UsageFilter {
    pub project: ProjectId,
    /// `None`: everybody.
    pub user: Option<UserId>,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// One group; what it was not grouped by is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRow {
    /// Its beginning.
    pub day: Option<Timestamp>,
    /// Provider and model.
    pub model: Option<(String, String)>,
    pub user: Option<UserId>,
    pub sums: UsageSums,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageSums {
    pub calls: u64,
    /// Not ended yet.
    pub open: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// What counts in the token budgets. More than input and output where nobody said what a call
    /// used, and its hold counts in full.
    pub tokens: u64,
    pub micros: u64,
    /// Calls of models without a price: they are in no sum of money.
    pub unpriced: u64,
    /// Calls of which something was estimated, or whose hold counts in full.
    pub estimated: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageFound {
    pub rows: Vec<UsageRow>,
    pub total: UsageSums,
    pub truncated: bool,
}

const SUMS: &str = "COUNT(*), \
    CAST(COALESCE(SUM(CASE WHEN state = 'open' THEN 1 ELSE 0 END), 0) AS bigint), \
    CAST(COALESCE(SUM(input_tokens), 0) AS bigint), \
    CAST(COALESCE(SUM(output_tokens), 0) AS bigint), \
    CAST(COALESCE(SUM(tokens), 0) AS bigint), \
    CAST(COALESCE(SUM(micros), 0) AS bigint), \
    CAST(COALESCE(SUM(CASE WHEN state = 'settled' AND micros IS NULL THEN 1 ELSE 0 END), 0) \
    AS bigint), \
    CAST(COALESCE(SUM(CASE WHEN COALESCE(estimated, state = 'settled') THEN 1 ELSE 0 END), 0) \
    AS bigint)";

impl Store {
    /// Micro-units of its currency, since it was made, with what is held for calls under way.
    pub async fn spent_money(&self, project: ProjectId) -> Result<u64, StoreError> {
        let sum = "SELECT CAST(COALESCE(SUM(CASE WHEN state = 'open' THEN held_micros ELSE micros END), 0) \
                   AS bigint) FROM model_call WHERE project = $1 AND state <> 'released'";
        let row = query(self.reader(), sum, vec![project.uuid().into()]).await?;
        row.map_or(Ok(0), |row| Ok(from_db(row.get(0)?)))
    }

    /// Calls that used nothing are not counted. In the order of the columns that `by` names.
    pub async fn usage(
        &self,
        filter: &UsageFilter,
        by: &[UsageBy],
    ) -> Result<UsageFound, StoreError> {
        let groups: Vec<&str> = by.iter().map(|by| by.columns()).collect();
        let groups = groups.join(", ");
        let (matching, values) = filter.sql();
        let total = format!("SELECT {SUMS} FROM model_call {matching}");
        let total = query(self.reader(), &total, values.clone()).await?;
        let total = total.as_ref().map(|row| sums(row, 0)).transpose()?.unwrap_or_default();
        if groups.is_empty() {
            return Ok(UsageFound { rows: Vec::new(), total, truncated: false });
        }
        let limit = USAGE_ROWS_MAX + 1;
        let select = format!(
            "SELECT {groups}, {SUMS} FROM model_call {matching} GROUP BY {groups} \
             ORDER BY {groups} LIMIT {limit}"
        );
        let rows = query_all(self.reader(), &select, values).await?;
        let mut rows: Vec<UsageRow> =
            rows.iter().map(|row| read(row, by)).collect::<Result<_, _>>()?;
        let truncated = rows.len() > USAGE_ROWS_MAX;
        rows.truncate(USAGE_ROWS_MAX);
        Ok(UsageFound { rows, total, truncated })
    }
}

impl UsageFilter {
    fn sql(&self) -> (&'static str, Vec<Value>) {
        let mut values = vec![
            self.project.uuid().into(),
            self.from.unix_ms().into(),
            self.until.unix_ms().into(),
        ];
        match self.user {
            None => (
                "WHERE project = $1 AND started_at >= $2 AND started_at < $3 \
                 AND state <> 'released'",
                values,
            ),
            Some(user) => {
                values.push(user.uuid().into());
                (
                    "WHERE project = $1 AND started_at >= $2 AND started_at < $3 \
                     AND state <> 'released' AND payer = $4",
                    values,
                )
            }
        }
    }
}

fn read(row: &Row, by: &[UsageBy]) -> Result<UsageRow, StoreError> {
    let (mut day, mut model, mut user) = (None, None, None);
    let mut at = 0;
    for by in by {
        match by {
            UsageBy::Day => {
                let days: i64 = row.get(at)?;
                day = Some(time(days.saturating_mul(DAY_MS)));
                at += 1;
            }
            UsageBy::Model => {
                model = Some((row.get(at)?, row.get(at + 1)?));
                at += 2;
            }
            UsageBy::User => {
                user = row.get::<Option<Uuid>>(at)?.map(UserId::from);
                at += 1;
            }
        }
    }
    Ok(UsageRow { day, model, user, sums: sums(row, at)? })
}

fn sums(row: &Row, at: usize) -> Result<UsageSums, StoreError> {
    let count = |nth: usize| row.get::<i64>(at + nth).map(from_db);
    Ok(UsageSums {
        calls: count(0)?,
        open: count(1)?,
        input_tokens: count(2)?,
        output_tokens: count(3)?,
        tokens: count(4)?,
        micros: count(5)?,
        unpriced: count(6)?,
        estimated: count(7)?,
    })
}
