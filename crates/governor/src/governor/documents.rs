//! Documents: ingest, list, search and removal, within the scopes of the person who asks.
//!
//! Rights: everybody reads what is global and the administrator changes it; a project's documents are read by its
//! members and changed by its owner and editors; a person's are theirs alone. A scope that somebody may not read looks
//! like one that is not there ([`DocumentError::NotFound`]). Before a person's own scope is changed a server asks
//! whether the token may do all that its owner may, as it does for memory.

use crate::{
    documents::{
        DocumentError, FoundPassages, Ingests, NotCompared, SearchDocuments, Upload, checked_title,
        may_read, may_write, provider_model, put_in_library, reembedded_as, scopes_of, search,
        show_whole,
    },
    keys::Payer,
    runtime::Runtime,
    telemetry,
};
use std::{collections::BTreeSet, sync::Arc};
use wiiiv_domain::{DocumentId, IngestJobId, Scope, Timestamp};
use wiiiv_gate::Principal;
use wiiiv_store::{
    DocumentAuthor, DocumentOrigin, DocumentRow, Erased, ErasureScope, IngestJobRow, IngestState,
    NOT_EMBEDDED_CANCELLED, NewIngest, Page, PassageRow, Store, StoreError,
};

/// What [`Documents::reembed`] set in motion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reembedding {
    /// `None`: search is lexical only, and nothing is embedded.
    pub embedder: Option<String>,
    /// Texts that have no vector of it now, of the scope where that is a project.
    pub missing: u64,
}

/// What search works with, for health and pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrievalStanding {
    /// The model that answers now. `None`: search is lexical only.
    pub embedder: Option<String>,
    /// The one that is configured: the other answers until each text has a vector of this one.
    pub configured: Option<String>,
    /// Texts without a vector of it.
    pub missing: u64,
    /// All documents are in memory.
    pub loaded: bool,
    pub documents: u64,
    pub chunks: u64,
    /// Ingests that wait or run.
    pub waiting: u64,
}

#[derive(Clone, Copy)]
pub struct Documents<'a> {
    pub(super) runtime: &'a Arc<Runtime>,
    pub(super) ingests: &'a Ingests,
}

impl<'a> Documents<'a> {
    fn store(self) -> &'a Store {
        &self.runtime.deps.store
    }

    /// Of one file.
    #[must_use]
    pub fn file_bytes_max(self) -> u64 {
        self.runtime.config.documents.upload_bytes_max
    }

    /// The model of this machine that searches compare by now. `None`: by words alone, but where a project has a provider's.
    #[must_use]
    pub fn embedder(self) -> Option<String> {
        self.runtime.retrieval.serving().embedder_name().map(str::to_owned)
    }

    /// What the vectors of that scope are kept under now.
    #[must_use]
    pub fn embedder_in(self, scope: Scope) -> Option<String> {
        self.runtime.retrieval.serving().embedder_in(scope).map(str::to_owned)
    }

    /// The provider's model that the texts of that scope's documents, and questions about them, are sent to. `None`: they
    /// leave nowhere.
    pub async fn sent_to(self, scope: Scope) -> Result<Option<String>, DocumentError> {
        let Some(project) = scope.project() else { return Ok(None) };
        let policy = self.runtime.policies.current(project).await;
        let policy = policy.map_err(|error| DocumentError::Unavailable(error.to_string()))?;
        Ok(provider_model(policy.project_policy()))
    }

    /// Whose a document is, so that a server can authenticate its caller for that project. Nothing else of it is told.
    pub async fn scope_of(self, document: DocumentId) -> Result<Option<Scope>, StoreError> {
        Ok(self.store().document(document).await?.map(|row| row.scope))
    }

    /// The same of an ingest.
    pub async fn scope_of_job(self, job: IngestJobId) -> Result<Option<Scope>, StoreError> {
        Ok(self.store().ingest_job(job).await?.map(|row| row.scope))
    }

    /// Whether one more file of theirs could be queued, for whoever would have to hold its bytes until then.
    /// [`Self::ingest`] counts once more.
    pub async fn may_queue(self, who: &Principal) -> Result<(), DocumentError> {
        let bounds = self.runtime.config.documents.bounds();
        let room = self.store().may_queue(who.user(), bounds).await;
        if room.is_err() {
            // What makes it full may be unknown to the actor.
            self.ingests.look_again().await;
        }
        Ok(room?)
    }

    /// Queued when it comes back. A file of a name that the scope has already takes that document's place, under its
    /// id.
    pub async fn ingest(
        self,
        who: &Principal,
        scope: Scope,
        upload: Upload,
    ) -> Result<IngestJobRow, DocumentError> {
        may_write(&self.runtime.deps.keeper, who, scope)?;
        let config = &self.runtime.config.documents;
        let Upload { name, title, media_type, bytes } = upload.checked(config.upload_bytes_max)?;
        let (origin, file_name, file) = (DocumentOrigin::Upload, name, bytes);
        let new = NewIngest { scope, origin, file_name, title, media_type, file };
        let (author, most) = (DocumentAuthor::of(who), config.bounds());
        let (runtime, ingests) = (Arc::clone(self.runtime), self.ingests.clone());
        self.whole(async move {
            let queued = runtime.deps.store.queue_ingest(author, new, most).await;
            match &queued {
                Ok(job) => ingests.queued(job).await,
                // What makes it full may be unknown to the actor, and so may this one, if it was written all the same.
                Err(_) => ingests.look_again().await,
            }
            Ok::<_, DocumentError>(queued?)
        })
        .await
    }

    /// To its end, also where whoever asked for it is gone: else the store has what memory knows nothing of.
    async fn whole<T, E>(
        self,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let done = self.runtime.retrieval.tasks.spawn(work).await;
        done.map_err(|error| StoreError::Unavailable { reason: error.to_string() })?
    }

    /// For whoever may ingest there.
    pub async fn ingest_job(
        self,
        who: &Principal,
        job: IngestJobId,
    ) -> Result<IngestJobRow, DocumentError> {
        let row = self.store().ingest_job(job).await?.ok_or(DocumentError::NotFound)?;
        may_write(&self.runtime.deps.keeper, who, row.scope)?;
        // What has its document is found: it is in the store a moment before it is in the library.
        if row.document.is_some() {
            drop(self.runtime.retrieval.changing().await);
        }
        Ok(row)
    }

    /// Newest first. For whoever may ingest there.
    pub async fn ingest_jobs(
        self,
        who: &Principal,
        scope: Scope,
        page: Page,
    ) -> Result<Vec<IngestJobRow>, DocumentError> {
        may_write(&self.runtime.deps.keeper, who, scope)?;
        Ok(self.store().ingest_jobs(scope, page).await?)
    }

    /// Between two of its steps; nothing of it is kept. One whose document is there already is embedded no further, and ready.
    pub async fn cancel_ingest(
        self,
        who: &Principal,
        job: IngestJobId,
    ) -> Result<IngestJobRow, DocumentError> {
        let row = self.ingest_job(who, job).await?;
        if row.state.has_ended() {
            return Err(DocumentError::Ended);
        }
        let runtime = Arc::clone(self.runtime);
        let ended = self.whole(async move {
            let _changing = runtime.retrieval.changing().await;
            let ended = runtime.deps.store.end_ingest(job, None).await?;
            if let Some(ended) = &ended {
                show_whole(&runtime, ended).await;
            }
            Ok::<_, DocumentError>(ended)
        });
        let ended = ended.await?.ok_or(DocumentError::NotFound)?;
        self.ingests.cancelled(job).await;
        match ended.state {
            IngestState::Cancelled => {}
            IngestState::Ready if ended.code.as_deref() == Some(NOT_EMBEDDED_CANCELLED) => {}
            // It was faster.
            IngestState::Ready
            | IngestState::Failed
            | IngestState::Queued
            | IngestState::Reading
            | IngestState::Cutting
            | IngestState::Embedding => return Err(DocumentError::Ended),
        }
        telemetry::ingest_ended(ended.state);
        Ok(ended)
    }

    /// Newest first.
    pub async fn documents(
        self,
        who: &Principal,
        scope: Scope,
        page: Page,
    ) -> Result<Vec<DocumentRow>, DocumentError> {
        if !may_read(&self.runtime.deps.keeper, who, scope) {
            return Err(DocumentError::NotFound);
        }
        Ok(self.store().documents(scope, page).await?)
    }

    pub async fn document(
        self,
        who: &Principal,
        document: DocumentId,
    ) -> Result<DocumentRow, DocumentError> {
        let row = self.store().document(document).await?;
        let row = row.filter(|row| may_read(&self.runtime.deps.keeper, who, row.scope));
        row.ok_or(DocumentError::NotFound)
    }

    /// In the document's order, behind the passage of that number; each with its chunks.
    pub async fn document_passages(
        self,
        who: &Principal,
        document: DocumentId,
        after: Option<u32>,
        limit: u64,
    ) -> Result<Vec<PassageRow>, DocumentError> {
        let scope = self.document(who, document).await?.scope;
        Ok(self.store().passages((document, scope), after, limit).await?)
    }

    /// One, as a citation opens it.
    pub async fn document_passage(
        self,
        who: &Principal,
        document: DocumentId,
        number: u32,
    ) -> Result<PassageRow, DocumentError> {
        let scope = self.document(who, document).await?.scope;
        let found = self.store().passage((document, scope), number).await?;
        found.ok_or(DocumentError::NotFound)
    }

    /// Found no more when it comes back.
    pub async fn remove_document(
        self,
        who: &Principal,
        document: DocumentId,
    ) -> Result<(), DocumentError> {
        let scope = self.document(who, document).await?.scope;
        may_write(&self.runtime.deps.keeper, who, scope)?;
        let (runtime, author) = (Arc::clone(self.runtime), DocumentAuthor::of(who));
        self.whole(async move {
            let _changing = runtime.retrieval.changing().await;
            let row = runtime.deps.store.remove_document(author, document).await?;
            runtime.retrieval.forget(vec![(row.scope, row.id)]).await?;
            Ok::<_, DocumentError>(())
        })
        .await
    }

    /// `expected`: the version that they saw. Embeds nothing.
    pub async fn rename_document(
        self,
        who: &Principal,
        (document, expected): (DocumentId, u64),
        title: &str,
    ) -> Result<DocumentRow, DocumentError> {
        let scope = self.document(who, document).await?.scope;
        may_write(&self.runtime.deps.keeper, who, scope)?;
        let title = checked_title(title)?;
        let (runtime, author) = (Arc::clone(self.runtime), DocumentAuthor::of(who));
        self.whole(async move {
            let (store, retrieval) = (&runtime.deps.store, &runtime.retrieval);
            let _changing = retrieval.changing().await;
            let row = store.rename_document(author, (document, expected), title).await?;
            put_in_library(store, retrieval, (row.scope, row.id)).await?;
            Ok::<_, DocumentError>(row)
        })
        .await
    }

    /// In what is global, in the person's own, and in the project where they are a member of it and were authenticated
    /// for it. Those scopes are those of `who`, whatever is searched for.
    pub async fn search_documents(
        self,
        who: &Principal,
        wanted: SearchDocuments,
    ) -> Result<FoundPassages, DocumentError> {
        let SearchDocuments { project, text, limit } = wanted;
        let scopes = scopes_of(&self.runtime.deps.keeper, who, project);
        // A question that is sent out is paid for: by whoever may ask for work there.
        let pays = project.filter(|_| who.rights().owner || who.rights().editor);
        let payer = pays.map(|project| Payer { user: who.user(), project });
        let embeddings = self.ingests.embeddings();
        let ask = |texts| async move {
            match payer {
                Some(payer) => embeddings.embed(payer, texts).await,
                None => Err(NotCompared::NoRight),
            }
        };
        let mut found = search(self.runtime, &scopes, (text, limit), ask).await?;
        let ranked = found.trace.by_words.iter().chain(&found.trace.by_meaning);
        let ranked = ranked.filter(|of| scopes.contains(&of.scope));
        let keys: BTreeSet<_> = ranked.map(|of| (of.document, of.scope, of.passage)).collect();
        found.names = self.store().passage_names(keys.into_iter().collect()).await?;
        Ok(found)
    }

    /// By the right that ingesting takes. Texts without a vector get one in the background: a project's of the provider's model
    /// that its policy names, which `who` pays for there; all others, of every scope, of this machine's.
    pub async fn reembed(
        self,
        who: &Principal,
        scope: Scope,
    ) -> Result<Reembedding, DocumentError> {
        may_write(&self.runtime.deps.keeper, who, scope)?;
        if let Some(project) = scope.project() {
            self.ingests.embed_project(Payer { user: who.user(), project }).await;
        }
        if let Some(name) = self.sent_to(scope).await? {
            let made_as = reembedded_as(self.runtime, scope, &name).await?;
            let missing =
                self.store().missing_in(scope, made_as.as_deref().unwrap_or(&name)).await?;
            return Ok(Reembedding { embedder: Some(name), missing });
        }
        let embedder = self.runtime.retrieval.embedders().first();
        let embedder = embedder.map(|embedder| embedder.name().to_owned());
        let missing = match (&embedder, scope) {
            (Some(embedder), Scope::Project(_)) => self.store().missing_in(scope, embedder).await?,
            (Some(_) | None, _) => self.missing(embedder.as_deref()).await?,
        };
        self.ingests.embed_missing().await;
        Ok(Reembedding { embedder, missing })
    }

    async fn missing(self, embedder: Option<&str>) -> Result<u64, StoreError> {
        match embedder {
            Some(embedder) => self.store().missing_vectors(embedder).await,
            None => Ok(0),
        }
    }

    /// No name and no text.
    pub async fn standing(self) -> Result<RetrievalStanding, StoreError> {
        let (totals, retrieval) = (self.store().document_totals().await?, &self.runtime.retrieval);
        let configured = retrieval.embedders().first().map(|embedder| embedder.name().to_owned());
        Ok(RetrievalStanding {
            embedder: retrieval.serving().embedder_name().map(str::to_owned),
            missing: self.missing(configured.as_deref()).await?,
            configured,
            loaded: retrieval.is_loaded(),
            documents: totals.documents,
            chunks: totals.chunks,
            waiting: totals.open_ingests,
        })
    }

    /// An administrator's act. No search finds what it took any more, also where a part of it failed.
    pub async fn erase_texts(
        self,
        who: &Principal,
        scope: ErasureScope,
        before: Option<Timestamp>,
        reason: String,
    ) -> Result<Erased, StoreError> {
        let (runtime, who) = (Arc::clone(self.runtime), who.clone());
        self.whole(async move {
            let erased = runtime.deps.store.erase_texts(&who, scope, before, &reason).await;
            let documents = match &erased {
                Ok(erased) => &erased.documents,
                Err(failed) => &failed.documents,
            };
            let _changing = runtime.retrieval.changing().await;
            runtime.retrieval.forget(documents.clone()).await?;
            erased.map_err(|failed| failed.error)
        })
        .await
    }
}
