//! Tells webhooks what waits for a person: ids and codes, signed, at least once. What is to be told stands
//! in the store, so that a restart goes on with it.

use crate::{clock, runtime::Runtime, telemetry};
use futures::StreamExt as _;
use serde_json::json;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use wiiiv_exec::Notice;
use wiiiv_store::{ApprovalRow, StoreError, WebhookDelivery, WebhookTried};

/// Deliveries of one look, and of them side by side: one receiver that does not answer holds up few others.
const BATCH_MAX: u64 = 64;
const SIDE_BY_SIDE: usize = 16;

const TIMESTAMP: &str = "wiiiv-timestamp";
const SIGNATURE: &str = "wiiiv-signature";
const DELIVERY: &str = "wiiiv-delivery";
const ESCALATED: &str = "approval.escalated";
/// Of a delivery that nothing can sign: the webhook has to be set again.
const SECRET_MISSING: &str = "WEBHOOK_SECRET_MISSING";

pub async fn run(runtime: Arc<Runtime>, stop: CancellationToken) {
    let mut tick = tokio::time::interval(runtime.config.sweep);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        tokio::select! {
            () = stop.cancelled() => return,
            told = tell(&runtime) => if let Err(error) = told {
                tracing::warn!(%error, "webhooks cannot be told anything");
            }
        }
    }
}

async fn tell(runtime: &Runtime) -> Result<(), StoreError> {
    let store = &runtime.deps.store;
    store.fill_webhook_outbox().await?;
    let due = store.webhooks_due(BATCH_MAX).await?;
    let told = futures::stream::iter(due).map(|delivery| deliver(runtime, delivery));
    let told: Vec<_> = told.buffer_unordered(SIDE_BY_SIDE).collect().await;
    told.into_iter().collect()
}

/// Where the webhook is gone by now, so is what waited for it.
async fn deliver(runtime: &Runtime, delivery: WebhookDelivery) -> Result<(), StoreError> {
    let store = &runtime.deps.store;
    let (hook, row) =
        (store.webhook(delivery.project).await?, store.approval(delivery.approval).await?);
    let (Some(hook), Some(row)) = (hook, row) else { return Ok(()) };
    let body = serde_json::to_vec(&body(&delivery, &row))?;
    let timestamp = clock::now().unix_ms() / 1_000;
    let signed = [timestamp.to_string().as_bytes(), b".", &body].concat();
    let Some(signature) = store.webhook_signature(delivery.project, &signed).await? else {
        telemetry::webhook_told(false);
        return store
            .webhook_tried(&delivery, WebhookTried::Hopeless, SECRET_MISSING.to_owned())
            .await;
    };
    let headers = [
        (TIMESTAMP, timestamp.to_string()),
        (SIGNATURE, format!("v1={signature}")),
        (DELIVERY, delivery.id()),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value)).to_vec();
    let notice = Notice { url: hook.url, headers, body, id: delivery.id() };
    let (arrived, code) = match runtime.policies.current(delivery.project).await {
        Err(_) => (false, "POLICY_UNREADABLE".to_owned()),
        Ok(policy) => {
            let hosts = &policy.project_policy().allowed_hosts;
            match runtime.deps.executors.notify(notice, hosts).await {
                Ok(status) => ((200..300).contains(&status), status.to_string()),
                Err(failure) => (false, failure.code),
            }
        }
    };
    telemetry::webhook_told(arrived);
    let came_to = if arrived { WebhookTried::Arrived } else { WebhookTried::Failed };
    store.webhook_tried(&delivery, came_to, code).await
}

/// Ids, codes, times and digests: no word of anybody.
fn body(delivery: &WebhookDelivery, row: &ApprovalRow) -> serde_json::Value {
    let asked = &row.request;
    json!({
        "delivery": delivery.id(),
        "event": delivery.event,
        "project": asked.project,
        "session": row.session,
        "approval": asked.id,
        "blueprint": asked.blueprint,
        "digest": asked.digest,
        "requester": asked.requester,
        "by": asked.by,
        "approvers": asked.approvers,
        "askedAt": row.asked_at,
        "expiresAt": asked.expires_at,
        // Of that event alone: each attempt of a delivery says the same.
        "escalatedTo": row.escalation.filter(|_| delivery.event == ESCALATED).map(|of| of.due.to),
    })
}
