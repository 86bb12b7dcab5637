//! One ingest, step by step: read, cut, put. Between two steps it may be cancelled; what has begun to be put is put whole.
//! Found by its words then, it is embedded in turns: by the model of this machine (`local.rs`) or by a provider's (`paid.rs`).

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
use std::{collections::BTreeSet, sync::Arc};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, IngestJobId, Scope};
use wiiiv_retrieval::{SourceText, Vector, head_title};
use wiiiv_store::{
    AfterPut, Capacity, DocumentContent, DocumentRefused, DocumentRow, IngestJobRow,
    IngestProgress, IngestState, Store, StoreError,
};

/// As they are kept, by the hash of their text.
pub type Vectors = Vec<(ContentDigest, Vec<u8>)>;

/// Whose turn it is behind an ingest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It has ended, or it is left.
    Nothing,
    /// Its document is there, and the model of this machine embeds its texts.
    Local,
    /// The same with a provider's.
    Provider,
}

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
                Self::Failed("SERVER_FAULT")
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
                Self::Failed("SERVER_FAULT")
            }
            DocumentRefused::Full { capacity, .. } => Self::Failed(match capacity {
                Capacity::ScopeBytes | Capacity::ScopeChunks => "DOCUMENTS_FULL",
                Capacity::AllChunks => "SERVER_FULL",
            }),
            DocumentRefused::Store(error) => error.into(),
        }
    }
}

/// To its document, or until it is cancelled.
pub async fn run(runtime: &Runtime, id: IngestJobId, cancel: &CancellationToken) -> Next {
    let ingest = Ingest { runtime, id, cancel };
    match ingest.steps().await {
        Ok(Next::Nothing) => telemetry::ingest_ended(IngestState::Ready),
        Ok(next @ (Next::Local | Next::Provider)) => return next,
        Err(Stopped::Elsewhere) => {}
        Err(Stopped::Failed(code)) => fail(runtime, id, code).await,
        Err(Stopped::Store(error)) => {
            tracing::error!(%error, job = %id, "an ingest is left, and begun again");
        }
    }
    Next::Nothing
}

/// Where it ended otherwise meanwhile, that counts.
pub async fn fail(runtime: &Runtime, id: IngestJobId, code: &str) {
    let _changing = runtime.retrieval.changing().await;
    match runtime.deps.store.end_ingest(id, Some(code.to_owned())).await {
        Ok(Some(row)) => {
            if row.state == IngestState::Failed {
                telemetry::ingest_ended(IngestState::Failed);
            }
            show_whole(runtime, &row).await;
        }
        Ok(None) => {}
        Err(error) => tracing::error!(%error, job = %id, "the end of an ingest is not kept"),
    }
}

/// Of one whose document is there: it is found in any case, and by its vectors from then on.
pub async fn end_embedding(
    runtime: &Runtime,
    id: IngestJobId,
    why: Option<NotCompared>,
) -> Result<(), StoreError> {
    let store = &runtime.deps.store;
    let _changing = runtime.retrieval.changing().await;
    if store.end_embedding(id, why.map(NotCompared::code)).await? {
        telemetry::ingest_ended(IngestState::Ready);
    }
    if let Some(row) = store.ingest_job(id).await? {
        show_whole(runtime, &row).await;
    }
    Ok(())
}

/// What an ingest that is over has put. To be asked under [`Retrieval::changing`].
pub async fn show_whole(runtime: &Runtime, row: &IngestJobRow) {
    let Some(document) = row.document else { return };
    let put = put_in_library(&runtime.deps.store, &runtime.retrieval, (row.scope, document)).await;
    // It is there: the next start finds it.
    if let Err(error) = put {
        tracing::error!(%error, %document, "vectors of a document are found from the next start on");
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

    async fn steps(&self) -> Result<Next, Stopped> {
        let job = self.store().ingest_job(self.id).await?.ok_or(Stopped::Elsewhere)?;
        let mut progress = IngestProgress::default();
        self.begin(IngestState::Reading, progress).await?;
        let source = self.read(&job).await?;
        self.begin(IngestState::Cutting, progress).await?;
        let (title, cut) = self.cut(&job, source).await?;
        progress.passages = cut.passages.len() as u64;
        progress.chunks = cut.chunks.len() as u64;
        let bounds = self.runtime.config.documents.bounds();
        self.store().room_for(&job, progress.chunks, bounds).await?;
        let next = self.next(&cut, job.scope, &mut progress).await?;
        self.begin(IngestState::Cutting, progress).await?;
        let after = match next {
            Next::Nothing => AfterPut::Ready(None),
            Next::Local | Next::Provider => AfterPut::Embedding,
        };
        let Cut { passages, chunks } = cut;
        self.put(DocumentContent { title, passages, chunks, vectors: None, after }).await?;
        Ok(next)
    }

    /// Nobody is told that texts are embedded where there is no model to do it, or nothing to do.
    async fn next(
        &self,
        cut: &Cut,
        scope: Scope,
        progress: &mut IngestProgress,
    ) -> Result<Next, Stopped> {
        if self.has_provider(scope).await? {
            return Ok(Next::Provider);
        }
        let Some(embedder) = self.retrieval().serving().embedder else { return Ok(Next::Nothing) };
        progress.to_embed = self.due(cut, scope, embedder.name()).await?;
        Ok(if progress.to_embed > 0 { Next::Local } else { Next::Nothing })
    }

    async fn has_provider(&self, scope: Scope) -> Result<bool, Stopped> {
        match has_provider(self.runtime, scope).await {
            Ok(has_provider) => Ok(has_provider),
            // Begun again in a while: what is not known to stay here is not embedded elsewhere, nor left without.
            Err(error @ (PolicyUnavailable::Store(_) | PolicyUnavailable::Over)) => {
                Err(StoreError::Unavailable { reason: error.to_string() }.into())
            }
            Err(error @ PolicyUnavailable::Compile(_)) => {
                tracing::error!(%error, %scope, "an ingest cannot be kept");
                Err(Stopped::Failed("POLICY_UNREADABLE"))
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

    /// Under what its document is called: by whoever sent the file, else by whoever named the document before, else by the
    /// file itself.
    async fn cut(&self, job: &IngestJobRow, source: SourceText) -> Result<(String, Cut), Stopped> {
        let before = match &job.title {
            Some(_) => None,
            None => self.store().document_named(job).await?.filter(|before| before.title_given),
        };
        if let Some(before) = before {
            let cut = self.cut_again(&before, job, source).await?;
            return Ok((before.title, cut));
        }
        let own = || title_of(source.title.as_deref(), &job.file_name);
        let title = job.title.clone().unwrap_or_else(own);
        let cut = self.cut_under(&title, job, source).await?;
        Ok((title, cut))
    }

    /// Texts of a document that was renamed begin with a title that it had before. They are left so: what has not changed is
    /// no new version, and is not embedded anew.
    async fn cut_again(
        &self,
        before: &DocumentRow,
        job: &IngestJobRow,
        source: SourceText,
    ) -> Result<Cut, Stopped> {
        let cut = self.cut_under(&before.title, job, source.clone()).await?;
        let first = self.store().passage((before.id, before.scope), 0).await?;
        let first = first.as_ref().and_then(|passage| passage.chunks.first());
        let former = first.map_or("", |chunk| head_title(&chunk.text));
        if former.is_empty() || former == before.title {
            return Ok(cut);
        }
        let by_former = self.cut_under(former, job, source).await?;
        let held = self.store().chunk_hashes(before.id).await?;
        let held: BTreeSet<ContentDigest> = held.into_iter().collect();
        let kept = |cut: &Cut| cut.chunks.iter().filter(|of| held.contains(&of.hash)).count();
        Ok(if kept(&by_former) > kept(&cut) { by_former } else { cut })
    }

    async fn cut_under(
        &self,
        title: &str,
        job: &IngestJobRow,
        source: SourceText,
    ) -> Result<Cut, Stopped> {
        let names = (title.to_owned(), job.file_name.clone());
        let chunking = self.runtime.config.documents.chunking;
        cutting::cut(names, source, chunking).await.map_err(Stopped::Failed)
    }

    /// How many texts its scope has no vector of. One that the scope has not counts as one to embed, also where another scope
    /// has its vector: the count tells nobody of that.
    async fn due(&self, cut: &Cut, scope: Scope, embedder: &str) -> Result<u64, Stopped> {
        let texts: BTreeSet<ContentDigest> = cut.chunks.iter().map(|chunk| chunk.hash).collect();
        let texts: Vec<ContentDigest> = texts.into_iter().collect();
        let own = self.store().chunks_in_scope(scope, &texts).await?;
        let own: Vec<ContentDigest> = own.into_iter().collect();
        let known = self.store().vectors(embedder, &own).await?;
        Ok(texts.len().saturating_sub(known.len()) as u64)
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

/// Whether that scope's texts are embedded by a provider, and by nothing here.
pub async fn has_provider(runtime: &Runtime, scope: Scope) -> Result<bool, PolicyUnavailable> {
    let Some(project) = scope.project() else { return Ok(false) };
    let policy = runtime.policies.current(project).await?;
    Ok(provider_model(policy.project_policy()).is_some())
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
    use super::{Capacity, DocumentRefused, Stopped};

    #[test]
    fn a_scope_that_is_full_is_told_from_a_server_that_is() {
        for (capacity, due) in [
            (Capacity::ScopeBytes, "DOCUMENTS_FULL"),
            (Capacity::ScopeChunks, "DOCUMENTS_FULL"),
            (Capacity::AllChunks, "SERVER_FULL"),
        ] {
            let stopped = Stopped::from(DocumentRefused::Full { capacity, max: 1 });
            assert!(matches!(stopped, Stopped::Failed(code) if code == due), "{capacity}");
        }
    }
}
