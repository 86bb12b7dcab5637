//! What the attempts of one call have come to so far.

use super::fault::Fault;
use crate::models::ModelError;
use wiiiv_domain::{ProposalFailure, Usage};

#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) attempts: u32,
    pub(super) retries: u32,
    pub(super) usage: Usage,
}

impl Progress {
    pub(super) fn spend(&mut self, usage: Usage) {
        self.usage = Usage {
            input_tokens: self.usage.input_tokens.saturating_add(usage.input_tokens),
            output_tokens: self.usage.output_tokens.saturating_add(usage.output_tokens),
            estimated: self.usage.estimated || usage.estimated,
        };
    }
    pub(super) fn failed(&self, fault: &Fault) -> ModelError {
        ModelError {
            failure: fault.failure(),
            usage: (!fault.may_be_charged()).then_some(self.usage),
            reason: fault.to_string(),
            attempts: self.attempts,
            unreachable: fault.is_unreachable(),
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
        }
    }
}
