//! A yes: what a person said, and the approval that it proves, in one transaction.

use crate::{
    account::authority::Authority,
    approval::{
        error::ApprovalError,
        question::{self, GIVEN, decide, join},
        quorum::JOINED,
    },
    audit::Chain,
    database::clock::now,
    error::StoreError,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::act,
        write_transaction::WriteTransaction,
    },
};
use wiiiv_domain::{ContentDigest, Timestamp};
use wiiiv_gate::{
    ApprovalGiven, AuditSeq, PendingQuestion, Recorded, Registrar, Unrecorded, UserEvent,
    approval as gate,
};

/// What a yes comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It is the last of those that have to be said.
    Last,
    /// Others have to join it.
    Joined,
}

impl Part {
    const fn kind(self) -> &'static str {
        match self {
            Self::Last => GIVEN,
            Self::Joined => JOINED,
        }
    }
}

impl Store {
    /// A person's yes as they said it, and the approval that it proves. It counts only where the
    /// question is still open and in time, and where it is the last of those that have to be said; of
    /// two answers the first wins. Of one that does not count nothing is written. The number of the
    /// boundary's last event comes back too, if it has any.
    pub async fn record_approval(
        &self,
        writer: &Writer,
        boundary: Boundary,
        said: Unrecorded<UserEvent>,
        asked: PendingQuestion,
    ) -> Result<(Recorded<ApprovalGiven>, Option<u64>), ApprovalError> {
        self.record_yes(writer, boundary, (said, asked), Part::Last).await
    }

    /// The same of one that others have to join: the question stays open.
    pub async fn join_approval(
        &self,
        writer: &Writer,
        boundary: Boundary,
        said: Unrecorded<UserEvent>,
        asked: PendingQuestion,
    ) -> Result<(Recorded<ApprovalGiven>, Option<u64>), ApprovalError> {
        self.record_yes(writer, boundary, (said, asked), Part::Joined).await
    }

    async fn record_yes(
        &self,
        writer: &Writer,
        boundary: Boundary,
        (said, asked): (Unrecorded<UserEvent>, PendingQuestion),
        part: Part,
    ) -> Result<(Recorded<ApprovalGiven>, Option<u64>), ApprovalError> {
        let said = self.registrar().take(said).map_err(StoreError::from)?;
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        let (registrar, writer) = (self.registrar_for_writer(), writer.clone());
        let ((at, bytes), last_event) = self
            .write(boundary.point, move |tx| {
                Box::pin(async move {
                    let now = now();
                    let (act, bytes) = act(tx, (&writer, &boundary), &said, now).await?;
                    let given = proven(&registrar, (act.at, bytes), &asked)?;
                    let given = give(tx, writer.chain(), (given, part), now).await;
                    given.map(|given| (given, act.last_event))
                })
            })
            .await?;
        let digest = ContentDigest::of_bytes(&bytes);
        let given = self.registrar().restore(at, &bytes, digest).map_err(StoreError::from)?;
        Ok((given, last_event))
    }
}

/// Of an act that stands in the chain's head, at that place.
// INVARIANT: in the transaction that writes the act: the evidence of it leaves that only as the
// approval, which is written there too or, with the act, not at all.
fn proven(
    registrar: &Registrar,
    (at, bytes): (AuditSeq, Vec<u8>),
    asked: &PendingQuestion,
) -> Result<ApprovalGiven, ApprovalError> {
    let digest = ContentDigest::of_bytes(&bytes);
    let said = registrar.restore(at, &bytes, digest).map_err(StoreError::from)?;
    Ok(registrar.take(gate::given(&said, asked)?).map_err(StoreError::from)?)
}

/// Behind the act that it names. Its place and its bytes come back.
async fn give(
    tx: &mut WriteTransaction,
    chain: Chain,
    (given, part): (ApprovalGiven, Part),
    now: Timestamp,
) -> Result<(AuditSeq, Vec<u8>), ApprovalError> {
    let bytes = serde_json::to_vec(&given).map_err(StoreError::from)?;
    let entry =
        AuditEntry::new(part.kind(), question::body(&given, ContentDigest::of_bytes(&bytes)));
    let at = tx.record(chain, now, entry).await?;
    let evidence = (at, bytes.clone());
    match part {
        Part::Last => decide(&tx.db, &given, evidence, now).await?,
        Part::Joined => join(&tx.db, &given, evidence, now).await?,
    }
    Ok((AuditSeq::new(at), bytes))
}
