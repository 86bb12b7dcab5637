//! What is kept in mind: a wish to remember, which code carries out, and what prompts hold of it.

use crate::{
    remember_text::{RememberRequest, request},
    session::{Session, SessionFault},
};
use std::sync::Arc;
use wiiiv_context::MemoryBlocks;
use wiiiv_domain::{
    MEMORY_CHARS_MAX, MemoryOwner, MemoryScope, MemoryText, MemoryTextError, TurnId, ValueSource,
};
use wiiiv_gate::Principal;
use wiiiv_hlx::neutralise;
use wiiiv_store::{MemoryRefused, MemoryRow, Point, RememberCommand, Remembered, StoreError};

/// Keeps what the turn's message asks to be kept. The reply that follows says what came of it.
pub async fn remember(
    session: &mut Session,
    turn: TurnId,
    who: &Principal,
) -> Result<(), SessionFault> {
    let message = session.conversation.history().back().filter(|line| line.by_user);
    let Some(RememberRequest { scope, line }) = message.and_then(|line| request(&line.text)) else {
        return Ok(());
    };
    // What is kept names a turn that is on record.
    session.flush(Point::T0).await?;
    let project = session.journal.row.project;
    let command = RememberCommand::new(who, turn, project, scope, &line);
    let done = session.runtime.deps.store.remember(command).await;
    let told = told(session, (scope, &line), done)?;
    if let Some(turn) = &mut session.work.turn {
        turn.remembered = Some(told);
    }
    Ok(())
}

fn told(
    session: &Session,
    (scope, line): (MemoryScope, &str),
    done: Result<Remembered, MemoryRefused>,
) -> Result<String, SessionFault> {
    let size = |chars: usize| {
        [("chars", chars.to_string()), ("max", MEMORY_CHARS_MAX.to_string())]
    };
    let line = [("line", neutralise(line))];
    match done {
        Ok(Remembered { is_new: false, .. }) => Ok(session.text("memory.known", &line)),
        Ok(Remembered { row, .. }) => {
            let key = match scope {
                MemoryScope::User => "memory.kept_user",
                MemoryScope::Project => "memory.kept_project",
            };
            Ok(session.text(key, &[size(row.text.chars()).as_slice(), &line].concat()))
        }
        Err(MemoryRefused::Text(MemoryTextError::TooLong { chars, .. })) => {
            Ok(session.text("memory.full", &size(chars)))
        }
        Err(MemoryRefused::Text(MemoryTextError::ControlCharacter { .. })) => {
            Ok(session.text("memory.unfit", &[]))
        }
        Err(MemoryRefused::NotAllowed) => Ok(session.text("memory.not_allowed", &[])),
        // Nobody said which version was seen.
        Err(stale @ MemoryRefused::Stale { .. }) => Err(SessionFault::other(stale.to_string())),
        Err(MemoryRefused::Store(error)) => Err(error.into()),
    }
}

/// For a prompt of this session's person.
pub async fn blocks(session: &Session) -> Result<MemoryBlocks, StoreError> {
    let (user, project) = (of_user(session).await?, of_project(session).await?);
    let text = |row: Option<Arc<MemoryRow>>| -> MemoryText {
        row.map(|row| row.text.clone()).unwrap_or_default()
    };
    Ok(MemoryBlocks { user: text(user), project: text(project) })
}

/// The project's memory, if somebody else has written in it: what it says are not the user's words.
pub async fn foreign(session: &Session) -> Result<Option<Arc<MemoryRow>>, StoreError> {
    let row = of_project(session).await?;
    Ok(row.filter(|row| row.has_words_of_others(session.journal.row.owner)))
}

/// That memory as a source of what a model writes.
pub async fn source(session: &Session) -> Result<Option<ValueSource>, StoreError> {
    let memory = session.journal.row.project;
    let row = foreign(session).await?;
    Ok(row.map(|row| ValueSource::Memory { memory, version: row.version }))
}

async fn of_user(session: &Session) -> Result<Option<Arc<MemoryRow>>, StoreError> {
    let owner = MemoryOwner::User(session.journal.row.owner);
    session.runtime.deps.store.memory(owner).await
}

async fn of_project(session: &Session) -> Result<Option<Arc<MemoryRow>>, StoreError> {
    let owner = MemoryOwner::Project(session.journal.row.project);
    session.runtime.deps.store.memory(owner).await
}
