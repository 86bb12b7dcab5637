//! What a prompt holds of turns that it does not carry as they are.

use crate::{
    related::RelatedTurn,
    stage::{Stage, StageNote, StageReason},
    summary::Summary,
};

/// Of a long conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LongTerm {
    pub summary: Summary,
    /// The nearest first.
    pub related: Vec<RelatedTurn>,
    /// What is less than it could be, before the prompt is laid out.
    pub notes: Vec<StageNote>,
}

impl LongTerm {
    /// The user's own words of older turns, shortened between words: limits, key points, related turns.
    pub fn said(&self) -> impl Iterator<Item = &str> {
        let related = self.related.iter().map(|turn| turn.said.as_str());
        self.summary.said().chain(related)
    }

    /// What others wrote in it than the user.
    pub(crate) fn of_others(&self) -> impl Iterator<Item = &str> {
        self.summary.of_others().chain(self.related.iter().map(|turn| turn.answer.as_str()))
    }

    /// The same, to be changed.
    pub(crate) fn of_others_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.summary.of_others_mut().chain(self.related.iter_mut().map(|turn| &mut turn.answer))
    }

    /// Limits in messages that a prompt has no room for. Whether one of them was not known.
    pub(crate) fn forbid(&mut self, limits: &[String]) -> bool {
        let (is_new, has_lost) = self.summary.forbid(limits);
        let note = StageNote { stage: Stage::Summary, why: StageReason::TooManyLimits };
        if has_lost && !self.notes.contains(&note) {
            self.notes.push(note);
        }
        is_new
    }

    /// As much of it as was laid out.
    pub(crate) fn keep(&mut self, points: usize, related: usize) {
        self.summary.keep(points);
        self.related.truncate(related);
    }

    /// All of it, in bytes: about what is laid out.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let related = self.related.iter().map(|turn| turn.said.len() + turn.answer.len());
        related.fold(self.summary.bytes(), usize::saturating_add)
    }
}
