//! Signals in what is to be done: it is not what was asked for, or it goes further each time.

use super::super::{error::RulesError, matcher::Reason};
use serde::Deserialize;
use wiiiv_domain::{Effect, Envelope, Timestamp};

/// What was to be done does more than was asked for, or speaks to somebody who was not named.
pub(super) const INTENT_DRIFT: &str = "INTENT_DRIFT";
/// Behind a refusal, more and more was tried.
pub(super) const STEPWISE_ESCALATION: &str = "STEPWISE_ESCALATION";

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drift {
    pub(super) points: u32,
    pub(super) reason: Reason,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Escalation {
    pub(super) points: u32,
    window_minutes: u32,
    pub(super) reason: Reason,
}

/// One spec that came to a review, and whether it was refused since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// When.
    pub at: Timestamp,
    /// The greatest effect of its envelope.
    pub effect: Effect,
    /// By the review, the drawing, a ruling or an approver.
    pub refused: bool,
}

/// `asked`: the greatest effect of what the user's words ask for; `None`: they do not say.
/// `is_named`: the user or the project's owner named that host.
pub(super) fn drifts(
    asked: Option<Effect>,
    envelope: &Envelope,
    is_named: impl Fn(&str) -> bool,
) -> bool {
    let further = asked.is_some_and(|asked| envelope.greatest_effect() > Some(asked));
    further || envelope.hosts.iter().any(|host| !is_named(host))
}

impl Escalation {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        match self.window_minutes {
            0 => Err(RulesError::Zero("escalation.window_minutes")),
            _ => Ok(()),
        }
    }

    pub(super) fn window_ms(&self) -> u64 {
        u64::from(self.window_minutes).saturating_mul(60_000)
    }

    /// Three attempts within the window, each with a greater effect than the one before, and one of the
    /// window's earlier ones was refused. `attempts`: oldest first; the last is the one at hand.
    pub(super) fn is_seen(&self, attempts: &[Attempt]) -> bool {
        let Some((now, before)) = attempts.split_last() else { return false };
        let window = self.window_ms();
        let recent = before.iter().skip_while(|attempt| now.at.since_ms(attempt.at) > window);
        let recent: Vec<Attempt> = recent.copied().collect();
        recent.iter().enumerate().any(|(at, low)| {
            let between = recent.iter().skip(at + 1);
            let refused = recent.iter().skip(at).any(|attempt| attempt.refused);
            refused
                && between.into_iter().any(|mid| low.effect < mid.effect && mid.effect < now.effect)
        })
    }
}
