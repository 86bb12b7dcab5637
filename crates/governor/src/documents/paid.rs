//! Gives the texts of a project's documents vectors of the provider's model that its policy names, a call in each turn:
//! those of an ingest whose document is there already and found by its words, and those of a project whose owners asked
//! for it. What one call made is kept, and found by, before the next one goes out.

use super::{
    asking::{EmbedTexts, NotCompared, TEXTS_AT_ONCE},
    background::show,
    embedder::EmbedKind,
    load::serve_project,
    provider_model::{kept_as, provider_model},
    turns::Person,
};
use crate::{
    embeddings::Embeddings, keys::Payer, policies::PolicyUnavailable, runtime::Runtime, telemetry,
};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, DocumentId, IngestJobId, ProjectId, Scope};
use wiiiv_retrieval::Vector;
use wiiiv_store::{IngestJobRow, IngestProgress, IngestState, Store, StoreError};

/// What has texts to embed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// Its document is there.
    Ingest(IngestJobId),
    Project(DueProject),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueProject {
    pub project: ProjectId,
    /// Texts up to this one were looked at.
    after: Option<ContentDigest>,
    /// The model gave other dimensions than before, once.
    turned: bool,
}

impl DueProject {
    pub const fn new(project: ProjectId) -> Self {
        Self { project, after: None, turned: false }
    }
}

/// What a turn came to.
pub enum Turned {
    /// It has another turn.
    More(Due),
    Done,
    /// The store cannot be asked, or the server stops: an ingest stands open there.
    Left,
}

#[derive(Debug, thiserror::Error)]
enum Undone {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Policy(#[from] PolicyUnavailable),
}

/// What came of one call.
enum Called {
    /// Kept so.
    Made(String),
    Refused(NotCompared),
    Stopped,
}

/// What vectors of that project and model are kept under, as far as it is known: by its last answer, else by what the scope
/// has most.
pub async fn kept_under(
    runtime: &Runtime,
    scope: Scope,
    name: &str,
) -> Result<Option<String>, StoreError> {
    match (scope.project(), runtime.retrieval.last_made(name)) {
        (Some(project), Some(dimensions)) => Ok(Some(kept_as(name, dimensions, project))),
        _ => runtime.deps.store.embedder_in(scope, name).await,
    }
}

/// One call at most.
pub async fn turn(
    (runtime, embeddings): (&Runtime, &Embeddings),
    (person, due): (Person, Due),
    stop: &CancellationToken,
) -> Turned {
    let work = Work { runtime, embeddings, person, stop };
    let done = match &due {
        Due::Ingest(id) => work.ingest(*id).await,
        Due::Project(of) => work.project(of).await,
    };
    match (done, due) {
        (Ok(turned), _) => turned,
        (Err(Undone::Policy(error @ PolicyUnavailable::Compile(_))), Due::Ingest(id)) => {
            tracing::error!(%error, job = %id, "which model embeds a document is not known");
            let ended = work.end(id, Some(NotCompared::Failed)).await;
            ended.unwrap_or(Turned::Left)
        }
        (Err(error), due) => {
            tracing::error!(%error, ?due, "texts of a project have no vector");
            Turned::Left
        }
    }
}

struct Work<'a> {
    runtime: &'a Runtime,
    embeddings: &'a Embeddings,
    person: Person,
    stop: &'a CancellationToken,
}

impl Work<'_> {
    const fn store(&self) -> &Store {
        &self.runtime.deps.store
    }

    async fn model(&self, project: ProjectId) -> Result<Option<String>, PolicyUnavailable> {
        let policy = self.runtime.policies.current(project).await?;
        Ok(provider_model(policy.project_policy()))
    }

    async fn ingest(&self, id: IngestJobId) -> Result<Turned, Undone> {
        let job = self.store().ingest_job(id).await?;
        let Some(job) = job.filter(|job| !job.state.has_ended()) else { return Ok(Turned::Done) };
        let Some(document) = job.document else { return Ok(Turned::Left) };
        let Some(project) = job.scope.project() else { return Ok(self.end(id, None).await?) };
        let Some(name) = self.model(project).await? else { return Ok(self.end(id, None).await?) };
        let kept = kept_under(self.runtime, job.scope, &name).await?;
        // Nothing is kept under the name alone: all are missing.
        let (embedder, most) = (kept.as_deref().unwrap_or(&name), TEXTS_AT_ONCE as u64);
        let texts = self.store().texts_without_vector_of(document, embedder, most).await?;
        if texts.is_empty() {
            self.take_over(job.scope, kept.as_deref()).await?;
            return Ok(self.end(id, None).await?);
        }
        // Whoever added the file pays, as long as they may add it; a file of the administrator's folder is nobody's.
        let user = self.person.filter(|_| job.author == self.person);
        let Some(user) = user else { return Ok(self.end(id, Some(NotCompared::NoRight)).await?) };
        if !self.store().may_ingest(&job).await? {
            return Ok(self.end(id, Some(NotCompared::NoRight)).await?);
        }
        let embedded = texts.len() as u64;
        let progress = self.begun(&job, (document, embedder)).await?;
        let Some(mut progress) = progress else { return Ok(Turned::Done) };
        match self.call(Payer { user, project }, &name, texts).await? {
            Called::Stopped => Ok(Turned::Left),
            Called::Refused(why) => Ok(self.end(id, Some(why)).await?),
            // It gives others each time, or was exchanged just now: nothing is paid on and on.
            Called::Made(new) if kept.is_some_and(|kept| kept != new) => {
                Ok(self.end(id, Some(NotCompared::Failed)).await?)
            }
            Called::Made(_) => {
                progress.embedded = (progress.embedded + embedded).min(progress.to_embed);
                self.store().mark_ingest(id, IngestState::Embedding, progress).await?;
                Ok(Turned::More(Due::Ingest(id)))
            }
        }
    }

    /// How many there are is known by the first turn. `None`: it has ended.
    async fn begun(
        &self,
        job: &IngestJobRow,
        (document, embedder): (DocumentId, &str),
    ) -> Result<Option<IngestProgress>, StoreError> {
        let mut progress = job.progress;
        if progress.to_embed == 0 {
            progress.to_embed = self.store().missing_of(document, embedder).await?;
        }
        let goes_on = self.store().mark_ingest(job.id, IngestState::Embedding, progress).await?;
        Ok(goes_on.then_some(progress))
    }

    /// Its document is found in any case.
    async fn end(&self, id: IngestJobId, why: Option<NotCompared>) -> Result<Turned, StoreError> {
        if self.store().end_embedding(id, why.map(NotCompared::code)).await? {
            telemetry::ingest_ended(IngestState::Ready);
        }
        Ok(Turned::Done)
    }

    /// Without a provider's model searches compare by the one of this machine again.
    async fn project(&self, of: &DueProject) -> Result<Turned, Undone> {
        let (project, scope) = (of.project, Scope::Project(of.project));
        let Some(user) = self.person else { return Ok(Turned::Done) };
        let Some(name) = self.model(project).await? else {
            self.serve(project, None).await?;
            return Ok(Turned::Done);
        };
        let kept = kept_under(self.runtime, scope, &name).await?;
        let embedder = kept.as_deref().unwrap_or(&name);
        let most = (of.after, TEXTS_AT_ONCE as u64);
        let texts = self.store().texts_without_vector_in(scope, embedder, most).await?;
        let Some((last, _)) = texts.last() else {
            self.take_over(scope, kept.as_deref()).await?;
            tracing::info!(%project, "each text of the project has its vector");
            return Ok(Turned::Done);
        };
        let after = Some(*last);
        match self.call(Payer { user, project }, &name, texts).await? {
            Called::Stopped => Ok(Turned::Left),
            Called::Refused(why) => {
                tracing::warn!(%project, ?why, "texts of the project have no vector");
                self.take_over(scope, kept.as_deref()).await?;
                Ok(Turned::Done)
            }
            Called::Made(new) if kept.as_ref() == Some(&new) => {
                Ok(Turned::More(Due::Project(DueProject { after, ..of.clone() })))
            }
            Called::Made(_) if of.turned => {
                tracing::warn!(%project, "the model gives other dimensions each time");
                Ok(Turned::Done)
            }
            // All are missing.
            Called::Made(_) => {
                let turned = kept.is_some();
                Ok(Turned::More(Due::Project(DueProject { project, after: None, turned })))
            }
        }
    }

    async fn call(
        &self,
        payer: Payer,
        name: &str,
        texts: Vec<(ContentDigest, String)>,
    ) -> Result<Called, StoreError> {
        let scope = Scope::Project(payer.project);
        let (hashes, texts): (Vec<_>, Vec<_>) = texts.into_iter().unzip();
        let wanted =
            EmbedTexts { name: name.to_owned(), texts, kind: EmbedKind::Passage, out: None };
        let made = tokio::select! {
            made = self.embeddings.embed(payer, wanted) => made,
            () = self.stop.cancelled() => return Ok(Called::Stopped),
        };
        let made = match made {
            Ok(made) => made,
            // A server that stops ends the session that asks.
            Err(_) if self.stop.is_cancelled() => return Ok(Called::Stopped),
            Err(why) => return Ok(Called::Refused(why)),
        };
        let vectors = made.vectors.iter().map(Vector::to_bytes);
        let vectors: Vec<_> = hashes.into_iter().zip(vectors).collect();
        let kept = made.embedder;
        self.store().put_vectors_in(scope, &kept, vectors.clone()).await?;
        show(self.store(), &self.runtime.retrieval, (&kept, &vectors)).await?;
        self.take_over(scope, Some(&kept)).await?;
        Ok(Called::Made(kept))
    }

    /// What this machine's model compares by serves until each text has a vector of the new one.
    async fn take_over(&self, scope: Scope, kept: Option<&str>) -> Result<(), StoreError> {
        let serving = self.runtime.retrieval.serving();
        let (Some(project), Some(kept)) = (scope.project(), kept) else { return Ok(()) };
        if serving.of_provider(scope) == Some(kept) {
            return Ok(());
        }
        let has_local =
            serving.of_provider(scope).is_none() && serving.library.counts(scope).vectors > 0;
        if has_local && self.store().missing_in(scope, kept).await? > 0 {
            return Ok(());
        }
        self.serve(project, Some(kept.to_owned())).await
    }

    async fn serve(&self, project: ProjectId, kept: Option<String>) -> Result<(), StoreError> {
        let retrieval = &self.runtime.retrieval;
        let _changing = retrieval.changing().await;
        if kept.as_deref() == retrieval.serving().of_provider(Scope::Project(project)) {
            return Ok(());
        }
        serve_project(self.store(), retrieval, (project, kept)).await
    }
}
