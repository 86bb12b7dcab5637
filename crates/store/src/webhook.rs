//! Where a project's requests for approval are told of, and the secret that signs what is told. It is shown
//! once, to whoever sets it.

pub(crate) mod outbox;

use crate::{
    account::authority::Authority,
    audit::Chain,
    database::{
        clock::now,
        column::time,
        statement::{Reads, Writes, execute, query},
    },
    error::StoreError,
    keys::secret::{self, Purpose},
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use secrecy::SecretString;
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ProjectId, Timestamp, UserId};
use wiiiv_gate::Principal;
use wiiiv_vault::{AuditKey, Vault};

/// The longest address, in bytes.
pub const WEBHOOK_URL_BYTES_MAX: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub url: String,
    pub set_by: UserId,
    pub set_at: Timestamp,
}

const fn place(project: ProjectId) -> (Chain, Purpose) {
    (Chain::Project(project), Purpose::Webhook)
}

impl Store {
    pub async fn webhook(&self, project: ProjectId) -> Result<Option<Webhook>, StoreError> {
        let sql = "SELECT url, set_by, set_at FROM webhook WHERE project = $1";
        let Some(row) = query(self.direct(), sql, vec![project.uuid().into()]).await? else {
            return Ok(None);
        };
        let (set_by, set_at): (Uuid, i64) = (row.get(1)?, row.get(2)?);
        Ok(Some(Webhook { url: row.get(0)?, set_by: set_by.into(), set_at: time(set_at) }))
    }

    /// In the place of what was there, with a new secret, which comes back this once: 64 hexadecimal digits.
    /// What is asked from then on is told of. `origin` is all of the address that the audit has.
    pub async fn set_webhook(
        &self,
        who: &Principal,
        project: ProjectId,
        (url, origin): (String, String),
    ) -> Result<(Webhook, SecretString), StoreError> {
        if url.len() > WEBHOOK_URL_BYTES_MAX {
            let max = WEBHOOK_URL_BYTES_MAX as u64;
            return Err(StoreError::TooLarge { what: "the address of a webhook", max });
        }
        let (by, user, ring) = (self.authority(who)?, who.user(), self.ring());
        let key = AuditKey::generate()?;
        let shown = SecretString::from(hex::encode(key.expose_bytes()));
        // An address may hold a secret: the audit has its origin, and a keyed hash of the whole.
        let hmac = self.hmac(project, url.as_bytes()).await?;
        let at = self
            .write(Point::P, move |tx| {
                Box::pin(async move {
                    let at = now();
                    standing(tx, &by, project, at).await?;
                    let upsert = "INSERT INTO webhook (project, url, set_by, set_at) \
                        VALUES ($1, $2, $3, $4) ON CONFLICT (project) DO UPDATE SET \
                        url = excluded.url, set_by = excluded.set_by, set_at = excluded.set_at";
                    let values = vec![
                        project.uuid().into(),
                        url.into(),
                        user.uuid().into(),
                        at.unix_ms().into(),
                    ];
                    execute(&tx.db, upsert, values).await?;
                    keep_key(&tx.db, &ring.vault(), project, &key).await?;
                    let body = json!({ "by": user, "origin": origin, "urlHmac": hmac });
                    tx.record(Chain::Project(project), at, AuditEntry::new("webhook.set", body))
                        .await?;
                    Ok::<_, StoreError>(at)
                })
            })
            .await?;
        let kept = self.webhook(project).await?.filter(|kept| kept.set_at == at);
        Ok((kept.ok_or(StoreError::NotFound { what: "webhook" })?, shown))
    }

    /// With its secret and what waits. `false`: there was none.
    pub async fn remove_webhook(
        &self,
        who: &Principal,
        project: ProjectId,
    ) -> Result<bool, StoreError> {
        let (by, user) = (self.authority(who)?, who.user());
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                standing(tx, &by, project, at).await?;
                let of = || vec![project.uuid().into()];
                if execute(&tx.db, "DELETE FROM webhook WHERE project = $1", of()).await? == 0 {
                    return Ok(false);
                }
                let waiting =
                    "DELETE FROM webhook_delivery WHERE project = $1 AND state = 'waiting'";
                execute(&tx.db, waiting, of()).await?;
                secret::forget(&tx.db, place(project)).await?;
                let entry = AuditEntry::new("webhook.removed", json!({ "by": user }));
                tx.record(Chain::Project(project), at, entry).await?;
                Ok::<_, StoreError>(true)
            })
        })
        .await
    }

    /// HMAC-SHA-256 under the webhook's secret, 64 hexadecimal digits. `None`: it is gone.
    pub async fn webhook_signature(
        &self,
        project: ProjectId,
        told: &[u8],
    ) -> Result<Option<String>, StoreError> {
        let bytes = secret::get(self.direct(), &self.ring(), place(project)).await?;
        let Some(bytes) = bytes else { return Ok(None) };
        let key = AuditKey::from_bytes(&bytes).map_err(|e| StoreError::Key(e.to_string()))?;
        Ok(Some(hex::encode(key.digest(told))))
    }
}

async fn standing(
    tx: &WriteTransaction,
    by: &Authority,
    project: ProjectId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let stands = by.stands(&tx.db, Some(project), at).await?;
    stands.then_some(()).ok_or(StoreError::AuthorityGone)
}

async fn keep_key<C: Reads + Writes>(
    db: &C,
    vault: &Vault,
    project: ProjectId,
    key: &AuditKey,
) -> Result<(), StoreError> {
    match secret::sealed(db, Chain::Project(project), Purpose::Webhook).await? {
        Some(_) => secret::renew(db, vault, place(project), key.expose_bytes()).await,
        None => secret::put(db, vault, place(project), key.expose_bytes()).await,
    }
}
