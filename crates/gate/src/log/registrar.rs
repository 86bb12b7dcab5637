//! The store's part: it restores evidence and attests commits.

use crate::{
    evidence::{
        ApprovalRequest, PendingQuestion, Principal, Rights,
        sealed::{Evidence, Reader},
    },
    log::{
        audit_seq::AuditSeq,
        corrupt::Corrupt,
        recorded::Recorded,
        unrecorded::{ForeignEvidence, Unrecorded},
    },
    permit::{
        claim::Claim,
        committed::Committed,
        seal::{Opening, Seal},
    },
};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ProjectId, UserId};

/// Not Clone. It moves into the store, and no other place has one.
#[derive(Debug)]
pub struct Registrar {
    seal: Seal,
}

impl Registrar {
    pub(crate) fn of(seal: Seal) -> Self {
        Self { seal }
    }

    /// Reads a row of the log: the only way to a `Recorded`. `digest` is the digest of the bytes in
    /// the audit record at that place.
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

    /// A person who was just authenticated, with their rights in the project; `None` for no
    /// project, where only server rights matter.
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

    /// Whether this opening authenticated that person; checked before their answer is used.
    #[must_use]
    pub fn opened(&self, opening: &Opening) -> bool {
        opening.is(&self.seal)
    }

    /// Takes evidence to be written. It refuses evidence of another opening, which recording would
    /// otherwise turn into its own.
    pub fn take<E: Evidence>(&self, made: Unrecorded<E>) -> Result<E, ForeignEvidence> {
        made.taken(&self.seal)
    }

    /// Whether this opening's log holds the evidence.
    #[must_use]
    pub fn recorded<E: Evidence>(&self, evidence: &Recorded<E>) -> bool {
        evidence.is_of(&self.seal)
    }

    /// Whether this opening's keeper made the claim; checked before anything is written, so that a
    /// foreign claim consumes nothing.
    #[must_use]
    pub fn made(&self, claim: &Claim) -> bool {
        claim.is_of(&self.seal)
    }

    /// Called only after COMMIT. Takes the claim: it is attested once.
    pub fn attest(&self, claim: Claim, at: AuditSeq) -> Committed {
        Committed::new(self.seal.clone(), claim.into_tie(), at)
    }
}
