//! A yes: what a person said, and the approval that it proves, in one transaction.

use crate::{
    account::authority::Authority,
    approval::{
        delegation::in_force,
        error::ApprovalError,
        question::{self, GIVEN, decide, join},
        quorum::JOINED,
    },
    audit::Chain,
    database::{clock::now, statement::Reads},
    error::StoreError,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::acted,
        write_transaction::WriteTransaction,
    },
};
use wiiiv_domain::{ContentDigest, Timestamp};
use wiiiv_gate::{
    ApprovalGiven, AuditSeq, DelegationGiven, PendingQuestion, Recorded, Registrar, Unrecorded,
    UserEvent, UserEventKind, approval as gate,
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
                    let (said, last_event) =
                        acted(tx, (&writer, &boundary), (&registrar, &said), now).await?;
                    let lent = lent(&tx.db, &registrar, (said.body(), &asked), now).await?;
                    let given = proven(&registrar, (&said, &asked), lent.as_ref())?;
                    let given = give(tx, writer.chain(), (given, part), now).await;
                    given.map(|given| (given, last_event))
                })
            })
            .await?;
        let digest = ContentDigest::of_bytes(&bytes);
        let given = self.registrar().restore(at, &bytes, digest).map_err(StoreError::from)?;
        Ok((given, last_event))
    }
}

/// Of an act of the same transaction.
fn proven(
    registrar: &Registrar,
    (said, asked): (&Recorded<UserEvent>, &PendingQuestion),
    lent: Option<&Recorded<DelegationGiven>>,
) -> Result<ApprovalGiven, ApprovalError> {
    let given = match lent {
        None => gate::given(said, asked)?,
        Some(lent) => gate::given_for(said, asked, lent)?,
    };
    Ok(registrar.take(given).map_err(StoreError::from)?)
}

/// The delegation that the act names, where it stands at this very moment. Nothing is read for an act that
/// names none.
async fn lent<C: Reads>(
    db: &C,
    registrar: &Registrar,
    (said, asked): (&UserEvent, &PendingQuestion),
    now: Timestamp,
) -> Result<Option<Recorded<DelegationGiven>>, ApprovalError> {
    let UserEventKind::Approve { delegation: Some(id), .. } = said.kind() else { return Ok(None) };
    let of = ((asked.project, *id), (said.user(), asked.requester));
    in_force::standing(db, registrar, of.0, of.1, now).await.map(Some)
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
