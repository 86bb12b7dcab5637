//! Usage and output of the attempts so far.

use super::fault::{Cost, Fault};
use crate::call::ModelError;
use wiiiv_domain::{ProposalFailure, Spent, Usage};

#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    pub(super) attempts: u32,
    /// One more is under way, and not among them.
    pub(super) in_flight: bool,
    pub(super) retries: u32,
    pub(super) spent: Spent,
    /// As the provider told it, where it was more than was held for one attempt.
    pub(super) beyond: Option<Usage>,
}

impl Progress {
    /// An attempt without an answer may have been worked on.
    pub(super) fn spend(&mut self, cost: Cost) {
        match cost {
            Cost::Nothing => {}
            Cost::Known(usage) => self.spent.count(usage),
            Cost::Unknown => self.spent.count_unknown(),
        }
    }
    pub(super) fn failed(&self, fault: &Fault) -> ModelError {
        ModelError {
            unreachable: fault.is_unreachable(),
            beyond: self.beyond.or(fault.beyond()),
            ..self.ended(fault.failure(), &fault.to_string())
        }
    }
    /// In the middle of an attempt nobody knows what that has cost; between two of them it is known.
    pub(super) fn late(mut self) -> ModelError {
        if self.in_flight {
            self.spend(Cost::Unknown);
            self.attempts = self.attempts.saturating_add(1);
        }
        self.ended(ProposalFailure::Timeout, "the call took longer than its deadline")
    }
    pub(super) fn unreadable(&self) -> ModelError {
        self.ended(ProposalFailure::InvalidOutput, "its answer does not match the schema")
    }
    pub(super) fn cut(&self) -> ModelError {
        let reason = "its answer was cut at the tokens that it might have";
        self.ended(ProposalFailure::InvalidOutput, reason)
    }
    fn ended(&self, failure: ProposalFailure, reason: &str) -> ModelError {
        ModelError {
            failure,
            spent: self.spent.clone(),
            reason: reason.to_owned(),
            attempts: self.attempts,
            unreachable: false,
            beyond: self.beyond,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn out_of_time_only_an_attempt_that_is_under_way_has_cost_who_knows_what() {
        let used = Usage { input_tokens: 7, output_tokens: 2, estimated: false };
        let progress = Progress { attempts: 1, spent: Spent::of(used), ..Progress::default() };
        let between = progress.clone().late();
        assert_eq!((between.spent.known(), between.attempts), (Some(used), 1));
        let within = Progress { in_flight: true, ..progress }.late();
        assert_eq!((within.spent.known(), within.attempts), (None, 2));
        assert_eq!(within.spent.total(), Usage { estimated: true, ..used });
    }
}
