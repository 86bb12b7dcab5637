//! Problems, limits and headers that hold for every route.

use crate::{
    call::Asked,
    house::{House, Person, token},
};
use serde_json::json;
use wiiiv_store::{Role, TokenScope};

#[tokio::test(flavor = "multi_thread")]
async fn every_error_is_a_problem_in_the_clients_language() {
    let house = House::new().await;
    let cases = [
        (Asked::new("GET", "/nowhere"), 404, "NOT_FOUND"),
        (Asked::new("DELETE", "/health"), 405, "METHOD_NOT_ALLOWED"),
        (Asked::new("GET", "/projects"), 401, "UNAUTHENTICATED"),
        (Asked::new("GET", "/projects/7").by(&house.owner.token), 404, "NOT_FOUND"),
        (Asked::new("GET", "/approvals?nope=1").by(&house.owner.token), 400, "INVALID_QUERY"),
        (Asked::new("GET", "/approvals?limit=0").by(&house.owner.token), 400, "INVALID_QUERY"),
    ];
    for (asked, status, code) in cases {
        let answer = house.send(asked.header("accept-language", "ko-KR, en;q=0.5")).await;
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
        let asked = Asked::new("POST", "/projects").by(&house.owner.token);
        asked.header("accept-language", language).json(&json!({"name": ""}))
    };
    let [korean, english] = ["ko", "en"].map(|language| house.send(unnamed(language)));
    let (korean, english) = (korean.await, english.await);
    assert_eq!(english.body["params"]["reason"], "1 to `100` characters on one line");
    assert_eq!(korean.body["params"]["reason"], "한 줄로 1자 이상 `100`자 이하여야 합니다.");
    assert_eq!(korean.body["params"]["field"], "name");
    let english = house.send(Asked::new("GET", "/nowhere")).await;
    assert_eq!(english.header("content-language"), "en");
    let challenge = house.send(Asked::new("GET", "/auth/me").by("wiiiv_nonsense")).await;
    assert_eq!(challenge.header("www-authenticate"), "Bearer realm=\"wiiiv\"");
    assert!(!challenge.text.contains("nonsense"));
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_bounded_and_unknown_fields_are_named() {
    let house = House::new().await;
    let post = |asked: Asked| house.send(asked.by(&house.owner.token));
    let project = || Asked::new("POST", "/projects");
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
    let stranger = Asked::new("POST", "/projects").bytes("text/plain", b"{".to_vec());
    assert_eq!(house.send(stranger).await.status, 401, "a stranger is told nothing about a body");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_safe_in_a_browser() {
    let house = House::new().await;
    for path in ["/health", "/ready", "/info", "/openapi.json", "/nowhere"] {
        let answer = house.send(Asked::new("GET", path)).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_go_on_where_the_page_ended() {
    let house = House::new().await;
    for _ in 0..5 {
        house.session(&house.owner, house.project).await;
    }
    let mut path = format!("/projects/{}/sessions?limit=2", house.project);
    let mut seen = Vec::new();
    for rows in [2, 2, 1] {
        let page = house.get(&house.owner, &path).await;
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
    let house = House::new().await;
    for nth in 0..2 {
        let made = house.post(&house.owner, "/auth/tokens", json!({})).await;
        assert_eq!(made.status, 201);
        let made = house.post(&house.owner, "/projects", json!({"name": format!("p{nth}")})).await;
        assert_eq!(made.status, 201);
        let session = house.session(&house.owner, house.project).await;
        house.question(&house.owner, &session, &format!("f{nth}.txt")).await;
    }
    for (list, count) in [("/auth/tokens", 3), ("/projects", 4), ("/approvals", 2)] {
        let whole = house.get(&house.owner, &format!("{list}?limit={count}")).await;
        assert_eq!(whole.body["items"].as_array().map(Vec::len), Some(count), "{list}");
        assert!(whole.body["next_cursor"].is_null(), "{list}: nothing follows");
        let first = house.get(&house.owner, &format!("{list}?limit=1")).await;
        let cursor = first.body["next_cursor"].as_str().expect("more follows");
        let rest = house.get(&house.owner, &format!("{list}?limit=100&cursor={cursor}")).await;
        let mut all = first.body["items"].as_array().unwrap().clone();
        all.extend(rest.body["items"].as_array().unwrap().clone());
        assert_eq!(json!(all), whole.body["items"], "{list}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inbox_holds_ones_own_questions_and_those_that_one_judges() {
    let house = House::new().await;
    let editor = house.member("editor", Role::Editor).await;
    let judge = house.member("judge", Role::Approver).await;
    let viewer = house.member("viewer", Role::Viewer).await;
    let session = house.session(&editor, house.project).await;
    let (asked, _) = house.question(&editor, &session, "e.txt").await;
    let stranger = house.person("stranger").await;
    let looks = token(house.store(), judge.user, TokenScope::Read).await;
    let looking = Person { token: looks, ..judge.clone() };
    let sees = async |who: &Person| house.get(who, "/approvals").await.text.contains(&asked);
    for (who, due) in [
        (&editor, true),
        (&judge, true),
        (&house.owner, true),
        (&viewer, false),
        (&stranger, false),
        (&looking, false),
    ] {
        assert_eq!(sees(who).await, due, "{}", who.user);
    }
    let nothing = std::collections::BTreeSet::new();
    let store = house.store();
    store.set_roles(house.project, editor.user, nothing, house.owner.user).await.unwrap();
    assert!(!sees(&editor).await, "who is no member any more sees nothing of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_without_a_request_ends() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let house = House::new().await;
    let (address, _stop) = house.listen().await;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_bounded() {
    let house = House::new().await;
    let session = house.session(&house.owner, house.project).await;
    let path = format!("/sessions/{session}/messages");
    for text in [String::new(), "가".repeat(16_001)] {
        let answer = house.post(&house.owner, &path, json!({"text": text})).await;
        assert_eq!((answer.status, &answer.body["params"]["field"]), (422, &json!("text")));
    }
}
