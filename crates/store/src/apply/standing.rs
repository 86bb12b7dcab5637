//! What must still be as it was judged: the lease, the policy and the session's standing. One
//! statement asks for the three.

use super::Refused;
use crate::{
    boundary::Writer,
    error::{Moved, StoreError},
    number::to_db,
    statement::query,
};
use sea_orm::ConnectionTrait;
use wiiiv_gate::Guard;

const STILL: &str = "SELECT \
    (SELECT 1 FROM lease WHERE session = $1 AND epoch = $2), \
    (SELECT halted FROM policy_head WHERE project = $3 AND version = $4), \
    (SELECT halted FROM policy_head WHERE project = $3), \
    (SELECT 1 FROM session WHERE id = $1 AND project = $3 AND standing_seq = $5)";

pub(super) async fn still<C: ConnectionTrait>(
    db: &C,
    writer: &Writer,
    guard: &Guard,
) -> Result<(), Refused> {
    let lease = writer.lease("a claim")?;
    let ((project, version), (session, seq)) = (guard.policy, guard.standing);
    if (lease.project, lease.session) != (project, session) {
        return Err(Refused::Moved(Moved::StandingChanged));
    }
    let values = vec![
        session.uuid().into(),
        to_db(lease.epoch)?.into(),
        project.uuid().into(),
        version.uuid().into(),
        to_db(seq.get())?.into(),
    ];
    let row = query(db, STILL, values).await?.ok_or_else(StoreError::given_up)?;
    let flag = |column| row.try_get_by_index::<Option<bool>>(column).map_err(StoreError::from);
    if flag(0)?.is_none() {
        return Err(StoreError::LeaseLost { session }.into());
    }
    match (flag(1)?, flag(2)?, flag(3)?) {
        (_, Some(true), _) => Err(Refused::Moved(Moved::Halted)),
        (None, _, _) => Err(Refused::Moved(Moved::PolicyChanged)),
        (Some(_), _, None) => Err(Refused::Moved(Moved::StandingChanged)),
        (Some(_), _, Some(_)) => Ok(()),
    }
}
