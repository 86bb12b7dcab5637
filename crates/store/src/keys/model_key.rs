//! Keys of model providers, sealed for their holder, provider and origin.

mod row;

use crate::{
    audit::Chain,
    database::{
        clock::now,
        entity::model_key,
        number::to_db,
        statement::{execute, only, run},
    },
    error::StoreError,
    halt,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
pub use row::ModelKeyRow;
use row::{find, find_all};
use sea_orm::{ActiveValue::Set, EntityTrait as _, sea_query::OnConflict};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use std::sync::Arc;
use wiiiv_domain::{KeyHolder, KeySource, KeyVerdict, ProjectId, ProviderName, UserId};
use wiiiv_vault::{Aad, ApiKey, Sealed};

#[derive(Debug, Clone, thiserror::Error)]
pub enum ModelKeyRefused {
    /// Somebody was faster, or there is one where a first one was meant (412).
    #[error("the key has changed meanwhile: revision `{current}` is the current one")]
    Stale { current: u64 },
    #[error("there is no such key")]
    NotFound,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Opened for one call.
#[derive(Debug, Clone)]
pub struct ModelKey {
    pub secret: SecretString,
    /// The only one that it may be sent to.
    pub origin: String,
    pub revision: u64,
}

/// Whose hand changes which key.
#[derive(Clone, Copy)]
struct Change {
    by: UserId,
    holder: KeyHolder,
    provider: ProviderName,
}

impl Store {
    /// In the order of the providers' names.
    pub async fn model_keys(&self, holder: KeyHolder) -> Result<Vec<ModelKeyRow>, StoreError> {
        find_all(self.reader(), holder).await
    }

    pub async fn model_key(
        &self,
        holder: KeyHolder,
        provider: ProviderName,
    ) -> Result<Option<ModelKeyRow>, StoreError> {
        let row = self.sealed(holder, provider).await?;
        row.as_deref().map(ModelKeyRow::read).transpose()
    }

    async fn sealed(
        &self,
        holder: KeyHolder,
        provider: ProviderName,
    ) -> Result<Option<Arc<model_key::Model>>, StoreError> {
        let key = (holder.to_string(), provider.as_str());
        let read = || async {
            let key = (holder.to_string(), provider.as_str().to_owned());
            let row = only(model_key::Entity::find_by_id(key), self.direct()).await?;
            Ok(row.map(Arc::new))
        };
        self.cached().model_keys.get(key, read).await
    }

    /// `expected`: the revision that it replaces; `None`: there is none yet.
    pub async fn set_model_key(
        &self,
        by: UserId,
        (holder, provider): (KeyHolder, ProviderName),
        (key, origin): (ApiKey, String),
        expected: Option<u64>,
    ) -> Result<ModelKeyRow, ModelKeyRefused> {
        let change = Change { by, holder, provider };
        let (ring, masked) = (self.ring(), key.masked());
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                match (find(&tx.db, holder, provider).await?, expected) {
                    (None, None) => {}
                    (None, Some(_)) => return Err(ModelKeyRefused::NotFound),
                    (Some(row), expected) if expected == Some(row.revision) => {}
                    (Some(row), _) => {
                        return Err(ModelKeyRefused::Stale { current: row.revision });
                    }
                }
                let secret = key.secret().expose_secret().as_bytes();
                let sealed = ring.vault().seal(&binding(holder, provider, &origin), secret);
                let sealed = sealed.map_err(StoreError::from)?.to_bytes();
                let body = json!({ "origin": origin });
                let revision = change.record(tx, "model_key.set", body).await?;
                let row = ModelKeyRow {
                    holder,
                    provider,
                    origin,
                    masked,
                    revision,
                    updated_by: by,
                    updated_at: now(),
                    checked: None,
                };
                upsert(tx, &row, sealed).await?;
                Ok(row)
            })
        })
        .await
    }

    pub async fn remove_model_key(
        &self,
        by: UserId,
        (holder, provider): (KeyHolder, ProviderName),
        expected: u64,
    ) -> Result<(), ModelKeyRefused> {
        let change = Change { by, holder, provider };
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let row = find(&tx.db, holder, provider).await?;
                let row = row.ok_or(ModelKeyRefused::NotFound)?;
                if row.revision != expected {
                    return Err(ModelKeyRefused::Stale { current: row.revision });
                }
                let key = (holder.to_string(), provider.as_str().to_owned());
                run(&tx.db, &model_key::Entity::delete_by_id(key)).await?;
                change.record(tx, "model_key.removed", json!({ "origin": row.origin })).await?;
                Ok(())
            })
        })
        .await
    }

    /// The secret itself, for the one call that it is needed for.
    pub async fn open_model_key(
        &self,
        holder: KeyHolder,
        provider: ProviderName,
    ) -> Result<Option<ModelKey>, StoreError> {
        let Some(row) = self.sealed(holder, provider).await? else { return Ok(None) };
        let ModelKeyRow { origin, revision, .. } = ModelKeyRow::read(&row)?;
        let aad = binding(holder, provider, &origin);
        let opened = self.vault().open(&aad, &Sealed::from_bytes(&row.sealed)?)?;
        let text = std::str::from_utf8(&opened).map_err(|_| StoreError::corrupt("a key"))?;
        Ok(Some(ModelKey { secret: SecretString::from(text), origin, revision }))
    }

    /// Before a key is sent to be checked: on record, or not at all. `false`: its project or
    /// the server is halted.
    pub async fn begin_key_check(
        &self,
        by: UserId,
        (holder, provider): (KeyHolder, ProviderName),
        revision: u64,
    ) -> Result<bool, StoreError> {
        let change = Change { by, holder, provider };
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let project = match holder {
                    KeyHolder::Project(project) => Some(project),
                    KeyHolder::Server | KeyHolder::User(_) => None,
                };
                let halted = halt::is_halted(&tx.db, project).await?;
                let body = json!({ "code": begun(halted), "revision": revision });
                change.record(tx, "model_key.checked", body).await?;
                Ok(!halted)
            })
        })
        .await
    }

    /// Before a provider is asked for its list: on record, or not at all. `false`: the project or
    /// the server is halted.
    pub async fn begin_model_list(
        &self,
        by: UserId,
        project: ProjectId,
        (provider, source): (ProviderName, Option<KeySource>),
    ) -> Result<bool, StoreError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let halted = halt::is_halted(&tx.db, Some(project)).await?;
                let body = json!({
                    "by": by, "provider": provider, "key": source, "code": begun(halted),
                });
                let entry = AuditEntry::new("models.listed", body);
                tx.record(Chain::Project(project), now(), entry).await?;
                Ok(!halted)
            })
        })
        .await
    }

    /// What the provider said of the key of that revision; of another one it says nothing.
    pub async fn record_key_check(
        &self,
        by: UserId,
        (holder, provider): (KeyHolder, ProviderName),
        revision: u64,
        verdict: KeyVerdict,
    ) -> Result<(), StoreError> {
        let change = Change { by, holder, provider };
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let body = json!({ "code": verdict, "revision": revision });
                change.record(tx, "model_key.checked", body).await?;
                let update = "UPDATE model_key SET checked_at = $4, verdict = $5 \
                              WHERE holder = $1 AND provider = $2 AND revision = $3";
                let values = vec![
                    holder.to_string().into(),
                    provider.as_str().into(),
                    to_db(revision)?.into(),
                    now().unix_ms().into(),
                    verdict.as_str().into(),
                ];
                execute(&tx.db, update, values).await.map(drop)
            })
        })
        .await
    }
}

const fn begun(halted: bool) -> &'static str {
    if halted { "HALTED" } else { "STARTED" }
}

impl Change {
    /// The record's number, which is the revision that it speaks of. A person's own keys and the
    /// server's stand in the chain of the server.
    async fn record(
        self,
        tx: &mut WriteTransaction,
        kind: &'static str,
        mut body: Value,
    ) -> Result<u64, StoreError> {
        if let Some(members) = body.as_object_mut() {
            members.insert("by".to_owned(), json!(self.by));
            members.insert("holder".to_owned(), json!(self.holder.to_string()));
            members.insert("provider".to_owned(), json!(self.provider));
        }
        let chain = match self.holder {
            KeyHolder::Project(project) => Chain::Project(project),
            KeyHolder::Server | KeyHolder::User(_) => Chain::Server,
        };
        tx.record(chain, now(), AuditEntry::new(kind, body)).await
    }
}

// INVARIANT: a row copied to another holder, provider or origin does not open.
fn binding(holder: KeyHolder, provider: ProviderName, origin: &str) -> Aad {
    Aad {
        owner: holder.to_string(),
        scope: holder.to_string(),
        purpose: format!("model-key/{provider}"),
        origin: origin.to_owned(),
    }
}

/// What a row is bound to, by its own columns.
pub(crate) fn bound(row: &model_key::Model) -> Result<Aad, StoreError> {
    let row = ModelKeyRow::read(row)?;
    Ok(binding(row.holder, row.provider, &row.origin))
}

async fn upsert(
    tx: &WriteTransaction,
    row: &ModelKeyRow,
    sealed: Vec<u8>,
) -> Result<(), StoreError> {
    use model_key::Column as Of;
    let model = model_key::ActiveModel {
        holder: Set(row.holder.to_string()),
        provider: Set(row.provider.as_str().to_owned()),
        origin: Set(row.origin.clone()),
        sealed: Set(sealed),
        masked: Set(row.masked.clone()),
        revision: Set(to_db(row.revision)?),
        updated_by: Set(row.updated_by.uuid()),
        updated_at: Set(row.updated_at.unix_ms()),
        checked_at: Set(None),
        verdict: Set(None),
    };
    let over = OnConflict::columns([Of::Holder, Of::Provider])
        .update_columns([
            Of::Origin,
            Of::Sealed,
            Of::Masked,
            Of::Revision,
            Of::UpdatedBy,
            Of::UpdatedAt,
            Of::CheckedAt,
            Of::Verdict,
        ])
        .to_owned();
    run(&tx.db, &model_key::Entity::insert(model).on_conflict(over)).await?;
    Ok(())
}
