//! The changing parts of a ruling's input: plain data, because the commit checks them.

use serde::{Deserialize, Serialize};
use std::fmt;
use wiiiv_domain::{Amount, BudgetWindow, SessionId};

/// Number that rises with every change of a session's risk and taint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StandingSeq(u64);

impl StandingSeq {
    /// From the number in the session's row.
    #[must_use]
    pub const fn new(seq: u64) -> Self {
        Self(seq)
    }
    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for StandingSeq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Number that rises with every GHOST result that counts and every change of a runner's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LedgerVersion(u64);

impl LedgerVersion {
    /// From the number in the store.
    #[must_use]
    pub const fn new(version: u64) -> Self {
        Self(version)
    }
    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// A session's standing at a ruling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Standing {
    /// The session.
    pub session: SessionId,
    /// Number of this standing; it rises with each change.
    pub seq: StandingSeq,
    /// Risk score of the session, in points.
    pub risk_score: u32,
    /// The session, its project or the server is halted.
    pub halted: bool,
    /// The turn has read untrusted content.
    pub tainted: bool,
    /// Policy asks for verified models, and one that is not was asked in this conversation.
    #[serde(default, skip_serializing_if = "is_not")]
    pub unverified: bool,
    /// The version of the ledger that said so; `None`: policy asks for no verified model here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerVersion>,
}

// A record from before this field keeps its digest.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(crate) const fn is_not(flag: &bool) -> bool {
    !*flag
}

/// What one window has settled and held. A window without a line has spent nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BudgetLine {
    /// The window.
    pub window: BudgetWindow,
    /// Cost of calls that have ended.
    pub settled: Amount,
    /// Cost that is held for calls under way.
    pub held: Amount,
}

/// The windows that a subject counts in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BudgetView {
    /// One line for each window that has a row.
    pub lines: Vec<BudgetLine>,
}

impl BudgetView {
    /// Unpriced models count in tokens only.
    pub(crate) fn used(&self, window: &BudgetWindow) -> (u64, u64) {
        let lines = self.lines.iter().filter(|l| &l.window == window);
        let amounts = lines.flat_map(|l| [l.settled, l.held]);
        amounts.fold((0, 0), |(tokens, micros): (u64, u64), a| {
            (tokens.saturating_add(a.tokens), micros.saturating_add(a.micros.unwrap_or(0)))
        })
    }
}
