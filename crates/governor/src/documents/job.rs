//! One ingest, step by step: read, cut, embed what has no vector, put. Between two steps it may be cancelled; what has
//! begun to be put is put whole.

use super::{
    cutting::{self, Cut},
    embedder::{EmbedKind, TextEmbedder},
    load::put_in_library,
    reading,
    retrieval::Retrieval,
    upload::title_of,
};
use crate::{runtime::Runtime, telemetry};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, IngestJobId, Scope};
use wiiiv_retrieval::{SourceText, Vector};
use wiiiv_store::{
    DocumentContent, DocumentRefused, IngestJobRow, IngestProgress, IngestState, NewVectors, Store,
    StoreError,
};

/// As they are kept, by the hash of their text.
pub type Vectors = Vec<(ContentDigest, Vec<u8>)>;

/// Texts that are embedded between two looks at whether it is cancelled.
const EMBEDDED_AT_ONCE: usize = 8;

/// Why it went no further.
enum Stopped {
    /// The store has its end already, or the server stops and begins it again.
    Elsewhere,
    /// Of its file, or of who asked for it.
    Failed(&'static str),
    /// It is begun again in a while.
    Store(StoreError),
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::AuthorityGone => Self::Failed("RIGHT_GONE"),
            StoreError::TooLarge { .. } => Self::Failed("TOO_MANY_CHUNKS"),
            StoreError::Unavailable { .. } | StoreError::Tampered { .. } => Self::Store(error),
            // It would be the same each time.
            other => {
                tracing::error!(error = %other, "an ingest cannot be kept");
                Self::Failed("INTERRUPTED")
            }
        }
    }
}

impl From<DocumentRefused> for Stopped {
    fn from(refused: DocumentRefused) -> Self {
        match refused {
            DocumentRefused::Ended | DocumentRefused::NotFound => Self::Elsewhere,
            DocumentRefused::NotAllowed => Self::Failed("RIGHT_GONE"),
            DocumentRefused::TooLarge { .. } => Self::Failed("TOO_MANY_CHUNKS"),
            // Nothing is queued or renamed here.
            DocumentRefused::QueueFull { .. } | DocumentRefused::VersionChanged { .. } => {
                Self::Failed("INTERRUPTED")
            }
            DocumentRefused::Full { .. } => Self::Failed("DOCUMENTS_FULL"),
            DocumentRefused::Store(error) => error.into(),
        }
    }
}

/// To its end, or until it is cancelled.
pub async fn run(runtime: &Runtime, id: IngestJobId, cancel: &CancellationToken) {
    let ingest = Ingest { runtime, id, cancel };
    match ingest.steps().await {
        Ok(()) => telemetry::ingest_ended(IngestState::Ready),
        Err(Stopped::Elsewhere) => {}
        Err(Stopped::Failed(code)) => fail(&runtime.deps.store, id, code).await,
        Err(Stopped::Store(error)) => {
            tracing::error!(%error, job = %id, "an ingest is left, and begun again");
        }
    }
}

/// Where it ended otherwise meanwhile, that counts.
pub async fn fail(store: &Store, id: IngestJobId, code: &str) {
    match store.end_ingest(id, Some(code.to_owned())).await {
        Ok(Some(row)) if row.state == IngestState::Failed => {
            telemetry::ingest_ended(IngestState::Failed);
        }
        Ok(_) => {}
        Err(error) => tracing::error!(%error, job = %id, "the end of an ingest is not kept"),
    }
}

struct Ingest<'a> {
    runtime: &'a Runtime,
    id: IngestJobId,
    cancel: &'a CancellationToken,
}

impl Ingest<'_> {
    const fn store(&self) -> &Store {
        &self.runtime.deps.store
    }

    const fn retrieval(&self) -> &Retrieval {
        &self.runtime.retrieval
    }

    async fn steps(&self) -> Result<(), Stopped> {
        let job = self.store().ingest_job(self.id).await?.ok_or(Stopped::Elsewhere)?;
        let mut progress = IngestProgress::default();
        self.begin(IngestState::Reading, progress).await?;
        let source = self.read(&job).await?;
        self.begin(IngestState::Cutting, progress).await?;
        let title =
            job.title.clone().unwrap_or_else(|| title_of(source.title.as_deref(), &job.file_name));
        let names = (title.clone(), job.file_name.clone());
        let chunking = self.runtime.config.documents.chunking;
        let cut = cutting::cut(names, source, chunking).await;
        let cut = cut.map_err(Stopped::Failed)?;
        progress.passages = cut.passages.len() as u64;
        progress.chunks = cut.chunks.len() as u64;
        let bounds = self.runtime.config.documents.bounds();
        self.store().room_for(&job, progress.chunks, bounds).await?;
        let step = behind_cutting(self.retrieval().serving().embedder_name());
        self.begin(step, progress).await?;
        let vectors = self.embed(&cut, job.scope, &mut progress).await?;
        self.check()?;
        let Cut { passages, chunks } = cut;
        self.put(DocumentContent { title, passages, chunks, vectors }).await
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.cancel.is_cancelled() { Err(Stopped::Elsewhere) } else { Ok(()) }
    }

    /// The next step, unless it has ended.
    async fn begin(&self, state: IngestState, progress: IngestProgress) -> Result<(), Stopped> {
        self.check()?;
        let goes_on = self.store().mark_ingest(self.id, state, progress).await?;
        if goes_on { Ok(()) } else { Err(Stopped::Elsewhere) }
    }

    async fn read(&self, job: &IngestJobRow) -> Result<SourceText, Stopped> {
        let file = self.store().ingest_file(self.id).await?.ok_or(Stopped::Elsewhere)?;
        let reading = reading::read(&self.runtime.deps.executors, job, file);
        tokio::select! {
            read = reading => read.map_err(Stopped::Failed),
            () = self.cancel.cancelled() => Err(Stopped::Elsewhere),
        }
    }

    /// Those of its texts that have no vector of the model that answers. `None`: there is no model. A text that its own
    /// scope has not counts as one to embed, also where another scope has its vector: the count tells nobody of that.
    async fn embed(
        &self,
        cut: &Cut,
        scope: Scope,
        progress: &mut IngestProgress,
    ) -> Result<Option<NewVectors>, Stopped> {
        let Some(embedder) = self.retrieval().serving().embedder else { return Ok(None) };
        let name = embedder.name().to_owned();
        let texts: BTreeMap<ContentDigest, &str> =
            cut.chunks.iter().map(|chunk| (chunk.hash, chunk.text.as_str())).collect();
        let hashes: Vec<ContentDigest> = texts.keys().copied().collect();
        let known: BTreeSet<ContentDigest> =
            self.store().vectors(&name, &hashes).await?.into_keys().collect();
        let own = self.store().chunks_in_scope(scope, &hashes).await?;
        let is_done = |hash: &ContentDigest| own.contains(hash) && known.contains(hash);
        let due: Vec<_> = texts.into_iter().filter(|(hash, _)| !is_done(hash)).collect();
        progress.to_embed = due.len() as u64;
        let mut vectors = Vectors::with_capacity(due.len());
        for part in due.chunks(EMBEDDED_AT_ONCE) {
            self.begin(IngestState::Embedding, *progress).await?;
            let new = part.iter().filter(|(hash, _)| !known.contains(hash));
            let new = new.map(|(hash, text)| (*hash, (*text).to_owned())).collect();
            vectors.extend(embedded(&embedder, new).await.map_err(Stopped::Failed)?);
            progress.embedded += part.len() as u64;
        }
        self.begin(IngestState::Embedding, *progress).await?;
        Ok(Some(NewVectors { embedder: name, vectors }))
    }

    /// In the store, then in the library, before anything else of both changes.
    async fn put(&self, content: DocumentContent) -> Result<(), Stopped> {
        let (store, retrieval) = (self.store(), self.retrieval());
        let _changing = retrieval.changing().await;
        let bounds = self.runtime.config.documents.bounds();
        let row = store.put_document(self.id, content, bounds).await?;
        let put = put_in_library(store, retrieval, (row.scope, row.id)).await;
        // It is there: the next start finds it.
        if let Err(error) = put {
            tracing::error!(%error, document = %row.id, "a document is found from the next start on");
        }
        Ok(())
    }
}

/// Nobody is told that texts are embedded where there is no model to do it.
const fn behind_cutting(embedder: Option<&str>) -> IngestState {
    match embedder {
        Some(_) => IngestState::Embedding,
        None => IngestState::Cutting,
    }
}

/// On a thread that may wait. `Err`: the code of why not.
pub async fn embedded(
    embedder: &Arc<dyn TextEmbedder>,
    texts: Vec<(ContentDigest, String)>,
) -> Result<Vectors, &'static str> {
    const FAILED: &str = "EMBEDDING_FAILED";
    let embedder = Arc::clone(embedder);
    let made = spawn_blocking(move || {
        let vector = |(hash, text): (ContentDigest, String)| {
            let numbers = embedder.embed(&text, EmbedKind::Passage)?;
            let vector = Vector::new(numbers).map_err(|error| error.to_string())?;
            Ok::<_, String>((hash, vector.to_bytes()))
        };
        texts.into_iter().map(vector).collect::<Result<Vec<_>, String>>()
    });
    let made = made.await.map_err(|error| error.to_string()).flatten();
    made.map_err(|why| {
        tracing::error!(%why, "texts cannot be embedded");
        FAILED
    })
}

#[cfg(test)]
mod tests {
    use super::{IngestState, behind_cutting};

    #[test]
    fn without_a_model_nothing_is_said_to_be_embedded() {
        assert_eq!(behind_cutting(Some("local:e5-small")), IngestState::Embedding);
        assert_eq!(behind_cutting(None), IngestState::Cutting);
    }
}
