use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};

use std::sync::Arc;

use super::{Vault, VaultError, purpose_key};
use crate::cipher::{Refused, decrypt};
use crate::{Aad, MasterKey, Sealed};

const NONCES: usize = 100_000;

fn vault(seed: u8, version: u32) -> Vault {
    Vault::under(Arc::new(MasterKey::parse(&format!("{seed:02x}").repeat(32)).unwrap()), version)
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

/// Below the types, which would not let most of these through: each bit of the nonce, the ciphertext,
/// the tag, and of the binding as it is encoded: label, version, every length and every text.
#[test]
fn every_flipped_bit_of_what_is_authenticated_is_refused() {
    let sealed = vault(1, 1).seal(&aad(), b"sk-live-secret").unwrap();
    let key = purpose_key(&MasterKey::parse(&"01".repeat(32)).unwrap(), "OPENAI").unwrap();
    let parts = [sealed.nonce.to_vec(), sealed.ciphertext, aad().encode(1)];
    let open = |parts: &[Vec<u8>; 3]| {
        let [nonce, ciphertext, binding] = parts;
        decrypt(&key, nonce.as_slice().try_into().unwrap(), binding, ciphertext)
    };
    assert_eq!(open(&parts).as_deref(), Ok(b"sk-live-secret".as_slice()));
    let mut flips = [0; 3];
    for (part, flips) in flips.iter_mut().enumerate() {
        for bit in 0..parts[part].len() * 8 {
            let mut changed = parts.clone();
            changed[part][bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(&changed), Err(Refused), "part {part}, bit {bit} flipped unnoticed");
            *flips += 1;
        }
    }
    let texts = "user-1project-1OPENAIhttps://api.openai.com".len();
    let binding = "wiiiv/vault/aad/1".len() + 4 + 4 * 8 + texts;
    assert_eq!(flips, [12 * 8, ("sk-live-secret".len() + 16) * 8, binding * 8]);
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

/// Seals under version 2, and opens version 1 too.
fn ring() -> Vault {
    vault(2, 2).holding(Arc::new(MasterKey::parse(&"01".repeat(32)).unwrap()), 1)
}

#[test]
fn a_ring_seals_under_the_newest_and_opens_by_the_version_named() {
    let (old, new) = (vault(1, 1).seal(&aad(), b"old").unwrap(), ring().seal(&aad(), b"new"));
    let new = new.unwrap();
    assert_eq!(new.key_version(), 2);
    assert_eq!(&*ring().open(&aad(), &old).unwrap(), b"old");
    assert_eq!(&*vault(2, 2).open(&aad(), &new).unwrap(), b"new");
    let alone = ring().without_former();
    assert_eq!(alone.open(&aad(), &old), Err(VaultError::KeyVersion { sealed: 1, held: 2 }));
    assert_eq!(&*alone.open(&aad(), &new).unwrap(), b"new");
}

#[test]
fn a_ring_moves_on_to_a_version_that_it_holds_and_to_no_other() {
    let key = |seed: &str| Arc::new(MasterKey::parse(&seed.repeat(32)).unwrap());
    let before = vault(1, 1).holding(key("03"), 2).holding(key("02"), 2);
    assert_eq!(before.key_version(), 1);
    assert!(before.sealing_under(3).is_none());
    let after = before.sealing_under(2).unwrap();
    assert_eq!((after.key_version(), after.key_id()), (2, key("02").id()));
    for sealed in [before.seal(&aad(), b"x").unwrap(), after.seal(&aad(), b"x").unwrap()] {
        assert_eq!(&*before.open(&aad(), &sealed).unwrap(), b"x");
        assert_eq!(&*after.open(&aad(), &sealed).unwrap(), b"x");
    }
    // What was not sealed under yet is not given up; what is sealed under is not replaced.
    assert!(before.without_former().sealing_under(2).is_some());
    assert_eq!(vault(1, 1).holding(key("02"), 1).key_id(), key("01").id());
}

#[test]
fn a_bit_flipped_under_either_version_is_noticed() {
    for vault in [vault(1, 1), vault(2, 2)] {
        let bytes = vault.seal(&aad(), b"sk-live-secret").unwrap().to_bytes();
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let opened = Sealed::from_bytes(&changed).map(|sealed| ring().open(&aad(), &sealed));
            assert!(!matches!(opened, Ok(Ok(_))), "bit {bit} flipped unnoticed");
        }
    }
}

#[test]
fn purposes_have_different_keys() {
    let master = MasterKey::parse(&"01".repeat(32)).unwrap();
    let openai = super::purpose_key(&master, "OPENAI").unwrap();
    let audit = super::purpose_key(&master, "audit-key").unwrap();
    assert_ne!(*openai, *audit);
    assert_ne!(&*openai, master.bytes());
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

    /// However often it moved on: what any version sealed opens, and under no other's number.
    #[test]
    fn a_chain_of_rotations_opens_all_that_it_holds(
        versions in proptest::collection::btree_set(any::<u32>(), 2..6),
        plaintext in vec(any::<u8>(), 0..100),
    ) {
        let numbered = |(seed, version): (usize, &u32)| {
            let seed = u8::try_from(seed).unwrap() + 1;
            (Arc::new(MasterKey::parse(&format!("{seed:02x}").repeat(32)).unwrap()), *version)
        };
        let keys: Vec<_> = versions.iter().enumerate().map(numbered).collect();
        let mut ring = Vault::under(keys[0].0.clone(), keys[0].1);
        for (key, version) in &keys[1..] {
            ring = ring.holding(key.clone(), *version).sealing_under(*version).unwrap();
        }
        prop_assert_eq!(ring.key_version(), keys[keys.len() - 1].1);
        for (key, version) in &keys {
            let sealed = Vault::under(key.clone(), *version).seal(&aad(), &plaintext).unwrap();
            prop_assert_eq!(&*ring.open(&aad(), &sealed).unwrap(), &plaintext);
            for (_, other) in keys.iter().filter(|(_, other)| other != version) {
                let relabelled = Sealed { key_version: *other, ..sealed.clone() };
                prop_assert_eq!(ring.open(&aad(), &relabelled), Err(VaultError::NotAuthentic));
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_open(bytes in vec(any::<u8>(), 0..200)) {
        if let Ok(sealed) = Sealed::from_bytes(&bytes) {
            let opened = vault(7, sealed.key_version).open(&aad(), &sealed);
            prop_assert_eq!(opened, Err(VaultError::NotAuthentic));
        }
    }
}
