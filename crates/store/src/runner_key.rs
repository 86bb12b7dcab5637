//! Keys that GHOST runners sign results with. An administrator registers the public half and revokes it;
//! each change is on record.

pub(crate) mod refused;

use crate::{
    account::authority::Authority,
    audit::{Chain, runner_keys_told},
    database::{
        clock::now,
        column::time,
        entity::runner_key,
        id::new_id,
        number::to_db,
        statement::{execute, only, run},
    },
    error::StoreError,
    ledger_version,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use refused::RUNNER_KEYS_MAX;
pub use refused::{RUNNER_KEY_NAME_BYTES_MAX, RunnerKeyRefused};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait as _, EntityTrait as _, QueryFilter as _,
};
use serde_json::json;
use wiiiv_domain::{RunnerKeyId, Timestamp, UserId};
use wiiiv_gate::Principal;
use wiiiv_vault::{RUNNER_KEY_BYTES, is_runner_public_key};

/// A key, as it may be shown: its private half is the runner's alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerKeyRow {
    pub id: RunnerKeyId,
    pub name: String,
    pub public_key: [u8; RUNNER_KEY_BYTES],
    pub added_by: UserId,
    pub added_at: Timestamp,
    /// By whom, and when. What it signed counts no more then.
    pub revoked: Option<(UserId, Timestamp)>,
}

impl Store {
    /// Of an administrator, who is one still. What the key signs from here on counts.
    pub async fn add_runner_key(
        &self,
        who: &Principal,
        name: &str,
        public_key: [u8; RUNNER_KEY_BYTES],
    ) -> Result<RunnerKeyRow, RunnerKeyRefused> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
        if !(1..=RUNNER_KEY_NAME_BYTES_MAX).contains(&name.len()) || !name.bytes().all(plain) {
            return Err(RunnerKeyRefused::Name);
        }
        if !is_runner_public_key(&public_key) {
            return Err(RunnerKeyRefused::PublicKey);
        }
        let (by, user, name) = (Authority::of(who), who.user(), name.to_owned());
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move { add(tx, (by, user), name, public_key).await })
        })
        .await
    }

    /// What it signed counts no more, whenever it was recorded, but for a violated invariant.
    pub async fn revoke_runner_key(
        &self,
        who: &Principal,
        id: RunnerKeyId,
    ) -> Result<RunnerKeyRow, RunnerKeyRefused> {
        let (by, user) = (Authority::of(who), who.user());
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| Box::pin(async move { revoke(tx, (by, user), id).await }))
            .await
    }

    /// All, the newest first; refused where one is not as the audit tells.
    pub async fn runner_keys(&self) -> Result<Vec<RunnerKeyRow>, StoreError> {
        let mut rows = runner_keys_told(self.direct()).await?;
        rows.sort_by_key(|row| std::cmp::Reverse(row.at_seq));
        rows.into_iter().map(RunnerKeyRow::read).collect()
    }
}

impl RunnerKeyRow {
    fn read(row: runner_key::Model) -> Result<Self, StoreError> {
        let public_key = row.public_key.try_into();
        Ok(Self {
            id: row.id.into(),
            name: row.name,
            public_key: public_key.map_err(|_| StoreError::corrupt("a runner's public key"))?,
            added_by: row.added_by.into(),
            added_at: time(row.added_at),
            revoked: row.revoked_by.zip(row.revoked_at).map(|(by, at)| (by.into(), time(at))),
        })
    }
}

async fn add(
    tx: &mut WriteTransaction,
    (by, user): (Authority, UserId),
    name: String,
    public_key: [u8; RUNNER_KEY_BYTES],
) -> Result<RunnerKeyRow, RunnerKeyRefused> {
    let at = administers(tx, &by).await?;
    let kept = runner_keys_told(&tx.db).await?;
    if kept.len() >= RUNNER_KEYS_MAX {
        return Err(RunnerKeyRefused::TooMany);
    }
    if kept.iter().any(|row| row.public_key == public_key) {
        return Err(RunnerKeyRefused::Known);
    }
    if kept.iter().any(|row| row.name == name && row.revoked_at.is_none()) {
        return Err(RunnerKeyRefused::NameTaken);
    }
    let id = new_id::<RunnerKeyId>();
    let body = json!({
        "by": user, "name": name, "publicKey": hex::encode(public_key), "runnerKey": id,
    });
    let seq = tx.record(Chain::Server, at, AuditEntry::new("runner_key.added", body)).await?;
    let row = runner_key::ActiveModel {
        id: Set(id.uuid()),
        name: Set(name.clone()),
        public_key: Set(public_key.to_vec()),
        at_seq: Set(to_db(seq)?),
        added_by: Set(user.uuid()),
        added_at: Set(at.unix_ms()),
        revoked_seq: NotSet,
        revoked_by: NotSet,
        revoked_at: NotSet,
    };
    run(&tx.db, &runner_key::Entity::insert(row)).await?;
    ledger_version::raise(&tx.db).await?;
    Ok(RunnerKeyRow { id, name, public_key, added_by: user, added_at: at, revoked: None })
}

async fn revoke(
    tx: &mut WriteTransaction,
    (by, user): (Authority, UserId),
    id: RunnerKeyId,
) -> Result<RunnerKeyRow, RunnerKeyRefused> {
    let at = administers(tx, &by).await?;
    let row = only(runner_key::Entity::find_by_id(id.uuid()), &tx.db).await?;
    let row = row.ok_or(StoreError::NotFound { what: "runner key" })?;
    if row.revoked_at.is_some() {
        return Err(RunnerKeyRefused::Revoked);
    }
    let body = json!({ "by": user, "name": row.name, "runnerKey": id });
    let seq = tx.record(Chain::Server, at, AuditEntry::new("runner_key.revoked", body)).await?;
    let update = "UPDATE runner_key SET revoked_seq = $2, revoked_by = $3, revoked_at = $4 \
                  WHERE id = $1 AND revoked_at IS NULL";
    let values =
        vec![id.uuid().into(), to_db(seq)?.into(), user.uuid().into(), at.unix_ms().into()];
    execute(&tx.db, update, values).await?;
    ledger_version::raise(&tx.db).await?;
    Ok(RunnerKeyRow { revoked: Some((user, at)), ..RunnerKeyRow::read(row)? })
}

async fn administers(tx: &WriteTransaction, by: &Authority) -> Result<Timestamp, StoreError> {
    let at = now();
    if by.stands(&tx.db, None, at).await? { Ok(at) } else { Err(StoreError::AuthorityGone) }
}

/// The one with this public half.
pub(crate) async fn of_public(
    tx: &WriteTransaction,
    public_key: &[u8; RUNNER_KEY_BYTES],
) -> Result<Option<runner_key::Model>, StoreError> {
    let of = runner_key::Column::PublicKey.eq(public_key.to_vec());
    only(runner_key::Entity::find().filter(of), &tx.db).await
}
