//! What another policy would have changed in what no plan's ruling tells: steps of runs, requests that came to no
//! plan, model calls.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_fakes::{FakeModel, ModelMode, Personas, ShopMode, opinion};
use wiiiv_net::Origin;

async fn policy(test: &TestServer) -> Value {
    let path = format!("/projects/{}/policy", test.project);
    test.get(&test.owner, &path).await.body["policy"].clone()
}

/// Put in force, and given back.
async fn change(test: &TestServer, change: impl FnOnce(&mut Value)) -> Value {
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    change(&mut policy);
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let made = test.send(put.json(&json!({"policy": policy, "reason": "another one"}))).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.body["policy"].clone()
}

async fn impact(test: &TestServer, policy: &Value) -> Value {
    let path = format!("/projects/{}/policy/impact", test.project);
    let told = test.post(&test.owner, &path, json!({"policy": policy})).await;
    assert_eq!(told.status, 200, "{}", told.text);
    told.body
}

/// Two steps, approved: the shop's items, saved.
async fn order(test: &TestServer) {
    let session = test.session(&test.owner, test.project).await;
    let text = format!("get {}/items and save it to r.json", test.shop.url());
    let events = test.say(&test.owner, &session, &text).await;
    let preview = events.iter().find(|(name, _)| name == "preview");
    let (_, preview) = preview.unwrap_or_else(|| panic!("no preview in {events:#?}"));
    let of = |name: &str| preview[name].as_str().unwrap().to_owned();
    assert_eq!(test.approve(&test.owner, &of("approval"), &of("digest")).await.status, 200);
}

/// By a rule that speaks of steps alone: whether a plan is risky is known of the plan.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_step_of_a_run_that_would_have_ended_otherwise_is_named() {
    let test = TestServer::new().await;
    order(&test).await;
    let run = test.executed(&test.owner).await;
    assert_eq!(run["state"], "succeeded");
    let mut policy = policy(&test).await;
    let same = impact(&test, &policy).await;
    assert_eq!((&same["judged"], &same["changed"]), (&json!(1), &json!(0)), "{same:#}");
    assert_eq!((&same["steps"], &same["steps_not_judged"]), (&json!(2), &json!(0)), "{same:#}");

    policy["fineRules"] = json!(
        "@id(\"steps-alone\")\nforbid (principal, action == Action::\"FILE_WRITE\", resource)\n\
         unless { context has risky };\n"
    );
    let told = impact(&test, &policy).await;
    assert_eq!((&told["judged"], &told["changed"]), (&json!(1), &json!(1)), "{told:#}");
    let count = json!({"kind": "refused", "code": "POLICY_FORBIDS", "asks": "refused", "count": 1});
    assert_eq!(told["counts"], json!([count]));
    let example = &told["examples"][0];
    assert_eq!((&example["step"], &example["execution"]), (&json!("save"), &run["id"]));
    let was = &example["was"];
    assert_eq!((&was["allowed"], &was["asks"]), (&json!(true), &json!("requester")), "{told:#}");
    let denial = json!({"gate": "permission", "code": "POLICY_FORBIDS"});
    assert_eq!(example["would_be"]["denials"], json!([denial]));

    // A plan that would be refused begins no run: none of its steps is judged.
    policy["allowedStepTypes"] = json!(["FILE_READ"]);
    let told = impact(&test, &policy).await;
    let step = &told["examples"][0]["step"];
    assert_eq!((&told["steps"], step), (&json!(0), &json!("call")), "{told:#}");
}

/// The policy became narrower while the step before it was under way.
#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_was_refused_in_its_run_is_told_under_a_policy_that_allows_it() {
    let test = TestServer::new().await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_millis(1_500)));
    order(&test).await;
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut policy = change(&test, |policy| policy["allowedStepTypes"] = json!(["API_CALL"])).await;
    assert_eq!(test.executed(&test.owner).await["state"], "failed");
    policy["allowedStepTypes"] = json!(["API_CALL", "FILE_WRITE"]);
    let told = impact(&test, &policy).await;
    assert_eq!((&told["judged"], &told["changed"]), (&json!(1), &json!(1)), "{told:#}");
    let example = &told["examples"][0];
    assert_eq!((&example["kind"], &example["step"]), (&json!("accepted"), &json!("save")));
    let code = &example["was"]["denials"][0]["code"];
    let allowed = &example["would_be"]["allowed"];
    assert_eq!((code, allowed), (&json!("STEP_TYPE_NOT_ALLOWED"), &json!(true)), "{told:#}");
}

/// Forbids this to a step in its run, and to no plan.
fn of_steps(name: &str, action: &str) -> String {
    format!(
        "@id(\"{name}\")\nforbid (principal, action == Action::\"{action}\", resource)\n\
         unless {{ context has risky }};\n"
    )
}

/// How many, and the first step of the newest.
async fn changed(test: &TestServer, policy: &Value) -> (u64, Option<String>) {
    let told = impact(test, policy).await;
    assert_eq!((&told["judged"], &told["other_rules"]), (&json!(1), &json!(0)), "{told:#}");
    let step = told["examples"][0]["step"].as_str();
    (told["changed"].as_u64().unwrap(), step.map(str::to_owned))
}

/// Who proposes what is in force by now changes no ruling on a plan.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_policy_in_force_says_of_a_plan_already_is_nobodys_proposal() {
    let test = TestServer::new().await;
    order(&test).await;
    assert_eq!(test.executed(&test.owner).await["state"], "succeeded");
    let wide = policy(&test).await;
    let narrow =
        change(&test, |policy| policy["allowedStepTypes"] = json!(["FILE_READ", "API_CALL"])).await;
    assert_eq!(changed(&test, &narrow).await, (0, None));
    assert_eq!(changed(&test, &wide).await, (0, None), "as it was ruled");
    // Refused for another reason.
    let mut other = wide.clone();
    other["fineRules"] =
        json!("@id(\"no-calls\")\nforbid (principal, action == Action::\"API_CALL\", resource);\n");
    assert_eq!(changed(&test, &other).await, (1, Some("call".to_owned())));

    // Whom it asks is compared, too, and a step of the run that it lets begin.
    let mut quiet = change(&test, |policy| {
        policy.clone_from(&wide);
        policy["confirmation"] = json!({"API_WORKFLOW": "never"});
    })
    .await;
    assert_eq!(changed(&test, &quiet).await, (0, None));
    assert_eq!(changed(&test, &narrow).await, (1, Some("save".to_owned())));
    quiet["fineRules"] = json!(of_steps("no-save", "FILE_WRITE"));
    assert_eq!(changed(&test, &quiet).await, (1, Some("save".to_owned())));
}

/// Nor one on a step alone.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_policy_in_force_says_of_a_step_already_is_nobodys_proposal() {
    let test = TestServer::new().await;
    order(&test).await;
    assert_eq!(test.executed(&test.owner).await["state"], "succeeded");
    let (call, save) = (of_steps("no-call", "API_CALL"), of_steps("no-save", "FILE_WRITE"));
    let both = format!("{call}{save}");
    let wide = policy(&test).await;
    for (in_force, proposed, step) in [
        (&save, &save, None),
        (&save, &call, Some("call")),
        (&save, &both, Some("call")),
        (&both, &both, None),
        // It ends at the same step.
        (&both, &call, None),
        // It refuses that step, too, and the run would not come so far.
        (&both, &save, Some("save")),
    ] {
        let mut policy = change(&test, |policy| policy["fineRules"] = json!(in_force)).await;
        assert_eq!(changed(&test, &wide).await, (0, None), "as it was ruled");
        policy["fineRules"] = json!(proposed);
        let due = (u64::from(step.is_some()), step.map(str::to_owned));
        assert_eq!(changed(&test, &policy).await, due, "{in_force} {proposed}");
    }
}

/// With no refusal on record: what calls, the ledger and GHOST results would have come to is not judged.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_no_ruling_is_judged_by_is_named_where_nothing_was_refused() {
    let test = TestServer::new().await;
    let untold = async |policy: &Value| impact(&test, policy).await["untold"].clone();
    let mut policy = policy(&test).await;
    policy["allowedPaths"] = json!(["notes"]);
    policy["allowedStepTypes"] = json!(["FILE_READ"]);
    assert_eq!(untold(&policy).await, json!([]));
    policy["tokenBudget"]["perRun"] = json!(1);
    assert_eq!(untold(&policy).await, json!(["tokenBudget.perRun"]));
    // Other rules make the results of models void, which matters where a verified one is asked for.
    policy["requireVerifiedModel"] = json!(["FILE_READ"]);
    let due = ["allowedStepTypes", "requireVerifiedModel", "tokenBudget.perRun"];
    assert_eq!(untold(&policy).await, json!(due));
}

/// The review stopped it before a plan was tried. Whether there was such a run then cannot be told, so nobody may
/// say that it would have come to nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_an_earlier_run_is_not_said_to_be_refused_under_a_wider_policy() {
    let saves = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": "run/out.json", "sourceRun": "last"}, "taskSwitch": {"kind": "new"},
    });
    let model = FakeModel::spawn(ModelMode::Script(vec![saves.to_string()])).await.unwrap();
    let test = TestServer::approving(&[Origin::parse(&model.origin()).unwrap()]).await;
    let mut policy = change(&test, |policy| {
        policy["llmProvider"] = json!("CUSTOM");
        policy["llmBaseUrl"] = json!(model.base_url());
        policy["governorModel"] = json!("m");
        policy["modelPersonas"] = json!("never");
        policy["allowedPaths"] = json!(["notes"]);
    })
    .await;
    let session = test.session(&test.owner, test.project).await;
    test.say(&test.owner, &session, "please save what came last").await;
    let told = impact(&test, &policy).await;
    assert_eq!(told["early"], json!([early("refused", "DACS_NO", 1)]), "{told:#}");
    policy["allowedPaths"] = json!(["notes", "run"]);
    let told = impact(&test, &policy).await;
    assert_eq!(told["early"], json!([early("not_judged", "DACS_NO", 1)]), "{told:#}");
    assert_eq!(told["untold"], json!(["allowedPaths"]), "{told:#}");
}

fn early(fate: &str, code: &str, count: u32) -> Value {
    json!({"fate": fate, "code": code, "count": count})
}

/// Neither a ruling nor a plan is on record of them, and a policy that allows more changes them all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_wider_policy_is_told_by_what_was_refused_before_there_was_a_plan() {
    let test = TestServer::new().await;
    let wide = policy(&test).await;
    let narrow = change(&test, |policy| {
        policy["allowedHosts"] = json!([]);
        policy["allowedStepTypes"] = json!(["FILE_READ", "API_CALL"]);
    })
    .await;
    let get = format!("get {}/items and save it to r.json", test.shop.url());
    let texts =
        ["write 'hello' to the file a.txt", get.as_str(), "write 'hello' to the file b.txt"];
    let mut last = String::new();
    for text in texts {
        last = test.session(&test.owner, test.project).await;
        let events = test.say(&test.owner, &last, text).await;
        assert!(!events.iter().any(|(name, _)| name == "preview"), "{events:#?}");
    }
    let counts = async |policy: &Value| {
        let told = impact(&test, policy).await;
        assert_eq!(told["untold"], json!([]), "{told:#}");
        told["early"].clone()
    };
    let (no, step) = ("DACS_NO", "STEP_TYPE_NOT_ALLOWED");
    let drawn = json!([early("drawn", no, 1), early("drawn", step, 2)]);
    assert_eq!(counts(&wide).await, drawn);
    let as_they_were = json!([early("refused", no, 1), early("refused", step, 2)]);
    assert_eq!(counts(&narrow).await, as_they_were);
    // What else would stand in the way is looked at too.
    let mut files = wide.clone();
    files["allowedHosts"] = json!([]);
    files["allowedPaths"] = json!(["a.txt"]);
    let due = [early("drawn", step, 1), early("refused", no, 1), early("refused", step, 1)];
    assert_eq!(counts(&files).await, json!(due));

    // Asked again under another policy it has a plan, and what was refused before stays what it was.
    change(&test, |policy| policy.clone_from(&wide)).await;
    let events = test.say(&test.owner, &last, texts[2]).await;
    assert!(events.iter().any(|(name, _)| name == "preview"), "{events:#?}");
    assert_eq!(counts(&narrow).await, as_they_were);
    // What is in force by now has changed that, and not who proposes the same.
    assert_eq!(counts(&wide).await, json!([]));
}

/// What models have said is on record, what they would say is not, and what is erased is not either.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_judged_again_is_counted_and_the_keys_that_it_may_rest_on_are_named() {
    let deletes = json!({
        "action": "EXECUTE", "taskType": "FILE_DELETE", "message": "",
        "slots": {"targetPath": "old.txt"}, "taskSwitch": {"kind": "new"},
    });
    let governor = ModelMode::Script(vec![deletes.to_string()]);
    let adversary = opinion("REJECT", &["IRREVERSIBLE"]);
    let personas = Personas { adversary, ..Personas::approving(governor) };
    let model = FakeModel::spawn(ModelMode::Personas(Box::new(personas))).await.unwrap();
    let test = TestServer::approving(&[Origin::parse(&model.origin()).unwrap()]).await;
    test.put("old.txt", "kept");
    let asked = async || {
        let session = test.session(&test.owner, test.project).await;
        test.say(&test.owner, &session, "please remove the old one").await
    };
    let mut policy = change(&test, |policy| {
        policy["llmProvider"] = json!("CUSTOM");
        policy["llmBaseUrl"] = json!(model.base_url());
        policy["governorModel"] = json!("m");
        policy["modelPersonas"] = json!("never");
        policy["allowedStepTypes"] = json!(["FILE_READ"]);
    })
    .await;
    asked().await;
    policy["allowedStepTypes"] = json!(["FILE_READ", "FILE_DELETE"]);
    let told = impact(&test, &policy).await;
    let code = "STEP_TYPE_NOT_ALLOWED";
    assert_eq!(told["early"], json!([early("drawn", code, 1)]), "{told:#}");
    policy["modelPersonas"] = json!("risky");
    let told = impact(&test, &policy).await;
    assert_eq!(told["early"], json!([early("to_models", code, 1)]), "{told:#}");

    // A model's NO.
    change(&test, |now| now.clone_from(&policy)).await;
    asked().await;
    policy["modelPersonas"] = json!("never");
    policy["allowedPaths"] = json!(["notes"]);
    policy["allowedStepTypes"] = json!(["FILE_READ"]);
    let told = impact(&test, &policy).await;
    let due = [early("refused", code, 1), early("not_judged", "DACS_NO", 1)];
    assert_eq!(told["early"], json!(due), "{told:#}");
    assert_eq!(told["untold"], json!(["allowedPaths", "modelPersonas"]), "{told:#}");
    assert_eq!(told["refused_calls"], json!([]));

    // A call that does not fit into the budget.
    let mut policy = change(&test, |now| now["tokenBudget"]["perRun"] = json!(1)).await;
    asked().await;
    policy["tokenBudget"]["perRun"] = json!(1_000_000);
    let told = impact(&test, &policy).await;
    let call = json!({"code": "TOKEN_BUDGET_EXCEEDED", "count": 1});
    assert_eq!(told["refused_calls"], json!([call]), "{told:#}");
    assert_eq!(told["untold"], json!(["tokenBudget.perRun"]));

    let body = json!({"project": test.project.to_string(), "reason": "asked for"});
    let erased = test.post(&test.admin, "/erasures", body).await;
    assert_eq!(erased.status, 200, "{}", erased.text);
    let told = impact(&test, &policy).await;
    assert_eq!((&told["early"], &told["erased"]), (&json!([]), &json!(2)), "{told:#}");
}
