//! The lease of a session: every write carries its number as a fence.

use crate::{
    account::authority::{self, Authority},
    database::{
        number::to_db,
        statement::{Reads, query},
    },
    error::StoreError,
};
use std::sync::LazyLock;
use wiiiv_domain::{ProjectId, SessionId, Timestamp};

/// One owner's hold on a session. The next `Store::lease` of the session ends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub session: SessionId,
    pub project: ProjectId,
    pub epoch: u64,
}

/// INVARIANT: first in every boundary of a session; a paused former owner writes nothing.
pub(crate) async fn check<C: Reads>(
    db: &C,
    lease: &Lease,
    by: Option<&Authority>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut values = vec![lease.session.uuid().into(), to_db(lease.epoch)?.into()];
    let statement = if by.is_some() {
        values.extend(Authority::values(by, now));
        values.push(lease.project.uuid().into());
        HELD_BY.as_str()
    } else {
        HELD
    };
    let row = query(db, statement, values).await?;
    let row = row.ok_or(StoreError::LeaseLost { session: lease.session })?;
    if by.is_some() && !Authority::still(by, authority::bits_in(&row, 1)?) {
        return Err(StoreError::AuthorityGone);
    }
    Ok(())
}

const HELD: &str = "SELECT epoch FROM lease WHERE session = $1 AND epoch = $2";
static HELD_BY: LazyLock<String> = LazyLock::new(|| {
    let bits = authority::bits(3, 4, 5, 6);
    format!("SELECT epoch, {bits} FROM lease WHERE session = $1 AND epoch = $2")
});
