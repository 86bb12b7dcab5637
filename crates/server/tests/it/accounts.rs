//! Accounts that are closed and opened again, passwords that change, log-ins that end elsewhere.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer, token},
};
use serde_json::{Value, json};
use wiiiv_store::{Role, TokenScope};

const NEW: &str = "another long password";

async fn close(test: &TestServer, by: &Person, who: &Person) -> Answer {
    test.post(by, &format!("/users/{}/close", who.user), json!({})).await
}

async fn login(test: &TestServer, name: &str, password: &str) -> Answer {
    let body = json!({"name": name, "password": password});
    test.send(TestRequest::new("POST", "/auth/login").json(&body)).await
}

async fn change(test: &TestServer, token: &str, body: Value) -> Answer {
    test.send(TestRequest::new("POST", "/auth/password").by(token).json(&body)).await
}

async fn kinds(test: &TestServer, chain: &str, by: &Person) -> Vec<(String, Value)> {
    let found = test.get(by, &format!("/audit/{chain}/export")).await;
    let lines = found.text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let kind = |line: &Value| line["kind"].as_str().map(str::to_owned);
    lines.filter_map(|line| Some((kind(&line)?, line["body"].clone()))).collect()
}

/// The attack: whoever was dismissed goes on with a token, a waiting question, a queued word.
#[tokio::test(flavor = "multi_thread")]
async fn a_closed_account_does_nothing_more() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "e.txt").await;
    let reader = token(test.store(), lee.user, TokenScope::Read).await;

    let closed = close(&test, &test.admin, &lee).await;
    assert_eq!(closed.status, 200, "{}", closed.text);
    assert_eq!(closed.body["approvals_withdrawn"], 1);
    assert_eq!(closed.body["tokens_ended"], 2);
    for text in [&lee.token, &reader] {
        let refused = test.send(TestRequest::new("GET", "/auth/me").by(text)).await;
        assert_eq!((refused.status, refused.code()), (401, "UNAUTHENTICATED"));
    }
    let approve = test.approve(&lee, &asked, &digest).await;
    assert_eq!(approve.status, 401);
    let password = login(&test, "lee", "a long password of lee").await;
    assert_eq!((password.status, password.code()), (401, "WRONG_CREDENTIALS"));

    // Nobody else answers it either, and nothing was written.
    let seen = test.get(&test.owner, &format!("/approvals/{asked}")).await;
    assert_eq!(seen.body["state"], "withdrawn", "{}", seen.text);
    for action in ["approve", "reject"] {
        let path = format!("/approvals/{asked}/{action}");
        let late = test.post(&test.owner, &path, json!({"digest": digest})).await;
        assert!(matches!(late.code(), "APPROVAL_DECIDED" | "FORBIDDEN"), "{action}: {}", late.text);
    }
    assert_eq!(test.file("e.txt"), None);

    let server = kinds(&test, "server", &test.admin).await;
    let (_, body) = server.iter().find(|(kind, _)| kind == "user.disabled").expect("a record");
    let due = json!({
        "approvalsWithdrawn": 1, "by": test.admin.user, "tokensEnded": 2, "user": lee.user,
    });
    assert_eq!(*body, due);
    let project = kinds(&test, &test.project.to_string(), &test.owner).await;
    let gone: Vec<_> = project.iter().filter(|(kind, _)| kind == "approval.withdrawn").collect();
    let [(_, gone)] = gone.as_slice() else { panic!("one record: {gone:#?}") };
    assert_eq!((&gone["approval"], &gone["reason"]), (&json!(asked), &json!("account_closed")));

    // Twice is once.
    let again = close(&test, &test.admin, &lee).await;
    assert_eq!((again.status, &again.body["tokens_ended"]), (200, &json!(0)), "{}", again.text);
    assert_eq!(again.body["disabled_at"], closed.body["disabled_at"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_opened_again_begins_anew() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let session = test.session(&lee, test.project).await;
    let (asked, _) = test.question(&lee, &session, "e.txt").await;
    assert_eq!(close(&test, &test.admin, &lee).await.status, 200);
    let opened = test.post(&test.admin, &format!("/users/{}/open", lee.user), json!({})).await;
    assert_eq!((opened.status, &opened.body["disabled_at"]), (200, &Value::Null));
    let old = test.send(TestRequest::new("GET", "/auth/me").by(&lee.token)).await;
    assert_eq!(old.status, 401, "what ended stays so");
    let new = login(&test, "lee", "a long password of lee").await;
    assert_eq!(new.status, 200, "{}", new.text);
    let lee = Person { token: new.body["token"].as_str().unwrap().to_owned(), ..lee };
    // The question does not come back by a word, and the conversation goes on.
    test.say(&lee, &session, "yes").await;
    assert_eq!(test.file("e.txt"), None);
    let seen = test.get(&lee, &format!("/approvals/{asked}")).await;
    assert_eq!(seen.body["state"], "withdrawn");
    let (asked, digest) = test.question(&lee, &session, "f.txt").await;
    assert_eq!(test.approve(&lee, &asked, &digest).await.status, 200);
    test.executed(&lee).await;
    assert_eq!(test.file("f.txt").as_deref(), Some("hello"));
}

/// What the store closed and no conversation was told: as after a crash between the two.
#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_was_not_told_finds_its_question_withdrawn() {
    for word in ["yes", "no", "write 'x' to the file g.txt"] {
        let test = TestServer::new().await;
        let session = test.session(&test.owner, test.project).await;
        test.question(&test.owner, &session, "e.txt").await;
        let (owner, admin) = (test.owner.user, test.admin.user);
        let closed = test.store().disable_user(owner, admin).await.unwrap();
        assert_eq!(closed.withdrawn.len(), 1);
        test.store().enable_user(owner, admin).await.unwrap();
        let back = token(test.store(), owner, TokenScope::Full).await;
        let owner = Person { token: back, ..test.owner.clone() };
        let events = test.say(&owner, &session, word).await;
        assert!(events.iter().any(|(name, _)| name == "reply" || name == "preview"), "{events:#?}");
        let (asked, digest) = test.question(&owner, &session, "f.txt").await;
        assert_eq!(test.approve(&owner, &asked, &digest).await.status, 200, "{word}");
        test.executed(&owner).await;
        assert_eq!(test.file("e.txt"), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_closed_approver_stays_for_others() {
    let test = TestServer::new().await;
    let min = test.member("min", Role::Approver).await;
    let session = test.session(&test.owner, test.project).await;
    let (asked, digest) = test.question(&test.owner, &session, "e.txt").await;
    let closed = close(&test, &test.admin, &min).await;
    assert_eq!((closed.status, &closed.body["approvals_withdrawn"]), (200, &json!(0)));
    assert_eq!(test.approve(&min, &asked, &digest).await.status, 401);
    assert_eq!(test.approve(&test.owner, &asked, &digest).await.status, 200);
    test.executed(&test.owner).await;
    assert_eq!(test.file("e.txt").as_deref(), Some("hello"));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_close_whom() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Owner).await;
    let second = test.person("second").await;
    for action in ["close", "open"] {
        let path = |id: &str| format!("/users/{id}/{action}");
        let missing = uuid::Uuid::now_v7().to_string();
        for id in [&lee.user.to_string(), &missing] {
            let refused = test.post(&second, &path(id), json!({})).await;
            assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"), "{}", refused.text);
        }
        assert_eq!(test.post(&test.admin, &path(&missing), json!({})).await.status, 404);
    }
    let own = close(&test, &test.admin, &test.admin).await;
    assert_eq!((own.status, own.code()), (409, "OWN_ACCOUNT"), "{}", own.text);
    let reader = token(test.store(), test.admin.user, TokenScope::Read).await;
    let reader = Person { token: reader, ..test.admin.clone() };
    assert_eq!(close(&test, &reader, &lee).await.status, 403);
    assert_eq!(test.get(&lee, "/auth/me").await.status, 200, "nothing was done");
}

/// Two administrators close each other: one of them has no account by then.
#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_always_stays() {
    for _ in 0..10 {
        let test = TestServer::new().await;
        let body = json!({"name": "boss", "password": NEW, "admin": true});
        assert_eq!(test.post(&test.admin, "/users", body).await.status, 201);
        let boss = test.store().user_named("boss").await.unwrap().unwrap().id;
        let text = token(test.store(), boss, TokenScope::Full).await;
        let boss = Person { user: boss, token: text, ..test.admin.clone() };
        let (one, other) =
            tokio::join!(close(&test, &test.admin, &boss), close(&test, &boss, &test.admin),);
        let mut told = [one.status, other.status];
        told.sort_unstable();
        assert_eq!(told, [200, 401], "{} {}", one.text, other.text);
        let (last, gone) =
            if one.status == 200 { (&test.admin, &boss) } else { (&boss, &test.admin) };
        assert_eq!(test.get(last, "/users").await.status, 200);
        let refused = test.store().disable_user(last.user, last.user).await;
        assert!(matches!(refused, Err(wiiiv_store::AccountRefused::LastAdministrator)));
        let refused = test.store().disable_user(last.user, gone.user).await;
        assert!(matches!(refused, Err(wiiiv_store::AccountRefused::Caller)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_needs_the_old_one_and_ends_everything_else() {
    let test = TestServer::new().await;
    let lee = test.person("lee").await;
    let (old, other) =
        ("a long password of lee", token(test.store(), lee.user, TokenScope::Full).await);
    let body = |old: &str, new: &str| json!({"old": old, "new": new});
    let wrong = change(&test, &lee.token, body("a long password of kim", NEW)).await;
    assert_eq!((wrong.status, wrong.code()), (403, "WRONG_PASSWORD"), "{}", wrong.text);
    for new in ["short", old] {
        let refused = change(&test, &lee.token, body(old, new)).await;
        let told = (refused.status, &refused.body["params"]["field"]);
        assert_eq!(told, (422, &json!("new")), "{}", refused.text);
        assert!(!refused.text.contains(new) || new == "short");
    }
    let reader = token(test.store(), lee.user, TokenScope::Read).await;
    assert_eq!(change(&test, &reader, body(old, NEW)).await.status, 403);
    let unknown = change(&test, &lee.token, json!({"old": old, "new": NEW, "x": 1})).await;
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    assert_eq!(login(&test, "lee", old).await.status, 200, "nothing has changed so far");

    let done = change(&test, &lee.token, body(old, NEW)).await;
    assert_eq!((done.status, &done.body["tokens_ended"]), (200, &json!(3)), "{}", done.text);
    assert_eq!(test.get(&lee, "/auth/me").await.status, 200, "the one that asked stays");
    for text in [&other, &reader] {
        assert_eq!(test.send(TestRequest::new("GET", "/auth/me").by(text)).await.status, 401);
    }
    assert_eq!(login(&test, "lee", old).await.status, 401);
    assert_eq!(login(&test, "lee", NEW).await.status, 200);
    let kept = json!({"old": NEW, "new": "a third long password", "keep_others": true});
    let kept = change(&test, &lee.token, kept).await;
    assert_eq!((kept.status, &kept.body["tokens_ended"]), (200, &json!(0)), "{}", kept.text);
    let server = kinds(&test, "server", &test.admin).await;
    let changed = server.iter().filter(|(kind, _)| kind == "user.password_changed");
    let ended: Vec<&Value> = changed.map(|(_, body)| &body["tokensEnded"]).collect();
    assert_eq!(ended, [&json!(3), &json!(0)]);
    assert!(!format!("{server:?}").contains(NEW));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_old_password_counts_as_a_wrong_guess() {
    let test = TestServer::new().await;
    let lee = test.person("lee").await;
    let mut told = Vec::new();
    for nth in 0..8 {
        let body = json!({"old": format!("a wrong password {nth}"), "new": NEW});
        told.push(change(&test, &lee.token, body).await.status);
    }
    assert_eq!(told[..5], [403; 5]);
    assert!(told[5..].contains(&429), "{told:?}");
}

/// Of two changes at once from one old password one is made, and that one's password holds.
#[tokio::test(flavor = "multi_thread")]
async fn two_changes_of_one_password_at_once_are_one() {
    let test = TestServer::new().await;
    let lee = test.person("lee").await;
    let second = token(test.store(), lee.user, TokenScope::Full).await;
    let body =
        |new: &str| json!({"old": "a long password of lee", "new": new, "keep_others": true});
    let (one, other) = tokio::join!(
        change(&test, &lee.token, body("the first new password")),
        change(&test, &second, body("the second new password")),
    );
    let mut told = [one.status, other.status];
    told.sort_unstable();
    assert_eq!(told, [200, 403], "{} {}", one.text, other.text);
    let first = login(&test, "lee", "the first new password").await.status;
    let second = login(&test, "lee", "the second new password").await.status;
    assert_eq!((first == 200, second == 200), (one.status == 200, other.status == 200));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_gives_a_new_password_and_not_to_oneself() {
    let test = TestServer::new().await;
    let lee = test.person("lee").await;
    let put = |by: &Person, id: String, password: &str| {
        let asked = TestRequest::new("PUT", &format!("/users/{id}/password")).by(&by.token);
        test.send(asked.json(&json!({"password": password})))
    };
    let lees = lee.user.to_string();
    assert_eq!(put(&test.owner, lees.clone(), NEW).await.status, 403);
    let short = put(&test.admin, lees.clone(), "short").await;
    assert_eq!((short.status, &short.body["params"]["field"]), (422, &json!("password")));
    let own = put(&test.admin, test.admin.user.to_string(), NEW).await;
    assert_eq!((own.status, own.code()), (409, "OWN_ACCOUNT"));
    assert_eq!(put(&test.admin, uuid::Uuid::now_v7().to_string(), NEW).await.status, 404);
    let done = put(&test.admin, lees.clone(), NEW).await;
    assert_eq!((done.status, &done.body["tokens_ended"]), (200, &json!(1)), "{}", done.text);
    assert_eq!(test.get(&lee, "/auth/me").await.status, 401);
    assert_eq!(login(&test, "lee", NEW).await.status, 200);
    // A closed account stays closed, whatever its password is.
    assert_eq!(close(&test, &test.admin, &lee).await.status, 200);
    assert_eq!(put(&test.admin, lees, "a third long password").await.status, 200);
    assert_eq!(login(&test, "lee", "a third long password").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_everywhere_else_leaves_this_one() {
    let test = TestServer::new().await;
    let lee = test.person("lee").await;
    let text = token(test.store(), lee.user, TokenScope::Full).await;
    let other = Person { token: text, ..lee.clone() };
    let listed = test.get(&lee, "/auth/tokens").await;
    let current: Vec<bool> =
        listed.body["items"].as_array().unwrap().iter().map(|row| row["current"] == true).collect();
    assert_eq!(current, [false, true], "newest first: {}", listed.text);
    let entered = login(&test, "lee", "a long password of lee").await;
    let entered = entered.body["token_id"].clone();
    let listed = test.get(&lee, "/auth/tokens").await;
    let row = &listed.body["items"][0];
    assert_eq!(
        (&row["id"], &row["kind"], &row["current"]),
        (&entered, &json!("client"), &json!(false))
    );
    assert_eq!(listed.body["items"][1]["kind"], "token");
    let all = |who: &Person| test.send(TestRequest::new("DELETE", "/auth/tokens").by(&who.token));
    let reader = token(test.store(), lee.user, TokenScope::Read).await;
    assert_eq!(test.send(TestRequest::new("DELETE", "/auth/tokens").by(&reader)).await.status, 403);
    // Both at once: one stays, and not none.
    let (one, two) = tokio::join!(all(&lee), all(&other));
    let mut told = [one.status, two.status];
    told.sort_unstable();
    assert_eq!(told, [200, 401], "{} {}", one.text, two.text);
    let (stays, gone) = if one.status == 200 { (&lee, &other) } else { (&other, &lee) };
    assert_eq!(test.get(stays, "/auth/me").await.status, 200);
    assert_eq!(test.get(gone, "/auth/me").await.status, 401);
    assert_eq!(test.get(&test.owner, "/auth/me").await.status, 200, "others' stay");
}
