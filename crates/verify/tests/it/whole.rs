use serde_json::json;
use wiiiv_verify::{Anchor, Fault, FaultPosition, LINE_BYTES_MAX, Level, verify, verify_feed};

use crate::writer::{CHAIN, Writer, canonical, twenty};

#[test]
fn a_whole_export_is_verified_with_its_key() {
    let writer = twenty();
    let report = verify(writer.export().as_slice(), Some(&writer.public_key()), None).unwrap();
    assert_eq!(report.chain, CHAIN);
    assert_eq!(report.key_id, writer.key_id());
    assert_eq!((report.records, report.checkpoints, report.unsigned_tail), (20, 2, 0));
    assert_eq!(report.head, writer.records[19]["hash"]);
    assert_eq!(report.level, Level::Verified);
}

#[test]
fn without_a_key_only_consistency_is_claimed() {
    let report = verify(twenty().export().as_slice(), None, None).unwrap();
    assert_eq!(report.level, Level::InternallyConsistent);
}

#[test]
fn a_rewritten_file_is_consistent_but_not_verified() {
    let mut forger = Writer::new(66);
    forger.record("gate.ruled", json!({"forged": true})).checkpoint();
    let export = forger.export();
    assert_eq!(verify(export.as_slice(), None, None).unwrap().level, Level::InternallyConsistent);
    let finding = verify(export.as_slice(), Some(&twenty().public_key()), None).unwrap_err();
    assert_eq!(finding.place, FaultPosition::Header);
    assert!(matches!(finding.fault, Fault::OtherKey { .. }));
}

#[test]
fn a_forger_who_names_our_key_fails_on_the_signature() {
    let mut forger = Writer::new(66);
    forger.record("gate.ruled", json!({})).checkpoint();
    let ours = twenty();
    let text = String::from_utf8(forger.export()).unwrap();
    let text = text.replace(&forger.key_id(), &ours.key_id());
    let finding = verify(text.as_bytes(), Some(&ours.public_key()), None).unwrap_err();
    assert_eq!((finding.place, finding.fault), (FaultPosition::Header, Fault::BadSignature));
}

#[test]
fn records_behind_the_newest_checkpoint_are_the_unsigned_tail() {
    let mut writer = twenty();
    writer.record("login", json!({})).record("login", json!({}));
    let report = verify(writer.export().as_slice(), Some(&writer.public_key()), None).unwrap();
    assert_eq!((report.records, report.unsigned_tail), (22, 2));
}

#[test]
fn an_empty_chain_is_an_export_too() {
    let writer = Writer::new(7);
    let report = verify(writer.export().as_slice(), Some(&writer.public_key()), None).unwrap();
    assert_eq!((report.records, report.checkpoints), (0, 0));
    assert_eq!(report.head, "0".repeat(64));
}

#[test]
fn every_length_up_to_seventy_verifies() {
    let mut writer = Writer::new(7);
    for n in 1..=70 {
        writer.record("step", json!({"n": n})).checkpoint();
        let report = verify(writer.export().as_slice(), Some(&writer.public_key()), None).unwrap();
        assert_eq!((report.records, report.checkpoints), (n, n));
    }
}

#[test]
fn a_line_beyond_the_cap_is_refused() {
    let mut writer = Writer::new(7);
    writer.record("step", json!({"text": "a".repeat(LINE_BYTES_MAX)}));
    let finding = verify(writer.export().as_slice(), None, None).unwrap_err();
    assert_eq!(finding.place, FaultPosition::Record { seq: 1 });
    assert_eq!(finding.fault, Fault::TooLong { max: LINE_BYTES_MAX });
}

#[test]
fn an_anchor_shows_truncation_and_rewriting() {
    let ours = twenty();
    let key = ours.public_key();
    let mut file = canonical(&ours.signed_checkpoint()).into_bytes();
    file.push(b'\n');
    let anchor = Anchor::read(file.as_slice(), Some(&key)).unwrap();
    assert!(verify(ours.export().as_slice(), Some(&key), Some(&anchor)).is_ok());

    // The signing server itself leaves out the end.
    let mut shorter = Writer::new(7);
    shorter.record("gate.ruled", json!({})).checkpoint();
    let finding = verify(shorter.export().as_slice(), Some(&key), Some(&anchor)).unwrap_err();
    assert_eq!((finding.place, finding.fault), (FaultPosition::Record { seq: 2 }, Fault::Missing));

    // Or rewrites what stood before it.
    let mut rewritten = Writer::new(7);
    for n in 1..=25 {
        rewritten.record("gate.ruled", json!({"rewritten": n}));
    }
    let finding = verify(rewritten.export().as_slice(), Some(&key), Some(&anchor)).unwrap_err();
    assert_eq!(finding.place, FaultPosition::Record { seq: 20 });
    assert!(matches!(finding.fault, Fault::Mismatch { name: "head", .. }));

    let other = Writer::of_chain(7, "project-other");
    let finding = verify(other.export().as_slice(), Some(&key), Some(&anchor)).unwrap_err();
    assert_eq!(finding.place, FaultPosition::Anchor);
}

#[test]
fn a_changed_anchor_is_refused() {
    let ours = twenty();
    let mut file = canonical(&ours.signed_checkpoint()).into_bytes();
    for position in 0..file.len() {
        file[position] ^= 1;
        let finding = Anchor::read(file.as_slice(), Some(&ours.public_key())).unwrap_err();
        assert_eq!(finding.place, FaultPosition::Anchor, "byte {position}");
        file[position] ^= 1;
    }
}

/// As a receiver has it: without the header.
fn feed(writer: &Writer) -> Vec<u8> {
    let export = writer.export();
    let header = export.iter().position(|byte| *byte == b'\n').unwrap();
    export[header + 1..].to_vec()
}

#[test]
fn a_feed_is_verified_up_to_its_newest_checkpoint() {
    let mut writer = twenty();
    let key = writer.public_key();
    let report = verify_feed(feed(&writer).as_slice(), Some(&key), None).unwrap();
    assert_eq!((report.chain.as_str(), report.records, report.unsigned_tail), (CHAIN, 20, 0));
    assert_eq!((report.level, report.key_id), (Level::Verified, writer.key_id()));
    let newest = report.newest_checkpoint.unwrap();
    assert_eq!(newest, canonical(&writer.signed_checkpoint()));
    writer.record("login", json!({})).record("login", json!({}));
    let report = verify_feed(feed(&writer).as_slice(), Some(&key), None).unwrap();
    assert_eq!((report.records, report.unsigned_tail), (22, 2));
    let none = verify_feed(feed(&writer).as_slice(), None, None).unwrap();
    assert_eq!(none.level, Level::InternallyConsistent);
    // Nobody vouches for lines without any checkpoint, whatever key is given.
    let mut bare = Writer::new(7);
    bare.record("login", json!({}));
    let report = verify_feed(feed(&bare).as_slice(), Some(&key), None).unwrap();
    assert_eq!(report.level, Level::InternallyConsistent);
    assert_eq!(verify_feed(&b""[..], Some(&key), None).unwrap_err().fault, Fault::Missing);
}

#[test]
fn a_feed_that_is_changed_cut_or_rolled_back_is_found() {
    let ours = twenty();
    let key = ours.public_key();
    let whole = feed(&ours);
    for at in (0..whole.len()).step_by(7) {
        let mut bad = whole.clone();
        bad[at] ^= 1;
        assert!(verify_feed(bad.as_slice(), Some(&key), None).is_err(), "byte {at}");
    }
    // Without its first record, or with two of one number.
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let finding = verify_feed(&whole[first..], Some(&key), None).unwrap_err();
    assert_eq!(finding.place, FaultPosition::Record { seq: 1 });
    let twice = [&whole[..first], whole.as_slice()].concat();
    let finding = verify_feed(twice.as_slice(), Some(&key), None).unwrap_err();
    assert_eq!(finding.place, FaultPosition::Record { seq: 2 });
    // The end alone is missed by the checkpoint that the verifier kept.
    let mut kept = canonical(&ours.signed_checkpoint()).into_bytes();
    kept.push(b'\n');
    let anchor = Anchor::read(kept.as_slice(), Some(&key)).unwrap();
    assert!(verify_feed(whole.as_slice(), Some(&key), Some(&anchor)).is_ok());
    let cut = verify_feed(&whole[..first], Some(&key), None).unwrap();
    assert_eq!(cut.level, Level::InternallyConsistent);
    let finding = verify_feed(&whole[..first], Some(&key), Some(&anchor)).unwrap_err();
    assert_eq!((finding.place, finding.fault), (FaultPosition::Record { seq: 2 }, Fault::Missing));
}
