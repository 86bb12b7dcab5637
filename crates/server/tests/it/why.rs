//! The picture of a plan, and why it was allowed or denied.

use crate::{
    call::TestRequest,
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_fakes::{FakeModel, ModelMode, Personas, ShopMode, opinion};
use wiiiv_net::Origin;
use wiiiv_store::Role;

async fn narrow(test: &TestServer, change: impl FnOnce(&mut Value)) {
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    change(&mut policy);
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "narrower"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
}

async fn why(test: &TestServer, blueprint: &Value) -> Value {
    let path = format!("/blueprints/{}/why", blueprint.as_str().unwrap());
    let why = test.get(&test.owner, &path).await;
    assert_eq!(why.status, 200, "{}", why.text);
    why.body
}

async fn blueprint(test: &TestServer, approval: &str) -> Value {
    test.get(&test.owner, &format!("/approvals/{approval}")).await.body["blueprint"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allowed_plan_tells_its_four_answers_and_those_of_its_steps() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "a.txt").await;
    let plan = blueprint(&test, &approval).await;
    let before = why(&test, &plan).await;
    assert_eq!(before["decisions"], json!([]), "nothing was ruled yet");
    assert_eq!((&before["digest"], &before["effect"]), (&json!(digest), &json!("WRITE")));
    assert_eq!(before["policy"]["number"], 1);
    assert_eq!(
        (&before["dacs"]["consensus"], &before["dacs"]["stage"]),
        (&json!("YES"), &json!("observe"))
    );
    let personas = before["dacs"]["opinions"].as_array().unwrap();
    let personas: Vec<_> = personas.iter().map(|o| (&o["persona"], &o["vote"])).collect();
    let yes = json!("APPROVE");
    let due = [json!("architect"), json!("reviewer"), json!("adversary")];
    assert_eq!(personas, due.iter().map(|name| (name, &yes)).collect::<Vec<_>>());

    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    let execution = test.executed(&test.owner).await;
    let after = why(&test, &plan).await;
    let decisions = after["decisions"].as_array().unwrap();
    let kinds: Vec<_> = decisions.iter().map(|d| (&d["subject"]["kind"], &d["outcome"])).collect();
    let allow = json!("allow");
    assert_eq!(kinds, [(&json!("blueprint"), &allow), (&json!("step"), &allow)], "{after:#}");
    assert!(decisions.iter().all(|d| d["subject"]["execution"] == execution["id"]));
    let gates: Vec<_> = decisions[0]["gates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|g| g["gate"].as_str().unwrap())
        .collect();
    assert_eq!(gates, ["dacs", "user_approval", "permission", "cost"]);
    assert_eq!(decisions[0]["gates"][1]["facts"]["basis"]["approval"], approval);
    assert_eq!(decisions[1]["gates"][0]["gate"], "permission", "a step is asked of one gate");
    assert_eq!(decisions[0]["advice"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denial_says_what_each_person_can_do_and_which_line_is_lacking() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "d/a.txt").await;
    let plan = blueprint(&test, &approval).await;
    narrow(&test, |policy| {
        policy["allowedStepTypes"] = json!(["FILE_READ"]);
        policy["allowedPaths"] = json!(["elsewhere"]);
    })
    .await;
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    let told = loop {
        let told = why(&test, &plan).await;
        if told["decisions"] != json!([]) {
            break told;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let denied = &told["decisions"][0];
    assert_eq!(denied["outcome"], "deny", "{told:#}");
    assert_eq!(denied["gates"][2]["code"], "STEP_TYPE_NOT_ALLOWED");
    let advice = denied["advice"].as_array().unwrap();
    let changes: Vec<_> = advice.iter().map(|a| (&a["code"], &a["change"])).collect();
    let due = [
        (
            &json!("STEP_TYPE_NOT_ALLOWED"),
            &json!({"field": "allowedStepTypes", "add": "FILE_WRITE"}),
        ),
        (&json!("PATH_NOT_ALLOWED"), &json!({"field": "allowedPaths", "add": "d/a.txt"})),
    ];
    assert_eq!(changes, due, "{told:#}");
    // Both are needed, together they are enough, and it is the owner who can do it.
    let enough = &denied["enough"];
    assert_eq!((&enough["proof"], &enough["asks"]), (&json!("proved"), &json!("requester")));
    let needed: Vec<_> = enough["changes"].as_array().unwrap().iter().collect();
    let lines: Vec<_> = needed.iter().map(|one| (&one["field"], &one["value"])).collect();
    let due = [
        (&json!("allowedStepTypes"), &json!("FILE_WRITE")),
        (&json!("allowedPaths"), &json!("d/a.txt")),
    ];
    assert_eq!(lines, due, "{enough:#}");
    assert!(needed.iter().all(|one| one["by"] == json!(["owner"]) && one["yours"] == true));
    for person in ["user", "operator", "administrator"] {
        for language in ["ko", "en"] {
            assert!(
                !advice[0][person][language].as_str().unwrap().is_empty(),
                "{person} {language}"
            );
        }
    }
    // The lines that were named are enough, and then nothing is lacking any more.
    narrow(&test, |policy| {
        policy["allowedStepTypes"].as_array_mut().unwrap().push(json!("FILE_WRITE"));
        policy["allowedPaths"].as_array_mut().unwrap().push(json!("d/a.txt"));
    })
    .await;
    let told = why(&test, &plan).await;
    assert!(
        told["decisions"][0]["advice"].as_array().unwrap().iter().all(|a| a["change"].is_null())
    );
    let enough = &told["decisions"][0]["enough"];
    assert_eq!((&enough["proof"], &enough["changes"]), (&json!("already_allowed"), &json!([])));
    let (approval, digest) = test.question(&test.owner, &session, "d/a.txt").await;
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    assert_eq!(test.executed(&test.owner).await["state"], "succeeded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_lacking_is_named_as_narrowly_as_can_be() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {}/orders", test.shop.url());
    let events = test.say(&test.owner, &session, &text).await;
    let (_, preview) = events.iter().find(|(name, _)| name == "preview").expect("a question");
    let of = |name: &str| preview[name].as_str().unwrap().to_owned();
    narrow(&test, |policy| policy["allowedHosts"] = json!([])).await;
    assert_eq!(test.approve(&test.owner, &of("approval"), &of("digest")).await.status, 200);
    let told = loop {
        let told = why(&test, &preview["blueprint"]).await;
        if told["decisions"] != json!([]) {
            break told;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let advice = told["decisions"][0]["advice"].as_array().unwrap();
    let advice = advice.iter().find(|advice| advice["code"] == "HOST_NOT_ALLOWED");
    let advice = advice.unwrap_or_else(|| panic!("{told:#}"));
    let address = test.shop.address();
    assert_eq!(advice["change"]["field"], "allowedHosts");
    let line = &advice["change"]["add"];
    assert_eq!((&line["host"], &line["port"]), (&json!("127.0.0.1"), &json!(address.port())));
    assert_eq!((&line["scheme"], &line["private"]), (&json!("http"), &json!(true)));
    narrow(&test, |policy| policy["allowedHosts"] = json!([line])).await;
    let events = test.say(&test.owner, &session, &text).await;
    assert!(events.iter().any(|(name, _)| name == "preview"), "the line is enough: {events:?}");
}

/// What a plan that was approved came to.
async fn ruled(test: &TestServer, plan: &Value) -> Value {
    loop {
        let told = why(test, plan).await;
        if told["decisions"] != json!([]) {
            return told;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_says_yes_and_the_rule_that_forbids_are_named_with_who_can_change_them() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "a.txt").await;
    let plan = blueprint(&test, &approval).await;
    narrow(&test, |policy| {
        policy["approval"]["normal"]["by"] = json!("another_person");
        policy["fineRules"] = json!(
            "@id(\"no-text\")\nforbid (principal, action in Action::\"files\", resource)\n\
             when { context.effect != Effect::\"read\" };\n"
        );
    })
    .await;
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    let told = ruled(&test, &plan).await;
    let enough = &told["decisions"][0]["enough"];
    assert_eq!((&enough["proof"], &enough["asks"]), (&json!("proved"), &json!("another_person")));
    let changes = enough["changes"].as_array().unwrap();
    let acts: Vec<_> =
        changes.iter().map(|one| (&one["kind"], &one["by"], &one["yours"])).collect();
    let (judges, owner) = (json!(["approver", "owner"]), json!(["owner"]));
    let due = [
        (&json!("approve"), &judges, &json!(false)),
        (&json!("remove_line"), &owner, &json!(true)),
    ];
    assert_eq!(acts, due, "{enough:#}");
    assert_eq!(
        (&changes[1]["field"], &changes[1]["value"]),
        (&json!("fineRules"), &json!("no-text"))
    );
    // Somebody who may only look is told whose act it is.
    let viewer = test.member("viewer", wiiiv_store::Role::Viewer).await;
    let path = format!("/blueprints/{}/why", plan.as_str().unwrap());
    let theirs = test.get(&viewer, &path).await.body;
    let theirs = theirs["decisions"][0]["enough"]["changes"].as_array().unwrap();
    assert!(theirs.iter().all(|one| one["yours"] == false), "{theirs:#?}");
}

/// The policy became narrower while the step before it was under way; what it was to write is the answer of that one.
#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_was_refused_in_its_run_is_judged_again_on_what_it_was_to_do() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let text = format!("get {}/items and save it to r.json", test.shop.url());
    let events = test.say(&test.owner, &session, &text).await;
    let (_, preview) = events.iter().find(|(name, _)| name == "preview").expect("a question");
    let of = |name: &str| preview[name].as_str().unwrap().to_owned();
    test.shop.set_mode(ShopMode::Slow(Duration::from_millis(1_500)));
    assert_eq!(test.approve(&test.owner, &of("approval"), &of("digest")).await.status, 200);
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    narrow(&test, |policy| policy["allowedStepTypes"] = json!(["API_CALL"])).await;
    assert_eq!(test.executed(&test.owner).await["state"], "failed");
    let told = why(&test, &preview["blueprint"]).await;
    let decisions = told["decisions"].as_array().unwrap();
    let kinds: Vec<_> = decisions.iter().map(|d| (&d["subject"]["kind"], &d["outcome"])).collect();
    let (allow, deny, step) = (json!("allow"), json!("deny"), json!("step"));
    let due = [(&json!("blueprint"), &allow), (&step, &allow), (&step, &deny)];
    assert_eq!(kinds, due, "{told:#}");
    let enough = &decisions[2]["enough"];
    // Nobody is asked about a step.
    assert_eq!((&enough["proof"], &enough["asks"]), (&json!("proved"), &Value::Null), "{told:#}");
    let line = json!([{
        "kind": "add_line", "field": "allowedStepTypes", "value": "FILE_WRITE",
        "by": ["owner"], "yours": true,
    }]);
    assert_eq!(enough["changes"], line);
    narrow(&test, |policy| policy["allowedStepTypes"] = json!(["API_CALL", "FILE_WRITE"])).await;
    let told = why(&test, &preview["blueprint"]).await;
    let enough = &told["decisions"][2]["enough"];
    assert_eq!((&enough["proof"], &enough["changes"]), (&json!("already_allowed"), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_is_found_by_its_run_its_plan_its_question_its_record_and_its_turn() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "a.txt").await;
    let plan = blueprint(&test, &approval).await;
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    let run = test.executed(&test.owner).await["id"].as_str().unwrap().to_owned();
    let told = why(&test, &plan).await;
    let record = told["decisions"][0]["seq"].to_string();
    let find = |of: String| format!("/projects/{}/decisions/{of}", test.project);
    for of in [run, approval, record, plan.as_str().unwrap().to_owned()] {
        let found = test.get(&test.owner, &find(of.clone())).await.body;
        assert_eq!((&found["blueprint"], &found["turn"]), (&plan, &Value::Null), "{of}");
    }
    // The request is there by the hash of its words, and what it was decided by.
    let request = &told["request"];
    assert_eq!(request["hmac"].as_str().unwrap().len(), 64, "{told:#}");
    assert_eq!(told["risk"]["risky"], false);
    assert_eq!(told["dacs"]["panel"], "rules_only");
    let versions = &told["versions"];
    assert_eq!(numbers(versions), [1]);
    // The built-in understanding is asked by rules that have a hash too.
    let prompts: Vec<_> = versions["prompts"].as_array().unwrap().iter().collect();
    assert_eq!(prompts.len(), 1);
    assert_eq!(prompts[0].as_str().unwrap().len(), 64);
    assert_eq!(versions["review_rules"], told["dacs"]["rules"]);
    assert_eq!(versions["risk_rules"].as_str().unwrap().len(), 64);
    let turn = request["turn"].as_str().unwrap().to_owned();
    let found = test.get(&test.owner, &find(turn.clone())).await.body;
    assert_eq!((&found["session"], &found["turn"]), (&json!(session), &json!(turn)));
    let path = format!("/sessions/{session}/turns/{turn}/why");
    let of_turn = test.get(&test.owner, &path).await.body;
    assert_eq!(of_turn["request"], *request);
    assert_eq!(of_turn["reviews"][0]["blueprint"], plan, "{of_turn:#}");
    // What is no decision is not there, as little as a turn of somebody else's for who reads no audit.
    for of in
        ["1".to_owned(), "999999".to_owned(), uuid::Uuid::now_v7().to_string(), "x".to_owned()]
    {
        assert_eq!(test.get(&test.owner, &find(of.clone())).await.status, 404, "{of}");
    }
    let colleague = test.member("colleague", Role::Editor).await;
    assert_eq!(test.get(&colleague, &find(turn)).await.status, 404);
    let stranger = test.person("stranger").await;
    assert_eq!(test.get(&stranger, &find(plan.as_str().unwrap().to_owned())).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_tells_the_model_calls_that_it_rests_on() {
    let reply = json!({"action": "REPLY", "message": "hello", "taskType": "CONVERSATION",
        "slots": {}, "taskSwitch": {"kind": "new"}});
    let mode = ModelMode::Script(vec![reply.to_string()]);
    let model = FakeModel::spawn(mode).await.unwrap();
    let test = asking(&model).await;
    let session = test.session(&test.owner, test.project).await;
    let events = test.say(&test.owner, &session, "good morning to all of you").await;
    let path = format!("/sessions/{session}/turns/{}/why", events[0].1["turn"].as_str().unwrap());
    let told = test.get(&test.owner, &path).await.body;
    let calls = told["calls"].as_array().unwrap();
    assert!(!calls.is_empty(), "{told:#}");
    assert_eq!(calls[0]["model"], "CUSTOM:m");
    // What it was shown, and what each part cost.
    let plan = &calls[0]["plan"];
    assert_eq!((&plan["total"], &plan["window"]), (&json!(32_000), &json!(131_072)), "{plan:#}");
    assert_eq!((&plan["exact"], &plan["error_percent"]), (&json!(false), &json!(25)));
    let parts: Vec<_> = plan["parts"].as_array().unwrap().iter().collect();
    let names: Vec<_> = parts.iter().map(|part| part["part"].as_str().unwrap()).collect();
    assert_eq!(names, ["system", "task", "query"]);
    let figure = |part: &Value, name: &str| part[name].as_u64().unwrap();
    assert!(parts.iter().all(|part| (1..=figure(part, "granted")).contains(&figure(part, "used"))));
    assert!(parts.iter().all(|part| part["dropped"] == 0), "{plan:#}");
    assert_eq!(calls[0]["documents"], Value::Null, "none were looked through");
    assert_eq!(plan["stages"], json!([]), "of a short conversation none gives way");
    assert_eq!(told["versions"]["models"], json!(["CUSTOM:m"]));
    assert_eq!(told["versions"]["prompts"], json!([calls[0]["rules"]]));
    let ruling = &told["decisions"][0];
    assert_eq!(
        (&ruling["subject"]["kind"], &ruling["outcome"]),
        (&json!("model_call"), &json!("allow"))
    );
    assert_eq!(ruling["enough"], Value::Null);
}

/// Of the versions of a policy that a decision was made by.
fn numbers(versions: &Value) -> Vec<u64> {
    let policies = versions["policies"].as_array().unwrap().iter();
    policies.map(|one| one["number"].as_u64().unwrap()).collect()
}

async fn turn_why(test: &TestServer, who: &Person, session: &str, turn: &Value) -> Value {
    let path = format!("/sessions/{session}/turns/{}/why", turn.as_str().unwrap());
    let why = test.get(who, &path).await;
    assert_eq!(why.status, 200, "{}", why.text);
    why.body
}

/// A model that is asked by the project's policy.
async fn asking(model: &FakeModel) -> TestServer {
    let test = TestServer::approving(&[Origin::parse(&model.origin()).unwrap()]).await;
    narrow(&test, |policy| {
        policy["llmProvider"] = json!("CUSTOM");
        policy["llmBaseUrl"] = json!(model.base_url());
        policy["governorModel"] = json!("m");
    })
    .await;
    test
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_names_the_policy_that_its_own_records_name() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let events = test.say(&test.owner, &session, "hello").await;
    narrow(&test, |policy| policy["allowedHosts"] = json!([])).await;
    let told = turn_why(&test, &test.owner, &session, &events[0].1["turn"]).await;
    assert_eq!((numbers(&told["versions"]), &told["policy"]["number"]), (vec![1], &json!(2)));
    // No record names a build: the one that answers is called what it is.
    let versions = &told["versions"];
    assert_eq!((&versions["answering_build"], &versions["build"]), (&json!("test"), &Value::Null));
    // Nobody was asked and nothing was ruled on.
    let control = format!("/sessions/{session}/control");
    let pressed = test.post(&test.owner, &control, json!({"action": "reset"})).await;
    let turn = &pressed.body["turn"];
    let told = loop {
        let told = turn_why(&test, &test.owner, &session, turn).await;
        if told["outcome"].is_string() {
            break told;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(told["calls"], json!([]), "{told:#}");
    assert_eq!(numbers(&told["versions"]), Vec::<u64>::new(), "{told:#}");
}

/// The first turn asks where, the second one has its plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_tells_the_model_calls_of_all_turns_of_its_task() {
    let asks = json!({"action": "ASK", "taskType": "FILE_WRITE", "message": "Where?",
        "slots": {"content": "hello"}, "taskSwitch": {"kind": "new"}});
    let acts = json!({"action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": "a.txt", "content": "hello"}, "taskSwitch": {"kind": "stay"}});
    let mode = ModelMode::Script(vec![asks.to_string(), acts.to_string()]);
    let model = FakeModel::spawn(mode).await.unwrap();
    let test = asking(&model).await;
    let session = test.session(&test.owner, test.project).await;
    let first = test.say(&test.owner, &session, "put 'hello' into a file for me").await;
    assert!(first.iter().any(|(name, _)| name == "ask"), "{first:#?}");
    let second = test.say(&test.owner, &session, "a.txt").await;
    let (_, preview) = second.iter().find(|(name, _)| name == "preview").expect("a question");
    let told = why(&test, &preview["blueprint"]).await;
    let calls = told["calls"].as_array().unwrap();
    let turns: Vec<_> = calls.iter().map(|call| &call["turn"]).collect();
    assert_eq!(turns, [&first[0].1["turn"], &second[0].1["turn"]], "{told:#}");
    assert_eq!(told["request"]["turn"], first[0].1["turn"]);
    assert!(calls[0]["seq"].as_u64() < calls[1]["seq"].as_u64(), "{told:#}");
    // By what they were asked is told of the second one too.
    let prompts = told["versions"]["prompts"].as_array().unwrap();
    assert!(calls.iter().all(|call| prompts.contains(&call["rules"])), "{told:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_read_the_audit_reads_why_a_turn_went_and_no_word_of_it() {
    let test = TestServer::new().await;
    narrow(&test, |policy| policy["allowedHosts"] = json!([])).await;
    let lee = test.member("lee", Role::Editor).await;
    let session = test.session(&lee, test.project).await;
    let text = "get http://canary.example.com/items and save it to canary.json";
    let events = test.say(&lee, &session, text).await;
    let turn = events[0].1["turn"].as_str().unwrap();
    let path = format!("/sessions/{session}/turns/{turn}/why");
    let find = format!("/projects/{}/decisions/{turn}", test.project);
    let own = test.get(&lee, &path).await;
    assert!(own.text.contains("canary.example.com"), "the line that lacks: {}", own.text);
    let reviewed = |told: &Value| -> Vec<Value> {
        let reviews = told["reviews"].as_array().unwrap().iter();
        let of = |one: &Value| json!([one["spec"], one["outcome"], one["dacs"]["opinions"]]);
        reviews.map(of).collect()
    };
    let vic = test.member("vic", Role::Approver).await;
    for who in [&test.owner, &vic, &test.admin] {
        let told = test.get(who, &path).await;
        assert_eq!(told.status, 200, "{}", told.text);
        assert!(!told.text.contains("canary"), "{}", told.text);
        for part in ["request", "outcome", "calls", "versions"] {
            assert_eq!(told.body[part], own.body[part], "{part}");
        }
        assert!(told.body["request"].is_object(), "{}", told.text);
        assert_eq!(reviewed(&told.body), reviewed(&own.body));
        let advice = told.body["reviews"][0]["advice"].as_array().unwrap();
        assert!(advice.iter().all(|one| one["change"].is_null()), "{}", told.text);
        assert_eq!(test.get(who, &find).await.body["session"], session);
        // The conversation itself is its person's alone.
        for part in ["", "/history", "/state"] {
            let closed = test.get(who, &format!("/sessions/{session}{part}")).await;
            assert_eq!(closed.status, 404, "{part}");
        }
    }
    let kim = test.member("kim", Role::Editor).await;
    let looks = test.member("looks", Role::Viewer).await;
    let outsider = test.person("outsider").await;
    let nowhere = format!("/sessions/{}/turns/{turn}/why", uuid::Uuid::now_v7());
    for who in [&kim, &looks, &outsider] {
        let (there, missing) = (test.get(who, &path).await, test.get(who, &nowhere).await);
        assert_eq!((there.status, there.told()), (404, missing.told()));
        assert_eq!(test.get(who, &find).await.status, 404);
    }
}

/// What was reviewed in the turn of these events.
async fn reviews(test: &TestServer, session: &str, events: &[(String, Value)]) -> Vec<Value> {
    let turn = events[0].1["turn"].as_str().unwrap();
    let path = format!("/sessions/{session}/turns/{turn}/why");
    let why = test.get(&test.owner, &path).await;
    assert_eq!(why.status, 200, "{}", why.text);
    assert_eq!(why.body["turn"], turn);
    why.body["reviews"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_keeps_a_turn_from_its_plan_is_the_line_that_the_policy_lacks() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    narrow(&test, |policy| policy["allowedHosts"] = json!([])).await;
    let text = format!("get {}/items and save it to r.json", test.shop.url());
    let events = test.say(&test.owner, &session, &text).await;
    assert!(!events.iter().any(|(name, _)| name == "preview"), "{events:#?}");
    let reviews = reviews(&test, &session, &events).await;
    let last = reviews.last().unwrap_or_else(|| panic!("no review of {events:#?}"));
    assert_eq!(last["effect"], "WRITE", "{last:#}");
    let marks = events.iter().filter(|(name, _)| name == "flow");
    assert!(marks.into_iter().any(|(_, mark)| mark["seq"] == last["seq"]), "{events:#?}");
    let opinions = last["dacs"]["opinions"].as_array().unwrap();
    let reviewer = opinions.iter().find(|one| one["persona"] == "reviewer").unwrap();
    assert_eq!(reviewer["vote"], "ABSTAIN", "{last:#}");
    assert_eq!(reviewer["codes"], json!(["HOST_NOT_LISTED"]));
    for language in ["ko", "en"] {
        assert!(reviewer["reasons"][0][language].as_str().unwrap().contains("allowedHosts"));
    }
    let advice = last["advice"].as_array().unwrap();
    let line = &advice.iter().find(|one| one["change"].is_object()).unwrap()["change"];
    assert_eq!(line["field"], "allowedHosts", "{last:#}");
    assert_eq!(line["add"]["port"], test.shop.address().port());
    let add = line["add"].clone();
    narrow(&test, |policy| policy["allowedHosts"] = json!([add])).await;
    // A NO closes under its version of the policy (governance.md 3): this is another one.
    let events = test.say(&test.owner, &session, &text).await;
    let again = events.iter().find(|(name, _)| name == "reply").unwrap();
    assert_eq!(again.1["reply"], "reopened", "{events:#?}");
    assert!(events.iter().any(|(name, _)| name == "preview"), "the line is enough: {events:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_of_the_review_names_the_persona_and_no_line_where_none_would_do() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let events = test.say(&test.owner, &session, "write 'x' to the file .env").await;
    let reviews = reviews(&test, &session, &events).await;
    let no = &reviews[0];
    assert_eq!((&no["outcome"], &no["dacs"]["consensus"]), (&json!("verdict"), &json!("NO")));
    let votes = no["dacs"]["opinions"].as_array().unwrap();
    let rejects: Vec<_> = votes.iter().filter(|one| one["vote"] == "REJECT").collect();
    assert_eq!(rejects.len(), 1, "{no:#}");
    assert_eq!(rejects[0]["persona"], "adversary");
    let advice = &no["advice"][0];
    assert_eq!((&advice["code"], &advice["change"]), (&json!("SECRET_FILE"), &Value::Null));
    assert!(advice["text"]["ko"].as_str().unwrap().contains("비밀"), "{no:#}");
    let seq = no["record"].as_u64().unwrap();
    let path = format!("/projects/{}/audit?kind=dacs.evaluated", test.project);
    let found = test.get(&test.owner, &path).await.body;
    assert!(found["items"].as_array().unwrap().iter().any(|row| row["seq"] == seq), "{found:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kind_of_step_that_policy_lacks_is_named_before_there_is_a_plan() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    narrow(&test, |policy| policy["allowedStepTypes"] = json!(["FILE_READ"])).await;
    let events = test.say(&test.owner, &session, "write 'hello' to the file a.txt").await;
    let mark = events.iter().find(|(_, mark)| mark["input"] == "not_drawable");
    let (_, mark) = mark.unwrap_or_else(|| panic!("{events:#?}"));
    assert_eq!(mark["codes"], json!(["STEP_TYPE_NOT_ALLOWED"]));
    let reviews = reviews(&test, &session, &events).await;
    let last = reviews.iter().find(|one| one["outcome"] == "not_drawable").unwrap();
    assert_eq!(
        last["advice"][0]["change"],
        json!({"field": "allowedStepTypes", "add": "FILE_WRITE"}),
        "{last:#}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_not_the_session_s_has_no_why() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let events = test.say(&test.owner, &session, "hello").await;
    assert_eq!(reviews(&test, &session, &events).await, Vec::<Value>::new());
    let path = format!("/sessions/{session}/turns/{}/why", uuid::Uuid::now_v7());
    assert_eq!(test.get(&test.owner, &path).await.code(), "NOT_FOUND");
    let colleague = test.member("colleague", Role::Editor).await;
    let path = format!("/sessions/{session}/turns/{}/why", events[0].1["turn"].as_str().unwrap());
    assert_eq!(test.get(&colleague, &path).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_drawn_as_nodes_and_edges() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let text =
        format!("get {}/items, keep only name and price, and save it to r.json", test.shop.url());
    let events = test.say(&test.owner, &session, &text).await;
    let (_, preview) = events.iter().find(|(name, _)| name == "preview").expect("a question");
    let id = preview["blueprint"].as_str().unwrap();
    let graph = test.get(&test.owner, &format!("/blueprints/{id}/graph")).await.body;
    assert_eq!(
        (&graph["blueprint"], &graph["digest"]),
        (&preview["blueprint"], &preview["digest"])
    );
    let nodes = graph["nodes"].as_array().unwrap();
    let types: Vec<_> = nodes.iter().map(|node| node["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["API_CALL", "TRANSFORM", "FILE_WRITE"], "{graph:#}");
    assert_eq!(nodes[0]["number"], 1);
    assert_eq!(nodes[2]["effect"], "WRITE");
    assert!(nodes[2]["sentence"]["ko"].as_str().unwrap().contains("r.json"));
    assert!(nodes[2]["when"].is_null());
    let id = |nth: usize| nodes[nth]["id"].clone();
    let edge = |from, to| json!({"from": id(from), "to": id(to), "kind": "data"});
    assert_eq!(graph["edges"], json!([edge(0, 1), edge(1, 2)]));
    let stranger = test.person("stranger").await;
    for view in ["graph", "why"] {
        let path = format!("/blueprints/{}/{view}", preview["blueprint"].as_str().unwrap());
        let theirs = test.get(&stranger, &path).await;
        let missing =
            test.get(&stranger, &format!("/blueprints/{}/{view}", uuid::Uuid::now_v7())).await;
        assert_eq!((theirs.status, theirs.code()), (404, "NOT_FOUND"));
        assert_eq!((missing.status, missing.code()), (404, "NOT_FOUND"));
    }
}

/// Rules and models stand side by side, with the models' own words, where a plan came of it and where
/// none did.
#[tokio::test(flavor = "multi_thread")]
async fn rule_and_model_personas_are_told_apart_and_in_words() {
    let deletes = json!({
        "action": "EXECUTE", "taskType": "FILE_DELETE", "message": "",
        "slots": {"targetPath": "old.txt"}, "taskSwitch": {"kind": "new"},
    });
    let mode = |vote: &str, concerns: &[&str]| {
        let governor = ModelMode::Script(vec![deletes.to_string()]);
        let adversary = opinion(vote, concerns);
        let personas = Personas { adversary, ..Personas::approving(governor) };
        ModelMode::Personas(Box::new(personas))
    };
    let model = FakeModel::spawn(mode("REJECT", &["IRREVERSIBLE"])).await.unwrap();
    let test = TestServer::approving(&[Origin::parse(&model.origin()).unwrap()]).await;
    narrow(&test, |policy| {
        policy["llmProvider"] = json!("CUSTOM");
        policy["llmBaseUrl"] = json!(model.base_url());
        policy["governorModel"] = json!("m");
        policy["modelPersonas"] = json!("risky");
    })
    .await;
    let session = test.session(&test.owner, test.project).await;
    test.put("old.txt", "kept");
    let events = test.say(&test.owner, &session, "please remove the old one").await;
    let no = reviews(&test, &session, &events).await.remove(0);
    assert_eq!(no["dacs"]["consensus"], "NO", "{no:#}");
    let opinions = no["dacs"]["opinions"].as_array().unwrap();
    assert_eq!(opinions.len(), 6, "{no:#}");
    assert!(opinions[..3].iter().all(|one| one["model"].is_null() && one["said"].is_null()));
    let last = &opinions[5];
    assert_eq!((&last["persona"], &last["vote"]), (&json!("adversary"), &json!("REJECT")));
    assert_eq!(
        (&last["model"], &last["said"]),
        (&json!("CUSTOM:m"), &json!("the model says reject"))
    );
    assert!(last["reasons"][0]["ko"].as_str().unwrap().contains("되돌릴 수 없"), "{no:#}");

    model.set_mode(mode("APPROVE", &[]));
    let session = test.session(&test.owner, test.project).await;
    let events = test.say(&test.owner, &session, "please remove the old one").await;
    let (_, shown) = events.iter().find(|(name, _)| name == "preview").unwrap();
    let why = why(&test, &blueprint(&test, shown["approval"].as_str().unwrap()).await).await;
    let opinions = why["dacs"]["opinions"].as_array().unwrap();
    assert_eq!((opinions.len(), &why["dacs"]["consensus"]), (6, &json!("YES")), "{why:#}");
    assert_eq!(opinions[4]["said"], "the model says approve");
}

/// What was found, what came of it, and which stage was left out: codes with their words, and none of the answer's.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_looked_at_says_what_was_found_and_what_was_left_out() {
    let english = "There are three plans that you can choose from.";
    let reply = json!({
        "action": "REPLY", "taskType": "INFORMATION", "message": english, "slots": {},
    });
    let script = ModelMode::Script(vec![reply.to_string()]);
    let model = FakeModel::spawn(script).await.unwrap();
    let test = TestServer::approving(&[Origin::parse(&model.origin()).unwrap()]).await;
    narrow(&test, |policy| {
        policy["llmProvider"] = json!("CUSTOM");
        policy["llmBaseUrl"] = json!(model.base_url());
        policy["governorModel"] = json!("m");
        policy["answers"] = json!({"check": "rules", "refine": true});
    })
    .await;
    let session = test.session(&test.owner, test.project).await;
    let events = test.say(&test.owner, &session, "요금제가 뭐가 있어?").await;
    let path = format!("/sessions/{session}/turns/{}/why", events[0].1["turn"].as_str().unwrap());
    let told = test.get(&test.owner, &path).await.body;
    let [answer] = told["answers"].as_array().unwrap().as_slice() else { panic!("{told:#}") };
    assert_eq!((&answer["by"], &answer["refined"]), (&json!("rules"), &json!(false)));
    assert_eq!(answer["findings"][0]["code"], "LANGUAGE");
    let left_out = &answer["left_out"][0];
    assert_eq!((&left_out["stage"], &left_out["reason"]), (&json!("refine"), &json!("no_better")));
    for text in [&answer["findings"][0]["text"], &left_out["text"]] {
        assert!(text["ko"].is_string() && text["en"] != text["ko"], "{told:#}");
    }
    assert!(!told.to_string().contains("three plans"), "{told:#}");
    let stages: Vec<&Value> =
        told["calls"].as_array().unwrap().iter().map(|call| &call["stage"]).collect();
    assert_eq!(stages, [&Value::Null, &json!("refine")]);
}
