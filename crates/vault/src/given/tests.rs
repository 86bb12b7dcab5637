use super::{FormerKey, KeyRecord, KeyStanding, MasterKeys, WrongMasterKey};
use crate::{MasterKey, Vault};
use std::sync::Arc;

fn key(seed: u8) -> MasterKey {
    MasterKey::parse(&format!("{seed:02x}").repeat(32)).unwrap()
}
fn former(seed: u8, version: u32) -> FormerKey {
    FormerKey { version, id: key(seed).id() }
}
fn given(master: u8, next: Option<u8>) -> MasterKeys {
    let keys = MasterKeys::of(key(master));
    next.into_iter().fold(keys, |keys, next| keys.with_next(key(next)))
}
/// Sealed under the key of that seed.
fn record(seed: u8, version: u32) -> KeyRecord {
    let canary = Vault::under(Arc::new(key(seed)), version).canary().unwrap();
    KeyRecord { canary, leaving: None, retired: Vec::new() }
}
fn told(keys: &MasterKeys, record: &KeyRecord) -> Result<(u32, KeyStanding), WrongMasterKey> {
    keys.vault(record).map(|(vault, standing)| (vault.key_version(), standing))
}

#[test]
fn before_a_rotation_the_master_key_is_needed_and_a_next_one_may_wait() {
    let record = record(1, 1);
    assert_eq!(told(&given(1, None), &record), Ok((1, KeyStanding::Settled)));
    assert_eq!(told(&given(1, Some(2)), &record), Ok((1, KeyStanding::NextWaits)));
    assert_eq!(told(&given(1, Some(1)), &record), Ok((1, KeyStanding::Settled)));
    let unknown = Err(WrongMasterKey::Unknown { sealed: 1 });
    for keys in [given(2, None), given(2, Some(3)), given(2, Some(1))] {
        assert_eq!(told(&keys, &record), unknown);
    }
}

#[test]
fn during_a_rotation_both_are_needed_in_either_place() {
    let record = KeyRecord { leaving: Some(former(1, 1)), ..record(2, 2) };
    let both = Ok((2, KeyStanding::Rotating { from: 1, to: 2 }));
    assert_eq!(told(&given(1, Some(2)), &record), both);
    assert_eq!(told(&given(2, Some(1)), &record), both);
    let (from, to) = (1, 2);
    assert_eq!(told(&given(1, None), &record), Err(WrongMasterKey::NewMissing { from, to }));
    assert_eq!(told(&given(1, Some(3)), &record), Err(WrongMasterKey::NewMissing { from, to }));
    for keys in [given(2, None), given(2, Some(2)), given(2, Some(3))] {
        assert_eq!(told(&keys, &record), Err(WrongMasterKey::OldMissing { from, to }));
    }
    assert_eq!(told(&given(3, None), &record), Err(WrongMasterKey::Unknown { sealed: 2 }));
}

#[test]
fn after_a_rotation_the_old_one_is_neither_needed_nor_enough() {
    let record = KeyRecord { retired: vec![former(1, 1)], ..record(2, 2) };
    assert_eq!(told(&given(2, None), &record), Ok((2, KeyStanding::Settled)));
    let outlived = Ok((2, KeyStanding::Outlived { version: 1 }));
    assert_eq!(told(&given(1, Some(2)), &record), outlived);
    assert_eq!(told(&given(2, Some(1)), &record), outlived);
    let refused = told(&given(1, None), &record).unwrap_err();
    assert_eq!(refused, WrongMasterKey::Retired { given: 1, sealed: 2 });
    assert!(refused.to_string().contains("start again with the right key"));
}

#[test]
fn what_both_versions_sealed_opens_during_a_rotation() {
    let aad = crate::Aad {
        owner: "o".to_owned(),
        scope: "s".to_owned(),
        purpose: "p".to_owned(),
        origin: String::new(),
    };
    let old = Vault::under(Arc::new(key(1)), 1).seal(&aad, b"old").unwrap();
    let record = KeyRecord { leaving: Some(former(1, 1)), ..record(2, 2) };
    let (vault, _) = given(1, Some(2)).vault(&record).unwrap();
    assert_eq!(&*vault.open(&aad, &old).unwrap(), b"old");
    let new = vault.seal(&aad, b"new").unwrap();
    assert_eq!(new.key_version(), 2);
    assert_eq!(&*Vault::under(Arc::new(key(2)), 2).open(&aad, &new).unwrap(), b"new");
}

#[test]
fn errors_and_debug_show_no_key() {
    let keys = given(0xab, Some(0xcd));
    let shown = format!("{keys:?} {}", told(&keys, &record(1, 1)).unwrap_err());
    assert!(!shown.contains("abab") && !shown.contains("cdcd"), "{shown}");
}
