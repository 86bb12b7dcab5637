//! Budget windows: amounts held before a call and settled after it, within what is drawn of their caps.

mod alert;
pub(crate) mod ledger;
pub(crate) mod line;
mod load;
mod settle;
pub(crate) mod usage;

use crate::{error::StoreError, store::Store};
pub use alert::ALERT_PERCENT;
use line::{Line, Sum};
use sea_orm::{DeriveActiveEnum, EnumIter};
pub(crate) use settle::{recover, release_call, release_execution, settle};
use wiiiv_domain::{Amount, BudgetWindow, Timestamp, WindowKind};
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
    /// What those of the windows have settled and hold that have spent anything.
    pub async fn budget(&self, windows: &[BudgetWindow]) -> Result<BudgetView, StoreError> {
        let mut lines = Vec::with_capacity(windows.len());
        for window in windows {
            let line = self.budget_line(window).await?;
            if !line.used().is_zero() {
                let (settled, held) = (amount(line.settled), amount(line.held));
                lines.push(BudgetLine { window: window.clone(), settled, held });
            }
        }
        Ok(BudgetView { lines })
    }

    /// Of each window, in the order that they were asked for.
    pub async fn budget_standing(
        &self,
        windows: &[BudgetWindow],
    ) -> Result<Vec<BudgetStanding>, StoreError> {
        let mut standings = Vec::with_capacity(windows.len());
        for window in windows {
            let Line { settled, held, alerted_at, .. } = self.budget_line(window).await?;
            let (settled, held) = (amount(settled), amount(held));
            standings.push(BudgetStanding { window: window.clone(), settled, held, alerted_at });
        }
        Ok(standings)
    }

    /// A task has few calls. All those of a month are summed up on a thread of the driver.
    async fn budget_line(&self, window: &BudgetWindow) -> Result<Line, StoreError> {
        match window.window {
            WindowKind::Run(_) => self.ledger().get_or_read(window, self.direct()).await,
            WindowKind::Day(_) | WindowKind::Month(_) => {
                self.ledger().get_or_read(window, self.reader()).await
            }
        }
    }
}

fn amount(sum: Sum) -> Amount {
    Amount { tokens: sum.tokens, micros: Some(sum.micros) }
}
