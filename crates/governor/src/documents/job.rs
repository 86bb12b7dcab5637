//! One ingest, step by step: read, cut, embed what has no vector, put. Between two steps it may be cancelled; what has
//! begun to be put is put whole. Where a provider embeds it is put first, and embedded in turns (`paid.rs`).

use super::{
    asking::NotCompared,
    cutting::{self, Cut},
    embedder::{EmbedKind, TextEmbedder},
    load::put_in_library,
    provider_model::provider_model,
    reading,
    retrieval::Retrieval,
    upload::title_of,
};
use crate::{policies::PolicyUnavailable, runtime::Runtime, telemetry};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, IngestJobId, Scope};
use wiiiv_retrieval::{SourceText, Vector};
use wiiiv_store::{
    AfterPut, DocumentContent, DocumentRefused, IngestJobRow, IngestProgress, IngestState,
    NewVectors, Store, StoreError,
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

/// What an ingest's texts have for vectors.
struct Embedded {
    /// Of texts that had none. `None`: there is no model, or it is a provider's.
    vectors: Option<NewVectors>,
    after: AfterPut,
}

/// To its end, or until it is cancelled. `true`: its document is there, and its texts are embedded next.
pub async fn run(runtime: &Runtime, id: IngestJobId, cancel: &CancellationToken) -> bool {
    let ingest = Ingest { runtime, id, cancel };
    match ingest.steps().await {
        Ok(AfterPut::Embedding) => return true,
        Ok(AfterPut::Ready(_)) => telemetry::ingest_ended(IngestState::Ready),
        Err(Stopped::Elsewhere) => {}
        Err(Stopped::Failed(code)) => fail(&runtime.deps.store, id, code).await,
        Err(Stopped::Store(error)) => {
            tracing::error!(%error, job = %id, "an ingest is left, and begun again");
        }
    }
    false
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

    async fn steps(&self) -> Result<AfterPut, Stopped> {
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
        let Embedded { vectors, after } = match self.has_provider(job.scope).await? {
            true => {
                self.begin(IngestState::Cutting, progress).await?;
                Embedded { vectors: None, after: AfterPut::Embedding }
            }
            false => {
                let step = behind_cutting(self.retrieval().serving().embedder_name());
                self.begin(step, progress).await?;
                self.embed(&cut, job.scope, &mut progress).await?
            }
        };
        self.check()?;
        let Cut { passages, chunks } = cut;
        self.put(DocumentContent { title, passages, chunks, vectors, after }).await?;
        Ok(after)
    }

    /// Whether that scope's texts are embedded by a provider, and by nothing here.
    async fn has_provider(&self, scope: Scope) -> Result<bool, Stopped> {
        let Some(project) = scope.project() else { return Ok(false) };
        match self.runtime.policies.current(project).await {
            Ok(policy) => Ok(provider_model(policy.project_policy()).is_some()),
            // Begun again in a while: what is not known to stay here is not embedded elsewhere, nor left without.
            Err(error @ (PolicyUnavailable::Store(_) | PolicyUnavailable::Over)) => {
                Err(StoreError::Unavailable { reason: error.to_string() }.into())
            }
            Err(error @ PolicyUnavailable::Compile(_)) => {
                tracing::error!(%error, %project, "an ingest cannot be kept");
                Err(Stopped::Failed("INTERRUPTED"))
            }
        }
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

    /// Those of its texts that have no vector of the model of this machine that answers. One that fails leaves the words.
    async fn embed(
        &self,
        cut: &Cut,
        scope: Scope,
        progress: &mut IngestProgress,
    ) -> Result<Embedded, Stopped> {
        let Some(embedder) = self.retrieval().serving().embedder else {
            return Ok(Embedded { vectors: None, after: AfterPut::Ready(None) });
        };
        let name = embedder.name().to_owned();
        let (due, known) = self.due(cut, scope, &name).await?;
        progress.to_embed = due.len() as u64;
        let (mut vectors, mut left_out) = (Vectors::with_capacity(due.len()), None);
        for part in due.chunks(EMBEDDED_AT_ONCE) {
            self.begin(IngestState::Embedding, *progress).await?;
            let new = part.iter().filter(|(hash, _)| !known.contains(hash));
            let new = new.map(|(hash, text)| (*hash, (*text).to_owned())).collect();
            match embedded(&embedder, new).await {
                Ok(new) => vectors.extend(new),
                Err(why) => {
                    left_out = Some(why.code());
                    break;
                }
            }
            progress.embedded += part.len() as u64;
        }
        self.begin(IngestState::Embedding, *progress).await?;
        let vectors = Some(NewVectors { embedder: name, vectors });
        Ok(Embedded { vectors, after: AfterPut::Ready(left_out) })
    }

    /// Texts without a vector that is kept so, and those of all that have one. A text that its own scope has not counts as one
    /// to embed, also where another scope has its vector: the count tells nobody of that.
    async fn due<'c>(
        &self,
        cut: &'c Cut,
        scope: Scope,
        embedder: &str,
    ) -> Result<(Vec<(ContentDigest, &'c str)>, BTreeSet<ContentDigest>), Stopped> {
        let texts: BTreeMap<ContentDigest, &str> =
            cut.chunks.iter().map(|chunk| (chunk.hash, chunk.text.as_str())).collect();
        let hashes: Vec<ContentDigest> = texts.keys().copied().collect();
        let known: BTreeSet<ContentDigest> =
            self.store().vectors(embedder, &hashes).await?.into_keys().collect();
        let own = self.store().chunks_in_scope(scope, &hashes).await?;
        let is_done = |hash: &ContentDigest| own.contains(hash) && known.contains(hash);
        let due = texts.into_iter().filter(|(hash, _)| !is_done(hash)).collect();
        Ok((due, known))
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

/// On a thread that may wait.
pub async fn embedded(
    embedder: &Arc<dyn TextEmbedder>,
    texts: Vec<(ContentDigest, String)>,
) -> Result<Vectors, NotCompared> {
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
        NotCompared::Failed
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
