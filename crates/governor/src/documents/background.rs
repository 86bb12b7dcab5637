//! Embeds texts that have no vector of the model to use, while searches go on. When there are none left, a model that
//! answered until then is replaced.

use super::{
    embedder::TextEmbedder,
    job::{Vectors, embedded},
    load::swap,
    provider_model::{is_of, project_of, provider_model},
    retrieval::{Retrieval, beside},
};
use crate::runtime::Runtime;
use std::{collections::BTreeSet, sync::Arc};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, ProjectId, Scope};
use wiiiv_retrieval::Vector;
use wiiiv_store::{Store, StoreError};

/// Texts of one look.
const BATCH_MAX: u64 = 16;

/// Until nothing is missing but what the model cannot read, something fails, or the server stops.
pub async fn run(runtime: &Runtime, stop: &CancellationToken) {
    let (store, retrieval) = (&runtime.deps.store, &runtime.retrieval);
    let Some(embedder) = retrieval.embedders().first().map(Arc::clone) else { return };
    let done = tokio::select! {
        done = embed_all(store, retrieval, &embedder) => done,
        () = stop.cancelled() => return,
    };
    match done {
        Ok(true) => match take_over(store, retrieval, embedder).await {
            Ok(()) => drop_former(runtime, stop).await,
            Err(error) => {
                tracing::error!(%error, "the new model answers from the next start on");
            }
        },
        // It was told why.
        Ok(false) => {}
        Err(error) => tracing::error!(%error, "texts without a vector cannot be read or written"),
    }
}

async fn take_over(
    store: &Store,
    retrieval: &Retrieval,
    embedder: Arc<dyn TextEmbedder>,
) -> Result<(), StoreError> {
    if retrieval.serving().embedder_name() == Some(embedder.name()) {
        return Ok(());
    }
    tracing::info!(embedder = embedder.name(), "each text has a vector of the new model");
    swap(store, retrieval, embedder).await
}

/// Vectors of models that are here no more: the one to use has all texts by now, and nobody is asked for theirs again.
/// What a project is compared by, and what its policy names, is a provider's and stays: it was paid for.
async fn drop_former(runtime: &Runtime, stop: &CancellationToken) {
    let store = &runtime.deps.store;
    let kept = match kept(runtime).await {
        Ok(kept) => kept,
        Err(error) => return tracing::error!(%error, "vectors of former models are not dropped"),
    };
    let embedders: Vec<&str> = kept.iter().map(String::as_str).collect();
    let mut after = None;
    while !stop.is_cancelled() {
        match store.drop_vectors_but(&embedders, after).await {
            Ok(Some(last)) => after = Some(last),
            Ok(None) => return,
            Err(error) => {
                return tracing::error!(%error, "vectors of former models are not dropped");
            }
        }
    }
}

/// Under what vectors are kept that somebody may ask for.
async fn kept(runtime: &Runtime) -> Result<Vec<String>, StoreError> {
    let retrieval = &runtime.retrieval;
    let here = retrieval.embedders().iter().map(|embedder| embedder.name().to_owned());
    let (mut all, serving) = (here.collect::<Vec<String>>(), retrieval.serving());
    for name in runtime.deps.store.embedders().await? {
        let Some(project) = project_of(&name) else { continue };
        let is_served = serving.of_provider(Scope::Project(project)) == Some(name.as_str());
        if is_served || names(runtime, project, &name).await {
            all.push(name);
        }
    }
    Ok(all)
}

/// Whether the project's policy names that model; also where it cannot be told.
async fn names(runtime: &Runtime, project: ProjectId, kept: &str) -> bool {
    match runtime.policies.current(project).await {
        Ok(policy) => {
            provider_model(policy.project_policy()).is_some_and(|name| is_of(kept, &name))
        }
        Err(_) => true,
    }
}

/// `false`: the model failed for some of them, or for all of one look.
async fn embed_all(
    store: &Store,
    retrieval: &Retrieval,
    embedder: &Arc<dyn TextEmbedder>,
) -> Result<bool, StoreError> {
    let (mut after, mut failed) = (None, BTreeSet::<ContentDigest>::new());
    loop {
        let mut texts = store.texts_without_vector(embedder.name(), after, BATCH_MAX).await?;
        let Some((last, _)) = texts.last() else {
            // What came meanwhile may stand before what was looked at last.
            let missing = store.missing_vectors(embedder.name()).await?;
            if missing <= failed.len() as u64 {
                return Ok(missing == 0);
            }
            after = None;
            continue;
        };
        after = Some(*last);
        texts.retain(|(hash, _)| !failed.contains(hash));
        let (vectors, refused) = embedded_each(embedder, texts).await;
        // It is no text of these that it cannot read.
        if vectors.is_empty() && !refused.is_empty() {
            return Ok(false);
        }
        failed.extend(refused);
        store.put_vectors(embedder.name(), vectors.clone()).await?;
        if retrieval.serving().embedder_name() == Some(embedder.name()) {
            show(store, retrieval, (embedder.name(), &vectors)).await?;
        }
    }
}

/// One that the model cannot read takes no other along. With those.
async fn embedded_each(
    embedder: &Arc<dyn TextEmbedder>,
    texts: Vec<(ContentDigest, String)>,
) -> (Vectors, Vec<ContentDigest>) {
    if let Ok(vectors) = embedded(embedder, texts.clone()).await {
        return (vectors, Vec::new());
    }
    let (mut vectors, mut refused) = (Vectors::new(), Vec::new());
    for (hash, text) in texts {
        match embedded(embedder, vec![(hash, text)]).await {
            Ok(one) => vectors.extend(one),
            Err(_) => refused.push(hash),
        }
    }
    (vectors, refused)
}

/// To searches, wherever these texts stand in a scope that is compared by vectors that are kept so.
pub async fn show(
    store: &Store,
    retrieval: &Retrieval,
    (embedder, vectors): (&str, &[(ContentDigest, Vec<u8>)]),
) -> Result<(), StoreError> {
    let _changing = retrieval.changing().await;
    let (serving, mut found) = (retrieval.serving(), Vec::new());
    for (hash, bytes) in vectors {
        let Ok(vector) = Vector::from_bytes(bytes).map(Arc::new) else { continue };
        let chunks = store.chunks_of_text(*hash).await?;
        for chunk in chunks {
            let (scope, document, _) = chunk;
            if serving.embedder_in(scope) == Some(embedder) {
                retrieval.note(scope, document);
                found.push((chunk, Arc::clone(&vector)));
            }
        }
    }
    beside(move || {
        for ((scope, document, number), vector) in found {
            serving.library.set_vector(scope, document, number, vector);
        }
    })
    .await
}
