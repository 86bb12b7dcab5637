//! Wire forms of erasures of texts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_hlx::neutralise;
use wiiiv_store::{Erased, Erasure, ErasureScope};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EraseTexts {
    /// All conversations of this project, its memory, its documents, and everybody's profile in it; or `user`.
    pub project: Option<Uuid>,
    /// All conversations that this person began, in every project, and this person's memory, documents and profiles; or
    /// `project`.
    pub user: Option<Uuid>,
    /// Only those last active, versions of the memory and profiles made, and documents changed before this UTC day,
    /// `YYYY-MM-DD`.
    pub before: Option<String>,
    /// 1 to 500 characters, kept with the erasure.
    pub reason: String,
}

/// An erasure. The texts are gone for good; digests, codes and every audit record stay.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErasureView {
    pub id: Uuid,
    pub project: Option<Uuid>,
    pub user: Option<Uuid>,
    pub before: Option<String>,
    pub by: Uuid,
    pub by_name: Option<String>,
    /// A person's own words.
    pub reason: String,
    pub at: String,
    /// Conversations without texts now.
    pub sessions: u64,
    /// Plans without texts now.
    pub plans: u64,
    /// Memories of which versions were erased: the project's or the person's, so 1 at most.
    pub memories: u64,
    /// Versions of it that are gone.
    pub memory_versions: u64,
    /// Profiles of which versions were erased.
    pub profiles: u64,
    /// Versions of them that are gone.
    pub profile_versions: u64,
    /// Documents that are gone.
    pub documents: u64,
}

/// What one act came to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErasedView {
    #[serde(flatten)]
    pub erasure: ErasureView,
    /// Left as they were: at work, or with a question or a yes that waits.
    pub busy: u64,
    /// There are more: ask again.
    pub more: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErasureList {
    pub items: Vec<ErasureView>,
}

impl ErasureView {
    pub(crate) fn of(erasure: Erasure, by_name: Option<String>) -> Self {
        let (project, user) = match erasure.scope {
            ErasureScope::Project(project) => (Some(project.uuid()), None),
            ErasureScope::Person(user) => (None, Some(user.uuid())),
        };
        Self {
            id: erasure.id,
            project,
            user,
            before: erasure.before.map(|before| before.to_string()),
            by: erasure.by.uuid(),
            by_name,
            reason: neutralise(&erasure.reason),
            at: erasure.at.to_string(),
            sessions: erasure.sessions,
            plans: erasure.plans,
            memories: erasure.memories,
            memory_versions: erasure.memory_versions,
            profiles: erasure.profiles,
            profile_versions: erasure.profile_versions,
            documents: erasure.documents,
        }
    }
}

impl ErasedView {
    pub(crate) fn of(erased: Erased, by_name: Option<String>) -> Self {
        let Erased { erasure, documents: _, busy, more } = erased;
        Self { erasure: ErasureView::of(erasure, by_name), busy, more }
    }
}
