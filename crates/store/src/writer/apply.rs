//! The effect of a boundary on the database, whole or not at all. The writer runs it in a savepoint.

mod attempts;
mod claimed;
mod guard;
mod holds;
mod standing;
mod writes;

use crate::{
    database::{statement::Reads, versions::Part},
    error::StoreError,
    session::lease,
    writer::{
        boundary::{AuditEntry, Boundary, Write, Writer},
        write_transaction::WriteTransaction,
    },
};
pub(crate) use claimed::{Claimed, Refused};
use wiiiv_domain::{ProjectId, Timestamp};
use wiiiv_gate::AuditSeq;

/// What stands at the chain's head beside the boundary's own entries.
pub(crate) enum Witness<'a> {
    None,
    Claim(Claimed<'a>),
    /// An evidence record.
    Entry(AuditEntry),
}

/// Where it stands.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Applied {
    /// The witness's place in the chain.
    pub(crate) witness: Option<AuditSeq>,
    /// The number of the last of its events in the session's journal.
    pub(crate) last_event: Option<u64>,
}

/// The one function that writes a boundary.
// INVARIANT: what must still be true is asked before anything is written or taken.
pub(crate) async fn apply(
    tx: &mut WriteTransaction,
    writer: &Writer,
    boundary: &Boundary,
    witness: Witness<'_>,
    now: Timestamp,
) -> Result<Applied, Refused> {
    match (&witness, writer) {
        (Witness::Claim(Claimed { guard: Some(guard), .. }), _) => {
            standing::still(&tx.db, writer, guard, (boundary.by.as_ref(), now)).await?;
        }
        (_, Writer::Session(lease)) => {
            lease::check(&tx.db, lease, boundary.by.as_ref(), now).await?;
        }
        (_, Writer::Project(project)) => in_project(&tx.db, boundary, *project, now).await?,
        (_, Writer::Server) => {}
    }
    let told = writes::perform(tx, writer, &boundary.writes, now).await?;
    if boundary.writes.iter().any(|write| matches!(write, Write::Standing { .. })) {
        tx.touch(Part::Standings);
    }
    for entry in boundary.audit.iter().cloned().chain(told) {
        tx.record(writer.chain(), now, entry).await?;
    }
    let at = match witness {
        Witness::None => None,
        Witness::Entry(entry) => Some(tx.record(writer.chain(), now, entry).await?),
        Witness::Claim(claimed) => Some(decide(tx, writer, &claimed, now).await?),
    };
    let last_event = tx.journal(writer, boundary).await?;
    Ok(Applied { witness: at.map(AuditSeq::new), last_event })
}

/// Whoever it is written for may still do what they could.
async fn in_project<C: Reads>(
    db: &C,
    boundary: &Boundary,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    match &boundary.by {
        Some(by) if !by.stands(db, Some(project), now).await? => Err(StoreError::AuthorityGone),
        Some(_) | None => Ok(()),
    }
}

async fn decide(
    tx: &mut WriteTransaction,
    writer: &Writer,
    claimed: &Claimed<'_>,
    now: Timestamp,
) -> Result<u64, Refused> {
    let body = serde_json::to_value(claimed.record).map_err(StoreError::from)?;
    let at = tx.record(writer.chain(), now, AuditEntry::new("decision", body)).await?;
    if let Some(guard) = claimed.guard {
        guard::take(tx, claimed, guard, (at, now)).await?;
    }
    Ok(at)
}
