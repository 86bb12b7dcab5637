//! Wire forms of a project's webhook.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_store::{Webhook, WebhookDelivery};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutWebhook {
    /// `https` or `http`; the policy's `allowedHosts` has to name its host.
    pub url: String,
}

/// Whoever sets a webhook sees its secret here, and nobody ever again.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WebhookSet {
    pub url: String,
    pub set_at: String,
    /// 64 hexadecimal digits: the key of HMAC-SHA-256, as 32 bytes.
    pub secret: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WebhookView {
    /// `null`: nobody is told.
    pub url: Option<String>,
    pub set_by: Option<Uuid>,
    pub set_by_name: Option<String>,
    pub set_at: Option<String>,
    /// Newest first, at most 50.
    pub deliveries: Vec<DeliveryView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeliveryView {
    /// The same at each attempt.
    pub id: String,
    pub approval: Uuid,
    /// `approval.asked` or `approval.escalated`.
    pub event: String,
    /// `waiting`, `delivered` or `given_up`.
    pub state: String,
    pub attempts: u64,
    /// Of the last attempt: an HTTP status, or why there is none.
    pub code: Option<String>,
    pub created_at: String,
    pub next_at: String,
}

impl WebhookView {
    pub(crate) fn of(
        hook: Option<Webhook>,
        name: Option<String>,
        deliveries: Vec<WebhookDelivery>,
    ) -> Self {
        let view = |of: WebhookDelivery| DeliveryView {
            id: of.id(),
            approval: of.approval.uuid(),
            event: of.event,
            state: of.state,
            attempts: of.attempts,
            code: of.code,
            created_at: of.created_at.to_string(),
            next_at: of.next_at.to_string(),
        };
        Self {
            set_by: hook.as_ref().map(|hook| hook.set_by.uuid()),
            set_by_name: name,
            set_at: hook.as_ref().map(|hook| hook.set_at.to_string()),
            url: hook.map(|hook| hook.url),
            deliveries: deliveries.into_iter().map(view).collect(),
        }
    }
}
