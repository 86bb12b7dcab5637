//! Windows of spending: what is held before and settled after.

mod alert;
mod settle;

use crate::{entity::budget, error::StoreError, number::from_db, store::Store};
pub use alert::ALERT_PERCENT;
use sea_orm::{ColumnTrait as _, DeriveActiveEnum, EntityTrait as _, EnumIter, QueryFilter as _};
pub(crate) use settle::{heal, release_call, release_execution, settle};
use wiiiv_domain::{Amount, BudgetWindow};
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
