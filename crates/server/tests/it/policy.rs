//! Policies over HTTP: a change says what it changes, and nothing unknown gets in.

use crate::{
    call::{Answer, TestRequest},
    test_server::TestServer,
};
use serde_json::{Value, json};
use wiiiv_net::Origin;
use wiiiv_store::Role;

async fn put(test: &TestServer, tag: Option<&str>, body: &Value) -> Answer {
    let asked = TestRequest::new("PUT", &format!("/projects/{}/policy", test.project));
    let asked = asked.by(&test.owner.token).json(body);
    test.send(tag.into_iter().fold(asked, |asked, tag| asked.header("if-match", tag))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_names_the_version_that_it_changes() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let tag = current.header("etag").to_owned();
    assert_eq!(tag, format!("\"{}\"", current.body["id"].as_str().unwrap()));
    let mut policy = current.body["policy"].clone();
    policy["allowedStepTypes"] = json!(["FILE_READ"]);
    let body = json!({"policy": policy, "reason": "read only for now"});

    let blind = put(&test, None, &body).await;
    assert_eq!((blind.status, blind.code()), (428, "PRECONDITION_REQUIRED"));
    let made = put(&test, Some(&tag), &body).await;
    assert_eq!((made.status, &made.body["number"]), (201, &json!(2)), "{}", made.text);
    assert_eq!(made.body["policy"]["allowedStepTypes"], json!(["FILE_READ"]));
    assert_ne!(made.header("etag"), tag);
    let late = put(&test, Some(&tag), &body).await;
    assert_eq!((late.status, late.code()), (412, "VERSION_CHANGED"), "{}", late.text);
    assert_eq!(late.body["params"]["current"], made.body["id"]);

    let versions = test.get(&test.owner, &format!("{path}/versions")).await;
    let numbers: Vec<_> =
        versions.body["items"].as_array().unwrap().iter().map(|v| v["number"].clone()).collect();
    assert_eq!(numbers, [json!(2), json!(1)]);
    let page = test.get(&test.owner, &format!("{path}/versions?limit=1")).await;
    assert!(page.header("link").contains("cursor=2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_policy_is_refused_by_name() {
    let test = TestServer::new().await;
    let current = test.get(&test.owner, &format!("/projects/{}/policy", test.project)).await;
    let tag = current.header("etag").to_owned();
    let mut policy = current.body["policy"].clone();
    policy["approval"]["normal"]["bypass"] = json!(true);
    let unknown = put(&test, Some(&tag), &json!({"policy": policy, "reason": "x"})).await;
    assert_eq!(unknown.body["params"]["field"], "policy.approval.normal.bypass");
    let reasonless = json!({"policy": current.body["policy"], "reason": " "});
    let reasonless = put(&test, Some(&tag), &reasonless).await;
    assert_eq!((reasonless.status, &reasonless.body["params"]["field"]), (422, &json!("reason")));
    let mut policy = current.body["policy"].clone();
    policy["allowedPaths"] = json!(["../outside"]);
    let invalid = put(&test, Some(&tag), &json!({"policy": policy, "reason": "x"})).await;
    assert_eq!((invalid.status, &invalid.body["params"]["field"]), (422, &json!("policy")));
}

/// As a document and as text: known names, and what is known is told to whoever writes another.
#[tokio::test(flavor = "multi_thread")]
async fn guardrails_and_checks_of_answers_have_known_names() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let tag = current.header("etag").to_owned();
    let with = |field: &str, value: Value| {
        let mut policy = current.body["policy"].clone();
        policy[field] = value;
        json!({"policy": policy, "reason": "x"})
    };
    for (field, odd, at, told) in [
        ("guardrails", json!(["medicine"]), "policy.guardrails", "`medical`, `finance`, `legal`"),
        ("guardrails", json!("medical"), "policy.guardrails", "expected"),
        ("answers", json!({"check": "always"}), "policy.answers.check", "`off`, `rules`, `model`"),
        ("answers", json!({"retry": true}), "policy.answers.retry", "unknown field"),
        ("answers", json!({"refine": true}), "policy", "`answers.refine` needs a check"),
    ] {
        let refused = put(&test, Some(&tag), &with(field, odd)).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
        let field = refused.body["params"]["field"].as_str().unwrap();
        assert!(field.starts_with(at) && refused.text.contains(told), "{}", refused.text);
    }
    let toml = test.get(&test.owner, &format!("{path}/text")).await.body["text"].clone();
    let toml = toml.as_str().unwrap();
    let check = async |line: &str| {
        let text = format!("{line}\n{toml}");
        test.post(&test.owner, &format!("{path}/check"), json!({"text": text})).await
    };
    let odd = check("guardrails = [\"medicine\"]").await;
    assert_eq!((odd.status, &odd.body["params"]["line"]), (422, &json!(1)), "{}", odd.text);
    assert!(odd.text.contains("`medical`, `finance`, `legal`"), "{}", odd.text);
    let known = check("guardrails = [\"legal\", \"medical\"]").await;
    assert_eq!(known.body["policy"]["guardrails"], json!(["medical", "legal"]), "{}", known.text);
    let body = json!({"policy": known.body["policy"], "reason": "a clinic"});
    let made = put(&test, Some(&tag), &body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(made.body["policy"]["guardrails"], json!(["medical", "legal"]));
    assert!(made.body["policy"].get("answers").is_none(), "what is off is left out");
}

#[tokio::test(flavor = "multi_thread")]
async fn dual_control_asks_somebody_else() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    policy["approval"]["normal"]["by"] = json!("another_person");
    let body = json!({"policy": policy, "reason": "two people"});
    let tag = current.header("etag").to_owned();
    assert_eq!(put(&test, Some(&tag), &body).await.status, 201);

    let editor = test.member("editor", Role::Editor).await;
    let approver = test.member("approver", Role::Approver).await;
    let viewer = test.member("viewer", Role::Viewer).await;
    let session = test.session(&editor, test.project).await;
    test.say(&editor, &session, "write 'hello' to the file both.txt").await;
    let inbox = test.get(&approver, "/approvals?state=pending").await;
    let asked = &inbox.body["items"][0];
    let (id, digest) = (asked["id"].as_str().unwrap(), asked["digest"].as_str().unwrap());
    assert_eq!(asked["by"], "another_person");
    assert_eq!(test.get(&editor, "/approvals").await.body["items"][0]["id"], id);
    assert_eq!(test.get(&viewer, "/approvals").await.body["items"], json!([]));
    assert_eq!(test.get(&viewer, &format!("/approvals/{id}")).await.status, 404);
    let own = test.approve(&editor, id, digest).await;
    assert_eq!((own.status, own.code()), (403, "APPROVAL_OF_OWN"), "{}", own.text);
    let other = test.approve(&approver, id, digest).await;
    assert_eq!(other.status, 200, "{}", other.text);
    assert_eq!(test.executed(&approver).await["state"], "succeeded");
    assert_eq!(test.file("both.txt").as_deref(), Some("hello"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_is_edited_as_text_and_every_fault_has_its_place() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let text = test.get(&test.owner, &format!("{path}/text")).await;
    assert_eq!((text.header("etag"), &text.body["number"]), (current.header("etag"), &json!(1)));
    let toml = text.body["text"].as_str().unwrap().to_owned();
    let check = async |text: String| {
        test.post(&test.owner, &format!("{path}/check"), json!({"text": text})).await
    };
    let same = check(toml.clone()).await;
    assert_eq!((same.status, &same.body["changes"]), (200, &json!([])), "{}", same.text);
    assert_eq!(same.body["policy"], current.body["policy"]);

    let edited = toml.replace("ttlSeconds = 3600", "ttlSeconds = 60");
    let edited = edited.replace("    \"FILE_DELETE\",\n", "");
    let checked = check(edited).await;
    let change = |path, kind, from: Value, to: Value| json!({"path": path, "kind": kind, "from": from, "to": to});
    let due = json!([
        change("allowedStepTypes", "removed", json!("FILE_DELETE"), json!(null)),
        change("approval.risky.ttlSeconds", "changed", json!(3600), json!(60)),
    ]);
    assert_eq!(checked.body["changes"], due, "{}", checked.text);
    let body = json!({"policy": checked.body["policy"], "reason": "as the text says"});
    assert_eq!(put(&test, Some(text.header("etag")), &body).await.status, 201);

    let unknown = check(format!("bypass = true\n{toml}")).await;
    assert_eq!((unknown.status, unknown.code()), (422, "INVALID_POLICY"), "{}", unknown.text);
    assert_eq!(unknown.body["params"]["line"], 1);
    assert_eq!(unknown.body["params"]["column"], 1);
    assert!(unknown.body["params"]["message"].as_str().unwrap().contains("bypass"));
    let broken = check("version = ".to_owned()).await;
    assert_eq!((broken.code(), &broken.body["params"]["line"]), ("INVALID_POLICY", &json!(1)));
    let outside = check(toml.replace("allowedPaths = [\"\"]", "allowedPaths = [\"../x\"]")).await;
    assert_eq!((outside.code(), &outside.body["params"]["line"]), ("INVALID_POLICY", &Value::Null));
    let custom = "llmBaseUrl = \"http://models.example/v1\"\nllmProvider = \"CUSTOM\"";
    let nobody = check(toml.replace("llmProvider = \"OFFLINE\"", custom)).await;
    assert_eq!((nobody.status, nobody.code()), (422, "INVALID_POLICY"), "an origin is approved");
    let odd = test.post(&test.owner, &format!("{path}/check"), json!({"policy": {}})).await;
    assert_eq!((odd.status, &odd.body["params"]["field"]), (422, &json!("policy")));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_versions_are_compared_key_by_key_and_line_by_line() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    policy["modelPersonas"] = json!("risky");
    let body = json!({"policy": policy, "reason": "models review, too"});
    assert_eq!(put(&test, Some(current.header("etag")), &body).await.status, 201);
    let diff = test.get(&test.owner, &format!("{path}/diff?from=1&to=2")).await;
    assert_eq!((&diff.body["from"], &diff.body["to"]), (&json!(1), &json!(2)), "{}", diff.text);
    let change =
        json!({"path": "modelPersonas", "kind": "changed", "from": "never", "to": "risky"});
    assert_eq!(diff.body["changes"], json!([change]));
    let lines = diff.body["lines"].as_array().unwrap();
    let moved: Vec<_> = lines.iter().filter(|line| line["kind"] != "same").collect();
    let due = [
        &json!({"kind": "removed", "text": "modelPersonas = \"never\""}),
        &json!({"kind": "added", "text": "modelPersonas = \"risky\""}),
    ];
    assert_eq!(moved, due);
    let back = test.get(&test.owner, &format!("{path}/diff?from=2&to=1")).await;
    assert_eq!(back.body["changes"][0]["to"], "never");
    for (query, status) in
        [("from=1&to=3", 404), ("from=0&to=1", 404), ("from=1", 400), ("from=x&to=1", 400)]
    {
        let refused = test.get(&test.owner, &format!("{path}/diff?{query}")).await;
        assert_eq!(refused.status, status, "{query}");
    }
}

/// What a policy edit mends is mended in the same conversation, and the reply says what changed.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_review_refused_is_asked_again_under_another_version() {
    const REQUEST: &str = "Get https://example.com/data and save it to data.json";
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let replies = |events: &[(String, Value)]| {
        let told = events.iter().filter(|(name, _)| name == "reply");
        told.map(|(_, data)| data["reply"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = test.say(&test.owner, &session, REQUEST).await;
    assert_eq!(replies(&first), ["dacs_no"], "{first:#?}");
    let again = test.say(&test.owner, &session, REQUEST).await;
    let text = again.iter().find(|(name, _)| name == "reply").unwrap().1["text"].to_string();
    assert!(text.contains("the policy has not changed since"), "{text}");

    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    let host = json!({"host": "example.com", "scheme": "https"});
    policy["allowedHosts"].as_array_mut().unwrap().push(host);
    let tag = current.header("etag").to_owned();
    let body = json!({"policy": policy, "reason": "data"});
    assert_eq!(put(&test, Some(&tag), &body).await.status, 201);

    let mended = test.say(&test.owner, &session, REQUEST).await;
    let names: Vec<&str> = mended.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"preview"), "{mended:#?}");
    assert_eq!(replies(&mended), ["reopened"]);
    let told = &mended.iter().find(|(name, _)| name == "reply").unwrap().1["text"];
    let due = "This was refused under policy version 1. Version 2 is in force now, so it is reviewed \
               again. Changed: allowed hosts.";
    assert_eq!(told, due);
    // It was said once, and holds for this one conversation's next request too.
    let other = test.say(&test.owner, &session, "write 'x' to the file x.txt").await;
    assert!(!replies(&other).contains(&"reopened".to_owned()), "{other:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_policy_would_have_changed_is_told_before_it_is_saved() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/policy", test.project);
    let session = test.session(&test.owner, test.project).await;
    for name in ["a.txt", "b.txt"] {
        let (approval, digest) = test.question(&test.owner, &session, name).await;
        assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
        test.executed(&test.owner).await;
    }
    let current = test.get(&test.owner, &path).await;
    let impact = async |policy: &Value, days: u32| {
        let body = json!({"policy": policy, "days": days});
        let told = test.post(&test.owner, &format!("{path}/impact"), body).await;
        assert_eq!(told.status, 200, "{}", told.text);
        told.body
    };
    let same = impact(&current.body["policy"], 30).await;
    assert_eq!((&same["judged"], &same["changed"]), (&json!(2), &json!(0)), "{same:#}");
    assert_eq!((&same["changes"], &same["other_rules"]), (&json!([]), &json!(0)));

    let mut narrow = current.body["policy"].clone();
    narrow["allowedStepTypes"] = json!(["FILE_READ"]);
    let told = impact(&narrow, 30).await;
    assert_eq!((&told["judged"], &told["changed"]), (&json!(2), &json!(2)), "{told:#}");
    let count = json!({
        "kind": "refused", "code": "STEP_TYPE_NOT_ALLOWED", "asks": "refused", "count": 2,
    });
    assert_eq!(told["counts"], json!([count]));
    let newest = &told["examples"][0];
    assert_eq!(
        (&newest["was"]["allowed"], &newest["would_be"]["allowed"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(newest["would_be"]["denials"][0]["gate"], "permission");
    assert_eq!(newest["execution"], test.executed(&test.owner).await["id"]);
    assert!(newest["step"].is_string(), "{newest:#}");

    let mut two = current.body["policy"].clone();
    two["approval"]["normal"]["by"] = json!("another_person");
    let told = impact(&two, 30).await;
    let count = json!({
        "kind": "asked_otherwise", "code": "APPROVER_NOT_ALLOWED", "asks": "another_person", "count": 2,
    });
    assert_eq!(told["counts"], json!([count]));
    assert_eq!(impact(&two, 0).await["judged"], 0, "of no day");
    assert_eq!(test.get(&test.owner, &path).await.body["number"], 1, "nothing was saved");

    let far = json!({"policy": two, "days": 91});
    let far = test.post(&test.owner, &format!("{path}/impact"), far).await;
    assert_eq!((far.status, &far.body["params"]["field"]), (422, &json!("days")));
    let mut broken = current.body["policy"].clone();
    broken["allowedPaths"] = json!(["../outside"]);
    let body = json!({"policy": broken});
    let broken = test.post(&test.owner, &format!("{path}/impact"), body).await;
    assert_eq!((broken.status, broken.code()), (422, "INVALID_POLICY"));
    let viewer = test.member("viewer", Role::Viewer).await;
    let body = json!({"policy": two});
    let seen = test.post(&viewer, &format!("{path}/impact"), body).await;
    assert_eq!(seen.status, 403, "other people's plans are not a viewer's");
}

/// A new project has no model and says `never`: whoever names one later is told that it reviews nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_reviews_nothing_is_told_before_and_when_it_is_saved() {
    let origin = Origin::parse("https://api.openai.com").unwrap();
    let test = TestServer::approving(&[origin]).await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    assert_eq!(current.body["notices"], json!([]), "without a model there is nobody to ask");
    let told = async |personas: &str| {
        let mut policy = current.body["policy"].clone();
        policy["llmProvider"] = json!("OPENAI");
        policy["governorModel"] = json!("gpt-4o-mini");
        policy["modelPersonas"] = json!(personas);
        let impact = json!({"policy": policy, "days": 0});
        let impact = test.post(&test.owner, &format!("{path}/impact"), impact).await;
        let tag = test.get(&test.owner, &path).await.header("etag").to_owned();
        let saved = put(&test, Some(&tag), &json!({"policy": policy, "reason": "x"})).await;
        assert_eq!((impact.status, saved.status), (200, 201), "{} {}", impact.text, saved.text);
        (impact.body["notices"].clone(), saved.body["notices"].clone())
    };
    let notice = json!(["model_reviews_nothing"]);
    assert_eq!(told("never").await, (notice.clone(), notice));
    assert_eq!(told("risky").await, (json!([]), json!([])));
    // The built-in model reads no document.
    let mut policy = current.body["policy"].clone();
    policy["ragForInformation"] = json!(true);
    let tag = test.get(&test.owner, &path).await.header("etag").to_owned();
    let saved = put(&test, Some(&tag), &json!({"policy": policy, "reason": "x"})).await;
    assert_eq!((saved.status, &saved.body["notices"]), (201, &json!(["documents_need_model"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn fine_rules_are_checked_with_line_and_column_before_they_are_put_in_force() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let tag = current.header("etag").to_owned();
    let with = |rules: &str| {
        let mut policy = current.body["policy"].clone();
        policy["fineRules"] = json!(rules);
        policy
    };
    assert_eq!(
        current.body["policy"].get("fineRules"),
        None,
        "a policy without rules says nothing of them"
    );
    let odd = "@id(\"a\")\nforbid (principal, action, resource) when { context.taintd };\n\
               forbid (principal, action, resource);\n";
    let refused = put(&test, Some(&tag), &json!({"policy": with(odd), "reason": "x"})).await;
    assert_eq!((refused.status, refused.code()), (422, "INVALID_POLICY"), "{}", refused.text);
    let params = &refused.body["params"];
    assert_eq!(params["field"], "fineRules");
    let place = |at: usize| [&params["faults"][at]["line"], &params["faults"][at]["column"]];
    assert_eq!(
        (place(0), &params["faults"][0]["code"]),
        ([&json!(2), &json!(45)], &json!("invalid"))
    );
    assert_eq!(
        (place(1), &params["faults"][1]["code"]),
        ([&json!(3), &json!(1)], &json!("no_name"))
    );
    assert_eq!(test.get(&test.owner, &path).await.body["number"], 1, "nothing is put in force");
    let long =
        put(&test, Some(&tag), &json!({"policy": with(&"x".repeat(70_000)), "reason": "x"})).await;
    assert_eq!((long.status, &long.body["params"]["faults"][0]["code"]), (422, &json!("too_long")));
    let number = put(&test, Some(&tag), &json!({"policy": {"fineRules": 7}, "reason": "x"})).await;
    assert_eq!(number.status, 422);

    // In the text around them the first fault has a place of its own.
    let text = test.get(&test.owner, &format!("{path}/text")).await;
    let toml = format!("fineRules = '''\n{odd}'''\n{}", text.body["text"].as_str().unwrap());
    let checked = test.post(&test.owner, &format!("{path}/check"), json!({"text": toml})).await;
    let params = &checked.body["params"];
    assert_eq!((&params["line"], &params["column"]), (&json!(3), &json!(45)), "{}", checked.text);
    assert_eq!(params["faults"][0]["line"], 2);

    let good =
        "@id(\"no-deletes\")\nforbid (principal, action == Action::\"FILE_DELETE\", resource);\n";
    let made = put(&test, Some(&tag), &json!({"policy": with(good), "reason": "kept"})).await;
    assert_eq!(
        (made.status, &made.body["policy"]["fineRules"]),
        (201, &json!(good)),
        "{}",
        made.text
    );
    let diff = test.get(&test.owner, &format!("{path}/diff?from=1&to=2")).await;
    let change = &diff.body["changes"][0];
    assert_eq!((&change["path"], &change["kind"]), (&json!("fineRules"), &json!("added")));
    let added = |line: &&Value| {
        line["kind"] == "added" && line["text"].as_str().unwrap().contains("no-deletes")
    };
    assert!(
        diff.body["lines"].as_array().unwrap().iter().any(|line| added(&line)),
        "{}",
        diff.text
    );
}
