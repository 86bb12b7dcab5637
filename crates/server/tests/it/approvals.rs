//! The inbox as a person reads it.

use crate::house::House;
use serde_json::json;
use wiiiv_store::Role;

#[tokio::test(flavor = "multi_thread")]
async fn a_question_says_who_asks_where_and_for_what() {
    let house = House::new().await;
    let editor = house.member("editor", Role::Editor).await;
    let session = house.session(&editor, house.project).await;
    let (asked, _) = house.question(&editor, &session, "e.txt").await;
    let inbox = house.get(&house.owner, "/approvals?requester=others").await;
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
    for (who, query, count) in [(&house.owner, "me", 0), (&editor, "me", 1), (&editor, "others", 0)]
    {
        let inbox = house.get(who, &format!("/approvals?requester={query}")).await;
        assert_eq!(inbox.body["items"].as_array().map(Vec::len), Some(count), "{query}");
    }
    let odd = house.get(&editor, "/approvals?requester=nobody").await;
    assert_eq!((odd.status, odd.code()), (400, "INVALID_QUERY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forecast_tells_what_a_yes_would_come_to() {
    let house = House::new().await;
    let session = house.session(&house.owner, house.project).await;
    let (asked, digest) = house.question(&house.owner, &session, "f.txt").await;
    let path = format!("/approvals/{asked}");
    let detail = house.get(&house.owner, &path).await;
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

    let policy = format!("/projects/{}/policy", house.project);
    let current = house.get(&house.owner, &policy).await;
    let mut narrower = current.body["policy"].clone();
    narrower["allowedStepTypes"] = json!(["FILE_READ"]);
    let put = crate::call::Asked::new("PUT", &policy).by(&house.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = house.send(put.json(&json!({"policy": narrower, "reason": "narrower"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
    let detail = house.get(&house.owner, &path).await;
    let permission = &detail.body["forecast"]["gates"][2];
    assert_eq!(permission["answer"], "deny", "{}", detail.text);
    assert_eq!(permission["codes"], json!(["STEP_TYPE_NOT_ALLOWED"]));

    let reject = json!({"digest": digest, "reason": "no"});
    assert_eq!(house.post(&house.owner, &format!("{path}/reject"), reject).await.status, 200);
    let detail = house.get(&house.owner, &path).await;
    assert_eq!(detail.body["forecast"]["gates"][1]["answer"], "deny");
}

/// A list names what was asked for: also where it was changed, or asked together with another.
#[tokio::test(flavor = "multi_thread")]
async fn a_title_is_the_request_with_what_changed_it_and_its_effect() {
    let house = House::new().await;
    let owner = &house.owner;
    let session = house.session(owner, house.project).await;
    house.question(owner, &session, "a.txt").await;
    house.say(owner, &session, "make it b.txt instead").await;
    let other = house.session(owner, house.project).await;
    house.say(owner, &other, "write 'x' to c.txt and then delete c.txt").await;
    house.say(owner, &other, "yes").await;
    house.executed(owner).await;
    let titles = |body: &serde_json::Value| {
        let items = body["items"].as_array().unwrap().clone();
        items
            .iter()
            .map(|item| item["title"]["en"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let inbox = titles(&house.get(owner, "/approvals").await.body);
    let both = "write 'x' to c.txt and then delete c.txt";
    let changed = "write 'hello' to the file a.txt / make it b.txt instead · write";
    assert!(inbox.contains(&changed.to_owned()), "{inbox:?}");
    assert!(inbox.contains(&format!("{both} · write")), "{inbox:?}");
    assert!(inbox.contains(&format!("{both} · delete")), "{inbox:?}");
    let runs = house.get(owner, &format!("/projects/{}/executions", house.project)).await;
    assert_eq!(titles(&runs.body), [format!("{both} · write")]);
    assert_eq!(runs.body["items"][0]["effect"], "WRITE");
}
