//! Alerts that most of a window is spent, or that another call like the last does not fit: once for
//! each cap, with the settlement that crossed the line.

use super::line::{Line, Sum};
use crate::writer::boundary::AuditEntry;
use serde_json::json;
use wiiiv_domain::{BudgetWindow, WindowKind};

/// Of a cap.
pub const ALERT_PERCENT: u64 = 80;

/// Of a window that came near its cap by what was just settled in it, and was not before. `again`: what
/// was held, and would be for such a call.
pub(super) fn due(window: &BudgetWindow, line: &Line, again: Sum) -> Option<AuditEntry> {
    let spent = Spent { window, line };
    let is_due = line.alerted_at.is_none() && (spent.is_near() || spent.is_full_for(again));
    is_due.then(|| spent.entry())
}

struct Spent<'a> {
    window: &'a BudgetWindow,
    line: &'a Line,
}

impl Spent<'_> {
    fn is_near(&self) -> bool {
        let near = |spent: u64, cap: Option<u64>| {
            cap.is_some_and(|cap| {
                u128::from(spent) * 100 >= u128::from(cap) * u128::from(ALERT_PERCENT)
            })
        };
        let (settled, cap) = (self.line.settled, self.line.cap);
        near(settled.tokens, cap.tokens) || near(settled.micros, cap.micros)
    }

    /// Such a call is denied from here on, however much of the cap is left. A task has few calls, and
    /// its own cap is told of by its share alone.
    fn is_full_for(&self, again: Sum) -> bool {
        if matches!(self.window.window, WindowKind::Run(_)) {
            return false;
        }
        let full = |spent: u64, next: u64, cap: Option<u64>| {
            cap.is_some_and(|cap| spent.saturating_add(next) > cap)
        };
        let (settled, cap) = (self.line.settled, self.line.cap);
        full(settled.tokens, again.tokens, cap.tokens)
            || full(settled.micros, again.micros, cap.micros)
    }

    fn entry(&self) -> AuditEntry {
        let (kind, of) = match &self.window.window {
            WindowKind::Run(task) => ("run", task.to_string()),
            WindowKind::Day(day) => ("day", day.clone()),
            WindowKind::Month(month) => ("month", month.clone()),
        };
        let text = |count: Option<u64>| count.map(|count| count.to_string());
        let (settled, cap) = (self.line.settled, self.line.cap);
        let body = json!({
            "window": kind,
            "of": of,
            "user": self.window.user,
            "percent": ALERT_PERCENT,
            // Else another call as the last one does not fit into what is left.
            "reached": self.is_near(),
            "settled": {
                "tokens": settled.tokens.to_string(), "micros": settled.micros.to_string()
            },
            "cap": { "tokens": text(cap.tokens), "micros": text(cap.micros) },
        });
        AuditEntry::new("budget.alerted", body)
    }
}
