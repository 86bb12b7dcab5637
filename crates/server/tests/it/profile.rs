//! Profiles over HTTP: off until a policy switches them on, one's own alone, and nothing of safety without a yes.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer, token},
};
use serde_json::{Value, json};
use wiiiv_store::{Role, TokenScope};

fn path(test: &TestServer) -> String {
    format!("/projects/{}/profile", test.project)
}

/// With everything else as it was.
async fn switched(test: &TestServer, schema: Value) -> Answer {
    let at = format!("/projects/{}/policy", test.project);
    let now = test.get(&test.owner, &at).await;
    let mut policy = now.body["policy"].clone();
    policy["profileSchema"] = schema;
    let put = TestRequest::new("PUT", &at).by(&test.owner.token);
    let body = json!({"policy": policy, "reason": "test"});
    test.send(put.header("if-match", now.header("etag")).json(&body)).await
}

async fn with_profiles() -> TestServer {
    let test = TestServer::new().await;
    let switched = switched(&test, json!("medical")).await;
    assert_eq!(switched.status, 201, "{}", switched.text);
    test
}

async fn send(
    test: &TestServer,
    who: &Person,
    (method, below): (&str, &str),
    (version, body): (u64, Option<Value>),
) -> Answer {
    let asked = TestRequest::new(method, &format!("{}{below}", path(test))).by(&who.token);
    let asked = asked.header("if-match", &format!("\"{version}\""));
    test.send(body.iter().fold(asked, |asked, body| asked.json(body))).await
}

async fn put(test: &TestServer, who: &Person, version: u64, changes: Value) -> Answer {
    send(test, who, ("PUT", ""), (version, Some(json!({"changes": changes})))).await
}

fn set(slot: &str, value: &str) -> Value {
    json!({"slot": slot, "op": "set", "value": value})
}

fn weight(op: &str, value: &str, day: &str) -> Value {
    json!({"slot": "weight", "op": op, "value": value, "day": day})
}

/// Of one slot, in their order.
fn values(answer: &Answer, slot: &str) -> Vec<String> {
    let slots = answer.body["slots"].as_array().unwrap();
    let found = slots.iter().find(|of| of["name"] == slot).unwrap();
    let values = found["values"].as_array().unwrap().iter();
    values.map(|value| value["value"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn profiles_are_off_until_a_policy_names_a_schema() {
    let test = TestServer::new().await;
    let off = test.get(&test.owner, &path(&test)).await;
    assert_eq!((off.status, off.header("etag")), (200, "\"0\""), "{}", off.text);
    assert_eq!((&off.body["schema"], &off.body["slots"]), (&Value::Null, &json!([])));
    let refused = put(&test, &test.owner, 0, json!([set("age", "35")])).await;
    assert_eq!((refused.status, refused.code()), (409, "PROFILE_OFF"), "{}", refused.text);
    let schema = test.get(&test.owner, &format!("{}/schema", path(&test))).await;
    assert_eq!((schema.status, schema.code()), (409, "PROFILE_OFF"));
    for odd in [json!("nowhere"), json!("Medical!"), json!(7)] {
        let refused = switched(&test, odd.clone()).await;
        assert_eq!(refused.status, 422, "{odd}: {}", refused.text);
    }
    assert_eq!(switched(&test, json!("medical")).await.status, 201);
    let schema = test.get(&test.owner, &format!("{}/schema", path(&test))).await;
    let first = &schema.body["slots"][0];
    assert_eq!((&first["name"], &first["safety"]), (&json!("allergies"), &json!(true)));
    assert!(
        first["label"]["ko"].is_string() && first["label"]["en"].is_string(),
        "{}",
        schema.text
    );
    let on = test.get(&test.owner, &path(&test)).await;
    assert_eq!((&on.body["schema"], &on.body["version"]), (&json!("medical"), &json!(0)));
    assert_eq!(on.body["slots"][0], json!({"name": "allergies", "values": []}));
    // Off again, what was told is not shown, and it is there when it is on once more.
    assert_eq!(put(&test, &test.owner, 0, json!([set("age", "35")])).await.status, 200);
    assert_eq!(switched(&test, Value::Null).await.status, 201);
    assert_eq!(test.get(&test.owner, &path(&test)).await.body["slots"], json!([]));
    assert_eq!(switched(&test, json!("medical")).await.status, 201);
    assert_eq!(values(&test.get(&test.owner, &path(&test)).await, "age"), ["35"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_concerns_safety_waits_for_a_yes_and_what_is_told_can_be_undone() {
    let test = with_profiles().await;
    let who = &test.owner;
    let told = put(&test, who, 0, json!([set("age", "35"), set("allergies", "페니실린")])).await;
    assert_eq!((told.status, told.header("etag")), (200, "\"1\""), "{}", told.text);
    let due = json!([
        {"slot": "age", "outcome": "kept", "pending": null},
        {"slot": "allergies", "outcome": "waits", "pending": 1},
    ]);
    assert_eq!(told.body["outcomes"], due);
    assert!(values(&told, "allergies").is_empty());
    let pending = &told.body["pending"][0];
    assert_eq!((&pending["value"], &pending["op"]), (&json!("페니실린"), &json!("set")));
    let late = send(&test, who, ("POST", "/pending/1/accept"), (0, None)).await;
    assert_eq!((late.status, late.code()), (412, "VERSION_CHANGED"));
    let kept = send(&test, who, ("POST", "/pending/1/accept"), (1, None)).await;
    assert_eq!(values(&kept, "allergies"), ["페니실린"], "{}", kept.text);
    let again = send(&test, who, ("POST", "/pending/1/accept"), (2, None)).await;
    assert_eq!(again.status, 404, "{}", again.text);
    let advice = again.body["suggestion"].as_str().unwrap();
    assert!(advice.contains("another number") && advice.contains("`pending`"), "{advice}");

    let contradicts = put(&test, who, 2, json!([set("allergies", "없음")])).await;
    assert_eq!(contradicts.body["pending"][0]["contradicts"], json!(["페니실린"]));
    let dropped = send(&test, who, ("POST", "/pending/2/drop"), (3, None)).await;
    assert_eq!(values(&dropped, "allergies"), ["페니실린"]);
    let cleared = send(&test, who, ("DELETE", "/slots/age"), (4, None)).await;
    assert!(values(&cleared, "age").is_empty(), "{}", cleared.text);
    let undone = send(&test, who, ("POST", "/undo"), (5, Some(json!({})))).await;
    assert_eq!(values(&undone, "age"), ["35"], "{}", undone.text);
    let far = send(&test, who, ("POST", "/undo"), (6, Some(json!({"to": 99})))).await;
    assert_eq!(far.status, 404);

    let versions = test.get(who, &format!("{}/versions", path(&test))).await;
    let rows = versions.body["items"].as_array().unwrap();
    let how: Vec<&Value> = rows.iter().map(|row| &row["how"]).collect();
    assert_eq!(how, ["restored", "changed", "dropped", "changed", "accepted", "changed"]);
    let added =
        json!([{"slot": "age", "kind": "added", "value": "35", "from": null, "until": null}]);
    assert_eq!((&rows[0]["changes"], &rows[5]["changes"]), (&added, &added));
    assert_eq!(rows[2]["changes"], json!([]));
    let page = test.get(who, &format!("{}/versions?limit=2&cursor=3", path(&test))).await;
    assert_eq!(page.body["items"], json!(rows[4..]), "{}", page.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_of_a_slot_of_safety_is_asked_about() {
    let test = with_profiles().await;
    let who = &test.owner;
    put(&test, who, 0, json!([set("allergies", "nuts"), set("age", "35")])).await;
    let yes = async |id: u64, version: u64| {
        let below = format!("/pending/{id}/accept");
        send(&test, who, ("POST", &below), (version, None)).await
    };
    yes(1, 1).await;
    let undone = send(&test, who, ("POST", "/undo"), (2, Some(json!({"to": 0})))).await;
    let due = json!([
        {"slot": "age", "outcome": "kept", "pending": null},
        {"slot": "allergies", "outcome": "waits", "pending": 2},
    ]);
    assert_eq!(undone.body["outcomes"], due, "{}", undone.text);
    assert!(values(&undone, "age").is_empty());
    assert_eq!(values(&undone, "allergies"), ["nuts"], "not before the yes");
    let waits = &undone.body["pending"][0];
    assert_eq!((&waits["op"], &waits["value"]), (&json!("restore"), &Value::Null));
    assert_eq!(waits["contradicts"], json!(["nuts"]));
    assert!(values(&yes(2, 3).await, "allergies").is_empty());
    let forth = send(&test, who, ("POST", "/undo"), (4, Some(json!({"to": 2})))).await;
    let waits = &forth.body["pending"][0];
    assert_eq!((&waits["op"], &waits["value"]), (&json!("restore"), &json!("nuts")));
    // Nobody asks for it by a change.
    let odd = json!([{"slot": "allergies", "op": "restore", "value": "nuts"}]);
    assert_eq!(put(&test, who, 5, odd).await.status, 422);
    let versions = test.get(who, &format!("{}/versions", path(&test))).await;
    assert_eq!(versions.body["items"][1]["how"], "restored", "{}", versions.text);
}

/// The attack: who has the database file reads the answers that are kept for a day.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_given_again_holds_no_value() {
    let test = with_profiles().await;
    let changes = json!([set("symptoms", "CANARY"), set("allergies", "a"), set("allergies", "b")]);
    assert_eq!(put(&test, &test.owner, 0, changes).await.status, 200);
    let steps = [
        ("/pending/1/accept", json!({})),
        ("/pending/2/drop", json!({})),
        ("/undo", json!({"to": 1})),
    ];
    for (version, (below, body)) in (1..).zip(steps) {
        let asked = || {
            let asked = TestRequest::new("POST", &format!("{}{below}", path(&test)));
            let asked = asked.by(&test.owner.token).header("idempotency-key", below);
            asked.header("if-match", &format!("\"{version}\"")).json(&body)
        };
        let first = test.send(asked()).await;
        assert_eq!((first.status, values(&first, "symptoms").len()), (200, 1), "{}", first.text);
        let again = test.send(asked()).await;
        assert_eq!((again.status, again.header("idempotency-replayed")), (200, "true"));
        assert_eq!((&*again.text, again.header("etag")), ("", first.header("etag")), "{below}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_fits_no_slot_changes_nothing() {
    let test = with_profiles().await;
    for (changes, part) in [
        (json!([set("nowhere", "x")]), "no slot"),
        (json!([set("age", "thirty CANARY")]), "a number"),
        (json!([set("age", "-3")]), "numbers from `0` to `150`"),
        (json!([set("blood_pressure", "9000 CANARY")]), "numbers from"),
        (json!([weight("set", "70", "2999-01-01")]), "after today"),
        (json!([set("age", "35"), set("symptoms", "a\nCANARY")]), "control"),
        (json!([{"slot": "age", "op": "set"}]), "empty"),
        (json!([{"slot": "age", "op": "set", "value": "35", "day": "2026-01-01"}]), "a day goes"),
        (json!([{"slot": "age", "op": "end", "value": "35"}]), "has an end"),
        (json!([{"slot": "weight", "op": "set", "value": "70", "day": "yesterday"}]), "a day"),
        (json!([{"slot": "symptoms", "op": "remove", "value": "CANARY"}]), "no such value"),
        (json!([]), "nothing"),
        (json!([{"slot": "age", "op": "approve", "value": "35"}]), "INVALID_FIELD"),
    ] {
        let refused = put(&test, &test.owner, 0, changes.clone()).await;
        assert_eq!(refused.status, 422, "{changes}: {}", refused.text);
        assert!(refused.text.contains(part), "{changes}: {}", refused.text);
        assert!(!refused.text.contains("CANARY"), "{}", refused.text);
    }
    assert_eq!(test.get(&test.owner, &path(&test)).await.body["version"], 0);
}

/// The attack: a key is put where every model reads it. One that is there already can be taken away.
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_holds_a_key_is_refused_and_says_where_keys_belong() {
    let test = with_profiles().await;
    let key = concat!("sk-proj-", "abcdefghijklmnopqrstuvwx0123");
    for slot in ["symptoms", "allergies"] {
        let changes = json!([set("age", "35"), set(slot, &format!("it is {key}"))]);
        let refused = put(&test, &test.owner, 0, changes).await;
        assert_eq!((refused.status, refused.code()), (422, "MEMORY_SECRET"), "{}", refused.text);
        assert!(!refused.text.contains(key), "{}", refused.text);
    }
    let gone = json!([{"slot": "symptoms", "op": "remove", "value": key}]);
    assert!(put(&test, &test.owner, 0, gone).await.text.contains("no such value"));
    assert_eq!(test.get(&test.owner, &path(&test)).await.body["version"], 0);
}

/// The attack: a colleague, the project's owner or an administrator looks for what somebody told.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_sees_what_somebody_else_told() {
    let test = with_profiles().await;
    let editor = test.member("editor", Role::Editor).await;
    let told = put(&test, &editor, 0, json!([set("symptoms", "CANARY cough")])).await;
    assert_eq!(told.status, 200, "{}", told.text);
    let below = ["", "/versions", "/export"];
    for who in [&test.owner, &test.admin] {
        for of in below {
            let seen = test.get(who, &format!("{}{of}", path(&test))).await;
            assert!(!seen.text.contains("CANARY"), "{of}: {}", seen.text);
        }
    }
    let audit = test.get(&test.owner, &format!("/projects/{}/audit", test.project)).await;
    assert!(audit.text.contains("profile.changed") && !audit.text.contains("CANARY"));
    let export = test.get(&editor, &format!("{}/export", path(&test))).await;
    assert!(export.header("content-disposition").contains("profile-"), "{}", export.text);
    assert_eq!(values(&export, "symptoms"), ["CANARY cough"]);

    let erased = TestRequest::new("DELETE", &path(&test)).by(&editor.token);
    assert_eq!(test.status(erased).await, 204);
    let left = test.get(&editor, &format!("{}/versions", path(&test))).await;
    assert!(!left.text.contains("CANARY"), "{}", left.text);
    assert_eq!(left.body["items"][0]["how"], "erased");
}

/// A yes takes nothing away that its person was not shown.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_shows_what_it_would_take_now_and_is_another_question_then() {
    let test = with_profiles().await;
    let who = &test.owner;
    let tell = async |version: u64, value: &str| {
        put(&test, who, version, json!([set("allergies", value)])).await
    };
    let answer =
        async |version: u64, of: &str| send(&test, who, ("POST", of), (version, None)).await;
    tell(0, "penicillin").await;
    answer(1, "/pending/1/accept").await;
    let none = tell(2, "none").await;
    let due = |answer: &Answer| {
        let waits = &answer.body["pending"][0];
        (waits["id"].clone(), waits["contradicts"].clone())
    };
    assert_eq!(due(&none), (json!(2), json!(["penicillin"])));
    tell(3, "nuts").await;
    let more = answer(4, "/pending/3/accept").await;
    assert_eq!(due(&more), (json!(4), json!(["penicillin", "nuts"])), "{}", more.text);
    let old = answer(5, "/pending/2/accept").await;
    assert_eq!(old.status, 404, "{}", old.text);
    let shown = test.get(who, &path(&test)).await;
    assert_eq!(values(&shown, "allergies"), ["penicillin", "nuts"]);
    assert_eq!(due(&shown), due(&more));
    let now = answer(5, "/pending/4/accept").await;
    assert_eq!(values(&now, "allergies"), ["none"], "{}", now.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_equal_values_one_is_removed_and_an_erasure_counts_profiles() {
    let test = with_profiles().await;
    let told = [("70", "2026-01-01"), ("71", "2026-01-02"), ("70", "2026-01-03")];
    let told = told.map(|(value, day)| weight("set", value, day));
    let told = put(&test, &test.owner, 0, json!(told)).await;
    assert_eq!(values(&told, "weight"), ["70", "71", "70"], "{}", told.text);
    let left = put(&test, &test.owner, 1, json!([weight("remove", "70", "2026-01-01")])).await;
    assert_eq!(values(&left, "weight"), ["71", "70"], "{}", left.text);

    let body = json!({"project": test.project.to_string(), "reason": "asked for"});
    let erased = test.post(&test.admin, "/erasures", body).await;
    let listed = test.get(&test.admin, "/erasures").await.body["items"][0].clone();
    for told in [&erased.body, &listed] {
        assert_eq!(
            (&told["profiles"], &told["profile_versions"]),
            (&json!(1), &json!(2)),
            "{told}"
        );
    }
}

/// Whoever may add nothing any more still drops, takes back and erases what they told, by a token that does more than
/// look.
#[tokio::test(flavor = "multi_thread")]
async fn a_member_who_only_looks_takes_back_and_erases_what_they_told() {
    let test = with_profiles().await;
    let lee = test.member("lee", Role::Editor).await;
    for (version, (slot, value)) in (0..).zip([("age", "34"), ("age", "35"), ("allergies", "a")]) {
        let told = put(&test, &lee, version, json!([set(slot, value)])).await;
        assert_eq!(told.status, 200, "{}", told.text);
    }
    let (store, viewer) = (test.store(), [Role::Viewer].into());
    store.set_roles(test.project, lee.user, viewer, test.owner.user).await.unwrap();
    let looks = token(store, lee.user, TokenScope::Read).await;
    let looking = Person { token: looks, ..lee.clone() };
    assert_eq!(put(&test, &lee, 3, json!([set("age", "36")])).await.status, 403);
    let yes = send(&test, &lee, ("POST", "/pending/1/accept"), (3, None)).await;
    assert_eq!(yes.status, 403, "{}", yes.text);
    for (who, due) in [(&looking, 403), (&lee, 200)] {
        let dropped = send(&test, who, ("POST", "/pending/1/drop"), (3, None)).await;
        assert_eq!(dropped.status, due, "{}", dropped.text);
    }
    for (who, due) in [(&looking, 403), (&lee, 200)] {
        let undone = send(&test, who, ("POST", "/undo"), (4, Some(json!({})))).await;
        assert_eq!(undone.status, due, "{}", undone.text);
    }
    let forth = send(&test, &lee, ("POST", "/undo"), (5, Some(json!({"to": 2})))).await;
    assert_eq!(forth.status, 403, "{}", forth.text);
    let ages = async || values(&test.get(&lee, &path(&test)).await, "age");
    assert_eq!(ages().await, ["34"]);
    for (who, due) in [(&looking, 403), (&lee, 204)] {
        let erased = TestRequest::new("DELETE", &path(&test)).by(&who.token);
        assert_eq!(test.status(erased).await, due);
    }
    assert!(ages().await.is_empty());
    let left = test.get(&lee, &format!("{}/versions", path(&test))).await;
    let rows = left.body["items"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["how"]), (1, &json!("erased")), "{}", left.text);
}
