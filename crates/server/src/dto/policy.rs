//! Wire forms of policy versions.

use super::override_mark::OverrideMarkView;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{PolicyDocument, ProjectPolicy};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutPolicy {
    /// A policy document, whole.
    #[schema(value_type = Object)]
    pub policy: ProjectPolicy,
    /// Why; kept with the version.
    pub reason: String,
}

/// What whoever saves a policy should know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PolicyNotice {
    /// A model is named, and `modelPersonas: never` leaves it out of every review.
    ModelReviewsNothing,
    /// Questions are to be answered from documents, and the built-in model reads none.
    DocumentsNeedModel,
}

impl PolicyNotice {
    pub(crate) fn of(policy: &ProjectPolicy) -> Vec<Self> {
        let reviews = policy.reviews_without_its_model().then_some(Self::ModelReviewsNothing);
        let reads_none = policy.rag_for_information && policy.llm_provider.is_built_in();
        let documents = reads_none.then_some(Self::DocumentsNeedModel);
        reviews.into_iter().chain(documents).collect()
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PolicyView {
    /// Of the version; the `ETag` as well.
    pub id: Uuid,
    pub project: Uuid,
    pub number: u32,
    /// `null`: the server made it with the project.
    pub author: Option<Uuid>,
    pub reason: String,
    pub at: String,
    #[schema(value_type = Object)]
    pub policy: ProjectPolicy,
    /// What it has to do with an override, if anything.
    #[serde(rename = "override")]
    pub of_override: Option<OverrideMarkView>,
    pub notices: Vec<PolicyNotice>,
}

impl From<PolicyDocument> for PolicyView {
    fn from(document: PolicyDocument) -> Self {
        Self {
            id: document.id.uuid(),
            project: document.project.uuid(),
            number: document.number,
            author: document.author.map(|user| user.uuid()),
            reason: document.reason,
            at: document.at.to_string(),
            notices: PolicyNotice::of(&document.policy),
            policy: document.policy,
            of_override: document.of_override.map(Into::into),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PolicyTextView {
    pub number: u32,
    /// Of the version; the `ETag` as well.
    pub id: Uuid,
    /// TOML, as the profiles that new projects begin with.
    pub text: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckPolicy {
    /// TOML.
    pub text: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CheckedPolicy {
    /// The policy that the text says, as `PUT` takes it.
    #[schema(value_type = Object)]
    pub policy: ProjectPolicy,
    /// What would be another than in the current version.
    pub changes: Vec<ChangeView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChangeKind {
    Added,
    Removed,
    Changed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ChangeView {
    /// Keys with dots between them; of a list, the list's.
    pub path: String,
    pub kind: ChangeKind,
    /// `null` where there was none.
    #[schema(value_type = Value)]
    pub from: Value,
    /// `null` where there is none any more.
    #[schema(value_type = Value)]
    pub to: Value,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PolicyDiffQuery {
    /// Number of a version.
    pub from: u32,
    /// Number of a version.
    pub to: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LineKind {
    Same,
    Added,
    Removed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LineView {
    pub kind: LineKind,
    pub text: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PolicyDiff {
    pub from: u32,
    pub to: u32,
    pub changes: Vec<ChangeView>,
    /// Of the TOML texts.
    pub lines: Vec<LineView>,
}
