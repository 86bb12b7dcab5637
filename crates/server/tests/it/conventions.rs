//! Problems, limits and headers that hold for every route.

use crate::{
    call::TestRequest,
    test_server::{Person, TestServer, token},
};
use serde_json::json;
use wiiiv_store::{Role, TokenScope};

#[tokio::test(flavor = "multi_thread")]
async fn every_error_is_a_problem_in_the_clients_language() {
    let test = TestServer::new().await;
    let cases = [
        (TestRequest::new("GET", "/nowhere"), 404, "NOT_FOUND"),
        (TestRequest::new("DELETE", "/health"), 405, "METHOD_NOT_ALLOWED"),
        (TestRequest::new("GET", "/projects"), 401, "UNAUTHENTICATED"),
        (TestRequest::new("GET", "/projects/7").by(&test.owner.token), 404, "NOT_FOUND"),
        (TestRequest::new("GET", "/approvals?nope=1").by(&test.owner.token), 400, "INVALID_QUERY"),
        (TestRequest::new("GET", "/approvals?limit=0").by(&test.owner.token), 400, "INVALID_QUERY"),
    ];
    for (asked, status, code) in cases {
        let answer = test.send(asked.header("accept-language", "ko-KR, en;q=0.5")).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{}", answer.text);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(answer.header("content-language"), "ko");
        assert_eq!(answer.body["status"], status);
        assert_eq!(answer.body["trace_id"], answer.header("x-trace-id"));
        let title = answer.body["title"].as_str().unwrap();
        assert!(title.chars().any(|c| ('가'..='힣').contains(&c)), "{title}");
        assert!(!answer.body["suggestion"].as_str().unwrap().is_empty());
    }
    let unnamed = |language| {
        let asked = TestRequest::new("POST", "/projects").by(&test.owner.token);
        asked.header("accept-language", language).json(&json!({"name": ""}))
    };
    let [korean, english] = ["ko", "en"].map(|language| test.send(unnamed(language)));
    let (korean, english) = (korean.await, english.await);
    assert_eq!(english.body["params"]["reason"], "1 to `100` characters on one line");
    assert_eq!(korean.body["params"]["reason"], "한 줄로 1자 이상 `100`자 이하여야 합니다.");
    assert_eq!(korean.body["params"]["field"], "name");
    let english = test.send(TestRequest::new("GET", "/nowhere")).await;
    assert_eq!(english.header("content-language"), "en");
    let challenge = test.send(TestRequest::new("GET", "/auth/me").by("wiiiv_nonsense")).await;
    assert_eq!(challenge.header("www-authenticate"), "Bearer realm=\"wiiiv\"");
    assert!(!challenge.text.contains("nonsense"));
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_bounded_and_unknown_fields_are_named() {
    let test = TestServer::new().await;
    let post = |asked: TestRequest| test.send(asked.by(&test.owner.token));
    let project = || TestRequest::new("POST", "/projects");
    let unknown = post(project().json(&json!({"name": "x", "colour": 1}))).await;
    assert_eq!((unknown.status, unknown.code()), (422, "INVALID_FIELD"));
    assert_eq!(unknown.body["params"], json!({"field": "colour", "reason": "unknown field"}));
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65)).into_bytes();
    let deep = post(project().bytes("application/json", deep)).await;
    assert_eq!((deep.status, deep.code()), (400, "INVALID_JSON"));
    let large = vec![b' '; 1024 * 1024 + 1];
    let large = post(project().bytes("application/json", large)).await;
    assert_eq!((large.status, large.code()), (413, "BODY_TOO_LARGE"), "{}", large.text);
    let form = post(project().bytes("text/plain", b"{\"name\":\"x\"}".to_vec())).await;
    assert_eq!((form.status, form.code()), (415, "UNSUPPORTED_MEDIA_TYPE"));
    let stranger = TestRequest::new("POST", "/projects").bytes("text/plain", b"{".to_vec());
    assert_eq!(test.send(stranger).await.status, 401, "a stranger is told nothing about a body");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_safe_in_a_browser() {
    let test = TestServer::new().await;
    for path in ["/health", "/ready", "/info", "/openapi.json", "/nowhere"] {
        let answer = test.send(TestRequest::new("GET", path)).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_go_on_where_the_page_ended() {
    let test = TestServer::new().await;
    for _ in 0..5 {
        test.session(&test.owner, test.project).await;
    }
    let mut path = format!("/projects/{}/sessions?limit=2", test.project);
    let mut seen = Vec::new();
    for rows in [2, 2, 1] {
        let page = test.get(&test.owner, &path).await;
        let items = page.body["items"].as_array().unwrap();
        assert_eq!(items.len(), rows, "{path}");
        seen.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        let link = page.header("link");
        let next = link.strip_prefix("</api/v2").and_then(|link| link.split('>').next());
        path = next.unwrap_or_default().to_owned();
    }
    assert!(path.is_empty());
    assert!(seen.is_sorted_by(|a, b| a > b), "newest first, none twice: {seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_has_its_pages_and_the_last_one_ends_it() {
    let test = TestServer::new().await;
    for nth in 0..2 {
        let made = test.post(&test.owner, "/auth/tokens", json!({})).await;
        assert_eq!(made.status, 201);
        let made = test.post(&test.owner, "/projects", json!({"name": format!("p{nth}")})).await;
        assert_eq!(made.status, 201);
        let session = test.session(&test.owner, test.project).await;
        test.question(&test.owner, &session, &format!("f{nth}.txt")).await;
    }
    for (list, count) in [("/auth/tokens", 3), ("/projects", 4), ("/approvals", 2)] {
        let whole = test.get(&test.owner, &format!("{list}?limit={count}")).await;
        assert_eq!(whole.body["items"].as_array().map(Vec::len), Some(count), "{list}");
        assert!(whole.body["next_cursor"].is_null(), "{list}: nothing follows");
        let first = test.get(&test.owner, &format!("{list}?limit=1")).await;
        let cursor = first.body["next_cursor"].as_str().expect("more follows");
        let rest = test.get(&test.owner, &format!("{list}?limit=100&cursor={cursor}")).await;
        let mut all = first.body["items"].as_array().unwrap().clone();
        all.extend(rest.body["items"].as_array().unwrap().clone());
        assert_eq!(json!(all), whole.body["items"], "{list}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inbox_holds_ones_own_questions_and_those_that_one_judges() {
    let test = TestServer::new().await;
    let editor = test.member("editor", Role::Editor).await;
    let judge = test.member("judge", Role::Approver).await;
    let viewer = test.member("viewer", Role::Viewer).await;
    let session = test.session(&editor, test.project).await;
    let (asked, _) = test.question(&editor, &session, "e.txt").await;
    let stranger = test.person("stranger").await;
    let looks = token(test.store(), judge.user, TokenScope::Read).await;
    let looking = Person { token: looks, ..judge.clone() };
    let sees = async |who: &Person| test.get(who, "/approvals").await.text.contains(&asked);
    for (who, due) in [
        (&editor, true),
        (&judge, true),
        (&test.owner, true),
        (&viewer, false),
        (&stranger, false),
        (&looking, false),
    ] {
        assert_eq!(sees(who).await, due, "{}", who.user);
    }
    let nothing = std::collections::BTreeSet::new();
    let store = test.store();
    store.set_roles(test.project, editor.user, nothing, test.owner.user).await.unwrap();
    assert!(!sees(&editor).await, "who is no member any more sees nothing of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_without_a_request_ends() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let test = TestServer::new().await;
    let (address, _stop) = test.listen().await;
    let address = address.trim_start_matches("http://").to_owned();
    let idle = async |begun: &[u8]| {
        let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
        stream.write_all(begun).await.unwrap();
        let mut answer = Vec::new();
        let ended = stream.read_to_end(&mut answer);
        let ended = tokio::time::timeout(std::time::Duration::from_secs(20), ended).await;
        ended.expect("it must end").unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    };
    let whole = b"GET /api/v2/health HTTP/1.1\r\nHost: x\r\n\r\n";
    let (nothing, half, kept) =
        tokio::join!(idle(b""), idle(b"GET / HTTP/1.1\r\nHost"), idle(whole));
    assert!(!nothing.contains("200") && !half.contains("200"), "{nothing} {half}");
    assert!(kept.contains("200 OK"), "{kept}");
}

/// An account that an ended log-in would have made, had its rights been those of the request's head.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_comes_after_its_token_has_ended_changes_nothing() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let test = TestServer::new().await;
    let (address, _stop) = test.listen().await;
    let address = address.trim_start_matches("http://").to_owned();
    let body = json!({"name": "eve", "password": "a long password of eve", "admin": true});
    let (begun, rest) = (body.to_string(), 20);
    for ends in [true, false] {
        let token = token(test.store(), test.admin.user, TokenScope::Full).await;
        let head = format!(
            "POST /api/v2/users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            begun.len()
        );
        let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&begun.as_bytes()[..rest]).await.unwrap();
        // Its head is read, and its token let in.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        if ends {
            test.store().end_other_tokens(test.admin.user, &test.admin.token).await.unwrap();
        }
        stream.write_all(&begun.as_bytes()[rest..]).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let expected = if ends { "HTTP/1.1 401" } else { "HTTP/1.1 201" };
        assert!(answer.starts_with(expected), "{answer}");
        assert_eq!(test.store().user_named("eve").await.unwrap().is_some(), !ends);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_bounded() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let path = format!("/sessions/{session}/messages");
    for text in [String::new(), "가".repeat(16_001)] {
        let answer = test.post(&test.owner, &path, json!({"text": text})).await;
        assert_eq!((answer.status, &answer.body["params"]["field"]), (422, &json!("text")));
    }
}
