//! Buttons: which one, who presses it, and which question or task it is about.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Press {
    /// Approves the waiting question, by its digest.
    Approve,
    /// Rejects it.
    Reject,
    /// Changes values of its plan in place of an answer.
    Edit,
    /// Stops whatever is in flight and drops the active task.
    Cancel,
    /// Abandons all tasks of the session.
    Reset,
    /// Goes on with a suspended task.
    Switch,
    /// The step in doubt has happened.
    Happened,
    /// The step in doubt has not happened.
    DidNotHappen,
    /// Asks for the reason of the last request's result.
    Why,
    /// Asks for the last request once more.
    Again,
    ListFiles,
    /// Asks for the file that was saved last.
    ShowSaved,
}

impl Press {
    /// To a question.
    pub(crate) const fn is_an_answer(self) -> bool {
        matches!(self, Self::Approve | Self::Reject | Self::Edit)
    }

    pub(crate) const fn is_about_a_step(self) -> bool {
        matches!(self, Self::Happened | Self::DidNotHappen)
    }
}

/// Who presses it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The person of the scenario.
    #[default]
    Person,
    /// Another person, who has the right to approve and no other.
    Approver,
    /// A third person with that right.
    SecondApprover,
    /// Somebody who may only read, and to whom the approver may lend that right.
    StandIn,
}

impl Who {
    /// How many other people who may approve it takes for them to be there.
    pub(super) const fn others(self) -> usize {
        match self {
            Self::Person => 0,
            // Whoever stands in does it for one.
            Self::Approver | Self::StandIn => 1,
            Self::SecondApprover => 2,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pressed {
    pub press: Press,
    pub by: Who,
    /// Of the questions put so far, from 1; `None`: the one that waits.
    pub question: Option<usize>,
    /// The question whose digest is given; `None`: its own.
    pub digest_of: Option<usize>,
    /// Of the suspended tasks, from 1, longest suspended first.
    pub task: Option<usize>,
    pub reason: Option<String>,
    /// The new values of an edit, by their slots.
    pub changes: BTreeMap<String, String>,
}

impl Pressed {
    /// By the person, about the waiting question.
    #[must_use]
    pub const fn plain(press: Press) -> Self {
        let by = Who::Person;
        let (question, digest_of, task, reason) = (None, None, None, None);
        Self { press, by, question, digest_of, task, reason, changes: BTreeMap::new() }
    }

    /// Why its parts do not go together.
    pub(super) fn conflict(&self) -> Option<&'static str> {
        let answers = self.press.is_an_answer();
        let zero = |nth: Option<usize>| nth == Some(0);
        if (self.question.is_some() || self.digest_of.is_some()) && !answers {
            return Some("`question` and `digest_of` go with `approve`, `reject` and `edit`");
        }
        if self.by != Who::Person && !answers {
            return Some("`by: approver` goes with `approve`, `reject` and `edit`");
        }
        if self.reason.is_some() && !matches!(self.press, Press::Reject | Press::Edit) {
            return Some("`reason` goes with `reject` and `edit`");
        }
        if self.changes.is_empty() == (self.press == Press::Edit) {
            return Some("`changes` goes with `edit`, and `edit` with it");
        }
        if self.task.is_some() != (self.press == Press::Switch) {
            return Some("`task` goes with `switch`, and `switch` with it");
        }
        if zero(self.question) || zero(self.digest_of) || zero(self.task) {
            return Some("`question`, `digest_of` and `task` count from 1");
        }
        None
    }
}
