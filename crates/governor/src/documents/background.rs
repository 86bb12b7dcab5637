//! Embeds texts that have no vector of the model to use, while searches go on. When there are none left, a model that
//! answered until then is replaced.

use super::{
    embedder::TextEmbedder,
    job::{Vectors, embedded},
    load::swap,
    provider_model::is_local,
    retrieval::{Retrieval, beside},
};
use crate::runtime::Runtime;
use std::{collections::BTreeSet, sync::Arc};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::ContentDigest;
use wiiiv_retrieval::Vector;
use wiiiv_store::{Store, StoreError};

/// Texts of one look.
const BATCH_MAX: u64 = 16;

/// Until nothing is missing but what the model cannot read, something fails, it is to pause, or the server stops.
pub async fn run(runtime: &Runtime, stop: &CancellationToken, pause: &CancellationToken) {
    let (store, retrieval) = (&runtime.deps.store, &runtime.retrieval);
    let Some(embedder) = retrieval.embedders().first().map(Arc::clone) else { return };
    let done = tokio::select! {
        done = embed_all((store, retrieval), &embedder, pause) => done,
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

/// Vectors of models of this machine that are here no more: the one to use has all texts by now, and nobody is asked for
/// theirs again. Those of providers were paid for, and stay.
async fn drop_former(runtime: &Runtime, stop: &CancellationToken) {
    let (store, retrieval) = (&runtime.deps.store, &runtime.retrieval);
    let embedders: Vec<&str> =
        retrieval.embedders().iter().map(|embedder| embedder.name()).collect();
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

/// `false`: the model failed for some of them, or for all of one look; or it pauses between two looks.
async fn embed_all(
    (store, retrieval): (&Store, &Retrieval),
    embedder: &Arc<dyn TextEmbedder>,
    pause: &CancellationToken,
) -> Result<bool, StoreError> {
    let (mut after, mut failed) = (None, BTreeSet::<ContentDigest>::new());
    loop {
        if pause.is_cancelled() {
            return Ok(false);
        }
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

/// To searches, wherever these texts stand in a scope that is compared by vectors that are kept so; of this machine's not in
/// a document whose own texts are embedded now.
pub async fn show(
    store: &Store,
    retrieval: &Retrieval,
    (embedder, vectors): (&str, &[(ContentDigest, Vec<u8>)]),
) -> Result<(), StoreError> {
    let _changing = retrieval.changing().await;
    let (serving, mut found) = (retrieval.serving(), Vec::new());
    let unshown = match is_local(embedder) {
        true => store.documents_embedded_now().await?,
        false => BTreeSet::new(),
    };
    for (hash, bytes) in vectors {
        let Ok(vector) = Vector::from_bytes(bytes).map(Arc::new) else { continue };
        let chunks = store.chunks_of_text(*hash).await?;
        for chunk in chunks {
            let (scope, document, _) = chunk;
            if serving.embedder_in(scope) == Some(embedder) && !unshown.contains(&document) {
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
