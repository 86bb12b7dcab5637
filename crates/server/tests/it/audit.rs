//! What can be proved afterwards, with the independent verifier.

use crate::house::House;
use serde_json::json;
use wiiiv_store::Role;
use wiiiv_verify::{Level, PublicKey, verify, verify_receipt};

async fn key(house: &House) -> PublicKey {
    let keys = house.get(&house.owner, "/audit/keys").await;
    let item = &keys.body["items"][0];
    let key = PublicKey::parse(item["public_key"].as_str().unwrap()).unwrap();
    assert_eq!(item["key_id"], key.key_id());
    key
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_and_receipts_verify_with_the_published_key() {
    let house = House::new().await;
    let session = house.session(&house.owner, house.project).await;
    let (approval, digest) = house.question(&house.owner, &session, "secret-name.txt").await;
    assert_eq!(house.approve(&house.owner, &approval, &digest).await.status, 200);
    let execution = house.executed(&house.owner).await;
    let key = key(&house).await;

    let export = house.get(&house.owner, &format!("/audit/{}/export", house.project)).await;
    assert_eq!(export.header("content-type"), "application/jsonl");
    let report = verify(export.text.as_bytes(), Some(&key), None).unwrap();
    assert_eq!((report.level, report.unsigned_tail), (Level::Verified, 0));
    assert!(!export.text.contains("hello"), "no text of people or models");
    let broken = export.text.replacen("turn.accepted", "turn.invented", 1);
    assert!(verify(broken.as_bytes(), Some(&key), None).is_err());

    let id = execution["id"].as_str().unwrap();
    let receipt = house.get(&house.owner, &format!("/executions/{id}/receipt")).await;
    let report = verify_receipt(receipt.text.as_bytes(), Some(&key)).unwrap();
    assert_eq!(report.level, Level::Verified);

    let server = house.get(&house.admin, "/audit/server/export").await;
    assert_eq!(verify(server.text.as_bytes(), Some(&key), None).unwrap().chain, "server");
    assert_eq!(house.get(&house.owner, "/audit/server/export").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_search_filters_and_pages() {
    let house = House::new().await;
    let session = house.session(&house.owner, house.project).await;
    house.question(&house.owner, &session, "h.txt").await;
    let path = format!("/projects/{}/audit", house.project);
    let turns = house.get(&house.owner, &format!("{path}?kind=turn.accepted")).await;
    assert_eq!(turns.body["items"].as_array().unwrap().len(), 1, "{}", turns.text);
    let page = house.get(&house.owner, &format!("{path}?limit=2")).await;
    let newest: Vec<_> =
        page.body["items"].as_array().unwrap().iter().map(|r| r["seq"].as_u64()).collect();
    assert_eq!(newest[0].unwrap() - 1, newest[1].unwrap());
    assert!(page.header("link").contains(&format!("cursor={}", newest[1].unwrap())));
    let approver = house.member("approver", Role::Approver).await;
    let editor = house.member("editor", Role::Editor).await;
    assert_eq!(house.get(&approver, &path).await.status, 200);
    let refused = house.get(&editor, &path).await;
    assert_eq!(refused.body["params"]["roles"], json!(["admin", "owner", "approver"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_is_checked_by_the_independent_verifier_and_nothing_is_written_for_it() {
    let house = House::new().await;
    let session = house.session(&house.owner, house.project).await;
    house.question(&house.owner, &session, "v.txt").await;
    let path = format!("/projects/{}/audit", house.project);
    let verify = async || house.get(&house.owner, &format!("{path}/verify")).await;
    let first = verify().await;
    assert_eq!(
        (first.status, &first.body["state"]),
        (200, &json!("unsigned_tail")),
        "{}",
        first.text
    );
    assert_eq!(
        (&first.body["signed_records"], &first.body["first_bad"]),
        (&json!(0), &json!(null))
    );
    let newest = house.get(&house.owner, &format!("{path}?limit=1")).await;
    assert_eq!(first.body["records"], newest.body["items"][0]["seq"]);
    assert_eq!(first.body["head"], newest.body["items"][0]["hash"]);
    assert_eq!(verify().await.body, first.body, "looking changes nothing");
    // An export signs all that there is.
    house.get(&house.owner, &format!("/audit/{}/export", house.project)).await;
    let signed = verify().await;
    assert_eq!(signed.body["state"], "verified", "{}", signed.text);
    assert_eq!(signed.body["signed_records"], signed.body["records"]);
    let editor = house.member("editor", Role::Editor).await;
    assert_eq!(house.get(&editor, &format!("{path}/verify")).await.status, 403);
}
