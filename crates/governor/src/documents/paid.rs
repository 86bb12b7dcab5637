//! Gives the texts of a project's documents vectors of the provider's model that its policy names, a call in each turn:
//! those of an ingest whose document is there already and found by its words, and those of a project whose owners asked
//! for it. What one call made is kept, and found by, before the next one goes out.

use super::{
    asking::{EmbedTexts, NotCompared, TEXTS_AT_ONCE},
    background::show,
    due::{Aim, Due, DueIngest, DueProject},
    embedder::EmbedKind,
    job::{Vectors, end_embedding},
    provider_model::{is_of, kept_as, provider_model},
    takeover::{serve, take_over},
    turns::Person,
};
use crate::{embeddings::Embeddings, keys::Payer, policies::PolicyUnavailable, runtime::Runtime};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, DocumentId, IngestJobId, ModelSlot, ProjectId, Scope};
use wiiiv_retrieval::Vector;
use wiiiv_store::{IngestJobRow, IngestProgress, IngestState, Store, StoreError};

/// Nothing is kept so.
const NO_EMBEDDER: &str = "";

type Texts = Vec<(ContentDigest, String)>;

/// What a turn came to.
pub enum Turned {
    /// It has another turn.
    More(Due),
    /// The same, when a call at its server has ended: as many are out there as may be.
    Waits(Due),
    Done,
    /// The store cannot be asked, or the server stops: an ingest stands open there, a re-embedding stands here alone.
    Left(Due),
}

#[derive(Debug, thiserror::Error)]
enum Undone {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Policy(#[from] PolicyUnavailable),
}

impl Undone {
    /// Anything else would be the same each time.
    fn may_pass(&self) -> bool {
        let passes = |error: &StoreError| {
            matches!(error, StoreError::Unavailable { .. } | StoreError::Tampered { .. })
        };
        match self {
            Self::Store(error) => passes(error),
            Self::Policy(PolicyUnavailable::Store(error)) => passes(error),
            Self::Policy(PolicyUnavailable::Over) => true,
            Self::Policy(PolicyUnavailable::Compile(_)) => false,
        }
    }
}

/// The model that a policy names.
struct Named {
    name: String,
    /// Where it is asked.
    server: String,
}

/// What came of one call.
enum Called {
    Made(Made),
    Refused(NotCompared),
    /// As many are out at its server as may be.
    Busy,
    Stopped,
}

/// Vectors that nobody has yet.
struct Made {
    /// What they are kept under, if they are.
    kept: String,
    vectors: Vectors,
}

/// What vectors of that project and model are kept under, as far as it is known: what the project is compared by, else what
/// it has most.
async fn kept_under(
    runtime: &Runtime,
    scope: Scope,
    name: &str,
) -> Result<Option<String>, StoreError> {
    let serving = runtime.retrieval.serving();
    match serving.of_provider(scope).filter(|kept| is_of(kept, name)) {
        Some(kept) => Ok(Some(kept.to_owned())),
        None => runtime.deps.store.embedder_in(scope, name).await,
    }
}

/// The same of vectors that a re-embedding makes, if the next answer is as the last one was.
pub async fn reembedded_as(
    runtime: &Runtime,
    scope: Scope,
    name: &str,
) -> Result<Option<String>, StoreError> {
    let kept = kept_under(runtime, scope, name).await?;
    Ok(changed(runtime, (scope, name), kept.as_deref()).or(kept))
}

/// As the last answer of that model was, where it had other dimensions than those of that scope.
fn changed(runtime: &Runtime, (scope, name): (Scope, &str), kept: Option<&str>) -> Option<String> {
    let (project, kept) = (scope.project()?, kept?);
    let last = kept_as(name, runtime.retrieval.last_made(name)?, project);
    (last != kept).then_some(last)
}

/// One call at most.
pub async fn turn(
    (runtime, embeddings): (&Runtime, &Embeddings),
    (person, due): (Person, Due),
    stop: &CancellationToken,
) -> Turned {
    let work = Work { runtime, embeddings, person, stop };
    let done = match due.clone() {
        Due::Ingest(of) => work.ingest(of).await,
        Due::Project(of) => work.project(of).await,
    };
    match (done, due) {
        (Ok(turned), _) => turned,
        (Err(Undone::Policy(error @ PolicyUnavailable::Compile(_))), Due::Ingest(of)) => {
            tracing::error!(%error, job = %of.job, "which model embeds a document is not known");
            let ended = work.end(of.job, Some(NotCompared::Failed)).await;
            ended.unwrap_or(Turned::Left(Due::Ingest(of)))
        }
        (Err(error), due) => {
            tracing::error!(%error, ?due, "texts of a project have no vector");
            let is_left = due.job().is_some() || error.may_pass();
            if is_left { Turned::Left(due) } else { Turned::Done }
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

    async fn model(&self, project: ProjectId) -> Result<Option<Named>, PolicyUnavailable> {
        let policy = self.runtime.policies.current(project).await?;
        let policy = policy.project_policy();
        let Some(name) = provider_model(policy) else { return Ok(None) };
        let origin = policy.of_slot(ModelSlot::Embedding).and_then(|rules| {
            let base_url = rules.llm_base_url.as_deref();
            self.runtime.deps.models.origin(rules.llm_provider, base_url).ok().flatten()
        });
        // One that is nowhere is refused before anything is sent.
        let server = origin.map_or_else(|| name.clone(), |origin| origin.to_string());
        Ok(Some(Named { name, server }))
    }

    async fn ingest(&self, of: DueIngest) -> Result<Turned, Undone> {
        let id = of.job;
        let job = self.store().ingest_job(id).await?;
        let Some(job) = job.filter(|job| !job.state.has_ended()) else { return Ok(Turned::Done) };
        let Some(document) = job.document else { return Ok(Turned::Left(Due::Ingest(of))) };
        let Some(project) = job.scope.project() else { return Ok(self.end(id, None).await?) };
        let Some(named) = self.model(project).await? else { return Ok(self.end(id, None).await?) };
        let kept = kept_under(self.runtime, job.scope, &named.name).await?;
        // Nothing is kept under the name alone: all are missing.
        let (embedder, most) = (kept.as_deref().unwrap_or(&named.name), TEXTS_AT_ONCE as u64);
        let texts = self.store().texts_without_vector_of(document, embedder, most).await?;
        if texts.is_empty() {
            take_over(self.runtime, job.scope, kept.as_deref()).await?;
            return Ok(self.end(id, None).await?);
        }
        // Whoever added the file pays, as long as they may add it; a file of the administrator's folder is nobody's.
        let user = self.person.filter(|_| job.author == self.person);
        let Some(user) = user else { return Ok(self.end(id, Some(NotCompared::NoRight)).await?) };
        if !self.store().may_ingest(&job).await? {
            return Ok(self.end(id, Some(NotCompared::NoRight)).await?);
        }
        let progress = self.begun(&job, (document, embedder)).await?;
        let Some(progress) = progress else { return Ok(Turned::Done) };
        let of = of.at(&named.server);
        match self.call(Payer { user, project }, &named, texts).await {
            Called::Busy => Ok(Turned::Waits(Due::Ingest(of))),
            Called::Stopped => Ok(Turned::Left(Due::Ingest(of))),
            Called::Refused(why) => Ok(self.end(id, Some(why)).await?),
            Called::Made(made) => self.ingest_made(of, (&job, progress), (&named, made)).await,
        }
    }

    /// Vectors of other dimensions are none: it asks once more, and is ready without them then.
    async fn ingest_made(
        &self,
        of: DueIngest,
        (job, mut progress): (&IngestJobRow, IngestProgress),
        (named, made): (&Named, Made),
    ) -> Result<Turned, Undone> {
        if self.is_odd(job.scope, named, &made).await? {
            tracing::warn!(job = %job.id, made = %made.kept, "a model gave other dimensions");
            return match of.asked_again() {
                Some(again) => Ok(Turned::More(Due::Ingest(again))),
                None => Ok(self.end(job.id, Some(NotCompared::Failed)).await?),
            };
        }
        let embedded = made.vectors.len() as u64;
        self.keep(job.scope, made).await?;
        progress.embedded = (progress.embedded + embedded).min(progress.to_embed);
        self.store().mark_ingest(job.id, IngestState::Embedding, progress).await?;
        Ok(Turned::More(Due::Ingest(of)))
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
        end_embedding(self.runtime, id, why).await?;
        Ok(Turned::Done)
    }

    /// Without a provider's model searches compare by the one of this machine again.
    async fn project(&self, of: DueProject) -> Result<Turned, Undone> {
        let (project, scope) = (of.project, Scope::Project(of.project));
        let Some(user) = self.person else { return Ok(Turned::Done) };
        let Some(named) = self.model(project).await? else {
            serve(self.runtime, project, None).await?;
            return Ok(Turned::Done);
        };
        let kept = kept_under(self.runtime, scope, &named.name).await?;
        let of = self.aimed(of, &named, kept.as_deref()).at(&named.server);
        let aim = of.aim.embedder().map(str::to_owned).or(kept);
        let embedder = aim.as_deref().unwrap_or(&named.name);
        let most = if matches!(of.aim, Aim::Trial(_)) { 1 } else { TEXTS_AT_ONCE as u64 };
        let texts = self.store().texts_without_vector_in(scope, embedder, (of.after, most)).await?;
        let texts = self.tried(&of, texts).await?;
        let Some((last, _)) = texts.last() else {
            return self.reembedded(of, &named, aim.as_deref()).await;
        };
        let last = *last;
        match self.call(Payer { user, project }, &named, texts).await {
            Called::Busy => Ok(Turned::Waits(Due::Project(of))),
            Called::Stopped => Ok(Turned::Left(Due::Project(of))),
            Called::Refused(why) => {
                // A store that takes nothing keeps a call from going out too: it is asked for again then.
                self.store().check_writable().await?;
                tracing::warn!(%project, ?why, "texts of the project have no vector");
                if of.aim == Aim::Compared {
                    take_over(self.runtime, scope, aim.as_deref()).await?;
                }
                Ok(Turned::Done)
            }
            Called::Made(made) => self.project_made(of, (aim, last), (&named, made)).await,
        }
    }

    /// Where the last answer had other dimensions than the project has, the first text tells whether that lasts.
    fn aimed(&self, of: DueProject, named: &Named, kept: Option<&str>) -> DueProject {
        let scope = Scope::Project(of.project);
        let of = of.of_model(&named.name);
        if of.has_begun() || of.aim != Aim::Compared {
            return of;
        }
        match changed(self.runtime, (scope, &named.name), kept) {
            Some(last) => of.clone().turned(last, false).unwrap_or(of),
            None => of,
        }
    }

    /// A trial needs a text, also where each has a vector of those dimensions from before.
    async fn tried(&self, of: &DueProject, texts: Texts) -> Result<Texts, StoreError> {
        if !texts.is_empty() || !matches!(of.aim, Aim::Trial(_)) {
            return Ok(texts);
        }
        let scope = Scope::Project(of.project);
        self.store().texts_without_vector_in(scope, NO_EMBEDDER, (None, 1)).await
    }

    /// Each text has its vector.
    async fn reembedded(
        &self,
        of: DueProject,
        named: &Named,
        aim: Option<&str>,
    ) -> Result<Turned, Undone> {
        let (project, scope) = (of.project, Scope::Project(of.project));
        take_over(self.runtime, scope, aim).await?;
        // Those of the former dimensions have nothing to be compared with.
        if let (Aim::Changed(_), Some(kept)) = (&of.aim, aim)
            && self.store().missing_in(scope, kept).await? == 0
        {
            self.store().drop_other_dimensions(scope, &named.name, kept).await?;
        }
        tracing::info!(%project, "each text of the project has its vector");
        Ok(Turned::Done)
    }

    /// One odd answer changes nothing; two in a row change what the project is compared by, and what it has vectors of.
    async fn project_made(
        &self,
        of: DueProject,
        (aim, last): (Option<String>, ContentDigest),
        (named, made): (&Named, Made),
    ) -> Result<Turned, Undone> {
        let (project, scope) = (of.project, Scope::Project(of.project));
        let is_aim = aim.as_ref() == Some(&made.kept);
        let is_odd = self.is_odd(scope, named, &made).await?;
        if is_aim || (of.aim == Aim::Compared && !is_odd) {
            self.keep(scope, made).await?;
            return Ok(Turned::More(Due::Project(of.went_on(last))));
        }
        let kept = made.kept.clone();
        if !is_odd {
            self.keep(scope, made).await?;
        }
        match of.turned(kept, !is_odd) {
            Some(again) => Ok(Turned::More(Due::Project(again))),
            None => {
                tracing::warn!(%project, "the model gives other dimensions each time");
                Ok(Turned::Done)
            }
        }
    }

    /// Of other dimensions than the project is compared by, and has vectors of.
    async fn is_odd(&self, scope: Scope, named: &Named, made: &Made) -> Result<bool, StoreError> {
        let kept = kept_under(self.runtime, scope, &named.name).await?;
        if kept.is_none_or(|kept| kept == made.kept) {
            return Ok(false);
        }
        Ok(self.store().embedder_in(scope, &named.name).await?.is_some())
    }

    async fn call(&self, payer: Payer, named: &Named, texts: Texts) -> Called {
        let Some(_out) = self.runtime.retrieval.servers.call(&named.server) else {
            return Called::Busy;
        };
        let (hashes, texts): (Vec<_>, Vec<_>) = texts.into_iter().unzip();
        let wanted =
            EmbedTexts { name: named.name.clone(), texts, kind: EmbedKind::Passage, out: None };
        let made = tokio::select! {
            made = self.embeddings.embed(payer, wanted) => made,
            () = self.stop.cancelled() => return Called::Stopped,
        };
        match made {
            Ok(made) => {
                let vectors = made.vectors.iter().map(Vector::to_bytes);
                let vectors = hashes.into_iter().zip(vectors).collect();
                Called::Made(Made { kept: made.embedder, vectors })
            }
            // A server that stops ends the session that asks.
            Err(_) if self.stop.is_cancelled() => Called::Stopped,
            Err(why) => Called::Refused(why),
        }
    }

    async fn keep(&self, scope: Scope, Made { kept, vectors }: Made) -> Result<(), StoreError> {
        self.store().put_vectors_in(scope, &kept, vectors.clone()).await?;
        show(self.store(), &self.runtime.retrieval, (&kept, &vectors)).await?;
        take_over(self.runtime, scope, Some(&kept)).await
    }
}
