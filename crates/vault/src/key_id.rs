//! An id to recognise a master key by, without storing the key.

use std::fmt;

pub(crate) const KEY_ID_LABEL: &[u8] = b"wiiiv/vault/key-id/1";
/// Length of an id, in bytes.
pub const KEY_ID_BYTES: usize = 16;

/// The beginning of a keyed hash of a fixed text. Equal keys have equal ids, and an id reveals
/// nothing of its key. It is stored with the data and shown to nobody.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyId([u8; KEY_ID_BYTES]);

impl KeyId {
    pub(crate) fn of(hash: &[u8; 32]) -> Self {
        let mut id = [0; KEY_ID_BYTES];
        id.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
        Self(id)
    }

    /// From the stored bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The bytes, to be stored beside the data.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; KEY_ID_BYTES] {
        &self.0
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyId(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::KeyId;
    use crate::MasterKey;

    fn key(seed: &str) -> MasterKey {
        MasterKey::parse(&seed.repeat(32)).unwrap()
    }

    #[test]
    fn a_key_is_known_again_and_no_other_is_taken_for_it() {
        let id = key("01").id();
        assert_eq!(key("01").id(), id);
        assert_ne!(key("02").id(), id);
        assert_eq!(KeyId::from_bytes(id.as_bytes()), Some(id));
        assert_eq!(KeyId::from_bytes(&[1; 15]), None);
        assert_eq!(format!("{id:?}"), "KeyId(..)");
    }

    #[test]
    fn it_stays_what_it_is() {
        // Computed apart from this code: HMAC-SHA-256 of the label under 32 bytes of `01`.
        assert_eq!(hex::encode(key("01").id().as_bytes()), "20eac990d9e9162681734276847d9e27");
    }
}
