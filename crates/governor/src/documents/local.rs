//! Gives the texts of a document that was added vectors of the model of this machine, a few in each turn: the document is
//! there already and found by its words. What a turn made is kept before the next one begins, so that neither a restart nor
//! somebody else's file waits for a long one, and none of it is made twice. It is shown when all of it is there: scopes share
//! these vectors, and one that is there at once was made for somebody else.

use super::{
    asking::NotCompared,
    background::show,
    job::{embedded, end_embedding, has_provider},
};
use crate::{policies::PolicyUnavailable, runtime::Runtime};
use wiiiv_domain::IngestJobId;
use wiiiv_store::{IngestState, StoreError};

/// Texts of one turn.
const TEXTS_AT_ONCE: u64 = 8;

/// What a turn came to.
pub enum LocalTurned {
    /// It has another turn.
    More,
    Done,
    /// The project's policy names a provider's model by now.
    Provider,
    /// The store cannot be asked: it stands open there.
    Left,
}

#[derive(Debug, thiserror::Error)]
enum Undone {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Policy(#[from] PolicyUnavailable),
}

/// Of one ingest whose document is there.
pub async fn turn(runtime: &Runtime, id: IngestJobId) -> LocalTurned {
    match work(runtime, id).await {
        Ok(turned) => turned,
        Err(Undone::Policy(error @ PolicyUnavailable::Compile(_))) => {
            tracing::error!(%error, job = %id, "which model embeds a document is not known");
            let ended = end_embedding(runtime, id, Some(NotCompared::Failed)).await;
            ended.map_or(LocalTurned::Left, |()| LocalTurned::Done)
        }
        Err(error) => {
            tracing::error!(%error, job = %id, "texts of a document have no vector");
            LocalTurned::Left
        }
    }
}

async fn work(runtime: &Runtime, id: IngestJobId) -> Result<LocalTurned, Undone> {
    let (store, retrieval) = (&runtime.deps.store, &runtime.retrieval);
    let job = store.ingest_job(id).await?;
    let Some(job) = job.filter(|job| !job.state.has_ended()) else {
        return Ok(LocalTurned::Done);
    };
    let Some(document) = job.document else { return Ok(LocalTurned::Left) };
    if has_provider(runtime, job.scope).await? {
        return Ok(LocalTurned::Provider);
    }
    let Some(embedder) = retrieval.serving().embedder else {
        end_embedding(runtime, id, None).await?;
        return Ok(LocalTurned::Done);
    };
    let name = embedder.name();
    let texts = store.texts_without_vector_of(document, name, TEXTS_AT_ONCE).await?;
    let (mut progress, count) = (job.progress, texts.len() as u64);
    let vectors = match embedded(&embedder, texts).await {
        Ok(vectors) => vectors,
        Err(why) => {
            end_embedding(runtime, id, Some(why)).await?;
            return Ok(LocalTurned::Done);
        }
    };
    store.put_vectors(name, vectors.clone()).await?;
    show(store, retrieval, (name, &vectors)).await?;
    let is_last = count < TEXTS_AT_ONCE;
    // The last one tells nothing of texts whose vector was there, for another scope.
    let all = if is_last { progress.to_embed } else { progress.embedded.saturating_add(count) };
    progress.embedded = all.min(progress.to_embed);
    let goes_on = store.mark_ingest(id, IngestState::Embedding, progress).await?;
    if goes_on && !is_last {
        return Ok(LocalTurned::More);
    }
    // Where it had ended, that counts.
    end_embedding(runtime, id, None).await?;
    Ok(LocalTurned::Done)
}
