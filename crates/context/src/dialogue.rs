//! A conversation as prompts carry it: the last messages as they are, what was said before that in short.

use crate::{
    line::Line,
    long_term::LongTerm,
    older::OlderTurns,
    profile::ProfileBlock,
    stage::{Stage, StageNote, StageReason},
    summary::{SafetyFacts, Summary},
};
use std::collections::VecDeque;
use wiiiv_domain::TurnId;

/// Messages that are kept as they are. As long as there are no more, a prompt carries all of them.
pub const HISTORY_MESSAGES_MAX: usize = 20;
/// Of a longer conversation a prompt carries as many, beside the current message.
pub const RECENT_MESSAGES_MAX: usize = 10;
/// With the current message.
const RECENT_LINES: usize = RECENT_MESSAGES_MAX + 1;

#[derive(Debug, Clone, Default)]
pub struct Dialogue {
    /// Oldest first.
    lines: VecDeque<Line>,
    /// Of everything before the last [`RECENT_LINES`].
    older: OlderTurns,
    /// There were more lines than are kept as they are.
    is_long: bool,
    /// Lines from before those that are here could not be read.
    is_unread: bool,
    /// Turns that are near to the message of this turn: scored once.
    nearest: Option<(TurnId, Vec<usize>)>,
}

impl Dialogue {
    /// The next line; an empty one is none.
    pub fn note(&mut self, line: Line) {
        if line.text.is_empty() {
            return;
        }
        self.lines.push_back(line);
        let leaving = self.lines.len().checked_sub(RECENT_LINES + 1);
        if let Some(line) = leaving.and_then(|at| self.lines.get(at)) {
            self.older.note(line);
        }
        if self.lines.len() > HISTORY_MESSAGES_MAX {
            self.lines.pop_front();
            self.is_long = true;
        }
    }

    /// There is more before these lines, and nobody can read it.
    pub const fn lose_older(&mut self) {
        (self.is_long, self.is_unread) = (true, true);
    }

    /// The last messages, at most [`HISTORY_MESSAGES_MAX`], oldest first.
    #[must_use]
    pub const fn lines(&self) -> &VecDeque<Line> {
        &self.lines
    }

    /// Those that a prompt carries as they are, the current message with them.
    pub fn recent(&self) -> impl DoubleEndedIterator<Item = &Line> {
        let older = if self.is_long { self.lines.len().saturating_sub(RECENT_LINES) } else { 0 };
        self.lines.iter().skip(older)
    }

    /// What a prompt of this turn holds of the turns before that; `None` where there are none.
    pub fn long_term(&mut self, turn: TurnId, profile: Option<&ProfileBlock>) -> Option<LongTerm> {
        if !self.is_long {
            return None;
        }
        let (points, mut notes) = self.older.points();
        let told = profile.into_iter().flat_map(ProfileBlock::safety);
        let facts = SafetyFacts::of(told)
            .with_limits(self.older.limits())
            .with_refused(self.older.refused());
        let near = self.near(turn).to_vec();
        let related = self.older.related(&near);
        if self.is_unread {
            let unread = |stage| StageNote { stage, why: StageReason::Unread };
            notes.extend(Stage::ALL.map(unread));
        } else if related.is_empty() {
            notes.push(StageNote { stage: Stage::Related, why: StageReason::NoneNear });
        }
        Some(LongTerm { summary: Summary::checked(points, facts), related, notes })
    }

    fn near(&mut self, turn: TurnId) -> &[usize] {
        if self.nearest.as_ref().is_none_or(|(of, _)| *of != turn) {
            let message = self.lines.iter().rfind(|line| line.by_user());
            let near = message.map(|line| self.older.nearest(&line.text)).unwrap_or_default();
            self.nearest = Some((turn, near));
        }
        self.nearest.as_ref().map_or(&[][..], |(_, near)| near.as_slice())
    }
}
