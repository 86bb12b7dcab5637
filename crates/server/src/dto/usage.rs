//! Wire forms of model usage and budgets.

use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{Amount, Currency, ProjectPolicy, UserId, WindowKind};
use wiiiv_gate::Cap;
use wiiiv_store::{ALERT_PERCENT, BudgetStanding, UsageRow, UsageSums};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct UsageQuery {
    /// First UTC day, `YYYY-MM-DD`; 30 days by default.
    pub from: Option<String>,
    /// Last UTC day, `YYYY-MM-DD`; today by default. 366 days at most.
    pub until: Option<String>,
    /// What to group by, comma-separated: `day`, `model`, `user`. `day` by default.
    pub by: Option<String>,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProjectsUsageQuery {
    /// First UTC day, `YYYY-MM-DD`; 30 days by default.
    pub from: Option<String>,
    /// Last UTC day, `YYYY-MM-DD`; today by default. 366 days at most.
    pub until: Option<String>,
    /// Projects, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

/// The caller's projects, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProjectsUsageView {
    /// UTC days, both included.
    pub from: String,
    pub until: String,
    pub items: Vec<ProjectUsageView>,
    /// `null` on the last page.
    pub next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProjectUsageView {
    pub project: Uuid,
    pub name: String,
    pub scope: UsageScope,
    /// Of its sum of money; another project's may be another one.
    #[schema(value_type = String)]
    pub currency: Currency,
    pub sums: UsageSumsView,
}

/// Whose calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UsageScope {
    Project,
    /// The caller's own: those of others are for owners and approvers.
    Own,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsageView {
    /// UTC days, both included.
    pub from: String,
    pub until: String,
    pub scope: UsageScope,
    pub by: Vec<&'static str>,
    /// Of every sum of money here.
    #[schema(value_type = String)]
    pub currency: Currency,
    pub rows: Vec<UsageRowView>,
    pub total: UsageSumsView,
    /// More rows than one answer holds: ask for a shorter time.
    pub truncated: bool,
}

/// One group; what it was not grouped by is `null`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsageRowView {
    pub day: Option<String>,
    pub provider: Option<String>,
    pub model: Option<String>,
    pub user: Option<PersonView>,
    pub sums: UsageSumsView,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PersonView {
    pub id: Uuid,
    /// `null`: the account is gone.
    pub name: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsageSumsView {
    pub calls: u64,
    /// Not ended yet.
    pub open: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// What counts in token budgets: more than input and output where nobody said what a call used
    /// and its hold counts in full.
    pub tokens: u64,
    /// Micro-units of `currency`, rounded up for each call.
    pub micros: u64,
    /// Calls of models without a price: they are in no sum of money.
    pub unpriced: u64,
    /// Calls of which something was estimated.
    pub estimated: u64,
}

impl From<UsageSums> for UsageSumsView {
    fn from(sums: UsageSums) -> Self {
        Self {
            calls: sums.calls,
            open: sums.open,
            input_tokens: sums.input_tokens,
            output_tokens: sums.output_tokens,
            tokens: sums.tokens,
            micros: sums.micros,
            unpriced: sums.unpriced,
            estimated: sums.estimated,
        }
    }
}

impl UsageRowView {
    pub(crate) fn of(row: UsageRow, names: &BTreeMap<UserId, Arc<str>>) -> Self {
        let (provider, model) = row.model.unzip();
        let person = |id: UserId| PersonView {
            id: id.uuid(),
            name: names.get(&id).map(ToString::to_string),
        };
        Self {
            day: row.day.map(wiiiv_domain::Timestamp::utc_day),
            provider,
            model,
            user: row.user.map(person),
            sums: row.sums.into(),
        }
    }
}

/// The caps of one task, all its rounds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunCapsView {
    pub tokens: Option<u64>,
    pub micros: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BudgetsView {
    #[schema(value_type = String)]
    pub currency: Currency,
    /// Of a cap: from there on a window is `near`.
    pub alert_percent: u64,
    pub per_run: RunCapsView,
    /// The project's day and month, and the caller's own.
    pub items: Vec<BudgetWindowView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BudgetWindowName {
    Day,
    Month,
    UserDay,
    UserMonth,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BudgetState {
    Open,
    /// From `alert_percent` of a cap, what is promised included, or once no other such call fitted.
    Near,
    /// A cap is reached.
    Spent,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BudgetWindowView {
    pub window: BudgetWindowName,
    /// A UTC day `2026-11-22` or month `2026-11`.
    pub of: String,
    pub tokens: MeasureView,
    pub micros: MeasureView,
    pub state: BudgetState,
    /// When most of its cap was spent, or no other such call fitted.
    pub alerted_at: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct MeasureView {
    /// `null`: none.
    pub cap: Option<u64>,
    pub settled: u64,
    /// Promised to calls that are under way.
    pub held: u64,
}

impl MeasureView {
    fn state(self) -> BudgetState {
        let Some(cap) = self.cap else { return BudgetState::Open };
        let used = u128::from(self.settled) + u128::from(self.held);
        if used >= u128::from(cap) {
            BudgetState::Spent
        } else if used * 100 >= u128::from(cap) * u128::from(ALERT_PERCENT) {
            BudgetState::Near
        } else {
            BudgetState::Open
        }
    }
}

impl BudgetWindowView {
    /// `None` for one task's window.
    pub(crate) fn of(policy: &ProjectPolicy, standing: &BudgetStanding) -> Option<Self> {
        let user = standing.window.user.is_some();
        let (window, of) = match (&standing.window.window, user) {
            (WindowKind::Run(_), _) => return None,
            (WindowKind::Day(day), false) => (BudgetWindowName::Day, day),
            (WindowKind::Day(day), true) => (BudgetWindowName::UserDay, day),
            (WindowKind::Month(month), false) => (BudgetWindowName::Month, month),
            (WindowKind::Month(month), true) => (BudgetWindowName::UserMonth, month),
        };
        let cap = Cap::of(policy, &standing.window);
        let money = |amount: Amount| amount.micros.unwrap_or(0);
        let (settled, held) = (standing.settled, standing.held);
        let tokens = MeasureView { cap: cap.tokens, settled: settled.tokens, held: held.tokens };
        let micros = MeasureView { cap: cap.micros, settled: money(settled), held: money(held) };
        // No such call as the last one fits, however little of the cap is spent: it is not open. Where
        // the policy has no cap any more, what was told of an earlier one stands in nobody's way.
        let capped = cap.tokens.or(cap.micros).is_some();
        let full = if capped && standing.alerted_at.is_some() {
            BudgetState::Near
        } else {
            BudgetState::Open
        };
        Some(Self {
            window,
            of: of.clone(),
            tokens,
            micros,
            state: tokens.state().max(micros.state()).max(full),
            alerted_at: standing.alerted_at.map(|at| at.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::{BudgetWindow, Timestamp};

    #[test]
    fn a_window_into_which_no_other_such_call_fitted_is_not_open() {
        let policy = serde_json::json!({
            "version": 1, "allowedStepTypes": [], "allowedHosts": [], "allowedPaths": [],
            "approval": {"normal": {"by": "requester", "ttlSeconds": 60},
                "risky": {"by": "requester", "ttlSeconds": 60}},
            "dacsStage": "observe", "modelPersonas": "never",
            "tokenBudget": {"perRun": null, "perDay": 100}, "llmProvider": "OFFLINE",
        });
        let policy: ProjectPolicy = serde_json::from_value(policy).unwrap();
        let window: BudgetWindow =
            "01900000-0000-7000-8000-000000000000/day/2026-11-23".parse().unwrap();
        for (alerted_at, state) in
            [(None, BudgetState::Open), (Some(Timestamp::from_unix_ms(0)), BudgetState::Near)]
        {
            let standing = BudgetStanding {
                window: window.clone(),
                settled: wiiiv_domain::Amount { tokens: 56, micros: None },
                held: wiiiv_domain::Amount { tokens: 0, micros: None },
                alerted_at,
            };
            assert_eq!(BudgetWindowView::of(&policy, &standing).unwrap().state, state);
            let mut free = policy.clone();
            free.token_budget.per_day = None;
            let open = BudgetWindowView::of(&free, &standing).unwrap().state;
            assert_eq!(open, BudgetState::Open, "the cap was taken away");
        }
    }

    #[test]
    fn a_window_is_near_from_eighty_per_cent_and_spent_at_its_cap() {
        let state = |cap, settled, held| MeasureView { cap, settled, held }.state();
        assert_eq!(state(None, u64::MAX, u64::MAX), BudgetState::Open);
        assert_eq!(state(Some(100), 79, 0), BudgetState::Open);
        assert_eq!(state(Some(100), 40, 40), BudgetState::Near);
        assert_eq!(state(Some(100), 99, 0), BudgetState::Near);
        assert_eq!(state(Some(100), 60, 40), BudgetState::Spent);
        assert_eq!(state(Some(0), 0, 0), BudgetState::Spent);
        assert_eq!(state(Some(u64::MAX), u64::MAX, u64::MAX), BudgetState::Spent);
    }
}
