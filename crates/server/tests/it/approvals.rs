//! The inbox as a person reads it.

use crate::test_server::TestServer;
use serde_json::json;
use wiiiv_store::Role;

#[tokio::test(flavor = "multi_thread")]
async fn a_question_says_who_asks_where_and_for_what() {
    let test = TestServer::new().await;
    let editor = test.member("editor", Role::Editor).await;
    let session = test.session(&editor, test.project).await;
    let (asked, _) = test.question(&editor, &session, "e.txt").await;
    let inbox = test.get(&test.owner, "/approvals?requester=others").await;
    let item = &inbox.body["items"][0];
    assert_eq!(item["id"], asked);
    assert_eq!(
        (&item["requester_name"], &item["project_name"]),
        (&json!("editor"), &json!("work"))
    );
    assert_eq!((&item["task_type"], &item["effect"]), (&json!("FILE_WRITE"), &json!("WRITE")));
    assert_eq!(item["session"], session);
    assert_eq!(item["title"]["en"], "write 'hello' to the file e.txt · write");
    assert_eq!(item["title"]["ko"], "write 'hello' to the file e.txt · 쓰기");
    for (who, query, count) in [(&test.owner, "me", 0), (&editor, "me", 1), (&editor, "others", 0)]
    {
        let inbox = test.get(who, &format!("/approvals?requester={query}")).await;
        assert_eq!(inbox.body["items"].as_array().map(Vec::len), Some(count), "{query}");
    }
    let odd = test.get(&editor, "/approvals?requester=nobody").await;
    assert_eq!((odd.status, odd.code()), (400, "INVALID_QUERY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forecast_tells_what_a_yes_would_come_to() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (asked, digest) = test.question(&test.owner, &session, "f.txt").await;
    let path = format!("/approvals/{asked}");
    let detail = test.get(&test.owner, &path).await;
    let gates = detail.body["forecast"]["gates"].as_array().unwrap();
    let told: Vec<_> = gates.iter().map(|gate| (&gate["gate"], &gate["answer"])).collect();
    let due = [
        (&json!("dacs"), &json!("allow")),
        (&json!("user_approval"), &json!("pending")),
        (&json!("permission"), &json!("allow")),
        (&json!("cost"), &json!("allow")),
    ];
    assert_eq!(told, due, "{}", detail.text);
    assert_eq!(gates[1]["codes"], json!(["APPROVAL_MISSING"]));
    let estimate = json!({"tokens": 0, "money_micros": 0, "currency": null});
    // The house prices no model.
    assert_eq!(detail.body["forecast"]["estimate"], estimate);

    let policy = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &policy).await;
    let mut narrower = current.body["policy"].clone();
    narrower["allowedStepTypes"] = json!(["FILE_READ"]);
    let put = crate::call::TestRequest::new("PUT", &policy).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": narrower, "reason": "narrower"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
    let detail = test.get(&test.owner, &path).await;
    let permission = &detail.body["forecast"]["gates"][2];
    assert_eq!(permission["answer"], "deny", "{}", detail.text);
    assert_eq!(permission["codes"], json!(["STEP_TYPE_NOT_ALLOWED"]));

    let reject = json!({"digest": digest, "reason": "no"});
    assert_eq!(test.post(&test.owner, &format!("{path}/reject"), reject).await.status, 200);
    let detail = test.get(&test.owner, &path).await;
    assert_eq!(detail.body["forecast"]["gates"][1]["answer"], "deny");
}

/// A list names what was asked for: also where it was changed, or asked together with another.
#[tokio::test(flavor = "multi_thread")]
async fn a_title_is_the_request_with_what_changed_it_and_its_effect() {
    let test = TestServer::new().await;
    let owner = &test.owner;
    let session = test.session(owner, test.project).await;
    test.question(owner, &session, "a.txt").await;
    test.say(owner, &session, "make it b.txt instead").await;
    let other = test.session(owner, test.project).await;
    test.say(owner, &other, "write 'x' to c.txt and then delete c.txt").await;
    test.say(owner, &other, "yes").await;
    test.executed(owner).await;
    let titles = |body: &serde_json::Value| {
        let items = body["items"].as_array().unwrap().clone();
        items
            .iter()
            .map(|item| item["title"]["en"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let inbox = titles(&test.get(owner, "/approvals").await.body);
    let both = "write 'x' to c.txt and then delete c.txt";
    let changed = "write 'hello' to the file a.txt / make it b.txt instead · write";
    assert!(inbox.contains(&changed.to_owned()), "{inbox:?}");
    assert!(inbox.contains(&format!("{both} · write")), "{inbox:?}");
    assert!(inbox.contains(&format!("{both} · delete")), "{inbox:?}");
    let runs = test.get(owner, &format!("/projects/{}/executions", test.project)).await;
    assert_eq!(titles(&runs.body), [format!("{both} · write")]);
    assert_eq!(runs.body["items"][0]["effect"], "WRITE");
}

/// By words and by the button: the same request, told apart.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_tried_again_says_so_in_its_title() {
    let test = TestServer::new().await;
    let owner = &test.owner;
    let session = test.session(owner, test.project).await;
    test.question(owner, &session, "a.txt").await;
    test.say(owner, &session, "no").await;
    test.say(owner, &session, "try again").await;
    test.say(owner, &session, "no").await;
    let pressed = format!("/sessions/{session}/control");
    let pressed = test.post(owner, &pressed, json!({"action": "again"})).await;
    assert_eq!(pressed.status, 202, "{}", pressed.text);
    let asked = async {
        loop {
            let inbox = test.get(owner, "/approvals").await.body["items"].clone();
            if inbox.as_array().map(Vec::len) == Some(3) {
                return inbox;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let inbox = tokio::time::timeout(std::time::Duration::from_secs(30), asked).await;
    let inbox = inbox.expect("a question of each try");
    let words = "write 'hello' to the file a.txt";
    let titles = |lang: &str| [0_usize, 1, 2].map(|nth| inbox[nth]["title"][lang].clone());
    let due = [" · tried again (2 times) · write", " · tried again · write", " · write"];
    assert_eq!(titles("en"), due.map(|tail| json!(format!("{words}{tail}"))));
    let due = [" · 다시 시도(2회) · 쓰기", " · 다시 시도 · 쓰기", " · 쓰기"];
    assert_eq!(titles("ko"), due.map(|tail| json!(format!("{words}{tail}"))));
}
