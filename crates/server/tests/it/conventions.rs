//! Problems, limits and headers that hold for every route.

use crate::{call::Asked, house::House};
use serde_json::json;

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
async fn a_message_is_bounded() {
    let house = House::new().await;
    let session = house.session(&house.owner, house.project).await;
    let path = format!("/sessions/{session}/messages");
    for text in [String::new(), "가".repeat(16_001)] {
        let answer = house.post(&house.owner, &path, json!({"text": text})).await;
        assert_eq!((answer.status, &answer.body["params"]["field"]), (422, &json!("text")));
    }
}
