//! The signature of a webhook's body.

use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

/// The shortest secret that signs, in bytes: a shorter one can be guessed.
pub const WEBHOOK_SECRET_BYTES_MIN: usize = 16;

/// HMAC-SHA-256 of `timestamp`, a full stop and `body`, as 64 hexadecimal digits. `None` if the secret is
/// shorter than [`WEBHOOK_SECRET_BYTES_MIN`].
#[must_use]
pub fn webhook_signature(secret: &SecretString, timestamp: &str, body: &[u8]) -> Option<String> {
    let secret = secret.expose_secret().as_bytes();
    if secret.len() < WEBHOOK_SECRET_BYTES_MIN {
        return None;
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
    mac.update(timestamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    Some(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::webhook_signature;
    use secrecy::SecretString;

    #[test]
    fn anybody_with_the_secret_counts_the_same() {
        // printf '1700000000.{"a":1}\n' | openssl dgst -sha256 -hmac 0123456789abcdef
        let secret = SecretString::from("0123456789abcdef");
        let signed = webhook_signature(&secret, "1700000000", b"{\"a\":1}\n").unwrap();
        assert_eq!(signed, "18cfe137412ce58dbaa20ef668c0af70a406aa27498ca2ea8817bd662d9ae6a0");
        assert_ne!(webhook_signature(&secret, "1700000001", b"{\"a\":1}\n").unwrap(), signed);
        assert_eq!(webhook_signature(&SecretString::from("short"), "1", b""), None);
    }
}
