//! Checks at start that the master key is the one that sealed the data.

use crate::aad::Aad;
use crate::sealed::Sealed;
use crate::vault::{Vault, VaultError};

const CANARY: &[u8] = b"wiiiv canary";

impl Vault {
    /// A sealed constant, stored with the data at the first start.
    pub fn canary(&self) -> Result<Sealed, VaultError> {
        self.seal(&binding(), CANARY)
    }

    /// Whether this key sealed the data; checked at each later start, before anything is opened.
    #[must_use]
    pub fn opens_canary(&self, canary: &Sealed) -> bool {
        self.open(&binding(), canary).is_ok_and(|opened| opened.as_slice() == CANARY)
    }
}

fn binding() -> Aad {
    Aad {
        owner: "wiiiv".to_owned(),
        scope: "server".to_owned(),
        purpose: "canary".to_owned(),
        origin: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::binding;
    use crate::{MasterKey, Vault};
    use std::sync::Arc;

    fn vault(seed: &str, version: u32) -> Vault {
        Vault::under(Arc::new(MasterKey::parse(&seed.repeat(32)).unwrap()), version)
    }

    #[test]
    fn the_right_key_passes_and_any_other_does_not() {
        let canary = vault("01", 1).canary().unwrap();
        assert!(vault("01", 1).opens_canary(&canary));
        assert!(!vault("02", 1).opens_canary(&canary));
        assert!(!vault("01", 2).opens_canary(&canary));
    }

    #[test]
    fn another_sealed_text_is_no_canary() {
        let vault = vault("01", 1);
        let other = vault.seal(&binding(), b"another text").unwrap();
        assert!(!vault.opens_canary(&other));
    }
}
