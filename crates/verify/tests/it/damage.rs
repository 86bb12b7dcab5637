use serde_json::json;
use wiiiv_verify::{Fault, FaultPosition, Finding, verify};

use crate::writer::{Writer, canonical, twenty};

/// One changes a digit or letter, the other its case, so that hex and base64 are both tried.
const FLIPS: [u8; 2] = [0x01, 0x20];

fn finding(writer: &Writer, export: &[u8]) -> Finding {
    verify(export, Some(&writer.public_key()), None).unwrap_err()
}

/// The place of each line of the file, its newline included.
fn places(export: &[u8]) -> Vec<FaultPosition> {
    let mut places = Vec::new();
    let mut records = 0;
    for (number, line) in export.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let place = if number == 0 {
            FaultPosition::Header
        } else if line.starts_with(b"{\"checkpoint\"") {
            FaultPosition::Checkpoint { after: records }
        } else {
            records += 1;
            FaultPosition::Record { seq: records }
        };
        places.extend(line.iter().map(|_| place));
    }
    places
}

#[test]
fn every_changed_byte_is_found_where_it_is() {
    let writer = twenty();
    let mut export = writer.export();
    let places = places(&export);
    assert!(export.len() > 6_000);
    for position in 0..export.len() {
        for flip in FLIPS {
            export[position] ^= flip;
            let finding = finding(&writer, &export);
            assert_eq!(finding.place, places[position], "byte {position}: {finding}");
            export[position] ^= flip;
        }
    }
    assert!(verify(export.as_slice(), Some(&writer.public_key()), None).is_ok());
}

#[test]
fn every_changed_byte_behind_the_header_is_found_without_a_key_too() {
    let mut export = twenty().export();
    let places = places(&export);
    let first = places.iter().position(|place| *place != FaultPosition::Header).unwrap();
    for position in first..export.len() {
        export[position] ^= 1;
        assert!(verify(export.as_slice(), None, None).is_err(), "byte {position}");
        export[position] ^= 1;
    }
}

#[test]
fn every_truncation_is_found() {
    let writer = twenty();
    let export = writer.export();
    for length in 0..export.len() {
        finding(&writer, &export[..length]);
    }
    let lines: Vec<_> = export.split_inclusive(|byte| *byte == b'\n').collect();
    let without_last_record = lines[..lines.len() - 2].concat();
    assert_eq!(
        finding(&writer, &without_last_record),
        Finding { place: FaultPosition::Record { seq: 20 }, fault: Fault::Missing }
    );
    let without_last_checkpoint = lines[..lines.len() - 1].concat();
    let finding = finding(&writer, &without_last_checkpoint);
    assert_eq!(finding.place, FaultPosition::Header);
    assert!(matches!(finding.fault, Fault::Mismatch { name: "sha256", .. }));
}

#[test]
fn every_deleted_line_is_found_and_named() {
    let writer = twenty();
    let export = writer.export();
    let lines: Vec<_> = export.split_inclusive(|byte| *byte == b'\n').collect();
    for deleted in 0..lines.len() {
        let rest: Vec<u8> = lines
            .iter()
            .enumerate()
            .filter(|(n, _)| *n != deleted)
            .flat_map(|(_, l)| l.to_vec())
            .collect();
        let found = finding(&writer, &rest).place;
        let expected = match deleted {
            // Lines 1 to 10 and 12 to 21 are records, 11 and 22 checkpoints, whose loss only the
            // digest in the header shows. The record before a checkpoint is missed by it.
            0 | 11 | 22 => FaultPosition::Header,
            10 => FaultPosition::Checkpoint { after: 9 },
            21 => FaultPosition::Checkpoint { after: 19 },
            1..10 => FaultPosition::Record { seq: deleted as u64 },
            _ => FaultPosition::Record { seq: deleted as u64 - 1 },
        };
        assert_eq!(found, expected, "line {deleted}");
    }
}

#[test]
fn every_exchange_of_neighbours_is_found() {
    let writer = twenty();
    let export = writer.export();
    let lines: Vec<_> = export.split_inclusive(|byte| *byte == b'\n').collect();
    for first in 0..lines.len() - 1 {
        let mut exchanged = lines.clone();
        exchanged.swap(first, first + 1);
        finding(&writer, &exchanged.concat());
    }
    let mut exchanged = lines.clone();
    exchanged.swap(3, 7);
    assert_eq!(finding(&writer, &exchanged.concat()).place, FaultPosition::Record { seq: 3 });
}

#[test]
fn a_repeated_or_added_line_is_found() {
    let writer = twenty();
    let export = writer.export();
    let lines: Vec<_> = export.split_inclusive(|byte| *byte == b'\n').collect();
    for position in 0..lines.len() {
        let mut repeated = lines.clone();
        repeated.insert(position, lines[position]);
        finding(&writer, &repeated.concat());
    }
    for addition in ["\n", " ", "{}\n", "null\n", "\u{feff}"] {
        let mut longer = export.clone();
        longer.extend_from_slice(addition.as_bytes());
        finding(&writer, &longer);
        finding(&writer, &[addition.as_bytes(), &export].concat());
    }
}

#[test]
fn a_record_that_fits_but_is_not_counted_is_found() {
    let mut writer = twenty();
    let header_end = writer.export().iter().position(|byte| *byte == b'\n').unwrap();
    let header = writer.export()[..=header_end].to_vec();
    writer.record("forged", json!({}));
    let added = [header, writer.export().split_off(header_end + 1)].concat();
    let found = finding(&writer, &added);
    assert_eq!(found.place, FaultPosition::Record { seq: 21 });
    assert_eq!(found.fault, Fault::NotCounted { records: 20 });
}

#[test]
fn what_is_signed_but_wrong_is_found() {
    let writer = twenty();
    assert_eq!(
        finding(&writer, &writer.export_counting(21)),
        Finding { place: FaultPosition::Record { seq: 21 }, fault: Fault::Missing }
    );
    assert_eq!(
        finding(&writer, &writer.export_counting(19)).place,
        FaultPosition::Record { seq: 20 }
    );

    let mut elsewhere = Writer::of_chain(7, "project-other");
    elsewhere.record("step", json!({}));
    let mut mixed = Writer::new(7);
    mixed.record("step", json!({}));
    mixed.lines = elsewhere.lines.clone();
    let found = finding(&mixed, &mixed.export());
    assert!(matches!(found.fault, Fault::Mismatch { name: "chain", .. }), "{found}");
}

#[test]
fn a_checkpoint_of_another_content_or_key_is_found() {
    let mut writer = Writer::new(7);
    writer.record("step", json!({"n": 1}));
    let mut other = Writer::new(7);
    other.record("step", json!({"n": 2}));
    writer.lines.push(canonical(&other.signed_checkpoint()));
    let found = finding(&writer, &writer.export());
    assert_eq!(found.place, FaultPosition::Checkpoint { after: 1 });
    assert!(matches!(found.fault, Fault::Mismatch { name: "head", .. }), "{found}");

    let mut writer = Writer::new(7);
    writer.record("step", json!({"n": 1}));
    let mut stranger = Writer::new(8);
    stranger.record("step", json!({"n": 1}));
    writer.lines.push(canonical(&stranger.signed_checkpoint()));
    let found = finding(&writer, &writer.export());
    assert_eq!(found.place, FaultPosition::Checkpoint { after: 1 });
    assert!(matches!(found.fault, Fault::OtherKey { .. }), "{found}");
}

#[test]
fn a_number_that_readers_disagree_on_is_found() {
    let mut writer = Writer::new(7);
    writer.record("step", json!({"cost": 0.5}));
    let found = finding(&writer, &writer.export());
    assert_eq!(found.place, FaultPosition::Record { seq: 1 });
    assert!(matches!(found.fault, Fault::Number(_)), "{found}");
}

#[test]
fn nesting_without_end_is_an_error_and_no_overflow() {
    let writer = twenty();
    let mut export = writer.export();
    let end = export.iter().position(|byte| *byte == b'\n').unwrap();
    export.truncate(end + 1);
    export.extend_from_slice(&vec![b'['; 500_000]);
    export.push(b'\n');
    let found = finding(&writer, &export);
    assert_eq!(found.place, FaultPosition::Record { seq: 1 });
    assert!(matches!(found.fault, Fault::NotJson { .. }));
}
