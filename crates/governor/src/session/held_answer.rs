//! An answer in words that is not given yet, and what came of looking at it.

use crate::session::call::SentCall;
use std::{collections::BTreeSet, sync::Arc};
use wiiiv_context::Prompt;
use wiiiv_domain::{AnswerFinding, AnswerStage, Citation, Proposal};

/// What a model that answered once more said is no better than what it had said.
pub const NO_BETTER: &str = "no_better";

pub struct HeldAnswer {
    /// The call that it is an answer to.
    pub sent: Arc<SentCall>,
    pub proposal: Proposal,
    /// What its words cite.
    pub citations: Vec<Citation>,
    /// What its model was shown.
    pub prompt: Box<Prompt>,
    pub review: AnswerReview,
}

/// For the record.
#[derive(Debug, Default)]
pub struct AnswerReview {
    pub findings: BTreeSet<AnswerFinding>,
    /// A model has looked at it too.
    pub by_model: bool,
    /// A better one is given in its place.
    pub refined: bool,
    /// With the reason's code.
    pub left_out: Vec<(AnswerStage, &'static str)>,
}

impl HeldAnswer {
    pub fn leave_out(&mut self, stage: AnswerStage, reason: &'static str) {
        self.review.left_out.push((stage, reason));
    }
}
