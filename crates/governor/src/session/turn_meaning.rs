//! Older turns by what they mean: compared with the message by the model of this machine that the project's documents are
//! compared by. No text leaves and nothing is paid, so nobody's leave is asked; where a provider's model compares the
//! documents, or no model reads what is found, older turns are found by their words alone.
//!
//! INVARIANT: vectors are in the memory of the session alone. They are made behind a turn; a turn waits for that of its own
//! message, and no longer than `WAIT`. Nothing of the store is read or written for them.

use crate::{
    documents::{EmbedKind, TextEmbedder, provider_model},
    session::Session,
};
use std::{sync::Arc, time::Duration};
use tokio::{task::spawn_blocking, time::timeout};
use wiiiv_context::TurnVectors;
use wiiiv_domain::{ProjectPolicy, Scope, TurnId};

/// A turn waits so long for the vector of its message; then words alone decide.
const WAIT: Duration = Duration::from_millis(500);
/// Of a message, in Unicode scalar values, as of what documents are looked through for.
const MESSAGE_CHARS_MAX: usize = 1_000;

/// Before the first prompt of a turn. Where a model of this machine gives nothing in time, the plan says so.
pub async fn compare(session: &mut Session, turn: TurnId, policy: &ProjectPolicy) {
    let embedder = embedder(session, policy);
    session.work.turn_vectors.embedder.clone_from(&embedder);
    let Some(embedder) = embedder else { return };
    let dialogue = session.conversation.dialogue();
    let Some(message) = dialogue.to_compare(turn) else { return };
    let message: String = message.chars().take(MESSAGE_CHARS_MAX).collect();
    let turns = session.work.turn_vectors.of(embedder.name(), dialogue.older_said());
    let vectors = match turns.iter().any(Option::is_some) {
        true => embedded(embedder, message).await.map(|message| TurnVectors { message, turns }),
        // It would be compared with nothing.
        false => None,
    };
    session.conversation.dialogue_mut().compare(turn, vectors.as_ref());
}

impl Session {
    /// When a turn has ended: nobody waits for it.
    pub fn embed_older_turns(&mut self) {
        let texts = self.conversation.dialogue().older_said();
        self.work.turn_vectors.make(texts);
    }
}

async fn embedded(embedder: Arc<dyn TextEmbedder>, message: String) -> Option<Arc<[f32]>> {
    let made = spawn_blocking(move || embedder.embed(&message, EmbedKind::Query));
    let why = match timeout(WAIT, made).await {
        Ok(Ok(Ok(numbers))) => return Some(numbers.into()),
        Ok(Ok(Err(why))) => why,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it takes too long".to_owned(),
    };
    tracing::warn!(%why, "older turns are found by their words alone");
    None
}

/// `None`: there is none on this machine, a provider's compares the project's documents, or the built-in model answers,
/// which reads no older turn.
fn embedder(session: &Session, policy: &ProjectPolicy) -> Option<Arc<dyn TextEmbedder>> {
    let serving = session.runtime.retrieval.serving();
    let scope = Scope::Project(session.journal.row.project);
    let is_of_provider = provider_model(policy).is_some() || serving.of_provider(scope).is_some();
    let is_read = !policy.llm_provider.is_built_in();
    serving.embedder.filter(|_| is_read && !is_of_provider)
}
