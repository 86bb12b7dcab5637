//! A real server's export, spoiled: wherever one byte is not what it was, verification says so and
//! names the line.

use crate::host::{Client, Host, Verified};
use serde_json::json;
use std::fs;
use std::time::{Duration, Instant};
use wiiiv_vault::random_bytes;
use wiiiv_verify::{FaultPosition, PublicKey, verify};

const RECORDS_MIN: u64 = 200;
/// Each leaves two short records.
const BUTTONS: usize = 92;
/// In the short test every so manieth byte, from a random one on; in the long test all of them.
const STRIDE: usize = 53;
const THREADS: usize = 2;
/// Bytes that are tried through the program.
const THROUGH_THE_PROGRAM: usize = 20;
/// Another letter or digit, the other case, no text at all.
const FLIPS: [u8; 3] = [0x01, 0x20, 0x80];

struct Export {
    bytes: Vec<u8>,
    key: String,
    /// Of each byte, its line's newline included.
    places: Vec<FaultPosition>,
}

impl Export {
    fn new(bytes: Vec<u8>, key: String) -> Self {
        let (mut places, mut records) = (Vec::new(), 0);
        for (nth, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let place = if nth == 0 {
                FaultPosition::Header
            } else if line.starts_with(b"{\"checkpoint\"") {
                FaultPosition::Checkpoint { after: records }
            } else {
                records += 1;
                FaultPosition::Record { seq: records }
            };
            places.extend(line.iter().map(|_| place));
        }
        Self { bytes, key, places }
    }

    /// With this one byte changed.
    fn spoiled(&self, at: usize) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[at] ^= FLIPS[at % FLIPS.len()];
        bytes
    }

    /// Every `step`-th byte from `first` on; how many that were.
    fn assert_found(&self, first: usize, step: usize) -> usize {
        let (key, mut bytes) = (PublicKey::parse(&self.key).unwrap(), self.bytes.clone());
        let mut tried = 0;
        for at in (first..bytes.len()).step_by(step) {
            let kept = bytes[at];
            bytes[at] ^= FLIPS[at % FLIPS.len()];
            let finding = verify(bytes.as_slice(), Some(&key), None).unwrap_err();
            assert_eq!(finding.place, self.places[at], "byte {at}: {finding}");
            bytes[at] = kept;
            tried += 1;
        }
        tried
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_byte_is_found_and_its_line_named() {
    let host = Host::start(None).await;
    let client = host.client();
    let session = client.session().await.unwrap();
    order(&client, &session, &format!("{}/orders", host.shop.url())).await;
    for _ in 0..BUTTONS {
        let path = format!("/sessions/{session}/control");
        client.post(&path, json!({ "action": "cancel" })).await.unwrap();
    }
    let Verified { export, key, report } = client.verified().await;
    assert!(report.records >= RECORDS_MIN, "{report:?}");
    let export = Export::new(export, key);
    let (tried, took) = in_threads(&export);
    println!("{tried} of {} bytes tried, {} records, {took:?}", export.bytes.len(), report.records);
    through_the_program(&host, &export);
}

async fn order(client: &Client, session: &str, orders: &str) {
    client.say(session, &format!("POST '{{\"sku\":\"A1\"}}' to {orders}")).await.unwrap();
    let question = client.asked(session).await.unwrap();
    client.approve(&question).await.unwrap();
    assert_eq!(client.over(session).await.unwrap()["state"], "succeeded");
}

fn in_threads(export: &Export) -> (usize, Duration) {
    let long = std::env::var_os("WIIIV_LONG").is_some();
    let stride = if long { 1 } else { STRIDE };
    let first = usize::from(random_bytes::<1>().unwrap()[0]) % stride;
    let begun = Instant::now();
    let tried = std::thread::scope(|scope| {
        let start = |nth: usize| {
            let first = first + nth * stride;
            scope.spawn(move || export.assert_found(first, THREADS * stride))
        };
        let threads: Vec<_> = (0..THREADS).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    (tried, begun.elapsed())
}

fn through_the_program(host: &Host, export: &Export) {
    let home = host.home();
    fs::write(home.path("audit.jsonl"), &export.bytes).unwrap();
    fs::write(home.path("audit.pub"), &export.key).unwrap();
    let check = ["audit", "verify", "audit.jsonl", "--key", "audit.pub", "--json"];
    assert_eq!(home.run(&check).ended(0).json()["level"], "verified");
    let apart = export.bytes.len() / THROUGH_THE_PROGRAM;
    for at in (0..THROUGH_THE_PROGRAM).map(|nth| nth * apart + nth % apart) {
        fs::write(home.path("audit.jsonl"), export.spoiled(at)).unwrap();
        let said = home.run(&check).ended(8).json();
        assert_eq!(said["level"], "failed", "byte {at}: {said}");
        assert_eq!(said["place"], export.places[at].to_string(), "byte {at}: {said}");
    }
}
