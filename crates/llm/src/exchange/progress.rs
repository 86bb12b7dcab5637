//! What the attempts of one call have come to so far.

use super::fault::{Cost, Fault};
use crate::models::ModelError;
use wiiiv_domain::{ProposalFailure, Usage};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    pub(super) attempts: u32,
    /// One more is under way, and not among them.
    pub(super) in_flight: bool,
    pub(super) retries: u32,
    pub(super) usage: Usage,
    /// As the provider told it, where it was more than was held for one attempt.
    pub(super) beyond: Option<Usage>,
}

impl Progress {
    pub(super) fn spend(&mut self, usage: Usage) {
        self.usage = Usage {
            input_tokens: self.usage.input_tokens.saturating_add(usage.input_tokens),
            output_tokens: self.usage.output_tokens.saturating_add(usage.output_tokens),
            estimated: self.usage.estimated || usage.estimated,
        };
    }
    pub(super) fn failed(mut self, fault: &Fault) -> ModelError {
        let is_known = match fault.cost() {
            Cost::Nothing => true,
            Cost::Known(usage) => {
                self.spend(usage);
                true
            }
            Cost::Unknown => false,
        };
        ModelError {
            failure: fault.failure(),
            usage: is_known.then_some(self.usage),
            reason: fault.to_string(),
            attempts: self.attempts,
            unreachable: fault.is_unreachable(),
            beyond: self.beyond.or(fault.beyond()),
        }
    }
    /// In the middle of an attempt nobody knows what that has cost; between two of them it is known.
    pub(super) fn late(&self) -> ModelError {
        ModelError {
            failure: ProposalFailure::Timeout,
            usage: (!self.in_flight).then_some(self.usage),
            reason: "the call took longer than its deadline".to_owned(),
            attempts: self.attempts.saturating_add(u32::from(self.in_flight)),
            unreachable: false,
            beyond: self.beyond,
        }
    }
    pub(super) fn unreadable(&self) -> ModelError {
        self.unusable("its answer does not match the schema")
    }
    pub(super) fn cut(&self) -> ModelError {
        self.unusable("its answer was cut at the tokens that it might have")
    }
    fn unusable(&self, reason: &str) -> ModelError {
        ModelError {
            failure: ProposalFailure::InvalidOutput,
            usage: Some(self.usage),
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
        let spent = Usage { input_tokens: 7, output_tokens: 2, estimated: false };
        let mut progress = Progress { attempts: 1, usage: spent, ..Progress::default() };
        let between = progress.late();
        assert_eq!((between.usage, between.attempts), (Some(spent), 1));
        progress.in_flight = true;
        let within = progress.late();
        assert_eq!((within.usage, within.attempts), (None, 2));
    }
}
