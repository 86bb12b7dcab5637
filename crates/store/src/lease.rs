//! Who may write a session: a fence that every write of it carries.

use crate::{
    boundary::Point,
    error::StoreError,
    number::{from_db, to_db},
    statement::query,
    store::Store,
};
use sea_orm::ConnectionTrait;
use wiiiv_domain::{ProjectId, SessionId};

/// One owner's hold on a session. The next `Store::lease` of the session ends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub session: SessionId,
    pub project: ProjectId,
    pub epoch: u64,
}

impl Store {
    /// Takes the session over: whoever had it can no longer write.
    pub async fn lease(&self, session: SessionId) -> Result<Lease, StoreError> {
        self.write(Point::P, move |unit| Box::pin(take(&unit.db, session))).await
    }
}

async fn take<C: ConnectionTrait>(db: &C, session: SessionId) -> Result<Lease, StoreError> {
    let known = "SELECT project FROM session WHERE id = $1";
    let row = query(db, known, vec![session.uuid().into()]).await?;
    let row = row.ok_or(StoreError::NotFound { what: "session" })?;
    let project: uuid::Uuid = row.try_get_by_index(0)?;
    let raise = "INSERT INTO lease (session, epoch) VALUES ($1, 1) \
                 ON CONFLICT (session) DO UPDATE SET epoch = lease.epoch + 1 RETURNING epoch";
    let row = query(db, raise, vec![session.uuid().into()]).await?;
    let epoch: i64 = row.ok_or_else(StoreError::given_up)?.try_get_by_index(0)?;
    Ok(Lease { session, project: project.into(), epoch: from_db(epoch) })
}

/// INVARIANT: first in every boundary of a session; a paused former owner writes nothing.
pub(crate) async fn check<C: ConnectionTrait>(db: &C, lease: &Lease) -> Result<(), StoreError> {
    let held = "SELECT epoch FROM lease WHERE session = $1 AND epoch = $2";
    let values = vec![lease.session.uuid().into(), to_db(lease.epoch)?.into()];
    match query(db, held, values).await? {
        Some(_) => Ok(()),
        None => Err(StoreError::LeaseLost { session: lease.session }),
    }
}
