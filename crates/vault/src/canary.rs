//! The start-up check that the master key is the one that this data was sealed with.

use crate::aad::Aad;
use crate::sealed::Sealed;
use crate::vault::{Vault, VaultError};

const CANARY: &[u8] = b"wiiiv canary";

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the master key is not the one that this data was sealed with (data: version `{sealed}`, \
     given: version `{given}`): start again with the right key, from the key file or its backup; \
     without it the sealed keys in this data folder cannot be read, and nothing was changed"
)]
pub struct WrongMasterKey {
    sealed: u32,
    given: u32,
}

impl Vault {
    /// To be stored beside the data at first start.
    pub fn canary(&self) -> Result<Sealed, VaultError> {
        self.seal(&binding(), CANARY)
    }

    /// To be called at every later start, before anything else is opened.
    pub fn check_canary(&self, canary: &Sealed) -> Result<(), WrongMasterKey> {
        let wrong = WrongMasterKey { sealed: canary.key_version, given: self.key_version() };
        let opened = self.open(&binding(), canary).map_err(|_| wrong)?;
        if opened.as_slice() == CANARY { Ok(()) } else { Err(wrong) }
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

    fn vault(seed: &str, version: u32) -> Vault {
        Vault::new(MasterKey::parse(&seed.repeat(32)).unwrap(), version)
    }

    #[test]
    fn the_right_key_passes_and_any_other_does_not() {
        let canary = vault("01", 1).canary().unwrap();
        assert_eq!(vault("01", 1).check_canary(&canary), Ok(()));
        assert!(vault("02", 1).check_canary(&canary).is_err());
        let error = vault("01", 2).check_canary(&canary).unwrap_err();
        assert!(error.to_string().contains("start again with the right key"));
    }

    #[test]
    fn another_sealed_text_is_no_canary() {
        let vault = vault("01", 1);
        let other = vault.seal(&binding(), b"another text").unwrap();
        assert!(vault.check_canary(&other).is_err());
    }
}
