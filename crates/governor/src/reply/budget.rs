//! Names the budget that stopped a call: its sums, its window and its policy field.

use super::result::grouped;
use crate::{
    clock,
    session::{Session, SessionFault},
};
use wiiiv_domain::{Amount, BudgetWindow, Currency, TaskId, WindowKind};
use wiiiv_gate::Cap;
use wiiiv_store::BudgetStanding;

/// One kind of budget of a window.
struct Line {
    used: u64,
    cap: u64,
    is_money: bool,
    /// The list of the policy that holds the caps of this kind.
    field: &'static str,
}

impl Line {
    fn per_mille_left(&self) -> u128 {
        let left = self.cap.saturating_sub(self.used);
        (u128::from(left) * 1000).checked_div(u128::from(self.cap)).unwrap_or_default()
    }

    /// As the gate compares them.
    const fn is_short_of(&self, claimed: Amount) -> bool {
        let amount = match (self.is_money, claimed.micros) {
            (false, _) => claimed.tokens,
            (true, Some(micros)) => micros,
            (true, None) => 0,
        };
        self.used.saturating_add(amount) > self.cap
    }
}

/// `None` where no cap is in force any more.
pub async fn stopped_by(session: &Session) -> Result<Option<String>, SessionFault> {
    let row = &session.journal.row;
    let policy = session.journal.records.policy().await?;
    let turn = session.work.turn.as_ref().map(|turn| TaskId::from(turn.id));
    let Some(task) = session.flow.active().map(|task| task.id).or(turn) else { return Ok(None) };
    let windows = BudgetWindow::all(row.project, row.owner, task, clock::now());
    let standing = session.runtime.deps.store.budget_standing(&windows).await?;
    let caps = standing.iter().flat_map(|standing| {
        let cap = Cap::of(policy.project_policy(), &standing.window);
        lines(standing, cap).into_iter().map(move |line| (&standing.window, line))
    });
    let mut caps: Vec<_> = caps.collect();
    // If holds were released meanwhile, the cap with the least share left.
    caps.sort_by_key(|(_, line)| (!line.is_short_of(session.work.claimed), line.per_mille_left()));
    let Some((window, Line { used, cap, is_money, field })) = caps.into_iter().next() else {
        return Ok(None);
    };
    let (name, key) = named(window);
    let (texts, lang) = (&session.runtime.deps.messages, session.conversation.language);
    let currency = policy.policy().currency().unwrap_or_default();
    let amount = |count: u64| {
        if is_money {
            money(count, currency)
        } else {
            session.text("budget.tokens", &[("count", grouped(&count.to_string()))])
        }
    };
    let window = texts.find(lang, &format!("budget.{name}")).unwrap_or_default();
    let key = if is_money { format!("{field}.{key}Micros") } else { format!("{field}.{key}") };
    let arguments = [
        ("window", window.to_owned()),
        ("used", amount(used)),
        ("cap", amount(cap)),
        ("field", key),
    ];
    Ok(Some(session.text("failure.budget_window", &arguments)))
}

fn lines(standing: &BudgetStanding, cap: Cap) -> Vec<Line> {
    let sum = |settled: u64, held: u64| settled.saturating_add(held);
    let (settled, held) = (standing.settled, standing.held);
    let tokens = cap.tokens.map(|cap| Line {
        used: sum(settled.tokens, held.tokens),
        cap,
        is_money: false,
        field: "tokenBudget",
    });
    let money = cap.micros.map(|cap| Line {
        used: sum(settled.micros.unwrap_or(0), held.micros.unwrap_or(0)),
        cap,
        is_money: true,
        field: "costLimit",
    });
    tokens.into_iter().chain(money).collect()
}

/// The window's name in `config/messages`, and the end of its key in the policy.
const fn named(window: &BudgetWindow) -> (&'static str, &'static str) {
    match (&window.window, window.user) {
        (WindowKind::Run(_), _) => ("run", "perRun"),
        (WindowKind::Day(_), None) => ("day", "perDay"),
        (WindowKind::Month(_), None) => ("month", "perMonth"),
        (WindowKind::Day(_), Some(_)) => ("user_day", "perUserDay"),
        (WindowKind::Month(_), Some(_)) => ("user_month", "perUserMonth"),
    }
}

/// `1.24 USD`: two decimals at least, and as many as there are.
fn money(micros: u64, currency: Currency) -> String {
    let (units, rest) = (micros / 1_000_000, micros % 1_000_000);
    let decimals = format!("{rest:06}");
    let decimals = decimals.trim_end_matches('0');
    format!("{}.{decimals:0<2} {}", grouped(&units.to_string()), currency.as_str())
}

#[cfg(test)]
mod tests {
    use super::money;
    use wiiiv_domain::Currency;

    #[test]
    fn money_is_told_in_whole_units() {
        for (micros, due) in [(0, "0.00 USD"), (1_240_000, "1.24 USD"), (1_000_123, "1.000123 USD")]
        {
            assert_eq!(money(micros, Currency::USD), due);
        }
    }
}
