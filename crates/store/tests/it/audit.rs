//! What leaves can be verified by somebody who shares no code with us.

use crate::test_store::{TestStore, new_id, permissive, policy};
use serde_json::json;
use std::io::Cursor;
use wiiiv_domain::{
    Arg, Blueprint, ExecutionId, HttpMethod, Scheme, StepParams, SystemName, UrlTemplate,
};
use wiiiv_store::{
    AuditFilter, AuditSearch, Boundary, CHECKPOINT_RECORDS, Chain, Point, StoreError, Touch, Write,
    Writer,
};
use wiiiv_verify::{Level, PublicKey, verify, verify_receipt};

async fn export(test: &TestStore, chain: Chain) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let exported = test.store.export_audit(chain, &mut file).await.unwrap();
    let bytes = file.into_inner();
    assert_eq!(exported.bytes, bytes.len() as u64);
    bytes
}

fn key(test: &TestStore) -> PublicKey {
    PublicKey::parse(&test.store.audit_public_key()).unwrap()
}

async fn add(test: &TestStore, records: u64) {
    for first in (0..records).step_by(500) {
        let mut boundary = Boundary::new(Point::P);
        for n in first..records.min(first + 500) {
            boundary =
                boundary.entry("test.counted", json!({ "n": n, "큰": u64::MAX, "half": 0.5 }));
        }
        test.store.append(&Writer::Project(test.project), boundary).await.unwrap();
    }
}

#[tokio::test]
async fn an_export_verifies_and_a_changed_one_does_not() {
    let test = TestStore::memory(policy()).await;
    let (plan, _) = test.approved_plan().await;
    let (claim, _) = test.rule(&plan).await;
    let _done = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    add(&test, 200).await;
    let chain = Chain::Project(test.project);
    let bytes = export(&test, chain).await;
    let report = verify(bytes.as_slice(), Some(&key(&test)), None).unwrap();
    assert_eq!(report.chain, test.project.to_string());
    assert_eq!((report.unsigned_tail, report.level), (0, Level::Verified));
    // Project, policy, plan, question, the spoken yes, the approval, the decision, and the added ones.
    assert_eq!(report.records, 207);

    let middle = bytes.len() / 2;
    let mut changed = bytes.clone();
    changed[middle] ^= 1;
    assert!(verify(changed.as_slice(), Some(&key(&test)), None).is_err());

    let server = export(&test, Chain::Server).await;
    let report = verify(server.as_slice(), Some(&key(&test)), None).unwrap();
    assert_eq!(report.chain, "server");
}

#[tokio::test]
async fn a_long_chain_has_checkpoints_on_its_way() {
    let test = TestStore::memory(permissive()).await;
    add(&test, 2 * CHECKPOINT_RECORDS + 10).await;
    let bytes = export(&test, Chain::Project(test.project)).await;
    let report = verify(bytes.as_slice(), Some(&key(&test)), None).unwrap();
    // Two by number and one by the export; a busy machine's clock may add one.
    assert!(report.checkpoints >= 3, "{report:?}");
    assert_eq!(report.unsigned_tail, 0);
}

#[tokio::test]
async fn an_empty_chain_is_exported_too() {
    let test = TestStore::memory(permissive()).await;
    let nobody = Chain::Project(new_id());
    let bytes = export(&test, nobody).await;
    let report = verify(bytes.as_slice(), Some(&key(&test)), None).unwrap();
    assert_eq!((report.records, report.checkpoints), (0, 0));
}

#[tokio::test]
async fn a_receipt_verifies_and_holds_what_was_decided() {
    let test = TestStore::memory(policy()).await;
    let (plan, approval) = test.approved_plan().await;
    let (claim, ruled) = test.rule(&plan).await;
    let (done, _) =
        test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    let execution = ruled.seal(done).unwrap().begin().execution();
    add(&test, 1500).await;
    let asked = json!({ "execution": execution, "promptHmac": "ab" });
    let boundary = Boundary::new(Point::S2).entry("step.noted", asked);
    test.store.append(&test.writer(), boundary).await.unwrap();

    let bytes = test.store.receipt(execution).await.unwrap();
    let report = verify_receipt(&bytes, Some(&key(&test))).unwrap();
    assert_eq!((report.kind.as_str(), report.level), ("receipt.issued", Level::Verified));
    let file: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let receipt = &file["receipt"];
    assert_eq!(receipt["approvals"][0]["approval"], json!(approval));
    assert_eq!(receipt["approvals"][0]["approver"], json!(test.user));
    assert_eq!(receipt["decision"]["outcome"], "ALLOW");
    assert_eq!(receipt["decision"]["answers"].as_array().unwrap().len(), 4);
    let kinds: Vec<&str> =
        receipt["records"].as_array().unwrap().iter().filter_map(|r| r["kind"].as_str()).collect();
    assert!(kinds.contains(&"step.noted") && kinds.contains(&"decision"), "{kinds:?}");

    let text = String::from_utf8(bytes).unwrap();
    assert!(!text.contains("회의"), "no text of a person");
    let other = text.replace("ALLOW", "DENY!");
    assert!(verify_receipt(other.as_bytes(), Some(&key(&test))).is_err());
    let unknown = test.store.receipt(new_id::<ExecutionId>()).await;
    assert!(matches!(unknown, Err(StoreError::NotFound { .. })));
}

#[tokio::test]
async fn the_audit_holds_no_words_of_people() {
    let test = TestStore::memory(policy()).await;
    test.approved_plan().await;
    let bytes = export(&test, Chain::Project(test.project)).await;
    let server = export(&test, Chain::Server).await;
    let text = String::from_utf8([bytes, server].concat()).unwrap();
    for word in ["회의", "notes/a.md", "kim", crate::test_store::PASSWORD, "talk"] {
        assert!(!text.contains(word), "{word}");
    }
}

#[tokio::test]
async fn records_are_found_by_what_they_are_about() {
    let test = TestStore::memory(permissive()).await;
    let about: ExecutionId = new_id();
    let boundary = Boundary::new(Point::S2)
        .entry("step.finished", json!({ "execution": about }))
        .entry("step.finished", json!({ "execution": new_id::<ExecutionId>() }));
    test.store.append(&test.writer(), boundary).await.unwrap();
    let filter = AuditFilter { about: Some(about.uuid()), ..AuditFilter::default() };
    let rows = test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].body, json!({ "execution": about }));
}

#[tokio::test]
async fn keyed_hashes_differ_by_project_and_stay() {
    let test = TestStore::memory(permissive()).await;
    let other = test.store.create_project("other", test.user, permissive()).await.unwrap();
    let other = other.body().document().project;
    let first = test.store.hmac(test.project, b"text").await.unwrap();
    assert_eq!(test.store.hmac(test.project, b"text").await.unwrap(), first);
    assert_ne!(test.store.hmac(other, b"text").await.unwrap(), first);
    assert!(test.store.hmac(new_id(), b"text").await.is_err());
}

/// More than SQLite nests terms of one expression.
const MANY: usize = 1_200;

#[tokio::test]
async fn records_about_any_of_very_many_ids_are_found() {
    let test = TestStore::memory(permissive()).await;
    let about: ExecutionId = new_id();
    let boundary = Boundary::new(Point::S2)
        .entry("step.finished", json!({ "execution": about }))
        .entry("step.finished", json!({ "execution": new_id::<ExecutionId>() }));
    test.store.append(&test.writer(), boundary).await.unwrap();
    let others = (0..MANY).map(|_| new_id::<ExecutionId>().uuid());
    let search = AuditSearch {
        about: Some(others.chain([about.uuid()]).collect()),
        kinds: vec!["step.finished".to_owned(), "decision".to_owned()],
        limit: 10,
        ..AuditSearch::default()
    };
    let found = test.store.audit_find(Chain::Project(test.project), &search).await.unwrap();
    let [row] = found.rows.as_slice() else { panic!("{found:?}") };
    assert_eq!(row.body, json!({ "execution": about }));
}

/// Of one step, written as it is.
async fn drawn(test: &TestStore, params: StepParams) -> Blueprint {
    let mut plan = crate::plan::write_plan(test, "notes/a.md").await;
    plan.nodes[0].params = params;
    let write = Write::Blueprint(Box::new(plan.clone()));
    test.store.append(&test.writer(), Boundary::new(Point::T1).write(write)).await.unwrap();
    plan
}

fn call(system: Option<&str>, host: &str) -> StepParams {
    let url = UrlTemplate {
        system: system.map(|name| SystemName::parse(name).unwrap()),
        scheme: Scheme::Http,
        host: host.to_owned(),
        port: None,
        segments: Vec::new(),
        query: Vec::new(),
    };
    StepParams::ApiCall { method: HttpMethod::Get, url, content_type: None, body: None }
}

fn write(name: &str, content: String) -> StepParams {
    StepParams::FileWrite {
        directory: "data".into(),
        name: Arg::Literal(name.into()),
        content: Arg::Literal(content),
    }
}

#[tokio::test]
async fn a_plan_is_found_by_the_whole_name_of_its_system() {
    let test = TestStore::memory(permissive()).await;
    let hr = drawn(&test, call(Some("hr"), "people.example")).await.id;
    drawn(&test, call(Some("hr2"), "other.example")).await;
    drawn(&test, call(Some("chronos"), "other.example")).await;
    let bare = drawn(&test, call(None, "bare.example")).await.id;
    let of = async |system: &str| {
        let touch = Touch { system: Some(system.to_owned()), path: None };
        test.store.plans_touching(test.project, &touch).await.unwrap()
    };
    assert_eq!(of("HR").await, [hr]);
    assert_eq!(of("people.example").await, [hr]);
    assert_eq!(of("bare.example").await, [bare]);
    assert_eq!(of("example").await, []);
}

#[tokio::test]
async fn a_search_through_plans_reads_no_more_than_its_bound() {
    let test = TestStore::memory(permissive()).await;
    let small = drawn(&test, write("small.txt", "x".to_owned())).await.id;
    for n in 0..40 {
        drawn(&test, write(&format!("{n}.txt"), "x".to_owned())).await;
    }
    let of = async |path: &str| {
        let touch = Touch { system: None, path: Some(path.to_owned()) };
        test.store.plans_touching(test.project, &touch).await.unwrap()
    };
    assert_eq!(of("DATA/").await.len(), 41, "page by page");
    assert_eq!(of("small").await, [small]);
    for n in 0..40 {
        drawn(&test, write(&format!("long-{n}.txt"), "x".repeat(1024 * 1024))).await;
    }
    assert!(of("small").await.is_empty(), "behind tens of megabytes");
    assert!(of("long").await.len() >= 32);
}
