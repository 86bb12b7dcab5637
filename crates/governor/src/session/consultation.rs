//! How far a turn has come with documents, and what waits for them.

use crate::{
    documents::{FoundPassages, scopes_of},
    runtime::Runtime,
    session::call::{ModelChoice, SentCall},
    turn_documents::TurnDocuments,
};
use std::sync::Arc;
use wiiiv_context::Prompt;
use wiiiv_domain::{ProfileNote, Proposal, Scope, TaskType, TurnId};
use wiiiv_gate::Principal;
use wiiiv_store::SessionRow;

/// Whose documents a turn may look through, and what the rules read in its message.
#[derive(Debug, Clone, Default)]
pub struct Asker {
    pub scopes: Vec<Scope>,
    pub task_type: Option<TaskType>,
}

impl Asker {
    // INVARIANT: the scopes are those of the person who wrote the message. Of somebody else than the session's owner there
    // are none: what they may read is not for the owner's conversation.
    pub fn of(
        runtime: &Runtime,
        who: &Principal,
        row: &SessionRow,
        task_type: Option<TaskType>,
    ) -> Option<Self> {
        let scopes = || scopes_of(&runtime.deps.keeper, who, Some(row.project));
        (who.user() == row.owner).then(|| Self { scopes: scopes(), task_type })
    }

    /// `false`: none of the scopes has any, and nothing is searched. Before all are loaded nobody knows.
    pub fn has_documents(&self, runtime: &Runtime) -> bool {
        let retrieval = &runtime.retrieval;
        let library = retrieval.serving().library;
        let holds = |scope: &Scope| library.has_documents(*scope);
        !retrieval.is_loaded() || self.scopes.iter().any(holds)
    }
}

/// Once a turn.
#[derive(Default)]
pub enum Consultation {
    /// None were looked through.
    #[default]
    NotYet,
    /// A search is under way.
    Searching(Box<Postponed>),
    /// Nothing more is searched in this turn. `None`: it failed, or there were none.
    Done(Option<Arc<TurnDocuments>>),
}

/// What goes on behind a search.
pub struct Postponed {
    /// The call that it is for.
    pub choice: ModelChoice,
    /// The answer that was put aside for it.
    pub first: Option<Box<FirstAnswer>>,
}

/// An answer whose model had seen no passage; it stands where no other one comes.
pub struct FirstAnswer {
    pub sent: Arc<SentCall>,
    pub proposal: Proposal,
    /// What it says that the message tells of its author.
    pub told: Vec<ProfileNote>,
    /// What its model was shown, where an answer in words is looked at before it is given.
    pub prompt: Option<Box<Prompt>>,
}

/// What came of a search. `None`: none of the scopes has a document.
pub struct Searched {
    pub turn: TurnId,
    pub found: Result<Option<FoundPassages>, SearchFailure>,
}

/// Why there is nothing to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchFailure {
    /// It took too long.
    Timeout,
    Unavailable,
}
