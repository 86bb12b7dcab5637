//! A conversation as prompts carry it: the last messages as they are, what was said before that in short.

use crate::{
    line::Line,
    long_term::LongTerm,
    meaning::{self, TurnVectors},
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
/// A message, and at least one to it.
const LINES_PER_TURN: usize = 2;
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
    nearest: Option<NearestTurns>,
}

/// Turns that are near to the message of this turn: scored once.
#[derive(Debug, Clone)]
struct NearestTurns {
    of: TurnId,
    numbers: Vec<usize>,
    /// They could have been compared by what they mean, and were not.
    by_words_alone: bool,
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

    /// The user's words of older turns, as an embedder is given them, the oldest first: from the turn on behind which a prompt
    /// may need them.
    pub fn older_said(&self) -> impl DoubleEndedIterator<Item = &str> {
        let is_needed = self.is_long || self.lines.len() + LINES_PER_TURN > HISTORY_MESSAGES_MAX;
        self.older.said().filter(move |_| is_needed)
    }

    /// The message that older turns are to be compared with by what they mean; `None`: there are none, or that is done in
    /// this turn.
    #[must_use]
    pub fn to_compare(&self, turn: TurnId) -> Option<&str> {
        let is_due = self.is_long && self.nearest.as_ref().is_none_or(|near| near.of != turn);
        self.older.said().next().filter(|_| is_due)?;
        self.message()
    }

    /// By these vectors and by words, once a turn, before its first prompt; `None`: there should be some. Without this call
    /// words alone decide.
    pub fn compare(&mut self, turn: TurnId, vectors: Option<&TurnVectors>) {
        let by_words = self.by_words();
        let by_meaning = vectors.and_then(|vectors| meaning::nearest(vectors).ok());
        let by_words_alone = by_meaning.is_none();
        let by_meaning = by_meaning.unwrap_or_default();
        let by_meaning: Vec<usize> =
            by_meaning.into_iter().map(|at| self.older.number(at)).collect();
        let numbers = meaning::fused(&by_words, &by_meaning);
        self.nearest = Some(NearestTurns { of: turn, numbers, by_words_alone });
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
        let NearestTurns { numbers, by_words_alone, .. } = self.near(turn);
        let related = self.older.related(&numbers);
        if by_words_alone {
            notes.push(StageNote { stage: Stage::Related, why: StageReason::NotCompared });
        }
        if self.is_unread {
            let unread = |stage| StageNote { stage, why: StageReason::Unread };
            notes.extend(Stage::ALL.map(unread));
        } else if related.is_empty() {
            notes.push(StageNote { stage: Stage::Related, why: StageReason::NoneNear });
        }
        Some(LongTerm { summary: Summary::checked(points, facts), related, notes })
    }

    fn near(&mut self, turn: TurnId) -> NearestTurns {
        let known = self.nearest.as_ref().filter(|near| near.of == turn).cloned();
        if let Some(near) = known {
            return near;
        }
        let near = NearestTurns { of: turn, numbers: self.by_words(), by_words_alone: false };
        self.nearest.insert(near).clone()
    }

    fn by_words(&self) -> Vec<usize> {
        self.message().map(|message| self.older.nearest(message)).unwrap_or_default()
    }

    fn message(&self) -> Option<&str> {
        let message = self.lines.iter().rfind(|line| line.by_user());
        message.map(|line| line.text.as_str())
    }
}
