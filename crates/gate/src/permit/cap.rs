//! The cap of a budget window.

use wiiiv_domain::{BudgetWindow, ProjectPolicy, WindowKind};

/// A cap; `None` means none of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cap {
    /// Input and output tokens.
    pub tokens: Option<u64>,
    /// Micro-units of the project's currency.
    pub micros: Option<u64>,
}

impl Cap {
    /// The policy's cap of that window.
    #[must_use]
    pub const fn of(policy: &ProjectPolicy, window: &BudgetWindow) -> Self {
        let (tokens, money) = (&policy.token_budget, &policy.cost_limit);
        let (tokens, micros) = match (&window.window, window.user) {
            (WindowKind::Run(_), _) => (tokens.per_run, money.per_run_micros),
            (WindowKind::Day(_), None) => (tokens.per_day, money.per_day_micros),
            (WindowKind::Month(_), None) => (tokens.per_month, money.per_month_micros),
            (WindowKind::Day(_), Some(_)) => (tokens.per_user_day, money.per_user_day_micros),
            (WindowKind::Month(_), Some(_)) => (tokens.per_user_month, money.per_user_month_micros),
        };
        Self { tokens, micros }
    }
}
