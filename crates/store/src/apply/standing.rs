//! What must still be as it was judged: the policy and the session's standing.

use super::Refused;
use crate::{
    boundary::Writer,
    error::{Moved, StoreError},
    number::to_db,
    statement::query,
};
use sea_orm::ConnectionTrait;
use wiiiv_domain::ProjectId;
use wiiiv_gate::Guard;

pub(super) async fn still<C: ConnectionTrait>(
    db: &C,
    writer: &Writer,
    guard: &Guard,
) -> Result<(), Refused> {
    let lease = writer.lease("a claim")?;
    if (lease.project, lease.session) != (guard.policy.0, guard.standing.0) {
        return Err(Refused::Moved(Moved::StandingChanged));
    }
    let (project, version) = guard.policy;
    let current = "SELECT 1 FROM policy_head WHERE project = $1 AND version = $2 AND NOT halted";
    let values = vec![project.uuid().into(), version.uuid().into()];
    if query(db, current, values).await?.is_none() {
        return Err(Refused::Moved(why_not(db, project).await?));
    }
    let (session, seq) = guard.standing;
    let judged = "SELECT 1 FROM session WHERE id = $1 AND project = $2 AND standing_seq = $3";
    let values = vec![session.uuid().into(), project.uuid().into(), to_db(seq.get())?.into()];
    match query(db, judged, values).await? {
        Some(_) => Ok(()),
        None => Err(Refused::Moved(Moved::StandingChanged)),
    }
}

async fn why_not<C: ConnectionTrait>(db: &C, project: ProjectId) -> Result<Moved, StoreError> {
    let halted = "SELECT 1 FROM policy_head WHERE project = $1 AND halted";
    let row = query(db, halted, vec![project.uuid().into()]).await?;
    Ok(if row.is_some() { Moved::Halted } else { Moved::PolicyChanged })
}
