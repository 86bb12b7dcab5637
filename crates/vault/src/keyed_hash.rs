//! HMAC-SHA-256 under a key of 32 bytes.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

const BLOCK_BYTES: usize = 64;

pub(crate) fn keyed_hash(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    // HMAC fills a key up to its hash's block with zeros; a whole block cannot be refused.
    let mut block = Zeroizing::new([0_u8; BLOCK_BYTES]);
    block.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
    let mut mac = Hmac::<Sha256>::new((&*block).into());
    mac.update(text);
    mac.finalize().into_bytes().into()
}
