//! One-time links of the demo: opening one signs in the demo's user, once.

use secrecy::SecretString;
use sha2::{Digest as _, Sha256};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};
use wiiiv_vault::{RandomnessUnavailable, random_bytes};

const SECRET_BYTES: usize = 32;

/// Of the newest link its hash, until it is used. Cheap to clone; the clones share it.
#[derive(Clone, Default)]
pub struct DemoLinks(Arc<Mutex<Option<[u8; 32]>>>);

impl DemoLinks {
    /// A fresh secret. A link that was not used is void from now on.
    pub fn renew(&self) -> Result<SecretString, RandomnessUnavailable> {
        let text = hex::encode(random_bytes::<SECRET_BYTES>()?.as_slice());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(hash(&text));
        Ok(SecretString::from(text))
    }

    /// Whether it is the newest and was not used; then it is used now.
    pub(crate) fn take(&self, text: &str) -> bool {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = *newest == Some(hash(text));
        if fits {
            *newest = None;
        }
        fits
    }
}

/// Hashes are compared, so that the time tells nothing about the secret.
fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

impl fmt::Debug for DemoLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DemoLinks(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::DemoLinks;
    use secrecy::ExposeSecret as _;

    #[test]
    fn a_link_is_used_once_and_a_newer_one_voids_it() {
        let links = DemoLinks::default();
        assert!(!links.take(""));
        let first = links.renew().expect("a link");
        let second = links.renew().expect("a link");
        assert!(!links.take(first.expose_secret()));
        assert!(links.clone().take(second.expose_secret()));
        assert!(!links.take(second.expose_secret()));
    }
}
