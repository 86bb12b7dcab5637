//! User name and secret for a registered system: opened for one use, zeroed on drop.

use secrecy::{ExposeSecret as _, SecretString};
use std::fmt;
use zeroize::Zeroizing;

/// The longest user name or secret, in bytes.
pub const CREDENTIAL_BYTES_MAX: usize = 4_096;
/// The shortest secret, in bytes. A shorter one occurs in texts by chance, so it could not be
/// redacted.
pub const SECRET_BYTES_MIN: usize = 4;

/// A credential. The user name is empty if the authentication has none.
#[derive(Clone)]
pub struct Credential {
    username: SecretString,
    secret: SecretString,
}

/// Why a credential was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    /// The secret is shorter than [`SECRET_BYTES_MIN`].
    #[error("a credential's secret has fewer than `{SECRET_BYTES_MIN}` bytes: give a longer one")]
    Short,
    /// A part is too long or has a character that cannot be sent.
    #[error(
        "a user name or secret is at most `{CREDENTIAL_BYTES_MAX}` bytes, without NUL, CR or LF"
    )]
    Unfit,
    /// The opened bytes are not a credential.
    #[error("the opened value is no credential")]
    Format,
}

impl Credential {
    /// From the two parts; checks their length and characters.
    pub fn new(username: SecretString, secret: SecretString) -> Result<Self, CredentialError> {
        let unfit = |text: &SecretString| {
            let text = text.expose_secret();
            text.len() > CREDENTIAL_BYTES_MAX || text.contains(['\0', '\r', '\n'])
        };
        if unfit(&username) || unfit(&secret) {
            return Err(CredentialError::Unfit);
        }
        if secret.expose_secret().len() < SECRET_BYTES_MIN {
            return Err(CredentialError::Short);
        }
        Ok(Self { username, secret })
    }
    /// The user name; may be empty.
    #[must_use]
    pub const fn username(&self) -> &SecretString {
        &self.username
    }
    /// The secret itself.
    #[must_use]
    pub const fn secret(&self) -> &SecretString {
        &self.secret
    }
    /// For sealing: both parts, separated by a NUL, which neither may contain.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (name, secret) = (self.username.expose_secret(), self.secret.expose_secret());
        let mut bytes = Zeroizing::new(Vec::with_capacity(name.len() + secret.len() + 1));
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(secret.as_bytes());
        bytes
    }
    /// From what [`Credential::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CredentialError> {
        let text = std::str::from_utf8(bytes).map_err(|_| CredentialError::Format)?;
        let (name, secret) = text.split_once('\0').ok_or(CredentialError::Format)?;
        Self::new(SecretString::from(name), SecretString::from(secret))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::{Credential, CredentialError};
    use secrecy::ExposeSecret as _;

    #[test]
    fn comes_back_from_its_bytes_and_shows_nothing() {
        let both = Credential::new("user".into(), "geheim-1".into()).unwrap();
        let again = Credential::from_bytes(&both.to_bytes()).unwrap();
        assert_eq!(again.username().expose_secret(), "user");
        assert_eq!(again.secret().expose_secret(), "geheim-1");
        assert_eq!(format!("{again:?}"), "Credential(..)");
    }

    #[test]
    fn refuses_what_could_end_a_header_or_hide_a_part() {
        let of = |name: &str, secret: &str| Credential::new(name.into(), secret.into());
        assert_eq!(of("a\0b", "cdef").unwrap_err(), CredentialError::Unfit);
        assert_eq!(of("a", "b\r\nx: y").unwrap_err(), CredentialError::Unfit);
        for short in ["", "abc"] {
            assert_eq!(of("a", short).unwrap_err(), CredentialError::Short);
        }
        assert!(of("a", "abcd").is_ok());
        assert_eq!(Credential::from_bytes(b"no-nul").unwrap_err(), CredentialError::Format);
    }
}
