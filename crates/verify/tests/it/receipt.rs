use serde_json::{Value, json};
use wiiiv_verify::{Fault, FaultPosition, Level, verify_receipt};

use crate::writer::{CHAIN, Writer, canonical, sha256};

const RECORDS: usize = 13;

fn decision() -> Value {
    json!({"approver": "user-2", "blueprint": "ab".repeat(32), "gates": ["ALLOW", "ALLOW"], "": 1})
}

/// A chain with receipts in every record, and the receipt file of one of them.
fn receipt(index: usize) -> (Writer, Value) {
    let mut writer = Writer::new(7);
    for _ in 0..RECORDS {
        let digest = hex::encode(sha256(canonical(&decision()).as_bytes()));
        writer.record("receipt.issued", json!({"receipt_sha256": digest}));
    }
    let mut file = writer.signed_checkpoint();
    file["receipt"] = decision();
    file["record"] = writer.records[index].clone();
    file["proof"] = writer.proof(index);
    (writer, file)
}

fn fault(writer: &Writer, file: &Value) -> Fault {
    verify_receipt(canonical(file).as_bytes(), Some(&writer.public_key())).unwrap_err().fault
}

#[test]
fn every_receipt_of_a_chain_verifies() {
    for index in 0..RECORDS {
        let (writer, file) = receipt(index);
        let text = format!("{}\n", canonical(&file));
        let report = verify_receipt(text.as_bytes(), Some(&writer.public_key())).unwrap();
        assert_eq!(report.chain, CHAIN);
        assert_eq!((report.seq, report.size), (index as u64 + 1, RECORDS as u64));
        assert_eq!(report.kind, "receipt.issued");
        assert_eq!(report.level, Level::Verified);
        let report = verify_receipt(text.as_bytes(), None).unwrap();
        assert_eq!(report.level, Level::InternallyConsistent);
    }
}

#[test]
fn every_changed_byte_is_found() {
    let (writer, file) = receipt(5);
    let mut text = canonical(&file).into_bytes();
    for position in 0..text.len() {
        for flip in [0x01, 0x20] {
            text[position] ^= flip;
            let found = verify_receipt(&text, Some(&writer.public_key()));
            assert!(found.is_err(), "byte {position}");
            text[position] ^= flip;
        }
    }
}

#[test]
fn another_content_beside_a_good_record_is_found() {
    let (writer, mut file) = receipt(5);
    file["receipt"]["approver"] = "user-9".into();
    assert!(matches!(fault(&writer, &file), Fault::Mismatch { name: "receipt_sha256", .. }));

    let (writer, mut file) = receipt(5);
    file["receipt"][""] = 2.into();
    assert!(matches!(fault(&writer, &file), Fault::Mismatch { name: "receipt_sha256", .. }));

    let (writer, mut file) = receipt(5);
    file["record"]["body"] = json!({});
    assert!(matches!(fault(&writer, &file), Fault::Mismatch { name: "hash", .. }));
}

#[test]
fn a_record_outside_the_chain_is_found() {
    let (writer, mut file) = receipt(5);
    let mut forged = Writer::new(66);
    for n in 0..6 {
        forged.record(
            "receipt.issued",
            json!({
                "n": n, "receipt_sha256": hex::encode(sha256(canonical(&decision()).as_bytes())),
            }),
        );
    }
    file["record"] = forged.records[5].clone();
    assert_eq!(fault(&writer, &file), Fault::BadProof);
    let finding = verify_receipt(canonical(&file).as_bytes(), None).unwrap_err();
    assert_eq!(finding.place, FaultPosition::Record { seq: 6 });
}

#[test]
fn a_proof_of_another_place_or_length_is_found() {
    let (writer, mut file) = receipt(5);
    file["proof"] = writer.proof(6);
    assert!(matches!(fault(&writer, &file), Fault::Mismatch { name: "index", .. }));

    let (writer, mut file) = receipt(5);
    file["proof"]["path"].as_array_mut().unwrap().pop();
    assert_eq!(fault(&writer, &file), Fault::BadProof);

    let (writer, mut file) = receipt(5);
    file["proof"]["path"] = vec!["00".repeat(32); 65].into();
    assert_eq!(fault(&writer, &file), Fault::BadProof);

    let (writer, mut file) = receipt(5);
    file["proof"]["size"] = "14".into();
    assert!(matches!(fault(&writer, &file), Fault::Mismatch { name: "size", .. }));
}

#[test]
fn another_signer_is_found() {
    let (_, file) = receipt(5);
    let stranger = Writer::new(8);
    assert!(matches!(fault(&stranger, &file), Fault::OtherKey { .. }));
}
