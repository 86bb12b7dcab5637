//! Policy versions around the policy document.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
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
            policy: document.policy,
        }
    }
}
