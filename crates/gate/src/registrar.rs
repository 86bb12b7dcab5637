//! The store's part: it witnesses what stands in the log and what has been committed.

use crate::{
    audit_seq::AuditSeq,
    claim::Claim,
    committed::Committed,
    corrupt::Corrupt,
    evidence::{
        ApprovalRequest, PendingQuestion, Principal, Rights,
        sealed::{Evidence, Reader},
    },
    recorded::Recorded,
    seal::{Opening, Seal},
    unrecorded::{ForeignEvidence, Unrecorded},
};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ProjectId, UserId};

/// Not Clone. Moved into the store; nothing else ever holds one.
#[derive(Debug)]
pub struct Registrar {
    seal: Seal,
}

impl Registrar {
    pub(crate) fn of(seal: Seal) -> Self {
        Self { seal }
    }

    /// Reads a row of the log back: the one way to a `Recorded`, on the day it was written and
    /// after any restart. `digest` is what the audit's record at that place says of the bytes.
    pub fn restore<E: Evidence>(
        &self,
        at: AuditSeq,
        bytes: &[u8],
        digest: ContentDigest,
    ) -> Result<Recorded<E>, Corrupt> {
        if ContentDigest::of_bytes(bytes) != digest {
            return Err(Corrupt::Changed { at: at.get() });
        }
        let body = E::read(Reader::new(at), bytes)?;
        Ok(Recorded::new(self.seal.clone(), at, body))
    }

    /// Somebody who has just been authenticated, with their rights in the project at hand;
    /// `None`: no project, so only the server's own matters.
    #[must_use]
    pub fn principal(
        &self,
        (user, token): (UserId, Uuid),
        label: &str,
        project: Option<ProjectId>,
        rights: Rights,
    ) -> Principal {
        Principal::new(self.seal.clone(), (user, token), label.to_owned(), project, rights)
    }

    /// A question as its row has it.
    #[must_use]
    pub fn asked(&self, request: ApprovalRequest) -> PendingQuestion {
        PendingQuestion::new(self.seal.clone(), request)
    }

    /// Asked before anything of a person's is used: whether this opening authenticated them.
    #[must_use]
    pub fn opened(&self, opening: &Opening) -> bool {
        opening.is(&self.seal)
    }

    /// To be written. Evidence of another opening is refused, so that recording it here does not make
    /// it this opening's.
    pub fn take<E: Evidence>(&self, made: Unrecorded<E>) -> Result<E, ForeignEvidence> {
        made.taken(&self.seal)
    }

    /// Whether this was read from this opening's log.
    #[must_use]
    pub fn recorded<E: Evidence>(&self, evidence: &Recorded<E>) -> bool {
        evidence.is_of(&self.seal)
    }

    /// Whether this claim was ruled by the keeper of this opening. Asked before anything is
    /// written, so that a foreign claim consumes nothing.
    #[must_use]
    pub fn made(&self, claim: &Claim) -> bool {
        claim.is_of(&self.seal)
    }

    /// Only after COMMIT. Takes the claim: a claim is attested once.
    pub fn attest(&self, claim: Claim, at: AuditSeq) -> Committed {
        Committed::new(self.seal.clone(), claim.into_tie(), at)
    }
}
