//! Passwords: argon2id, a few at a time, on blocking threads.

use argon2::{
    Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version,
    password_hash::phc::PasswordHash,
};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use tokio::sync::Semaphore;
use wiiiv_vault::random_bytes;

/// Hashes at the same time: each takes 19 MiB of memory.
const HASHING_MAX: usize = 2;
/// Hashes that may wait for their turn.
const WAITING_MAX: usize = 32;
const SALT_BYTES: usize = 16;
/// What a name nobody has is checked against: it takes as long as a real one.
const NOBODYS_SALT: [u8; SALT_BYTES] = [0x5a; SALT_BYTES];

/// What one hash costs whoever computes it. A kept hash says its own: whatever the cost is now, it can
/// be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCost {
    memory_kib: u32,
    passes: u32,
}

impl PasswordCost {
    /// 19 MiB and two passes, which OWASP asks for at least.
    pub const PRODUCT: Self =
        Self { memory_kib: Params::DEFAULT_M_COST, passes: Params::DEFAULT_T_COST };

    /// Tests give a small one: they make hundreds of accounts. `cargo xtask tidy` refuses it in
    /// shipped code. `None`: argon2 knows no hash as cheap as that.
    #[must_use]
    pub fn new(memory_kib: u32, passes: u32) -> Option<Self> {
        let cost = Self { memory_kib, passes };
        cost.params().map(|_| cost)
    }

    fn params(self) -> Option<Params> {
        Params::new(self.memory_kib, self.passes, Params::DEFAULT_P_COST, None).ok()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many log-ins at once; try again in a moment")]
pub(crate) struct Busy;

/// Tells one kept password from another, and nothing of either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PasswordStamp([u8; 32]);

impl PasswordStamp {
    pub(crate) fn of(kept: &str) -> Self {
        Self(Sha256::digest(kept.as_bytes()).into())
    }
}

#[derive(Debug)]
pub(crate) struct PasswordGate {
    cost: PasswordCost,
    waiting: Semaphore,
    hashing: Arc<Semaphore>,
}

impl PasswordGate {
    pub(crate) fn new(cost: PasswordCost) -> Self {
        Self {
            cost,
            waiting: Semaphore::new(HASHING_MAX + WAITING_MAX),
            hashing: Arc::new(Semaphore::new(HASHING_MAX)),
        }
    }

    /// The PHC text to keep.
    pub(crate) async fn hash(&self, password: SecretString) -> Result<String, Busy> {
        let cost = self.cost;
        let hash = self.run(move || {
            let salt = *random_bytes::<SALT_BYTES>().ok()?;
            hash_with(&password, &salt, cost)
        });
        hash.await?.ok_or(Busy)
    }

    /// `None`: there is no such person. It costs the same, and never fits.
    pub(crate) async fn verify(
        &self,
        password: SecretString,
        kept: Option<String>,
    ) -> Result<bool, Busy> {
        let cost = self.cost;
        self.run(move || match kept {
            Some(kept) => fits(&password, &kept),
            None => hash_with(&password, &NOBODYS_SALT, cost).is_some_and(|_| false),
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let _place = self.waiting.try_acquire().map_err(|_| Busy)?;
        let turn = Arc::clone(&self.hashing).acquire_owned().await.map_err(|_| Busy)?;
        let worked = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        });
        worked.await.map_err(|_| Busy)
    }
}

fn hash_with(password: &SecretString, salt: &[u8], cost: PasswordCost) -> Option<String> {
    let bytes = password.expose_secret().as_bytes();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, cost.params()?);
    argon2.hash_password_with_salt(bytes, salt).ok().map(|hash| hash.to_string())
}

fn fits(password: &SecretString, kept: &str) -> bool {
    let bytes = password.expose_secret().as_bytes();
    PasswordHash::new(kept)
        .is_ok_and(|hash| Argon2::default().verify_password(bytes, &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{PasswordCost, PasswordGate};
    use secrecy::SecretString;

    #[tokio::test]
    async fn only_the_very_password_fits() {
        let gate = PasswordGate::new(PasswordCost::PRODUCT);
        let hash = gate.hash(SecretString::from("correct horse")).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let try_with = |text: &str| gate.verify(SecretString::from(text), Some(hash.clone()));
        assert_eq!(try_with("correct horse").await, Ok(true));
        assert_eq!(try_with("correct horse ").await, Ok(false));
        assert_eq!(gate.verify(SecretString::from("correct horse"), None).await, Ok(false));
    }

    #[tokio::test]
    async fn a_hash_of_another_cost_is_checked_by_its_own() {
        let cheap = PasswordGate::new(PasswordCost::new(64, 1).unwrap());
        let password = || SecretString::from("correct horse");
        let hash = cheap.hash(password()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{hash}");
        let gate = PasswordGate::new(PasswordCost::PRODUCT);
        assert_eq!(gate.verify(password(), Some(hash.clone())).await, Ok(true));
        assert_eq!(gate.verify(SecretString::from("correct"), Some(hash)).await, Ok(false));
    }

    #[test]
    fn what_argon2_does_not_know_is_no_cost() {
        assert_eq!(PasswordCost::new(1, 1), None);
        assert_eq!(PasswordCost::new(64, 0), None);
    }
}
