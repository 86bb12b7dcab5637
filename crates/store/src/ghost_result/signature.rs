//! The signature under a result: what it has to be of, and by whom.

use super::{GhostRefused, GhostResult};
use crate::{error::StoreError, runner_key, writer::write_transaction::WriteTransaction};
use sea_orm::ActiveEnum as _;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DigestError, GhostStatement};
use wiiiv_vault::{RUNNER_KEY_BYTES, SIGNATURE_BYTES, is_signed_by};

/// By a runner's key, of which the server knows the public half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultSignature {
    pub public_key: [u8; RUNNER_KEY_BYTES],
    /// Of the bytes of [`GhostResult::statement`].
    pub signature: [u8; SIGNATURE_BYTES],
}

impl ResultSignature {
    pub(super) fn check(&self, result: &GhostResult) -> Result<(), GhostRefused> {
        let unreadable =
            |error: DigestError| GhostRefused::Store(StoreError::corrupt(error.to_string()));
        let statement = result.statement().map_err(unreadable)?;
        match is_signed_by(&self.public_key, &statement, &self.signature) {
            true => Ok(()),
            false => Err(GhostRefused::WrongSignature),
        }
    }

    /// The registered key that it is by.
    pub(super) async fn key(&self, tx: &WriteTransaction) -> Result<Uuid, GhostRefused> {
        let key = runner_key::of_public(tx, &self.public_key).await?;
        let key = key.ok_or(GhostRefused::UnknownKey)?;
        match key.revoked_at {
            None => Ok(key.id),
            Some(_) => Err(GhostRefused::RevokedKey { name: key.name }),
        }
    }
}

impl GhostResult {
    /// What a runner signs: all of it but its id and when it was stored, which the server gives it.
    pub fn statement(&self) -> Result<Vec<u8>, DigestError> {
        let (mode, verdict) = (self.mode.to_value(), self.verdict.to_value());
        let invariants = self.invariants.map(|held| held.to_value());
        let statement = GhostStatement {
            scenario: &self.scenario,
            mode: &mode,
            verdict: &verdict,
            build: &self.build,
            seed: self.seed,
            policy_hash: &self.policy_hash,
            prompt_hash: &self.prompt_hash,
            provider: self.provider,
            model: &self.model,
            revision: self.revision.as_deref(),
            repeat: self.repeat,
            invariants: invariants.as_deref(),
            first_violation: self.first_violation.as_deref(),
            duration_ms: self.duration_ms,
            report: ContentDigest::of(&self.report)?,
        };
        statement.bytes()
    }
}
