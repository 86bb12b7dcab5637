//! Fills the library from the store: nothing is cut, no word is made anew but for another version of them, and nothing
//! is embedded.

use super::{
    embedder::TextEmbedder,
    provider_model::provider_model,
    retrieval::{Retrieval, Serving, beside},
};
use crate::runtime::Runtime;
use futures::stream::{self, StreamExt as _};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{DocumentId, ProjectId, Scope};
use wiiiv_retrieval::{ChunkHash, Entry, Library, Prepared, Terms, Vector};
use wiiiv_store::{LibraryBatch, LibraryChunk, LibraryDocument, Store, StoreError};

/// Documents that are prepared at the same time, while one goes into the library.
const SIDE_BY_SIDE: usize = 4;

/// All documents, with vectors of the model that has most of them; those of a project whose policy names a provider's
/// model with vectors of that one.
pub async fn load(runtime: &Runtime) -> Result<(), StoreError> {
    load_with(&runtime.deps.store, &runtime.retrieval, providers(runtime).await?).await
}

async fn load_with(
    store: &Store,
    retrieval: &Retrieval,
    providers: BTreeMap<ProjectId, String>,
) -> Result<(), StoreError> {
    let embedder = choose(store, retrieval.embedders()).await?;
    let providers = Arc::new(providers);
    {
        let _changing = retrieval.changing().await;
        retrieval.serve(Serving { library: Arc::new(Library::new()), embedder, providers });
    }
    let mut after = None;
    loop {
        // In batches, so that a removal waits for one of them and not for all.
        let _changing = retrieval.changing().await;
        match fill(store, &retrieval.serving(), after).await? {
            Some(last) => after = Some(last),
            None => break,
        }
    }
    retrieval.set_loaded();
    Ok(())
}

/// Projects whose policy names a provider's model that their texts have vectors of.
async fn providers(runtime: &Runtime) -> Result<BTreeMap<ProjectId, String>, StoreError> {
    let (store, mut providers) = (&runtime.deps.store, BTreeMap::new());
    for project in store.projects_with_documents().await? {
        let name = match runtime.policies.current(project).await {
            Ok(policy) => provider_model(policy.project_policy()),
            Err(error) => {
                tracing::error!(%error, %project, "which model embeds its documents is not known");
                continue;
            }
        };
        let Some(name) = name else { continue };
        if let Some(kept) = store.embedder_in(Scope::Project(project), &name).await? {
            providers.insert(project, kept);
        }
    }
    Ok(providers)
}

/// From then on that project's documents are found by vectors that are kept so, until then by their words alone; `None`: by
/// those of this machine's model. To be asked under [`Retrieval::changing`].
pub async fn serve_project(
    store: &Store,
    retrieval: &Retrieval,
    (project, kept): (ProjectId, Option<String>),
) -> Result<(), StoreError> {
    // Nothing is kept so: no vector of one model is compared with one of another meanwhile.
    retrieval.set_provider(project, Some(String::new()));
    let (serving, scope) = (retrieval.serving(), Scope::Project(project));
    let embedder = kept.as_deref().or_else(|| serving.embedder_name());
    let mut after = None;
    loop {
        let batch = store.documents_of_scope(scope, embedder, after).await?;
        for (document, error) in batch.unreadable {
            left_out(document, &error);
        }
        for document in batch.documents {
            let id = document.id;
            retrieval.note(scope, id);
            match put(store, &serving.library, document).await {
                Err(error @ StoreError::Corrupt { .. }) => left_out(id, &error),
                done => done?,
            }
        }
        let Some(last) = batch.last else { break };
        after = Some(last);
    }
    retrieval.set_provider(project, kept);
    Ok(())
}

/// In the place of the library that is there, all at once: vectors of two models are never in one.
pub async fn swap(
    store: &Store,
    retrieval: &Retrieval,
    embedder: Arc<dyn TextEmbedder>,
) -> Result<(), StoreError> {
    retrieval.note_changes();
    let swapped = serve_anew(store, retrieval, embedder).await;
    drop(retrieval.noted_changes());
    swapped
}

/// Nothing waits until it is full: what changed meanwhile is read once more before it serves.
async fn serve_anew(
    store: &Store,
    retrieval: &Retrieval,
    embedder: Arc<dyn TextEmbedder>,
) -> Result<(), StoreError> {
    let providers = retrieval.serving().providers;
    let mut new =
        Serving { library: Arc::new(Library::new()), embedder: Some(embedder), providers };
    let mut after = None;
    while let Some(last) = fill(store, &new, after).await? {
        after = Some(last);
    }
    let _changing = retrieval.changing().await;
    // All documents of a project that is compared by another model by now are noted.
    new.providers = retrieval.serving().providers;
    for (scope, id) in retrieval.noted_changes() {
        match put_in(store, &new, (scope, id)).await {
            Err(error @ StoreError::Corrupt { .. }) => left_out(id, &error),
            done => done?,
        }
    }
    retrieval.serve(new);
    Ok(())
}

/// As the store has it: to be asked under [`Retrieval::changing`].
pub async fn put_in_library(
    store: &Store,
    retrieval: &Retrieval,
    (scope, id): (Scope, DocumentId),
) -> Result<(), StoreError> {
    retrieval.note(scope, id);
    put_in(store, &retrieval.serving(), (scope, id)).await
}

async fn put_in(
    store: &Store,
    serving: &Serving,
    (scope, id): (Scope, DocumentId),
) -> Result<(), StoreError> {
    match store.library_document(serving.embedder_in(scope), id).await? {
        Some(document) => put(store, &serving.library, document).await,
        None => {
            let library = Arc::clone(&serving.library);
            beside(move || library.remove(scope, id)).await.map(drop)
        }
    }
}

/// The one with the fewest texts that have no vector of it; of several the earliest.
async fn choose(
    store: &Store,
    embedders: &[Arc<dyn TextEmbedder>],
) -> Result<Option<Arc<dyn TextEmbedder>>, StoreError> {
    let mut best: Option<(u64, &Arc<dyn TextEmbedder>)> = None;
    for embedder in embedders {
        let missing = store.missing_vectors(embedder.name()).await?;
        if best.is_none_or(|(fewest, _)| missing < fewest) {
            best = Some((missing, embedder));
        }
    }
    Ok(best.map(|(_, embedder)| Arc::clone(embedder)))
}

/// The next ones. `None`: there are no more.
async fn fill(
    store: &Store,
    serving: &Serving,
    after: Option<DocumentId>,
) -> Result<Option<DocumentId>, StoreError> {
    let batch = store.documents_at_start(serving.embedder_name(), after).await?;
    let LibraryBatch { documents, unreadable, last } = batch;
    for (document, error) in unreadable {
        left_out(document, &error);
    }
    let documents = documents.into_iter().map(|document| async move {
        let (id, scope) = (document.id, document.scope);
        (id, scope, prepared_in(store, serving, document).await)
    });
    // In their order: at equal scores the earlier one is found first, after every start.
    let mut ready = stream::iter(documents).buffered(SIDE_BY_SIDE);
    while let Some((id, scope, prepared)) = ready.next().await {
        let put = match prepared {
            Ok(Some(prepared)) => put_prepared(&serving.library, (scope, id), prepared).await,
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        match put {
            Err(error @ StoreError::Corrupt { .. }) => left_out(id, &error),
            done => done?,
        }
    }
    Ok(last)
}

/// With a provider's vectors where its scope is compared by those.
async fn prepared_in(
    store: &Store,
    serving: &Serving,
    document: LibraryDocument,
) -> Result<Option<Prepared>, StoreError> {
    let document = match serving.of_provider(document.scope) {
        Some(kept) => store.library_document(Some(kept), document.id).await?,
        None => Some(document),
    };
    match document {
        Some(document) => prepared(store, document).await.map(Some),
        None => Ok(None),
    }
}

/// One that cannot be read back keeps no other from being found.
fn left_out(document: DocumentId, error: &StoreError) {
    tracing::error!(%error, %document, "a document is not found");
}

async fn put(
    store: &Store,
    library: &Arc<Library>,
    document: LibraryDocument,
) -> Result<(), StoreError> {
    let at = (document.scope, document.id);
    put_prepared(library, at, prepared(store, document).await?).await
}

async fn put_prepared(
    library: &Arc<Library>,
    (scope, id): (Scope, DocumentId),
    prepared: Prepared,
) -> Result<(), StoreError> {
    let library = Arc::clone(library);
    if !beside(move || library.put_prepared(scope, id, prepared)).await? {
        tracing::error!(document = %id, "the library of this scope is full: the document is not found");
    }
    Ok(())
}

async fn prepared(store: &Store, document: LibraryDocument) -> Result<Prepared, StoreError> {
    let (read, mut document) = beside(move || (in_words(&document), document)).await?;
    if let Some(prepared) = read {
        return Ok(prepared);
    }
    anew(store, &mut document).await?;
    let read = beside(move || in_words(&document)).await?;
    read.ok_or_else(|| StoreError::Corrupt { what: "words of a document".to_owned() })
}

/// `None`: its words are of another version.
fn in_words(document: &LibraryDocument) -> Option<Prepared> {
    entries(&document.chunks).map(|entries| Prepared::new(&document.title, entries))
}

/// `None`: the words of a chunk are of another version.
fn entries(chunks: &[LibraryChunk]) -> Option<Vec<Entry>> {
    let entry = |chunk: &LibraryChunk| {
        // One that cannot be read is as good as none: words still find the chunk.
        let vector = chunk.vector.as_deref().and_then(|bytes| Vector::from_bytes(bytes).ok());
        Some(Entry {
            chunk: chunk.number,
            passage: chunk.passage,
            hash: ChunkHash(*chunk.hash.bytes()),
            terms: Arc::new(Terms::from_bytes(&chunk.terms).ok()?),
            vector: vector.map(Arc::new),
        })
    };
    chunks.iter().map(entry).collect()
}

/// Once after an update that reads words in another way.
async fn anew(store: &Store, document: &mut LibraryDocument) -> Result<(), StoreError> {
    let LibraryDocument { id, title, file_name, chunks, .. } = document;
    let texts = store.chunk_texts(*id).await?;
    let terms: Vec<(u32, Vec<u8>)> = texts
        .into_iter()
        .map(|(number, text)| (number, Terms::of(title, file_name, &text).to_bytes()))
        .collect();
    for (chunk, (_, terms)) in chunks.iter_mut().zip(&terms) {
        chunk.terms.clone_from(terms);
    }
    // Where nothing is written they are made anew at the next start too.
    if let Err(error) = store.set_terms(*id, terms).await {
        tracing::warn!(%error, document = %id, "words of a document are not kept");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
