//! Budget windows: amounts held before a call and settled after it.

mod alert;
mod settle;
pub(crate) mod usage;

use crate::{
    database::{column::time, entity::budget, number::from_db},
    error::StoreError,
    store::Store,
};
pub use alert::ALERT_PERCENT;
use sea_orm::{ColumnTrait as _, DeriveActiveEnum, EntityTrait as _, EnumIter, QueryFilter as _};
pub(crate) use settle::{recover, release_call, release_execution, settle};
use wiiiv_domain::{Amount, BudgetWindow, Timestamp};
use wiiiv_gate::{BudgetLine, BudgetView};

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum CallState {
    Open,
    Settled,
    Released,
}

/// A window of spending as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetStanding {
    pub window: BudgetWindow,
    pub settled: Amount,
    pub held: Amount,
    /// When most of its cap was spent.
    pub alerted_at: Option<Timestamp>,
}

impl Store {
    /// What each window has settled and holds. A window without a row has spent nothing.
    pub async fn budget(&self, windows: &[BudgetWindow]) -> Result<BudgetView, StoreError> {
        let rows = self.budget_rows(windows).await?;
        let line = |row: &budget::Model| {
            let window = windows.iter().find(|w| w.to_string() == row.id)?.clone();
            let (settled, held) = amounts(row);
            Some(BudgetLine { window, settled, held })
        };
        Ok(BudgetView { lines: rows.iter().filter_map(line).collect() })
    }

    /// Of each window, in the order that they were asked for.
    pub async fn budget_standing(
        &self,
        windows: &[BudgetWindow],
    ) -> Result<Vec<BudgetStanding>, StoreError> {
        let rows = self.budget_rows(windows).await?;
        let standing = |window: &BudgetWindow| {
            let row = rows.iter().find(|row| row.id == window.to_string());
            let (settled, held) = row.map_or((Amount::ZERO, Amount::ZERO), amounts);
            let alerted_at = row.and_then(|row| row.alerted_at).map(time);
            BudgetStanding { window: window.clone(), settled, held, alerted_at }
        };
        Ok(windows.iter().map(standing).collect())
    }

    async fn budget_rows(
        &self,
        windows: &[BudgetWindow],
    ) -> Result<Vec<budget::Model>, StoreError> {
        let ids = windows.iter().map(ToString::to_string);
        let rows = budget::Entity::find().filter(budget::Column::Id.is_in(ids));
        Ok(rows.all(self.reader()).await?)
    }
}

/// Settled, and held.
fn amounts(row: &budget::Model) -> (Amount, Amount) {
    let settled = amount(row.settled_tokens, row.settled_micros);
    (settled, amount(row.held_tokens, row.held_micros))
}

fn amount(tokens: i64, micros: i64) -> Amount {
    Amount { tokens: from_db(tokens), micros: Some(from_db(micros)) }
}
