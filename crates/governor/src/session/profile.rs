//! What the person told of themselves in this project: what prompts hold of it, and what a model says that a message
//! tells. Code alone decides what is kept: a value stands in the person's own message, and a change of a slot of safety
//! waits for their yes. The flow and the gates have no part in it.

use crate::{
    clock,
    session::{Session, SessionFault},
    telemetry,
};
use std::sync::Arc;
use wiiiv_context::{ProfileBlock, keeps_secret, profile_schema};
use wiiiv_domain::{
    EventBody, ProfileChange, ProfileDocument, ProfileEdit, ProfileNote, ProfileSchema, ReplyCode,
    SlotOutcome, TurnId,
};
use wiiiv_hlx::neutralise;
use wiiiv_store::{ProfileAct, ProfileOwner, ProfileRefused, StoreError};

/// As the project's policy has it. `None`: nobody has a profile here.
pub async fn schema(session: &Session) -> Result<Option<Arc<ProfileSchema>>, SessionFault> {
    let policy = session.journal.records.policy().await?;
    Ok(policy.project_policy().profile_schema.as_ref().and_then(profile_schema))
}

/// For a prompt of this session's person, and of nobody else who speaks in their conversation.
pub async fn block(session: &Session) -> Result<Option<ProfileBlock>, SessionFault> {
    let row = &session.journal.row;
    if session.conversation.speaker.is_some_and(|speaker| speaker != row.owner) {
        return Ok(None);
    }
    let Some(schema) = schema(session).await? else { return Ok(None) };
    let (person, project) = (row.owner, row.project);
    let owner = ProfileOwner { person, project, schema: schema.name.clone() };
    let told = match session.runtime.deps.store.profile(&owner).await {
        Ok(told) => told,
        // The turn goes on without it, and the model is told so.
        Err(error) if does_not_open(&error) => {
            tracing::warn!(%person, %project, %error, "a profile does not open: its person can erase it");
            return Ok(Some(ProfileBlock::unreadable(&schema, clock::now())));
        }
        Err(error) => return Err(error.into()),
    };
    let document = told.map_or_else(ProfileDocument::default, |row| row.document);
    Ok(Some(ProfileBlock::of(&schema, &document, clock::now())))
}

/// Keeps what a model says that the turn's message tells, as far as code finds it there, and tells the person. Once a
/// turn, and only in a turn that a person began with words of their own.
pub async fn keep(
    session: &mut Session,
    turn: TurnId,
    notes: &[ProfileNote],
) -> Result<(), SessionFault> {
    if notes.is_empty() {
        return Ok(());
    }
    let author = session.work.turn.as_mut().and_then(|turn| turn.profile_author.take());
    let (Some(author), Some(schema)) = (author, schema(session).await?) else { return Ok(()) };
    let message = session.conversation.history().iter().rev().find(|line| line.by_user());
    let message = message.map(|line| line.text.clone()).unwrap_or_default();
    let found = notes.iter().filter_map(|note| note.of_message(&schema, &message).ok());
    let changes: Vec<ProfileChange> = found.collect();
    if changes.iter().any(keeps_secret) {
        telemetry::profile_told([0, 0, notes.len()]);
        let text = session.text("memory.secret", &[]);
        tell(session, turn, text);
        return Ok(());
    }
    let mut told = ProfileReply::new(notes.len() - changes.len());
    if !changes.is_empty() {
        let store = &session.runtime.deps.store;
        let act = ProfileAct::Tell(changes.clone());
        match store.change_profile(author, Arc::clone(&schema), act, None).await {
            Ok(done) => {
                for (change, done) in changes.iter().zip(&done.done) {
                    told.note(session, (&schema, change), done.outcome);
                }
            }
            Err(ProfileRefused::Store(error)) if does_not_open(&error) => told.unreadable = true,
            Err(ProfileRefused::Store(error)) if !is_gone(&error) => return Err(error.into()),
            Err(_) => told.refused += changes.len(),
        }
    }
    telemetry::profile_told([told.kept.len(), told.waits.len(), told.refused]);
    let text = told.text(session);
    if !text.is_empty() {
        tell(session, turn, text);
    }
    Ok(())
}

fn tell(session: &mut Session, turn: TurnId, text: String) {
    let reply = ReplyCode::Told { message: text.clone() };
    session.tell(turn, EventBody::replied(reply, text));
}

const fn is_gone(error: &StoreError) -> bool {
    matches!(error, StoreError::AuthorityGone)
}

const fn does_not_open(error: &StoreError) -> bool {
    matches!(error, StoreError::Key(_) | StoreError::Corrupt { .. })
}

/// What came of all that was noted, in lines for the person.
struct ProfileReply {
    kept: Vec<String>,
    /// Said as well: a crash may have come before it was shown.
    same: Vec<String>,
    waits: Vec<String>,
    refused: usize,
    unreadable: bool,
}

impl ProfileReply {
    const fn new(refused: usize) -> Self {
        Self { kept: Vec::new(), same: Vec::new(), waits: Vec::new(), refused, unreadable: false }
    }

    fn note(
        &mut self,
        session: &Session,
        (schema, change): (&ProfileSchema, &ProfileChange),
        outcome: SlotOutcome,
    ) {
        match outcome {
            SlotOutcome::Unchanged => self.same.push(line(session, schema, change)),
            SlotOutcome::Kept => self.kept.push(line(session, schema, change)),
            SlotOutcome::Waits(_) => self.waits.push(line(session, schema, change)),
            SlotOutcome::Refused => self.refused += 1,
        }
    }

    fn text(&self, session: &Session) -> String {
        let mut parts = Vec::new();
        let told = [
            ("profile.kept", &self.kept),
            ("profile.same", &self.same),
            ("profile.asks", &self.waits),
        ];
        for (key, lines) in told {
            if !lines.is_empty() {
                parts.push(session.text(key, &[("lines", lines.join("\n"))]));
            }
        }
        if self.refused > 0 {
            let count = [("count", self.refused.to_string())];
            parts.push(session.text("profile.refused", &count));
        }
        if self.unreadable {
            parts.push(session.text("profile.unreadable", &[]));
        }
        parts.join("\n")
    }
}

fn line(session: &Session, schema: &ProfileSchema, change: &ProfileChange) -> String {
    let key = match change.edit {
        ProfileEdit::Set { .. } | ProfileEdit::Clear | ProfileEdit::Restore { .. } => {
            "profile.line"
        }
        ProfileEdit::End { .. } => "profile.line_over",
        ProfileEdit::Remove { .. } => "profile.line_removed",
    };
    let label = schema.slot(&change.slot).map(|slot| slot.label.of(session.conversation.language));
    let value = change.edit.text().map(|text| neutralise(text.as_str())).unwrap_or_default();
    session.text(key, &[("label", label.unwrap_or_default().to_owned()), ("value", value)])
}
