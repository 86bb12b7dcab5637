//! What a service says does not move a request, or a credential, to where no plan and no registration
//! has it: replayed over HTTP, as a person sees it.

use crate::{call::TestRequest, test_server::TestServer};
use axum::{
    Router,
    http::{StatusCode, header::LOCATION},
    routing::get,
};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// A page on a host of its own that sends whoever asks on to `target`.
async fn front(target: String) -> SocketAddr {
    let moved = move || {
        let target = target.clone();
        async move { (StatusCode::FOUND, [(LOCATION, target)]) }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().route("/page", get(moved));
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

/// Beside the shop, which is allowed already.
async fn allow(test: &TestServer, address: SocketAddr) {
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    let port = address.port();
    let line = json!({"host": "127.0.0.1", "scheme": "http", "port": port, "private": true});
    policy["allowedHosts"].as_array_mut().unwrap().push(line);
    let body = json!({"policy": policy, "reason": "the page"});
    let asked = TestRequest::new("PUT", &path).by(&test.owner.token).json(&body);
    let taken = test.send(asked.header("if-match", current.header("etag"))).await;
    assert_eq!(taken.status, 201, "{}", taken.text);
}

/// The words of the turn's replies and questions.
fn told(events: &[(String, Value)]) -> String {
    let texts = events.iter().filter_map(|(_, data)| data["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// "Read page A" became a GET on another private host that the project allows too.
#[tokio::test(flavor = "multi_thread")]
async fn reading_a_page_asks_no_other_host() {
    let test = TestServer::new().await;
    let page = front(format!("{}/items?of=the-page", test.shop.url())).await;
    allow(&test, page).await;
    let place = test.shop.url();
    for (text, language, words) in [
        (format!("http://{page}/page 페이지를 읽어줘"), "ko", "따라가지 않았습니다"),
        (
            format!("GET http://{page}/page 를 호출해서 보여줘"),
            "ko",
            "그 주소로 다시 말씀해 주세요",
        ),
        (
            format!("please read the page http://{page}/page"),
            "en",
            "To go there, ask for that address",
        ),
    ] {
        let session = test.session(&test.owner, test.project).await;
        let events = test.say(&test.owner, &session, &text).await;
        let told = told(&events);
        assert!(told.contains(words) && told.contains(&place), "{language}: {told}\n{events:#?}");
        let execution = test.executed(&test.owner).await;
        assert_eq!(execution["state"], "failed", "{execution}");
        let id = execution["id"].as_str().unwrap();
        let detail = test.get(&test.owner, &format!("/executions/{id}")).await;
        let attempt = &detail.body["attempts"][0];
        assert_eq!(
            (&attempt["code"], &attempt["redirected_to"]),
            (&json!("REDIRECT_REFUSED"), &json!(place))
        );
        assert!(!detail.text.contains("the-page"), "a path is the service's own text");
    }
    assert!(test.shop.calls().is_empty(), "{:?}", test.shop.calls());
    let session = test.session(&test.owner, test.project).await;
    test.say(&test.owner, &session, &format!("GET {place}/items")).await;
    assert_eq!(test.executed(&test.owner).await["state"], "succeeded", "asked for by itself");
    assert_eq!(test.shop.calls().len(), 1);
}

/// With `GET /items` registered, the credential went to `GET /orders`.
#[tokio::test(flavor = "multi_thread")]
async fn a_credential_is_sent_to_no_path_that_is_not_registered() {
    let test = TestServer::new().await;
    let at = format!("/projects/{}/systems/store", test.project);
    let put = async |path: &str, tag: Option<&str>, body: Value| {
        let asked = TestRequest::new("PUT", path).by(&test.owner.token).json(&body);
        let asked = tag.into_iter().fold(asked, |asked, tag| asked.header("if-match", tag));
        let answer = test.send(asked).await;
        assert!((200..300).contains(&answer.status), "{}", answer.text);
        answer
    };
    let system = |any_path: bool| {
        json!({
            "aliases": ["상점"], "baseUrl": test.shop.url(), "anyPath": any_path,
            "authentication": {"kind": "bearer"},
            "operations": [{"id": "items", "method": "GET", "path": "/items", "labels": ["물건 목록"]}],
        })
    };
    let made = put(&at, None, system(false)).await;
    assert_eq!(made.body["system"]["anyPath"], Value::Null, "off is how it always was");
    let given = put(
        &format!("{at}/credential"),
        Some(made.header("etag")),
        json!({"secret": "CANARY-bearer-1"}),
    )
    .await;
    let asked = async |text: &str| {
        let session = test.session(&test.owner, test.project).await;
        told(&test.say(&test.owner, &session, text).await)
    };
    let korean = asked("상점에 GET /orders 호출해줘").await;
    assert!(korean.contains("등록된 작업에만"), "{korean}");
    let english = asked("call GET /orders on store, please").await;
    assert!(english.contains("registered operations alone"), "{english}");
    for text in ["상점에 GET /items/%2e%2e/orders 호출해줘", "상점에 GET //items 호출해줘"]
    {
        asked(text).await;
    }
    assert!(test.shop.calls().is_empty(), "{:?}", test.shop.calls());

    let any = put(&at, Some(given.header("etag")), system(true)).await;
    assert_eq!(any.body["system"]["anyPath"], true);
    assert_eq!(any.body["has_credential"], true);
    asked("상점에 GET /orders 호출해줘").await;
    let paths: Vec<_> = test.shop.calls().into_iter().map(|call| call.path).collect();
    assert_eq!(paths, ["/orders"]);
}
