//! What a project's own model says of a question, where its policy names one of a provider.

use super::{
    asking::{EmbedTexts, MadeVectors, NotCompared},
    embedder::EmbedKind,
    provider_model::{is_of, provider_model},
    retrieval::{Question, Retrieval},
    takeover::turn_back,
};
use crate::runtime::Runtime;
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, timeout_at};
use wiiiv_domain::{ProjectId, Scope, UserId};
use wiiiv_retrieval::Vector;

/// A question waits so long for its provider; then its search goes on by words. A turn waits longer for the whole search
/// (`documents.turn_wait`), so that words are still found in it.
const WAIT: Duration = Duration::from_secs(3);

/// Of one question. Nothing: the project has no such model, or no documents.
#[derive(Default)]
pub struct OwnMeaning {
    /// With what it is kept under.
    pub vector: Option<(String, Arc<Vector>)>,
    /// Why there is none.
    pub left_out: Option<NotCompared>,
}

impl OwnMeaning {
    const fn without(why: NotCompared) -> Self {
        Self { vector: None, left_out: Some(why) }
    }
}

/// Nobody is asked where the project's documents could not be compared with the answer, nor twice for the same question of
/// that person as long as it is known.
pub async fn own_meaning<F>(
    runtime: &Arc<Runtime>,
    (person, project): (UserId, ProjectId),
    text: &str,
    ask: impl FnOnce(EmbedTexts) -> F,
) -> OwnMeaning
where
    F: Future<Output = Result<MadeVectors, NotCompared>>,
{
    let (retrieval, scope) = (&runtime.retrieval, Scope::Project(project));
    if retrieval.serving().library.counts(scope).chunks == 0 {
        return OwnMeaning::default();
    }
    let name = match runtime.policies.current(project).await {
        Ok(policy) => provider_model(policy.project_policy()),
        Err(error) => {
            tracing::warn!(%error, %project, "a question cannot be embedded");
            return OwnMeaning::without(NotCompared::Failed);
        }
    };
    let until = Instant::now() + WAIT;
    if !is_compared(retrieval, scope, name.as_deref()) {
        // Where it takes longer it goes on, and this one is searched by its words.
        let _ = timeout_at(until, turn_back(runtime, project, name.as_deref())).await;
    }
    let serving = retrieval.serving();
    let (name, kept) = match (name, serving.of_provider(scope)) {
        (None, None) => return OwnMeaning::default(),
        (Some(name), Some(kept)) if is_of(kept, &name) => (name, kept.to_owned()),
        (Some(_), _) | (None, Some(_)) => return OwnMeaning::without(NotCompared::NotEmbedded),
    };
    let question = (person, project, kept.clone(), text.to_owned());
    if let Some(known) = retrieval.questions.get(&question) {
        return OwnMeaning { vector: Some((kept, known)), left_out: None };
    }
    let answered = timeout_at(until, asked(retrieval, (name, question), ask)).await;
    answered.unwrap_or_else(|_| {
        tracing::warn!(%project, "a question waited too long: it is searched by its words");
        OwnMeaning::without(NotCompared::Unreachable)
    })
}

/// Whether that scope is compared by the model that is named. `None`: by the one of this machine.
fn is_compared(retrieval: &Retrieval, scope: Scope, name: Option<&str>) -> bool {
    match (name, retrieval.serving().of_provider(scope)) {
        (Some(name), Some(kept)) => is_of(kept, name),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Of the provider, in the question's turn.
async fn asked<F>(
    retrieval: &Retrieval,
    (name, question): (String, Question),
    ask: impl FnOnce(EmbedTexts) -> F,
) -> OwnMeaning
where
    F: Future<Output = Result<MadeVectors, NotCompared>>,
{
    let (_, project, kept, text) = &question;
    let Some(out) = retrieval.outgoing.one(*project).await else {
        tracing::warn!(%project, "too many questions are out: one is searched by its words");
        return OwnMeaning::without(NotCompared::Unreachable);
    };
    // The same question may have come back meanwhile.
    if let Some(known) = retrieval.questions.get(&question) {
        return OwnMeaning { vector: Some((kept.clone(), known)), left_out: None };
    }
    let texts = vec![text.clone()];
    let wanted = EmbedTexts { name, texts, kind: EmbedKind::Query, out: Some(out) };
    match ask(wanted).await {
        Ok(MadeVectors { embedder, vectors }) => {
            let Some(vector) = vectors.into_iter().next().map(Arc::new) else {
                return OwnMeaning::without(NotCompared::Failed);
            };
            if embedder == *kept {
                retrieval.questions.insert(question, Arc::clone(&vector));
            }
            OwnMeaning { vector: Some((embedder, vector)), left_out: None }
        }
        Err(why) => OwnMeaning::without(why),
    }
}
