//! Devices that a person has logged in from. Each keeps a token that opens nothing; it distinguishes the
//! device's next log-in from a stranger's. The store keeps no row for it.

use crate::{error::StoreError, store::Store};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use secrecy::SecretString;
use wiiiv_domain::Timestamp;
use wiiiv_vault::random_bytes;

/// So that it is known as one wherever it turns up.
const PREFIX: &str = "wiiivd_";
/// Since the last log-in there, in days.
const KNOWN_DAYS: u32 = 180;
const DAY_MS: i64 = 24 * 3600 * 1000;
const ID_BYTES: usize = 16;
const DAY_BYTES: usize = 4;
const HASH_BYTES: usize = 32;
/// A longer text is no token: it is refused unread.
const TOKEN_CHARS_MAX: usize = 128;

/// One device of one person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceId([u8; ID_BYTES]);

impl DeviceId {
    #[must_use]
    pub const fn from_bytes(bytes: [u8; ID_BYTES]) -> Self {
        Self(bytes)
    }
}

impl Store {
    /// For whoever has just logged in under this name. A device that is known keeps its id.
    pub fn device_token(
        &self,
        name: &str,
        known: Option<DeviceId>,
        now: Timestamp,
    ) -> Result<SecretString, StoreError> {
        let id = match known {
            Some(id) => id,
            None => DeviceId(*random_bytes::<ID_BYTES>()?),
        };
        let signed = [id.0.as_slice(), &day_of(now).to_be_bytes()].concat();
        let hash = self.signer().device_hash(name, &signed);
        let text = URL_SAFE_NO_PAD.encode([signed.as_slice(), &hash].concat());
        Ok(SecretString::from(format!("{PREFIX}{text}")))
    }

    /// `None`: of somebody else, of another server, too old, or no token at all.
    #[must_use]
    pub fn known_device(&self, name: &str, text: &str, now: Timestamp) -> Option<DeviceId> {
        if text.len() > TOKEN_CHARS_MAX {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
        let (signed, hash) = bytes.split_at_checked(ID_BYTES + DAY_BYTES)?;
        let hash: [u8; HASH_BYTES] = hash.try_into().ok()?;
        let (id, day) = signed.split_first_chunk::<ID_BYTES>()?;
        let day = u32::from_be_bytes(day.try_into().ok()?);
        let age = day_of(now).checked_sub(day)?;
        let is_ours = same(&hash, &self.signer().device_hash(name, signed));
        (is_ours && age <= KNOWN_DAYS).then_some(DeviceId(*id))
    }
}

fn day_of(at: Timestamp) -> u32 {
    u32::try_from(at.unix_ms() / DAY_MS).unwrap_or(0)
}

/// In a time that does not tell where they differ.
fn same(one: &[u8; HASH_BYTES], other: &[u8; HASH_BYTES]) -> bool {
    one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}
