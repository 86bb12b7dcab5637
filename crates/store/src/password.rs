//! Passwords: argon2id, a few at a time, off the async threads.

use argon2::{
    Argon2, PasswordHasher as _, PasswordVerifier as _, password_hash::phc::PasswordHash,
};
use secrecy::{ExposeSecret as _, SecretString};
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many log-ins at once; try again in a moment")]
pub(crate) struct Busy;

#[derive(Debug)]
pub(crate) struct PasswordGate {
    waiting: Semaphore,
    hashing: Arc<Semaphore>,
}

impl PasswordGate {
    pub(crate) fn new() -> Self {
        Self {
            waiting: Semaphore::new(HASHING_MAX + WAITING_MAX),
            hashing: Arc::new(Semaphore::new(HASHING_MAX)),
        }
    }

    /// The PHC text to keep.
    pub(crate) async fn hash(&self, password: SecretString) -> Result<String, Busy> {
        let hash = self.run(move || {
            let salt = *random_bytes::<SALT_BYTES>().ok()?;
            hash_with(&password, &salt)
        });
        hash.await?.ok_or(Busy)
    }

    /// `None`: there is no such person. It costs the same, and never fits.
    pub(crate) async fn verify(
        &self,
        password: SecretString,
        kept: Option<String>,
    ) -> Result<bool, Busy> {
        self.run(move || match kept {
            Some(kept) => fits(&password, &kept),
            None => hash_with(&password, &NOBODYS_SALT).is_some_and(|_| false),
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

fn hash_with(password: &SecretString, salt: &[u8]) -> Option<String> {
    let bytes = password.expose_secret().as_bytes();
    Argon2::default().hash_password_with_salt(bytes, salt).ok().map(|hash| hash.to_string())
}

fn fits(password: &SecretString, kept: &str) -> bool {
    let bytes = password.expose_secret().as_bytes();
    PasswordHash::new(kept)
        .is_ok_and(|hash| Argon2::default().verify_password(bytes, &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::PasswordGate;
    use secrecy::SecretString;

    #[tokio::test]
    async fn only_the_very_password_fits() {
        let gate = PasswordGate::new();
        let hash = gate.hash(SecretString::from("correct horse")).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let try_with = |text: &str| gate.verify(SecretString::from(text), Some(hash.clone()));
        assert_eq!(try_with("correct horse").await, Ok(true));
        assert_eq!(try_with("correct horse ").await, Ok(false));
        assert_eq!(gate.verify(SecretString::from("correct horse"), None).await, Ok(false));
    }
}
