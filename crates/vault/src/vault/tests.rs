use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};

use super::{Vault, VaultError};
use crate::{Aad, MasterKey, Sealed};

const NONCES: usize = 100_000;

fn vault(seed: u8, version: u32) -> Vault {
    Vault::new(MasterKey::parse(&format!("{seed:02x}").repeat(32)).unwrap(), version)
}

fn aad() -> Aad {
    Aad {
        owner: "user-1".to_owned(),
        scope: "project-1".to_owned(),
        purpose: "OPENAI".to_owned(),
        origin: "https://api.openai.com".to_owned(),
    }
}

#[test]
fn every_flipped_bit_of_the_sealed_bytes_is_noticed() {
    let vault = vault(1, 1);
    let bytes = vault.seal(&aad(), b"sk-live-secret").unwrap().to_bytes();
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let opened = Sealed::from_bytes(&changed).map(|sealed| vault.open(&aad(), &sealed));
        assert!(!matches!(opened, Ok(Ok(_))), "bit {bit} flipped unnoticed");
    }
}

#[test]
fn every_flipped_bit_of_the_binding_is_noticed() {
    let vault = vault(1, 1);
    let sealed = vault.seal(&aad(), b"secret").unwrap();
    let parts: [fn(&mut Aad) -> &mut String; 4] =
        [|a| &mut a.owner, |a| &mut a.scope, |a| &mut a.purpose, |a| &mut a.origin];
    let mut flips = 0;
    for part in parts {
        for bit in 0..part(&mut aad()).len() * 8 {
            let mut bytes = part(&mut aad()).clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            // The high bit of ASCII gives no text, and so cannot be passed at all.
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let mut changed = aad();
            *part(&mut changed) = text;
            assert_eq!(vault.open(&changed, &sealed), Err(VaultError::NotAuthentic));
            flips += 1;
        }
    }
    assert!(flips > 200, "only {flips} flips were tried");
}

#[test]
fn another_key_or_version_does_not_open() {
    let sealed = vault(1, 1).seal(&aad(), b"secret").unwrap();
    assert_eq!(vault(2, 1).open(&aad(), &sealed), Err(VaultError::NotAuthentic));
    assert_eq!(
        vault(1, 2).open(&aad(), &sealed),
        Err(VaultError::KeyVersion { sealed: 1, held: 2 })
    );
    let relabelled = Sealed { key_version: 2, ..sealed };
    assert_eq!(vault(1, 2).open(&aad(), &relabelled), Err(VaultError::NotAuthentic));
}

#[test]
fn purposes_have_different_keys() {
    let vault = vault(1, 1);
    let openai = vault.purpose_key("OPENAI").unwrap();
    let audit = vault.purpose_key("audit-key").unwrap();
    assert_ne!(*openai, *audit);
    assert_ne!(&*openai, vault.master.bytes());
}

#[test]
fn nonces_do_not_repeat() {
    let vault = vault(3, 1);
    let nonces: HashSet<[u8; 12]> =
        (0..NONCES).map(|_| vault.seal(&aad(), b"").unwrap().nonce).collect();
    assert_eq!(nonces.len(), NONCES);
}

#[test]
fn debug_shows_no_key() {
    assert_eq!(format!("{:?}", vault(0xab, 4)), "Vault { version: 4, .. }");
}

proptest! {
    #[test]
    fn what_was_sealed_opens(
        plaintext in vec(any::<u8>(), 0..2_000),
        parts in any::<[String; 4]>(),
        version in any::<u32>(),
    ) {
        let [owner, scope, purpose, origin] = parts;
        let aad = Aad { owner, scope, purpose, origin };
        let vault = vault(7, version);
        let bytes = vault.seal(&aad, &plaintext).unwrap().to_bytes();
        let sealed = Sealed::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&*vault.open(&aad, &sealed).unwrap(), &plaintext);
    }

    #[test]
    fn arbitrary_bytes_never_open(bytes in vec(any::<u8>(), 0..200)) {
        if let Ok(sealed) = Sealed::from_bytes(&bytes) {
            let opened = vault(7, sealed.key_version).open(&aad(), &sealed);
            prop_assert_eq!(opened, Err(VaultError::NotAuthentic));
        }
    }
}
