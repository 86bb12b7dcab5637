//! Rollout over HTTP: a promotion is earned, or waived by two people, and never without a live GHOST run.

use crate::{
    call::{Answer, TestRequest},
    ghost::{asked, report},
    test_server::{Person, TestServer, now, token},
};
use serde_json::{Value, json};
use wiiiv_domain::{ProjectId, SpecDigest};
use wiiiv_net::Origin;
use wiiiv_store::{Boundary, Point, Role, TokenScope, Writer};

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// What the review refuses and nothing else does.
const DIVERGENT: &str = "write 'todo' to conf/shadow";

impl TestServer {
    async fn with_openai() -> Self {
        Self::approving(&[Origin::parse("https://api.openai.com").unwrap()]).await
    }

    fn below(&self, what: &str) -> String {
        format!("/projects/{}/{what}", self.project)
    }

    async fn rollout(&self) -> Value {
        self.get(&self.owner, &self.below("rollout")).await.body
    }

    /// Over the version that is current now.
    async fn switch(&self, who: &Person, verb: &str) -> Answer {
        let tag = self.get(&self.owner, &self.below("policy")).await.header("etag").to_owned();
        self.switch_from(who, verb, Some(&tag)).await
    }

    async fn switch_from(&self, who: &Person, verb: &str, tag: Option<&str>) -> Answer {
        let asked = TestRequest::new("POST", &self.below(verb)).by(&who.token);
        let asked = asked.json(&json!({"reason": "it is time"}));
        self.send(tag.into_iter().fold(asked, |asked, tag| asked.header("if-match", tag))).await
    }

    /// Edits the policy, as its owner.
    async fn edit(&self, change: impl FnOnce(&mut Value)) -> Answer {
        let current = self.get(&self.owner, &self.below("policy")).await;
        let mut policy = current.body["policy"].clone();
        change(&mut policy);
        let asked = TestRequest::new("PUT", &self.below("policy")).by(&self.owner.token);
        let asked = asked.header("if-match", current.header("etag"));
        self.send(asked.json(&json!({"policy": policy, "reason": "test"}))).await
    }

    /// Of the model that the project names, and which a live suite is on record of.
    async fn name_model(&self) {
        let made = self
            .edit(|policy| {
                policy["llmProvider"] = json!("OPENAI");
                policy["governorModel"] = json!("gpt-4o-mini");
            })
            .await;
        assert_eq!(made.status, 201, "{}", made.text);
    }

    /// As the governor records so many reviews that let a request through.
    async fn let_through(&self, project: ProjectId, count: u8) {
        let rules = self.governor.rollouts().rules();
        for nth in 1..=count {
            let body = json!({
                "session": uuid::Uuid::now_v7(), "task": uuid::Uuid::now_v7(),
                "spec": SpecDigest::from_bytes([nth; 32]), "rules": rules,
                "source": "rules_only", "risky": false, "binds": false, "opinions": [],
                "consensus": "YES",
            });
            let boundary = Boundary::new(Point::P).entry("dacs.evaluated", body);
            self.store().append(&Writer::Project(project), boundary).await.unwrap();
        }
    }

    async fn records(&self, kind: &str) -> Vec<Value> {
        let found = self.get(&self.owner, &self.below(&format!("audit?kind={kind}"))).await;
        let items = found.body["items"].as_array().unwrap().iter();
        items.map(|item| item["body"].clone()).collect()
    }
}

fn figures(of: &Value) -> [u64; 4] {
    ["evaluated", "divergences", "unreviewed", "wrong"]
        .map(|name| of["figures"][name].as_u64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_edit_of_the_policy_changes_the_stage() {
    let test = TestServer::new().await;
    let refused = test.edit(|policy| policy["dacsStage"] = json!("enforce")).await;
    assert_eq!((refused.status, refused.code()), (422, "STAGE_NOT_EDITED"), "{}", refused.text);
    assert!(refused.body["suggestion"].as_str().unwrap().contains("promote"), "{}", refused.text);
    let text = test.get(&test.owner, &test.below("policy/text")).await.body["text"].clone();
    let text = text.as_str().unwrap().replace("\"observe\"", "\"enforce\"");
    let check = test.post(&test.owner, &test.below("policy/check"), json!({"text": text})).await;
    assert_eq!(check.code(), "STAGE_NOT_EDITED", "{}", check.text);
    // Nobody works in a new project: an administrator may begin one in any stage.
    let begin = json!({"name": "strict", "stage": "enforce"});
    let refused = test.post(&test.owner, "/projects", begin.clone()).await;
    assert_eq!((refused.status, &refused.body["params"]["roles"]), (403, &json!(["admin"])));
    let made = test.post(&test.admin, "/projects", begin).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let below = format!("/projects/{}/rollout", made.body["id"].as_str().unwrap());
    assert_eq!(test.get(&test.admin, &below).await.body["stage"], "enforce");
    let made = test.post(&test.owner, "/projects", json!({"name": "plain"})).await;
    let below = format!("/projects/{}/rollout", made.body["id"].as_str().unwrap());
    assert_eq!(test.get(&test.owner, &below).await.body["stage"], "observe");
    let odd = test.post(&test.owner, "/projects", json!({"name": "x", "stage": "never"})).await;
    assert_eq!((odd.status, &odd.body["params"]["field"]), (422, &json!("stage")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_divergence_is_listed_with_what_the_review_objects_to_and_reviewed_by_people() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    test.say(&test.owner, &session, DIVERGENT).await;
    test.say(&test.owner, &session, "write 'x' to plain.txt").await;
    let list = test.get(&test.owner, &test.below("divergences")).await;
    let items = list.body["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{}", list.text);
    let one = &items[0];
    assert_eq!((&one["consensus"], &one["stage"]), (&json!("NO"), &json!("observe")));
    assert_eq!((&one["counts"], &one["verdict"]), (&json!(true), &Value::Null));
    assert_eq!(
        (&one["task_type"], &one["model"]),
        (&json!("FILE_WRITE"), &json!("OFFLINE:offline"))
    );
    assert_eq!(one["requester_name"], "owner");
    assert_eq!(one["session"], json!(session));
    let plan = format!("/blueprints/{}/why", one["blueprint"].as_str().unwrap());
    assert_eq!(test.get(&test.owner, &plan).await.status, 200);
    assert_eq!(figures(&test.rollout().await), [2, 1, 1, 0]);

    let judge = test.member("judge", Role::Approver).await;
    let below = test.below(&format!("divergences/{}/reviews", one["record"]));
    let said = |verdict: &str| json!({"verdict": verdict, "note": "a secret's name\nin a folder"});
    for (verdict, due) in [("wrong", [2, 1, 0, 1]), ("right", [2, 1, 0, 0])] {
        let made = test.post(&judge, &below, said(verdict)).await;
        assert_eq!((made.status, &made.body["by_name"]), (201, &json!("judge")), "{}", made.text);
        assert_eq!(figures(&test.rollout().await), due);
    }
    let list = test.get(&judge, &test.below("divergences?review=right")).await;
    let reviews = &list.body["items"][0]["reviews"];
    assert_eq!(
        (&reviews[0]["verdict"], &reviews[1]["verdict"]),
        (&json!("right"), &json!("wrong"))
    );
    let records = test.records("divergence.reviewed").await;
    assert_eq!(records.len(), 2);
    assert!(!json!(records).to_string().contains("folder"), "{records:?}");

    let viewer = test.member("viewer", Role::Viewer).await;
    assert_eq!(test.get(&viewer, &test.below("divergences")).await.status, 200);
    assert_eq!(test.post(&viewer, &below, said("wrong")).await.status, 403);
    let nobody = test.person("nobody").await;
    assert_eq!(test.post(&nobody, &below, said("wrong")).await.status, 404);
    let missing = test.below("divergences/1/reviews");
    assert_eq!(test.post(&judge, &missing, said("wrong")).await.status, 404, "no divergence");
    let odd = test.post(&judge, &below, json!({"verdict": "perhaps"})).await;
    assert_eq!((odd.status, &odd.body["params"]["field"]), (422, &json!("verdict")));
    let long = test.post(&judge, &below, json!({"verdict": "right", "note": "x".repeat(2_001)}));
    assert_eq!(long.await.body["params"]["field"], "note");
}

#[tokio::test(flavor = "multi_thread")]
async fn divergences_are_narrowed_by_what_is_named_and_nothing_else() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    test.say(&test.owner, &session, DIVERGENT).await;
    let list = test.get(&test.owner, &test.below("divergences")).await;
    let one = &list.body["items"][0];
    let code = one["opinions"].as_array().unwrap().iter().find_map(|o| o["codes"][0].as_str());
    let code = code.expect("a concern");
    let day = |days: i64| now().plus_seconds(days * DAY_SECONDS).utc_day();
    for (query, count) in [
        ("task_type=FILE_WRITE".to_owned(), 1),
        ("task_type=FILE_READ".to_owned(), 0),
        ("model=offline".to_owned(), 1),
        ("model=OFFLINE:offline".to_owned(), 1),
        ("model=OPENAI:offline".to_owned(), 0),
        (format!("requester={}", test.owner.user), 1),
        (format!("requester={}", test.admin.user), 0),
        (format!("from={}&until={}", day(-1), day(1)), 1),
        (format!("from={}", day(1)), 0),
        (format!("until={}", day(-2)), 0),
        ("review=unreviewed".to_owned(), 1),
        ("review=wrong".to_owned(), 0),
        ("consensus=NO&stage=observe".to_owned(), 1),
        ("consensus=REVISION".to_owned(), 0),
        ("stage=enforce".to_owned(), 0),
        (format!("concern={code}"), 1),
        ("concern=NONE_OF_OURS".to_owned(), 0),
    ] {
        let found = test.get(&test.owner, &test.below(&format!("divergences?{query}"))).await;
        assert_eq!(found.body["items"].as_array().unwrap().len(), count, "{query}: {}", found.text);
    }
    for odd in [
        "review=maybe",
        "stage=x",
        "limit=0",
        "nonsense=1",
        "cursor=x",
        "task_type=WRITE",
        "requester=x",
        "from=today",
        "from=2026-02-01&until=2026-01-01",
    ] {
        let refused = test.get(&test.owner, &test.below(&format!("divergences?{odd}"))).await;
        assert_eq!((refused.status, refused.code()), (400, "INVALID_QUERY"), "{odd}");
    }
}

/// There is no plan that would tell of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_divergence_that_was_denied_has_its_task_type_and_opens_its_turn() {
    let test = TestServer::new().await;
    let begin = json!({"name": "strict", "stage": "enforce"});
    let made = test.post(&test.admin, "/projects", begin).await;
    let strict: ProjectId = made.body["id"].as_str().unwrap().parse().unwrap();
    let session = test.session(&test.admin, strict).await;
    let events = test.say(&test.admin, &session, DIVERGENT).await;
    let list = format!("/projects/{strict}/divergences?task_type=FILE_WRITE");
    let own = test.get(&test.admin, &list).await;
    let one = &own.body["items"][0];
    assert_eq!(
        (&one["stage"], &one["blueprint"]),
        (&json!("enforce"), &Value::Null),
        "{}",
        own.text
    );
    assert_eq!((&one["turn"], &one["session"]), (&events[0].1["turn"], &json!(session)));
    let why = format!("/sessions/{session}/turns/{}/why", one["turn"].as_str().unwrap());
    let why = test.get(&test.admin, &why).await;
    assert_eq!(why.body["reviews"][0]["task_type"], "FILE_WRITE", "{}", why.text);
    // Of somebody else's conversation whoever reads the audit is told, and nobody else.
    for (name, role, told) in [("judge", Role::Approver, true), ("viewer", Role::Viewer, false)] {
        let person = test.person(name).await;
        let store = test.store();
        store.set_roles(strict, person.user, [role].into(), test.admin.user).await.unwrap();
        let seen = test.get(&person, &list).await;
        let one = &seen.body["items"][0];
        assert_eq!(one["requester_name"], "admin", "{}", seen.text);
        assert_eq!((one["turn"].is_string(), one["session"].is_string()), (told, told), "{name}");
        let figures = test.get(&person, &format!("/projects/{strict}/rollout/figures")).await;
        let cell = &figures.body["matrix"]["divergent"]["not_run"];
        assert_eq!((&cell["count"], &cell["turns"]), (&json!(1), &json!([])), "{}", figures.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_say_how_often_the_review_objects_and_what_ran_all_the_same() {
    let test = TestServer::new().await;
    let owner = &test.owner;
    let session = test.session(owner, test.project).await;
    let events = test.say(owner, &session, DIVERGENT).await;
    let (_, preview) = events.iter().find(|(name, _)| name == "preview").unwrap();
    let of = |name: &str| preview[name].as_str().unwrap().to_owned();
    test.approve(owner, &of("approval"), &of("digest")).await;
    assert_eq!(test.executed(owner).await["state"], "succeeded");
    let waiting = test.session(owner, test.project).await;
    test.say(owner, &waiting, "write 'x' to plain.txt").await;
    let below = test.below("rollout/figures");
    let viewer = test.member("viewer", Role::Viewer).await;
    let found = test.get(&viewer, &below).await;
    let counts = json!({
        "evaluated": 2, "divergences": 1, "divergences_ppm": 500_000, "right": 0, "wrong": 0,
        "unreviewed": 1,
    });
    assert_eq!(found.body["total"], counts, "{}", found.text);
    assert_eq!(
        found.body["by_task_type"],
        json!([{"task_type": "FILE_WRITE", "model": null, "day": null, "counts": counts}])
    );
    assert_eq!(found.body["by_model"][0]["model"], "OFFLINE:offline");
    assert!(found.body["by_day"][0]["day"].is_string(), "{}", found.text);
    let cell = |row: &str, cell: &str| found.body["matrix"][row][cell].clone();
    let (ran, waits) = (cell("divergent", "ran"), cell("let_through", "not_run"));
    assert_eq!((&ran["count"], &waits["count"]), (&json!(1), &json!(1)));
    let plan = format!("/blueprints/{}/why", ran["turns"][0]["blueprint"].as_str().unwrap());
    assert_eq!(test.get(&viewer, &plan).await.status, 200);
    assert!(waits["turns"][0]["blueprint"].is_string(), "{waits}");
    assert_eq!(cell("let_through", "ran"), json!({"count": 0, "turns": []}));

    // What an earlier build recorded is counted where it tells nothing.
    test.let_through(test.project, 3).await;
    let list = test.get(owner, &test.below("divergences")).await;
    let reviews = test.below(&format!("divergences/{}/reviews", list.body["items"][0]["record"]));
    assert_eq!(test.post(owner, &reviews, json!({"verdict": "wrong"})).await.status, 201);
    let found = test.get(owner, &below).await;
    let total = &found.body["total"];
    assert_eq!((&total["evaluated"], &total["wrong"]), (&json!(5), &json!(1)), "{}", found.text);
    let untold = &found.body["by_task_type"][0];
    assert_eq!((&untold["task_type"], &untold["counts"]["evaluated"]), (&Value::Null, &json!(3)));
    assert_eq!(found.body["truncated"], false);

    let long_ago = format!("{below}?from=2020-01-01&until=2020-03-30");
    let long_ago = test.get(owner, &long_ago).await;
    assert_eq!((long_ago.status, &long_ago.body["total"]["evaluated"]), (200, &json!(0)));
    for odd in ["from=today", "week=1", "from=2020-01-01&until=2020-03-31"] {
        let refused = test.get(owner, &format!("{below}?{odd}")).await;
        assert_eq!((refused.status, refused.code()), (400, "INVALID_QUERY"), "{odd}");
        let is_long = odd.contains("until");
        let reason = refused.body["params"]["reason"] == "at most `90` days at once";
        assert_eq!(reason, is_long, "{}", refused.text);
    }
    let nobody = test.person("nobody").await;
    assert_eq!(test.get(&nobody, &below).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_promotion_is_refused_with_its_reasons_until_it_is_earned() {
    let test = TestServer::with_openai().await;
    let owner = &test.owner;
    let session = test.session(owner, test.project).await;
    test.say(owner, &session, DIVERGENT).await;
    let all = json!(["BOUND_EXCEEDED", "DIVERGENCES_UNREVIEWED", "NO_GHOST_RUN"]);
    let found = test.rollout().await;
    assert_eq!((&found["reasons"], &found["run"]), (&all, &Value::Null), "the built-in model");
    let refused = test.switch(owner, "promote").await;
    assert_eq!((refused.status, refused.code()), (409, "PROMOTION_REFUSED"), "{}", refused.text);
    assert_eq!(refused.body["params"]["reasons"], all);
    assert_eq!(refused.body["params"]["figures"]["bound_ppm"], 950_001);

    test.name_model().await;
    test.let_through(test.project, 148).await;
    let divergence = test.get(owner, &test.below("divergences")).await.body["items"][0].clone();
    let reviews = test.below(&format!("divergences/{}/reviews", divergence["record"]));
    test.post(owner, &reviews, json!({"verdict": "right"})).await;
    let found = test.rollout().await;
    assert_eq!((figures(&found), &found["figures"]["bound_ppm"]), ([149, 1, 0, 0], &json!(19_905)));
    assert_eq!(found["reasons"], json!(["NO_GHOST_RUN"]));
    assert_eq!(found["run"]["standing"], "no_record");
    report(&test, &asked(&test).await, 3, |_| ()).await;
    let found = test.rollout().await;
    assert_eq!((&found["reasons"], &found["may_be_promoted"]), (&json!([]), &json!(true)));

    let editor = test.member("editor", Role::Editor).await;
    assert_eq!(test.switch(&editor, "promote").await.status, 403);
    let nobody = test.person("nobody").await;
    assert_eq!(test.switch(&nobody, "promote").await.status, 404);
    assert_eq!(test.switch_from(owner, "promote", None).await.status, 428);
    let stale = format!("\"{}\"", uuid::Uuid::now_v7());
    assert_eq!(test.switch_from(owner, "promote", Some(&stale)).await.status, 412);
    assert_eq!(test.switch(owner, "demote").await.code(), "STAGE_ALREADY");

    let promoted = test.switch(owner, "promote").await;
    assert_eq!(promoted.status, 201, "{}", promoted.text);
    assert_eq!(promoted.body["policy"]["dacsStage"], "enforce");
    let record = test.records("project.promoted").await.remove(0);
    assert_eq!(record["policy"], promoted.body["id"]);
    assert_eq!((&record["boundPpm"], &record["waiver"]), (&json!(19_905), &Value::Null));
    assert_eq!(record["run"]["model"], "gpt-4o-mini");
    assert_eq!(record["run"]["standing"]["is"], "verified");
    assert_eq!(test.switch(owner, "promote").await.code(), "STAGE_ALREADY");
    let found = test.rollout().await;
    assert_eq!((&found["stage"], &found["alarm"]), (&json!("enforce"), &json!(false)));
    assert_eq!(found["run"]["verified"], true, "the stage is no rule of the run");

    // The bound is exceeded later: an alarm, and no fallback.
    let wrong = test.post(owner, &reviews, json!({"verdict": "wrong"})).await;
    assert_eq!(wrong.status, 201, "{}", wrong.text);
    let found = test.rollout().await;
    assert_eq!((&found["stage"], &found["alarm"]), (&json!("enforce"), &json!(true)));
    let alarm = test.records("project.bound_exceeded").await.remove(0);
    assert_eq!(alarm["figures"]["wrong"], 1);
    assert!(alarm["boundPpm"].as_u64().unwrap() > 20_000);

    let reasonless = TestRequest::new("POST", &test.below("demote")).by(&owner.token);
    let tag = test.get(owner, &test.below("rollout")).await.header("etag").to_owned();
    let reasonless = reasonless.header("if-match", &tag).json(&json!({"reason": " "}));
    assert_eq!(test.send(reasonless).await.body["params"]["field"], "reason");
    let demoted = test.switch(owner, "demote").await;
    assert_eq!((demoted.status, &demoted.body["policy"]["dacsStage"]), (201, &json!("observe")));
    assert_eq!(test.records("project.demoted").await.len(), 1);
    let again = test.switch(owner, "promote").await;
    assert_eq!(again.body["params"]["reasons"], json!(["BOUND_EXCEEDED"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiver_takes_two_approvers_and_never_stands_in_for_the_run() {
    let test = TestServer::with_openai().await;
    let (kim, lee) =
        (test.member("kim", Role::Approver).await, test.member("lee", Role::Approver).await);
    let editor = test.member("editor", Role::Editor).await;
    let ask = json!({"reason": "the fair opens tomorrow"});
    let below = test.below("waivers");
    assert_eq!(test.post(&editor, &below, ask.clone()).await.status, 403);
    let odd = test.post(&kim, &below, json!({"reason": ""})).await;
    assert_eq!(odd.body["params"]["field"], "reason");
    let waiver = test.post(&kim, &below, ask.clone()).await;
    assert_eq!((waiver.status, &waiver.body["joined_by"]), (201, &Value::Null), "{}", waiver.text);
    assert_eq!(test.post(&lee, &below, ask.clone()).await.code(), "WAIVER_OPEN");
    let join = format!("{below}/{}/join", waiver.body["id"].as_str().unwrap());
    let other = token(test.store(), kim.user, TokenScope::Full).await;
    let same = Person { token: other, ..kim.clone() };
    assert_eq!(test.post(&same, &join, json!({})).await.code(), "WAIVER_SAME_PERSON");
    let joined = test.post(&lee, &join, json!({})).await;
    assert_eq!((joined.status, &joined.body["joined_by_name"]), (200, &json!("lee")));
    assert_eq!(test.post(&lee, &join, json!({})).await.code(), "WAIVER_GONE");

    let found = test.rollout().await;
    assert_eq!(found["waiver"]["reason"], "the fair opens tomorrow");
    assert_eq!(found["may_be_promoted"], false, "{found}");
    test.name_model().await;
    let refused = test.switch(&test.owner, "promote").await;
    assert_eq!(refused.body["params"]["reasons"], json!(["NO_GHOST_RUN"]), "{}", refused.text);
    report(&test, &asked(&test).await, 3, |_| ()).await;
    let found = test.rollout().await;
    assert_eq!(
        (&found["reasons"], &found["may_be_promoted"]),
        (&json!(["BOUND_EXCEEDED"]), &json!(true))
    );
    let promoted = test.switch(&test.owner, "promote").await;
    assert_eq!(promoted.status, 201, "{}", promoted.text);
    assert_eq!(test.records("project.promoted").await[0]["waiver"], waiver.body["id"]);
    assert_eq!(test.rollout().await["waiver"], Value::Null, "it is used up");
    assert_eq!(test.rollout().await["alarm"], false, "nothing was found wrong");
    assert_eq!(test.switch(&test.owner, "demote").await.status, 201);
    assert_eq!(test.switch(&test.owner, "promote").await.code(), "PROMOTION_REFUSED");
}

/// One of both is told that the version has changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_promotion_and_an_edit_of_the_same_version_are_never_both_done() {
    let test = TestServer::with_openai().await;
    test.name_model().await;
    test.let_through(test.project, 150).await;
    report(&test, &asked(&test).await, 3, |_| ()).await;
    let edit = test.edit(|policy| policy["allowedPaths"] = json!(["notes"]));
    let (promoted, edited) = tokio::join!(test.switch(&test.owner, "promote"), edit);
    let mut told = [promoted.status, edited.status];
    told.sort_unstable();
    // Either read the version before or after the other's: then both are one after the other.
    assert!(matches!(told, [201, 412] | [201, 201]), "{} {}", promoted.text, edited.text);
    let policy = test.get(&test.owner, &test.below("policy")).await.body["policy"].clone();
    assert_eq!(policy["dacsStage"] == "enforce", promoted.status == 201);
    assert_eq!(policy["allowedPaths"] == json!(["notes"]), edited.status == 201);
}
