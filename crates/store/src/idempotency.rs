//! Stored answers: a request with the same `Idempotency-Key` gets the first answer. The request is
//! stored as a keyed hash, so a reader of the database cannot try bodies on it.

pub(crate) mod last_sweep;

use crate::{
    database::{
        clock::now,
        entity::idempotency,
        statement::{Writes, execute, only},
    },
    error::StoreError,
    store::Store,
    writer::point::Point,
};
use sea_orm::EntityTrait as _;
use wiiiv_domain::{Timestamp, UserId};

const KEPT_SECONDS: i64 = 24 * 60 * 60;
/// A key, in bytes.
const KEY_BYTES_MAX: u64 = 255;
/// An answer that is kept, in bytes.
const RESPONSE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyStart {
    /// The first: go on, then finish or forget it.
    Fresh,
    /// The first is not answered yet (409).
    InFlight,
    /// The key was used for another request (422).
    OtherRequest,
    /// What the first was answered.
    Answered { status: u16, response: Vec<u8> },
}

impl Store {
    /// `request`: the method, path and body, in whatever form tells two requests apart, without a
    /// secret.
    pub async fn idempotency_begin(
        &self,
        user: UserId,
        key: &str,
        request: &[u8],
    ) -> Result<IdempotencyStart, StoreError> {
        if key.len() as u64 > KEY_BYTES_MAX {
            return Err(StoreError::TooLarge { what: "an idempotency key", max: KEY_BYTES_MAX });
        }
        let digest = self.signer().request_hash(user, request).to_vec();
        let (key, at) = (key.to_owned(), now());
        let sweeps = self.last_sweep().is_due(at);
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                if sweeps {
                    sweep(&tx.db, at).await?;
                }
                begin(&tx.db, (user, key), digest, at).await
            })
        })
        .await
    }

    pub async fn idempotency_finish(
        &self,
        user: UserId,
        key: &str,
        status: u16,
        response: Vec<u8>,
    ) -> Result<(), StoreError> {
        if response.len() as u64 > RESPONSE_BYTES_MAX {
            return Err(StoreError::TooLarge { what: "an answer", max: RESPONSE_BYTES_MAX });
        }
        let update = "UPDATE idempotency SET status = $3, response = $4 \
                      WHERE account = $1 AND key = $2 AND status IS NULL";
        let values =
            vec![user.uuid().into(), key.into(), i32::from(status).into(), response.into()];
        self.write(Point::P, move |tx| {
            Box::pin(async move { execute(&tx.db, update, values).await.map(drop) })
        })
        .await
    }

    /// The request failed before it did anything: the key may be used again.
    pub async fn idempotency_forget(&self, user: UserId, key: &str) -> Result<(), StoreError> {
        let delete = "DELETE FROM idempotency WHERE account = $1 AND key = $2 AND status IS NULL";
        let values = vec![user.uuid().into(), key.into()];
        self.write(Point::P, move |tx| {
            Box::pin(async move { execute(&tx.db, delete, values).await.map(drop) })
        })
        .await
    }
}

async fn begin<C: Writes>(
    db: &C,
    (user, key): (UserId, String),
    request: Vec<u8>,
    now: Timestamp,
) -> Result<IdempotencyStart, StoreError> {
    let insert = "INSERT INTO idempotency (account, key, request, created_at) \
                  VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    let values =
        vec![user.uuid().into(), key.clone().into(), request.clone().into(), now.unix_ms().into()];
    if execute(db, insert, values).await? == 1 {
        return Ok(IdempotencyStart::Fresh);
    }
    let row = only(idempotency::Entity::find_by_id((user.uuid(), key)), db).await?;
    let row = row.ok_or_else(|| StoreError::corrupt("an idempotency key"))?;
    Ok(match (row.status, row.response) {
        _ if row.request != request => IdempotencyStart::OtherRequest,
        (Some(status), Some(response)) => IdempotencyStart::Answered {
            status: u16::try_from(status).map_err(|_| StoreError::corrupt("a kept answer"))?,
            response,
        },
        (None, _) | (_, None) => IdempotencyStart::InFlight,
    })
}

async fn sweep<C: Writes>(db: &C, now: Timestamp) -> Result<(), StoreError> {
    let old = "DELETE FROM idempotency WHERE created_at < $1";
    let before = now.plus_seconds(-KEPT_SECONDS).unix_ms();
    execute(db, old, vec![before.into()]).await.map(drop)
}

/// Whoever was answering has ended with its process.
pub(crate) async fn forget_unfinished<C: Writes>(db: &C) -> Result<(), StoreError> {
    execute(db, "DELETE FROM idempotency WHERE status IS NULL", Vec::new()).await.map(drop)
}
