//! The model personas of one review: who was asked, who was heard, and what silence counts as.

use crate::session::call::SentCall;
use std::sync::Arc;
use wiiiv_domain::{
    DacsResult, Grounds, Opinion, Persona, ProposalFailure, ReviewingModel, SpecDigest, TaskId,
    TaskType, TurnId, Vote,
};

/// What is reviewed, and under which policy.
#[derive(Clone)]
pub struct ReviewCase {
    pub turn: TurnId,
    pub task: TaskId,
    pub task_type: TaskType,
    pub spec: SpecDigest,
    /// The project's model; its personas are the same one, where they are asked.
    pub model: ReviewingModel,
    pub grounds: Grounds,
    pub binds: bool,
}

/// The model personas of one review.
pub struct Panel {
    pub case: ReviewCase,
    /// What the rule personas came to.
    pub rules: DacsResult,
    pub seats: [Seat; Persona::ALL.len()],
}

pub enum Seat {
    Waiting(Arc<SentCall>),
    Heard(Opinion),
}

impl Panel {
    pub fn waiting(&self) -> impl Iterator<Item = &Arc<SentCall>> {
        self.seats.iter().filter_map(|seat| match seat {
            Seat::Waiting(call) => Some(call),
            Seat::Heard(_) => None,
        })
    }

    /// The seat that waits for this call.
    pub fn seat(&mut self, sent: &SentCall) -> Option<&mut Seat> {
        let waits = |seat: &&mut Seat| matches!(seat, Seat::Waiting(call) if call.id == sent.id);
        self.seats.iter_mut().find(waits)
    }

    /// Whoever has not answered abstains for this reason.
    pub fn opinions(self, missing: ProposalFailure) -> Vec<Opinion> {
        let heard = Persona::ALL.into_iter().zip(self.seats).map(|(persona, seat)| match seat {
            Seat::Heard(opinion) => opinion,
            Seat::Waiting(_) => abstained(persona, missing),
        });
        heard.collect()
    }
}

pub fn abstained(persona: Persona, failure: ProposalFailure) -> Opinion {
    let concerns = vec![code_of(failure).to_owned()];
    Opinion { persona, vote: Vote::Abstain, concerns, reason: String::new() }
}

/// Told in `policies/dacs.toml`.
const fn code_of(failure: ProposalFailure) -> &'static str {
    match failure {
        ProposalFailure::Timeout => "PERSONA_LATE",
        ProposalFailure::InvalidOutput | ProposalFailure::KeySaid => "PERSONA_UNREADABLE",
        ProposalFailure::Refused => "PERSONA_REFUSED",
        ProposalFailure::RateLimited => "PERSONA_RATE_LIMITED",
        ProposalFailure::Unavailable | ProposalFailure::Rejected | ProposalFailure::Unserved => {
            "PERSONA_UNREACHABLE"
        }
        ProposalFailure::Auth => "PERSONA_NO_KEY",
        ProposalFailure::Budget | ProposalFailure::Unpriced | ProposalFailure::Unpaid => {
            "PERSONA_OVER_BUDGET"
        }
        ProposalFailure::ContextTooLong => "PERSONA_TOO_LONG",
        ProposalFailure::Halted => "PERSONA_HALTED",
        ProposalFailure::NotAllowed => "PERSONA_NOT_ALLOWED",
    }
}
