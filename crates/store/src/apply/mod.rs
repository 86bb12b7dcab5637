//! What a boundary does in the database, all of it or nothing: `permits.md`, section 2. The writer
//! runs it in a savepoint of its own.

mod attempts;
mod guard;
mod holds;
mod standing;
mod writes;

use crate::{
    boundary::{AuditEntry, Boundary, Writer},
    error::{Moved, StoreError},
    lease,
    unit::Unit,
};
use wiiiv_domain::Timestamp;
use wiiiv_gate::{AuditSeq, Claim, DecisionRecord, ExecutionStarted, Guard};

/// Why the savepoint is rolled back.
#[derive(Debug)]
pub(crate) enum Refused {
    Moved(Moved),
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What of a claim is written.
pub(crate) struct Claimed<'a> {
    record: &'a DecisionRecord,
    guard: Option<&'a Guard>,
    started: Option<ExecutionStarted>,
}

impl<'a> Claimed<'a> {
    pub(crate) fn of(claim: &'a Claim) -> Self {
        Self { record: claim.record(), guard: claim.guard(), started: claim.started() }
    }
}

/// What stands at the chain's head beside the boundary's own entries.
pub(crate) enum Witness<'a> {
    None,
    Claim(Claimed<'a>),
    /// An evidence record.
    Entry(AuditEntry),
}

/// The one function that writes a boundary. The witness's place in the chain comes back.
// INVARIANT: what must still be true is asked before anything is written or taken.
pub(crate) async fn apply(
    unit: &mut Unit,
    writer: &Writer,
    boundary: &Boundary,
    witness: Witness<'_>,
    now: Timestamp,
) -> Result<Option<AuditSeq>, Refused> {
    match (&witness, writer) {
        (Witness::Claim(Claimed { guard: Some(guard), .. }), _) => {
            standing::still(&unit.db, writer, guard).await?;
        }
        (_, Writer::Session(lease)) => lease::check(&unit.db, lease).await?,
        (_, Writer::Project(_) | Writer::Server) => {}
    }
    let told = writes::perform(&unit.db, writer, &boundary.writes, now).await?;
    for entry in boundary.audit.iter().cloned().chain(told) {
        unit.record(writer.chain(), now, entry).await?;
    }
    let at = match witness {
        Witness::None => None,
        Witness::Entry(entry) => Some(unit.record(writer.chain(), now, entry).await?),
        Witness::Claim(claimed) => Some(decide(unit, writer, &claimed, now).await?),
    };
    unit.journal(writer, boundary).await?;
    Ok(at.map(AuditSeq::new))
}

async fn decide(
    unit: &mut Unit,
    writer: &Writer,
    claimed: &Claimed<'_>,
    now: Timestamp,
) -> Result<u64, Refused> {
    let body = serde_json::to_value(claimed.record).map_err(StoreError::from)?;
    let at = unit.record(writer.chain(), now, AuditEntry::new("decision", body)).await?;
    if let Some(guard) = claimed.guard {
        guard::take(&unit.db, claimed, guard, (at, now)).await?;
    }
    Ok(at)
}
