//! Setup, log-in, tokens, cookies.

use crate::{
    call::TestRequest,
    test_server::{TestServer, token},
};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use wiiiv_store::{Role, TokenScope};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_administrator_is_made_once_with_the_printed_token() {
    let (router, governor, _folder) = TestServer::bare().await;
    let info = TestRequest::new("GET", "/info").send(&router).await;
    assert_eq!(info.body["set_up"], false);
    let printed = governor.store().setup_token().await.unwrap().unwrap();
    let body = |token: &str| {
        let body = json!({"token": token, "name": "kim", "password": "correct horse staple"});
        TestRequest::new("POST", "/setup").json(&body)
    };
    let wrong = body("wiiiv_wrong").send(&router).await;
    assert_eq!((wrong.status, wrong.code()), (401, "WRONG_SETUP_TOKEN"));
    let made = body(printed.expose_secret()).send(&router).await;
    assert_eq!((made.status, &made.body["admin"]), (201, &json!(true)), "{}", made.text);
    let token = made.body["token"].as_str().unwrap();
    let me = TestRequest::new("GET", "/auth/me").by(token).send(&router).await;
    assert_eq!((&me.body["name"], &me.body["admin"]), (&json!("kim"), &json!(true)));
    let again = body(printed.expose_secret()).send(&router).await;
    assert_eq!((again.status, again.code()), (409, "ALREADY_SET_UP"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_name_and_a_wrong_password_are_answered_alike() {
    let test = TestServer::new().await;
    let login = |name: &str, password: &str| {
        let body = json!({"name": name, "password": password});
        test.send(TestRequest::new("POST", "/auth/login").json(&body))
    };
    let mut answers = [
        login("nobody", "a long password of owner").await,
        login("owner", "a long password of nobody").await,
    ]
    .map(|mut answer| {
        answer.body["trace_id"].take();
        (answer.status, answer.body, answer.headers.get("www-authenticate").cloned())
    });
    let [one, other] = &mut answers;
    assert_eq!(one, other);
    assert_eq!((one.0, one.1["code"].as_str()), (401, Some("WRONG_CREDENTIALS")));
    let good = login("owner", "a long password of owner").await;
    assert_eq!(good.status, 200, "{}", good.text);
    let token = good.body["token"].as_str().unwrap().to_owned();
    let out = test.send(TestRequest::new("POST", "/auth/logout").by(&token)).await;
    assert_eq!(out.status, 204, "{}", out.text);
    let gone = test.send(TestRequest::new("GET", "/auth/me").by(&token)).await;
    assert_eq!((gone.status, gone.code()), (401, "UNAUTHENTICATED"));
}

/// A browser's log-in: its cookie and its page key.
async fn in_browser(test: &TestServer) -> (String, String) {
    let body = json!({"name": "owner", "password": "a long password of owner", "cookie": true});
    let login = test.send(TestRequest::new("POST", "/auth/login").json(&body)).await;
    assert!(login.body["token"].is_null());
    let set = login.header("set-cookie").to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"), "{set}");
    let key = login.body["page_key"].as_str().unwrap().to_owned();
    (set.split(';').next().unwrap().to_owned(), key)
}

/// The attack: the cookie is sent to every port of the host, and whoever listens there shows it.
#[tokio::test(flavor = "multi_thread")]
async fn a_stolen_cookie_reads_and_changes_nothing() {
    let test = TestServer::new().await;
    let (cookie, key) = in_browser(&test).await;
    let page = (cookie.as_str(), key.as_str());
    let (_, value) = cookie.split_once('=').unwrap();
    let other = in_browser(&test).await;
    let session = test.session(&test.owner, test.project).await;
    for (method, path) in [
        ("GET", "/auth/me".to_owned()),
        ("GET", "/projects".to_owned()),
        ("GET", format!("/sessions/{session}/events")),
        ("GET", "/approvals/events".to_owned()),
        ("POST", "/projects".to_owned()),
        ("POST", "/auth/tokens".to_owned()),
        ("POST", "/auth/logout".to_owned()),
    ] {
        let asked = || TestRequest::new(method, &path).json(&json!({"name": "stolen"}));
        for stolen in [
            asked().header("cookie", &cookie),
            asked().by(value),
            asked().page((&cookie, "")),
            asked().page((&cookie, value)),
            asked().page((&cookie, &other.1)),
            asked().by(value).page(page),
            asked().header("x-page-key", &key),
        ] {
            let refused = stolen.refusal(&test.router).await;
            assert_eq!(
                (refused.status, refused.code()),
                (401, "UNAUTHENTICATED"),
                "{method} {path}"
            );
        }
    }
    let bearer = TestRequest::new("GET", "/auth/me")
        .page((&format!("wiiiv_session={}", test.owner.token), &key));
    assert_eq!(test.send(bearer).await.status, 401, "nor is an API token a cookie");

    assert_eq!(test.send(TestRequest::new("GET", "/auth/me").page(page)).await.status, 200);
    let made = TestRequest::new("POST", "/projects").page(page).json(&json!({"name": "browser"}));
    assert_eq!(test.send(made).await.status, 201);
    let kinds = test.send(TestRequest::new("GET", "/auth/tokens").page(page)).await;
    let own = kinds.body["items"].as_array().unwrap().iter().find(|row| row["current"] == true);
    assert_eq!(own.unwrap()["kind"], "login", "{}", kinds.text);
    let out = test.send(TestRequest::new("POST", "/auth/logout").page(page)).await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(test.send(TestRequest::new("GET", "/auth/me").page(page)).await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_shown_once_and_one_that_only_looks_changes_nothing() {
    let test = TestServer::new().await;
    let made = test.post(&test.owner, "/auth/tokens", json!({"scope": "read", "days": 1})).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let reader = made.body["token"].as_str().unwrap().to_owned();
    let id = made.body["id"].as_str().unwrap().to_owned();
    let listed = test.get(&test.owner, "/auth/tokens").await;
    assert!(!listed.text.contains(&reader) && listed.text.contains(&id));
    let looks = |method: &str, path: &str| {
        test.send(
            TestRequest::new(method, path).by(&reader).json(&json!({"name": "x", "scope": "full"})),
        )
    };
    assert_eq!(looks("GET", &format!("/projects/{}", test.project)).await.status, 200);
    assert_eq!(looks("POST", "/projects").await.status, 403);
    assert_eq!(looks("POST", "/auth/tokens").await.status, 403, "a reader makes no full token");
    let sessions = format!("/projects/{}/sessions", test.project);
    assert_eq!(looks("POST", &sessions).await.status, 403);
    let ended = TestRequest::new("DELETE", &format!("/auth/tokens/{id}")).by(&test.owner.token);
    assert_eq!(test.send(ended).await.status, 204);
    assert_eq!(looks("GET", &sessions).await.status, 401);
    let days = test.post(&test.owner, "/auth/tokens", json!({"days": 367})).await;
    assert_eq!((days.status, &days.body["params"]["field"]), (422, &json!("days")));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_makes_accounts_and_an_owner_gives_roles() {
    let test = TestServer::new().await;
    let new = json!({"name": "lee", "password": "a long password of lee"});
    let made = test.post(&test.admin, "/users", new.clone()).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(test.post(&test.admin, "/users", new).await.code(), "NAME_TAKEN");
    let short = json!({"name": "park", "password": "short"});
    let short = test.post(&test.admin, "/users", short).await;
    assert_eq!((short.status, &short.body["params"]["field"]), (422, &json!("password")));
    let lee = made.body["id"].as_str().unwrap();
    let list = format!("/projects/{}/members", test.project);
    let put = |user: &str, tag: &str, roles: serde_json::Value| {
        let asked = TestRequest::new("PUT", &format!("{list}/{user}")).by(&test.owner.token);
        let asked = if tag.is_empty() { asked } else { asked.header("if-match", tag) };
        test.send(asked.json(&json!({"roles": roles})))
    };
    let read = test.get(&test.owner, &list).await.header("etag").to_owned();
    let unsaid = put(lee, "", json!(["editor"])).await;
    assert_eq!((unsaid.status, unsaid.code()), (428, "PRECONDITION_REQUIRED"));
    let changed = put(lee, &read, json!(["editor", "approver"])).await;
    assert_eq!(changed.status, 204);
    let stale = put(lee, &read, json!(["viewer"])).await;
    assert_eq!((stale.status, stale.code()), (412, "VERSION_CHANGED"), "{}", stale.text);
    let members = test.get(&test.owner, &list).await;
    assert!(members.text.contains(r#""roles":["editor","approver"]"#), "{}", members.text);
    let tag = members.header("etag");
    assert_eq!(changed.header("etag"), tag);
    let owner = test.owner.user.to_string();
    assert_eq!(put(&owner, tag, json!([])).await.code(), "LAST_OWNER");
    assert_eq!(put(&uuid::Uuid::now_v7().to_string(), tag, json!([])).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn any_token_can_log_itself_out() {
    let test = TestServer::new().await;
    let raw = token(test.store(), test.owner.user, TokenScope::Full).await;
    let out = test.send(TestRequest::new("POST", "/auth/logout").by(&raw)).await;
    assert_eq!(out.status, 204, "{}", out.text);
    assert_eq!(test.send(TestRequest::new("GET", "/auth/me").by(&raw)).await.status, 401);
    assert_eq!(test.get(&test.owner, "/auth/me").await.status, 200, "the others stay");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_failed_often_has_to_wait_and_is_told_how_long() {
    let test = TestServer::new().await;
    let login = |name: &str, password: &str| {
        let body = json!({"name": name, "password": password});
        test.send(TestRequest::new("POST", "/auth/login").json(&body))
    };
    for _ in 0..5 {
        assert_eq!(login("owner", "a long password of nobody").await.status, 401);
    }
    let good = "a long password of owner";
    let refused = login("owner", good).await;
    assert_eq!((refused.status, refused.code()), (429, "TOO_MANY_LOGINS"), "{}", refused.text);
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(refused.body["params"]["retry_after_seconds"], 1);
    assert_eq!(login("admin", "a long password of admin").await.status, 200);
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert_eq!(login("owner", good).await.status, 200);
    assert_eq!(login("owner", "a long password of nobody").await.status, 401, "it begins anew");
}

/// The attack: twelve wrong guesses kept everybody out of an account.
#[tokio::test(flavor = "multi_thread")]
async fn guesses_of_one_address_hold_nobody_else_back() {
    let test = TestServer::new().await;
    let login = |from: [u8; 4], password: &str| {
        let body = json!({"name": "owner", "password": password});
        test.send(TestRequest::new("POST", "/auth/login").from(from).json(&body))
    };
    let (attacker, home) = ([192, 0, 2, 66], [192, 0, 2, 1]);
    let mut told = Vec::new();
    for _ in 0..12 {
        told.push(login(attacker, "a long password of nobody").await.status);
    }
    assert_eq!((&told[..5], told[11]), (&[401; 5][..], 429), "{told:?}");
    assert_eq!(login(home, "a long password of owner").await.status, 200);
}

/// The attack from a thousand addresses: strangers wait, and who was here before does not.
#[tokio::test(flavor = "multi_thread")]
async fn guesses_from_everywhere_hold_no_known_device_back() {
    let test = TestServer::new().await;
    let login = |from: [u8; 4], password: &str, device: &Value| {
        let body = json!({"name": "owner", "password": password, "device": device});
        test.send(TestRequest::new("POST", "/auth/login").from(from).json(&body))
    };
    let (good, bad) = ("a long password of owner", "a long password of nobody");
    let first = login([192, 0, 2, 1], good, &Value::Null).await;
    let device = &first.body["device"];
    assert!(device.is_string(), "{}", first.text);
    for nth in 0..60_u8 {
        assert_eq!(login([198, 51, 100, nth], bad, &Value::Null).await.status, 401, "{nth}");
    }
    let stranger = login([203, 0, 113, 7], good, &Value::Null).await;
    assert_eq!((stranger.status, stranger.code()), (429, "TOO_MANY_LOGINS"), "{}", stranger.text);
    let known = login([203, 0, 113, 7], good, device).await;
    assert_eq!(known.status, 200, "{}", known.text);

    // It is one person's, and opens nothing.
    let lee = json!({"name": "admin", "password": bad, "device": device});
    let lee =
        test.send(TestRequest::new("POST", "/auth/login").from([203, 0, 113, 7]).json(&lee)).await;
    assert_eq!(lee.status, 401);
    assert_eq!(
        test.send(TestRequest::new("GET", "/auth/me").by(device.as_str().unwrap())).await.status,
        401
    );
    for _ in 0..5 {
        assert_eq!(login([192, 0, 2, 1], bad, device).await.status, 401);
    }
    assert_eq!(login([192, 0, 2, 1], good, device).await.status, 429, "its own failures count");
    for forged in ["", "wiiivd_", "wiiivd_AAAA", &"x".repeat(4096)] {
        let forged = login([203, 0, 113, 8], good, &json!(forged)).await;
        assert_eq!(forged.status, 429, "a stranger");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_of_the_requester_decides_nothing() {
    let test = TestServer::new().await;
    let editor = test.member("editor", Role::Editor).await;
    let session = test.session(&editor, test.project).await;
    let (approval, digest) = test.question(&editor, &session, "e.txt").await;
    let reader = token(test.store(), editor.user, TokenScope::Read).await;
    for action in ["approve", "reject"] {
        let asked =
            TestRequest::new("POST", &format!("/approvals/{approval}/{action}")).by(&reader);
        let refused = test.send(asked.json(&json!({"digest": digest}))).await;
        assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"), "{action}");
        // Its owner has the role already.
        assert_eq!(refused.body["params"], json!({"token": "read"}), "{}", refused.text);
    }
    assert_eq!(test.approve(&editor, &approval, &digest).await.status, 200);
}
