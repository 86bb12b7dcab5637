//! What a boundary does in the database, all of it or nothing: `permits.md`, section 2. The writer
//! runs it in a savepoint of its own.

mod attempts;
mod events;
mod guard;
mod holds;
mod standing;
mod writes;

use crate::{
    audit::{Appending, Ledger},
    boundary::{AuditEntry, Boundary, Writer},
    error::{Moved, StoreError},
    lease,
};
use sea_orm::ConnectionTrait;
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
pub(crate) async fn apply<C: ConnectionTrait>(
    (ledger, db): (&Ledger, &C),
    writer: &Writer,
    boundary: &Boundary,
    witness: Witness<'_>,
    now: Timestamp,
) -> Result<Option<AuditSeq>, Refused> {
    if let Writer::Session(lease) = writer {
        lease::check(db, lease).await?;
    }
    if let Witness::Claim(Claimed { guard: Some(guard), .. }) = &witness {
        standing::still(db, writer, guard).await?;
    }
    writes::perform(db, writer, &boundary.writes, now).await?;
    let mut chain = ledger.open(db, writer.chain(), now).await?;
    for entry in &boundary.audit {
        chain.add(entry.clone())?;
    }
    let at = match witness {
        Witness::None => None,
        Witness::Entry(entry) => Some(chain.add(entry)?),
        Witness::Claim(claimed) => Some(decide(db, &mut chain, &claimed, now).await?),
    };
    if let Writer::Session(lease) = writer {
        events::journal(db, lease.session, boundary).await?;
    } else if !boundary.events.is_empty() {
        return Err(StoreError::NeedsSession { what: "a session event" }.into());
    }
    chain.finish(db).await?;
    Ok(at.map(AuditSeq::new))
}

async fn decide<C: ConnectionTrait>(
    db: &C,
    chain: &mut Appending<'_>,
    claimed: &Claimed<'_>,
    now: Timestamp,
) -> Result<u64, Refused> {
    let at = chain.add_document("decision", claimed.record)?;
    if let Some(guard) = claimed.guard {
        guard::take(db, claimed, guard, (at, now)).await?;
    }
    Ok(at)
}
