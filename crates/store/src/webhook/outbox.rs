//! What is to be told by webhooks. It follows from the questions themselves, so that nothing is lost where
//! a server ends before it was told, and asking somebody writes nothing more.

use crate::{
    audit::Chain,
    database::{
        clock::now,
        column::time,
        number::from_db,
        statement::{Row, execute, query, query_all},
    },
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point},
};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ApprovalId, ProjectId, Timestamp};

/// After so many attempts it is given up: about a day.
pub const WEBHOOK_ATTEMPTS_MAX: u64 = 12;
const FIRST_PAUSE_MS: i64 = 10_000;
const PAUSE_MS_MAX: i64 = 4 * 3_600_000;

/// One thing to tell, of one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    pub approval: ApprovalId,
    /// `approval.asked` or `approval.escalated`.
    pub event: String,
    pub project: ProjectId,
    /// `waiting`, `delivered` or `given_up`.
    pub state: String,
    /// So many were made.
    pub attempts: u64,
    pub next_at: Timestamp,
    /// Of the last attempt.
    pub code: Option<String>,
    pub created_at: Timestamp,
}

/// What an attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookTried {
    Arrived,
    /// It is tried again later, up to [`WEBHOOK_ATTEMPTS_MAX`].
    Failed,
    /// No later attempt can arrive either.
    Hopeless,
}

impl WebhookDelivery {
    /// The same at each attempt: by it a receiver knows what it has heard.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}", self.approval, self.event)
    }

    fn read(row: &Row) -> Result<Self, StoreError> {
        let (approval, project): (Uuid, Uuid) = (row.get(0)?, row.get(2)?);
        let (attempts, next_at, created_at): (i64, i64, i64) =
            (row.get(4)?, row.get(5)?, row.get(7)?);
        Ok(Self {
            approval: approval.into(),
            event: row.get(1)?,
            project: project.into(),
            state: row.get(3)?,
            attempts: from_db(attempts),
            next_at: time(next_at),
            code: row.get(6)?,
            created_at: time(created_at),
        })
    }
}

const COLUMNS: &str = "approval, event, project, state, attempts, next_at, code, created_at";

/// Questions of projects with a webhook that nothing stands in the outbox for yet.
const UNTOLD: &str = "SELECT a.id, 'approval.asked', a.project, 'waiting', 0, $1, $1 \
     FROM webhook w JOIN approval a ON a.project = w.project AND a.state = 'pending' \
     WHERE a.asked_at >= w.set_at AND a.expires_at > $1 AND NOT EXISTS (SELECT 1 \
     FROM webhook_delivery d WHERE d.approval = a.id AND d.event = 'approval.asked') \
     UNION ALL \
     SELECT a.id, 'approval.escalated', a.project, 'waiting', 0, $1, $1 \
     FROM webhook w JOIN approval a ON a.project = w.project AND a.state = 'pending' \
     WHERE a.escalated_at >= w.set_at AND a.expires_at > $1 AND NOT EXISTS (SELECT 1 \
     FROM webhook_delivery d WHERE d.approval = a.id AND d.event = 'approval.escalated')";

impl Store {
    /// Whatever is to be told and does not stand in the outbox yet. Nothing is written where there is none.
    pub async fn fill_webhook_outbox(&self) -> Result<(), StoreError> {
        if query(self.direct(), "SELECT 1 FROM webhook LIMIT 1", Vec::new()).await?.is_none() {
            return Ok(());
        }
        let found = format!("{UNTOLD} LIMIT 1");
        if query(self.direct(), &found, vec![now().unix_ms().into()]).await?.is_none() {
            return Ok(());
        }
        self.write(Point::P, |tx| {
            Box::pin(async move {
                let insert = format!(
                    "INSERT INTO webhook_delivery \
                     (approval, event, project, state, attempts, next_at, created_at) {UNTOLD} \
                     ON CONFLICT DO NOTHING"
                );
                execute(&tx.db, &insert, vec![now().unix_ms().into()]).await?;
                Ok::<_, StoreError>(())
            })
        })
        .await
    }

    /// The longest overdue first.
    pub async fn webhooks_due(&self, rows_max: u64) -> Result<Vec<WebhookDelivery>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM webhook_delivery WHERE state = 'waiting' AND next_at <= $1 \
             ORDER BY next_at LIMIT {rows_max}"
        );
        let rows = query_all(self.direct(), &sql, vec![now().unix_ms().into()]).await?;
        rows.iter().map(WebhookDelivery::read).collect()
    }

    /// Newest first.
    pub async fn webhook_deliveries(
        &self,
        project: ProjectId,
        rows_max: u64,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM webhook_delivery WHERE project = $1 \
             ORDER BY created_at DESC LIMIT {rows_max}"
        );
        let rows = query_all(self.direct(), &sql, vec![project.uuid().into()]).await?;
        rows.iter().map(WebhookDelivery::read).collect()
    }

    /// What an attempt came to. What did not arrive is tried again later, or given up, which is on record.
    pub async fn webhook_tried(
        &self,
        tried: &WebhookDelivery,
        came_to: WebhookTried,
        code: String,
    ) -> Result<(), StoreError> {
        let tried = tried.clone();
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                let attempts = tried.attempts + 1;
                let state = match came_to {
                    WebhookTried::Arrived => "delivered",
                    WebhookTried::Failed if attempts < WEBHOOK_ATTEMPTS_MAX => "waiting",
                    WebhookTried::Failed | WebhookTried::Hopeless => "given_up",
                };
                let given_up = state == "given_up";
                let next = at.unix_ms().saturating_add(pause(attempts));
                let update = "UPDATE webhook_delivery SET state = $3, attempts = attempts + 1, \
                              next_at = $4, code = $5, done_at = $6 \
                              WHERE approval = $1 AND event = $2 AND state = 'waiting'";
                let done = (state != "waiting").then_some(at.unix_ms());
                let values = vec![
                    tried.approval.uuid().into(),
                    tried.event.as_str().into(),
                    state.into(),
                    next.into(),
                    code.as_str().into(),
                    done.into(),
                ];
                if execute(&tx.db, update, values).await? == 1 && given_up {
                    let body = json!({
                        "approval": tried.approval, "code": code, "event": tried.event,
                    });
                    let entry = AuditEntry::new("webhook.given_up", body);
                    tx.record(Chain::Project(tried.project), at, entry).await?;
                }
                Ok::<_, StoreError>(())
            })
        })
        .await
    }
}

/// Twice as long each time.
fn pause(attempts: u64) -> i64 {
    let doubled = u32::try_from(attempts.saturating_sub(1)).unwrap_or(u32::MAX).min(20);
    FIRST_PAUSE_MS.saturating_mul(1 << doubled).min(PAUSE_MS_MAX)
}
