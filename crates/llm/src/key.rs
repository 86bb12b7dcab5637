//! A provider's key, between the store and the one origin that it may be sent to.

use secrecy::SecretString;
use std::fmt;
use wiiiv_net::Origin;

#[derive(Clone)]
pub struct ProviderKey {
    pub(crate) secret: SecretString,
    pub(crate) origin: Origin,
}

impl ProviderKey {
    /// `origin`: the one that the key was stored for.
    #[must_use]
    pub fn new(origin: Origin, secret: SecretString) -> Self {
        Self { secret, origin }
    }
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl fmt::Debug for ProviderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderKey").field("origin", &self.origin).finish_non_exhaustive()
    }
}
