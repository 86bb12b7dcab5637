//! Another server takes a session over: its epoch is higher, and the former owner cannot write.

use crate::{
    database::{
        number::from_db,
        statement::{Writes, query},
    },
    error::StoreError,
    session::lease::Lease,
    store::Store,
    writer::point::Point,
};
use uuid::Uuid;
use wiiiv_domain::SessionId;

impl Store {
    /// Takes the session over: whoever had it can no longer write.
    pub async fn lease(&self, session: SessionId) -> Result<Lease, StoreError> {
        self.write(Point::P, move |tx| Box::pin(take_over(&tx.db, session))).await
    }
}

async fn take_over<C: Writes>(db: &C, session: SessionId) -> Result<Lease, StoreError> {
    let known = "SELECT project FROM session WHERE id = $1";
    let row = query(db, known, vec![session.uuid().into()]).await?;
    let row = row.ok_or(StoreError::NotFound { what: "session" })?;
    let project: Uuid = row.get(0)?;
    let raise = "INSERT INTO lease (session, epoch) VALUES ($1, 1) \
                 ON CONFLICT (session) DO UPDATE SET epoch = lease.epoch + 1 RETURNING epoch";
    let row = query(db, raise, vec![session.uuid().into()]).await?;
    let epoch: i64 = row.ok_or_else(StoreError::given_up)?.get(0)?;
    Ok(Lease { session, project: project.into(), epoch: from_db(epoch) })
}
