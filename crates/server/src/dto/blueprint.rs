//! Wire forms of plans.

use super::session::LanguageName;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::Effect;
use wiiiv_store::BlueprintRow;

pub(crate) const fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "READ",
        Effect::Write => "WRITE",
        Effect::Delete => "DELETE",
        Effect::Execute => "EXECUTE",
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BlueprintView {
    pub id: Uuid,
    pub project: Uuid,
    pub session: Uuid,
    pub task: Uuid,
    pub requester: Uuid,
    /// The policy version that it was drawn under.
    pub policy: Uuid,
    pub digest: String,
    pub spec_digest: String,
    pub task_type: String,
    /// The greatest of its steps: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    pub created_at: String,
}

impl From<BlueprintRow> for BlueprintView {
    fn from(row: BlueprintRow) -> Self {
        Self {
            id: row.id.uuid(),
            project: row.project.uuid(),
            session: row.session.uuid(),
            task: row.task.uuid(),
            requester: row.requester.uuid(),
            policy: row.policy.uuid(),
            digest: row.digest.to_string(),
            spec_digest: row.spec_digest.to_string(),
            task_type: row.task_type.to_string(),
            effect: effect_name(row.effect),
            created_at: row.created_at.to_string(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BlueprintDetail {
    #[serde(flatten)]
    pub blueprint: BlueprintView,
    /// The plan. `null` where its texts have gone with retention.
    #[schema(value_type = Object)]
    pub document: Option<Value>,
    /// The same plan as it is stored: RFC 8785 JSON, byte for byte.
    pub canonical: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExplainQuery {
    /// English by default.
    #[serde(default)]
    pub language: LanguageName,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Explanation {
    pub blueprint: Uuid,
    pub digest: String,
    pub language: LanguageName,
    /// One line a step.
    pub text: String,
}
