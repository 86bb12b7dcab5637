//! What can be proved afterwards, with the independent verifier.

use crate::test_server::TestServer;
use serde_json::json;
use wiiiv_store::Role;
use wiiiv_verify::{Level, PublicKey, verify, verify_receipt};

async fn key(test: &TestServer) -> PublicKey {
    let keys = test.get(&test.owner, "/audit/keys").await;
    let item = &keys.body["items"][0];
    let key = PublicKey::parse(item["public_key"].as_str().unwrap()).unwrap();
    assert_eq!(item["key_id"], key.key_id());
    key
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_and_receipts_verify_with_the_published_key() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "secret-name.txt").await;
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    let execution = test.executed(&test.owner).await;
    let key = key(&test).await;

    let export = test.get(&test.owner, &format!("/audit/{}/export", test.project)).await;
    assert_eq!(export.header("content-type"), "application/jsonl");
    let report = verify(export.text.as_bytes(), Some(&key), None).unwrap();
    assert_eq!((report.level, report.unsigned_tail), (Level::Verified, 0));
    assert!(!export.text.contains("hello"), "no text of people or models");
    let broken = export.text.replacen("turn.accepted", "turn.invented", 1);
    assert!(verify(broken.as_bytes(), Some(&key), None).is_err());

    let id = execution["id"].as_str().unwrap();
    let receipt = test.get(&test.owner, &format!("/executions/{id}/receipt")).await;
    let report = verify_receipt(receipt.text.as_bytes(), Some(&key)).unwrap();
    assert_eq!(report.level, Level::Verified);

    let server = test.get(&test.admin, "/audit/server/export").await;
    assert_eq!(verify(server.text.as_bytes(), Some(&key), None).unwrap().chain, "server");
    assert_eq!(test.get(&test.owner, "/audit/server/export").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_search_filters_and_pages() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    test.question(&test.owner, &session, "h.txt").await;
    let path = format!("/projects/{}/audit", test.project);
    let turns = test.get(&test.owner, &format!("{path}?kind=turn.accepted")).await;
    assert_eq!(turns.body["items"].as_array().unwrap().len(), 1, "{}", turns.text);
    let page = test.get(&test.owner, &format!("{path}?limit=2")).await;
    let newest: Vec<_> =
        page.body["items"].as_array().unwrap().iter().map(|r| r["seq"].as_u64()).collect();
    assert_eq!(newest[0].unwrap() - 1, newest[1].unwrap());
    assert!(page.header("link").contains(&format!("cursor={}", newest[1].unwrap())));
    let approver = test.member("approver", Role::Approver).await;
    let editor = test.member("editor", Role::Editor).await;
    assert_eq!(test.get(&approver, &path).await.status, 200);
    let refused = test.get(&editor, &path).await;
    assert_eq!(refused.body["params"]["roles"], json!(["admin", "owner", "approver"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_is_checked_by_the_independent_verifier_and_nothing_is_written_for_it() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    test.question(&test.owner, &session, "v.txt").await;
    let path = format!("/projects/{}/audit", test.project);
    let verify = async || test.get(&test.owner, &format!("{path}/verify")).await;
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
    let newest = test.get(&test.owner, &format!("{path}?limit=1")).await;
    assert_eq!(first.body["records"], newest.body["items"][0]["seq"]);
    assert_eq!(first.body["head"], newest.body["items"][0]["hash"]);
    assert_eq!(verify().await.body, first.body, "looking changes nothing");
    // An export signs all that there is.
    test.get(&test.owner, &format!("/audit/{}/export", test.project)).await;
    let signed = verify().await;
    assert_eq!(signed.body["state"], "verified", "{}", signed.text);
    assert_eq!(signed.body["signed_records"], signed.body["records"]);
    let editor = test.member("editor", Role::Editor).await;
    assert_eq!(test.get(&editor, &format!("{path}/verify")).await.status, 403);
}

/// By whom, how it ended, of which system and path, when, and by words.
#[tokio::test(flavor = "multi_thread")]
async fn the_search_finds_by_person_outcome_path_day_and_words() {
    let test = TestServer::new().await;
    let editor = test.member("kim", Role::Editor).await;
    let session = test.session(&editor, test.project).await;
    let (approval, digest) = test.question(&editor, &session, "deep/found.txt").await;
    assert_eq!(test.approve(&editor, &approval, &digest).await.status, 200);
    test.executed(&test.owner).await;
    let other = test.session(&test.owner, test.project).await;
    test.question(&test.owner, &other, "elsewhere.txt").await;
    let path = format!("/projects/{}/audit", test.project);
    let found = async |query: String| {
        let answer = test.get(&test.owner, &format!("{path}?limit=100&{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        answer.body["items"].as_array().unwrap().clone()
    };
    let kinds = |rows: &[serde_json::Value]| {
        rows.iter().map(|row| row["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let by = found(format!("actor={}", editor.user)).await;
    assert!(kinds(&by).contains(&"turn.accepted".to_owned()), "{by:?}");
    let named = |row: &serde_json::Value| row["person_name"] == "kim";
    assert!(by.iter().any(named), "the person has a name: {by:?}");
    let named = found("q=KIM&kind=turn.accepted".to_owned()).await;
    assert_eq!(named.len(), 2, "the message and the answer, by name in any case: {named:?}");
    let given = found("kind=approval.given,approval.rejected".to_owned()).await;
    assert_eq!(kinds(&given), ["approval.given"]);
    let plans = found("path=deep&kind=blueprint.drawn".to_owned()).await;
    assert_eq!(plans.len(), 1, "{plans:?}");
    assert!(found("path=nowhere".to_owned()).await.is_empty());
    assert!(found("system=nothing".to_owned()).await.is_empty());
    let done = found("outcome=done&kind=execution.finished".to_owned()).await;
    assert_eq!(done.len(), 1, "{done:?}");
    assert!(found("outcome=denied".to_owned()).await.is_empty());
    assert!(found("until=2001-01-01".to_owned()).await.is_empty());
    assert!(!found("from=2001-01-01".to_owned()).await.is_empty());
    assert!(found("q=%25".to_owned()).await.is_empty(), "no pattern");
    for query in ["from=soon", "outcome=odd", "from=2026-02-02&until=2026-02-01"] {
        let refused = test.get(&test.owner, &format!("{path}?{query}")).await;
        assert_eq!((refused.status, refused.code()), (400, "INVALID_QUERY"), "{query}");
    }
    let runs = format!("/projects/{}/executions", test.project);
    let count = async |query: &str| {
        let answer = test.get(&test.owner, &format!("{runs}?{query}")).await;
        answer.body["items"].as_array().map(Vec::len)
    };
    assert_eq!(count("state=succeeded").await, Some(1));
    assert_eq!(count("state=failed").await, Some(0));
    assert_eq!(count("q=FOUND.txt").await, Some(1), "the title is searched, in any case");
    assert_eq!(count("q=elsewhere").await, Some(0));
    assert_eq!(count(&format!("requester={}", editor.user)).await, Some(1));
    assert_eq!(count(&format!("requester={}", test.owner.user)).await, Some(0));
}
