//! Commits boundaries: with a claim, with evidence, or plain.

use crate::{
    account::authority::Authority,
    database::{clock::now, sqlite::Sqlite},
    error::StoreError,
    store::Store,
    writer::{
        apply::{self, Applied, Claimed, Refused, Witness},
        boundary::{AuditEntry, Boundary, Writer},
        queue::Work,
        refused::CommitRefused,
        write_transaction::WriteTransaction,
    },
};
use wiiiv_domain::{ContentDigest, Timestamp};
use wiiiv_gate::{AuditSeq, Claim, Committed, Recorded, Registrar, Unrecorded, UserEvent};

impl Store {
    /// Does what the claim wants and what the boundary holds, or nothing. The answer comes after
    /// COMMIT, with the number of the boundary's last event in the session's journal, if it has any.
    /// A denial's claim commits too: its record is written and nothing is taken.
    pub async fn commit(
        &self,
        writer: &Writer,
        boundary: Boundary,
        claim: Claim,
    ) -> Result<(Committed, Option<u64>), CommitRefused> {
        if !self.registrar().made(&claim) {
            return Err(StoreError::ForeignClaim.into());
        }
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        let writer = writer.clone();
        let (claim, applied) = self
            .write(boundary.point, move |tx| {
                Box::pin(async move {
                    let witness = Witness::Claim(Claimed::of(&claim));
                    match apply::apply(tx, &writer, &boundary, witness, now()).await {
                        Ok(applied) => Ok((claim, applied)),
                        Err(Refused::Moved(moved)) => Err(CommitRefused::Moved(moved, boundary)),
                        Err(Refused::Store(error)) => Err(CommitRefused::Unavailable(error)),
                    }
                })
            })
            .await?;
        // A decision without its record never gets here: `apply` gives the record's place.
        let at = applied.witness.ok_or_else(|| StoreError::corrupt("the decision's record"))?;
        Ok((self.registrar().attest(claim, at), applied.last_event))
    }

    /// Without a claim. The number of its last event in the session's journal comes back, if it has any.
    pub async fn append(
        &self,
        writer: &Writer,
        boundary: Boundary,
    ) -> Result<Option<u64>, StoreError> {
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        let writer = writer.clone();
        self.write(boundary.point, move |tx| {
            Box::pin(async move {
                let applied = apply::apply(tx, &writer, &boundary, Witness::None, now()).await;
                applied.map(|applied| applied.last_event).map_err(unguarded)
            })
        })
        .await
    }

    /// What an authenticated person said or did, as evidence; the number of the last event as above.
    pub async fn record_user_event(
        &self,
        writer: &Writer,
        boundary: Boundary,
        event: Unrecorded<UserEvent>,
    ) -> Result<(Recorded<UserEvent>, Option<u64>), StoreError> {
        let event = self.registrar().take(event)?;
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        let writer = writer.clone();
        let (Placed { at, last_event }, bytes) = self
            .write(boundary.point, move |tx| {
                Box::pin(async move { act(tx, (&writer, &boundary), &event, now()).await })
            })
            .await?;
        let event = self.registrar().restore(at, &bytes, ContentDigest::of_bytes(&bytes))?;
        Ok((event, last_event))
    }

    /// A boundary with one evidence record, and what else that record is the reason of.
    pub(crate) async fn apply_with<E, F>(
        &self,
        writer: &Writer,
        boundary: Boundary,
        entry: AuditEntry,
        then: F,
    ) -> Result<Placed, E>
    where
        E: From<StoreError> + Send + 'static,
        F: for<'t> FnOnce(&'t Sqlite, u64, Timestamp) -> Work<'t, Result<(), E>> + Send + 'static,
    {
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        let writer = writer.clone();
        self.write(boundary.point, move |tx| {
            Box::pin(async move {
                let at = now();
                let placed = with_entry(tx, (&writer, &boundary), entry, at).await?;
                then(&tx.db, placed.at.get(), at).await?;
                Ok(placed)
            })
        })
        .await
    }
}

/// Where an evidence record stands, and the last event of its boundary in the session's journal.
pub(crate) struct Placed {
    pub(crate) at: AuditSeq,
    pub(crate) last_event: Option<u64>,
}

/// A boundary with what a person did: its place and its bytes come back.
pub(crate) async fn act(
    tx: &mut WriteTransaction,
    of: (&Writer, &Boundary),
    event: &UserEvent,
    now: Timestamp,
) -> Result<(Placed, Vec<u8>), StoreError> {
    let entry = AuditEntry::new("user.event", serde_json::to_value(event)?);
    let placed = with_entry(tx, of, entry, now).await?;
    Ok((placed, serde_json::to_vec(event)?))
}

/// The same as evidence, for what the same transaction writes because of it. The number of the boundary's
/// last event comes back too, if it has any.
// INVARIANT: nothing is committed yet: the evidence leaves the transaction only as a row that rests on it,
// which is written there too or, with the act, not at all.
pub(crate) async fn acted(
    tx: &mut WriteTransaction,
    of: (&Writer, &Boundary),
    (registrar, event): (&Registrar, &UserEvent),
    now: Timestamp,
) -> Result<(Recorded<UserEvent>, Option<u64>), StoreError> {
    let (Placed { at, last_event }, bytes) = act(tx, of, event, now).await?;
    let event = registrar.restore(at, &bytes, ContentDigest::of_bytes(&bytes))?;
    Ok((event, last_event))
}

async fn with_entry(
    tx: &mut WriteTransaction,
    (writer, boundary): (&Writer, &Boundary),
    entry: AuditEntry,
    now: Timestamp,
) -> Result<Placed, StoreError> {
    let applied = apply::apply(tx, writer, boundary, Witness::Entry(entry), now).await;
    let Applied { witness, last_event } = applied.map_err(unguarded)?;
    let at = witness.ok_or_else(|| StoreError::corrupt("the evidence's record"))?;
    Ok(Placed { at, last_event })
}

/// Nothing can have moved where nothing was judged.
fn unguarded(refused: Refused) -> StoreError {
    match refused {
        Refused::Store(error) => error,
        Refused::Moved(moved) => StoreError::Unavailable { reason: moved.to_string() },
    }
}
