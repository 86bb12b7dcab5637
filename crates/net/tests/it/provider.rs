use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Redirect;
use axum::routing::{get, post};
use futures::stream::{StreamExt as _, iter, pending, repeat};
use secrecy::SecretString;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;
use wiiiv_net::{
    Bytes, Credential, Origin, Phase, ProviderClient, ProviderError, ProviderRequest, Timeouts, Url,
};

use crate::service::Service;

type Chunk = Result<Bytes, std::io::Error>;

fn chunk(text: &'static str) -> Chunk {
    Ok(Bytes::from_static(text.as_bytes()))
}

fn router() -> Router {
    let echo = |headers: HeaderMap, body: String| async move {
        let header = |name| headers.get(name).map_or("", |value| value.to_str().unwrap());
        format!("{}|{}|{body}", header("authorization"), header("content-type"))
    };
    let key = |headers: HeaderMap| async move {
        let key = headers.get("x-api-key").map_or("", |value| value.to_str().unwrap()).to_owned();
        format!("{key}|{}", headers.contains_key("authorization"))
    };
    let limited = || async { (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "7")], "slow down") };
    let chunks = || async { Body::from_stream(iter([chunk("one "), chunk("two")])) };
    let stalls = || async { Body::from_stream(iter([chunk("one")]).chain(pending())) };
    let headers_only = || async { Body::from_stream(pending::<Chunk>()) };
    let drips = || async {
        Body::from_stream(repeat(()).then(|()| async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            chunk("drip")
        }))
    };
    let endless = || async { Body::from_stream(repeat(()).map(|()| chunk("0123456789"))) };
    Router::new()
        .route("/echo", post(echo))
        .route("/key", post(key))
        .route("/models", get(|| async { "[]" }))
        .route("/limited", post(limited))
        .route("/away", post(|| async { Redirect::permanent("http://127.0.0.1:1/") }))
        .route("/chunks", post(chunks))
        .route("/stalls", post(stalls))
        .route("/headers-only", post(headers_only))
        .route("/silent", post(std::future::pending::<&'static str>))
        .route("/drips", post(drips))
        .route("/endless", post(endless))
}

const QUICK: Timeouts = Timeouts {
    connect: Duration::from_millis(500),
    first_byte: Duration::from_millis(300),
    between_chunks: Duration::from_millis(200),
    total: Duration::from_secs(1),
};

fn client(service: &Service, timeouts: Timeouts) -> ProviderClient {
    ProviderClient::new([Origin::of(&service.url("/")).unwrap()], timeouts).unwrap()
}

fn request(service: &Service, path: &str) -> ProviderRequest {
    let url = service.url(path);
    let origin = Origin::of(&url).unwrap();
    let credential = Credential::bearer(origin, SecretString::from("sk-canary"));
    ProviderRequest::new(url, Some(credential), Bytes::from_static(b"{}"))
}

async fn collect(
    client: &ProviderClient,
    request: ProviderRequest,
) -> (String, Option<ProviderError>) {
    let mut stream = client.post_stream(request).await.unwrap();
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(chunk) => text.push_str(std::str::from_utf8(&chunk).unwrap()),
            Err(error) => {
                assert!(stream.next().await.is_none(), "the stream went on after {error}");
                return (text, Some(error));
            }
        }
    }
    (text, None)
}

#[tokio::test]
async fn the_key_and_the_body_arrive_over_one_connection() {
    let service = Service::start(router()).await;
    let client = client(&service, Timeouts::default());
    for _ in 0..3 {
        let response = client.post(request(&service, "/echo")).await.unwrap();
        assert_eq!(response.body, "Bearer sk-canary|application/json|{}");
    }
    let mut list = request(&service, "/models");
    list.body = Bytes::new();
    assert_eq!(client.get(list).await.unwrap().body, "[]");
    assert_eq!((service.connections(), service.requests()), (1, 4));
}

#[tokio::test]
async fn an_origin_that_is_not_approved_gets_nothing() {
    let (approved, other) = (Service::start(router()).await, Service::start(router()).await);
    let client = client(&approved, QUICK);
    let origin = format!("http://{}", other.address);
    let refused = client.post(request(&other, "/echo")).await.unwrap_err();
    assert_eq!(refused, ProviderError::OriginNotApproved { origin });
    assert!(!refused.may_have_been_sent());
    assert!(client.post_stream(request(&other, "/chunks")).await.is_err());
    let by_name = format!("http://localhost:{}/echo", approved.address.port());
    let with_user = format!("http://user@{}/echo", approved.address);
    for url in [by_name, with_user] {
        let mut request = request(&approved, "/echo");
        request.url = Url::parse(&url).unwrap();
        let refused = client.post(request).await.unwrap_err();
        assert!(matches!(refused, ProviderError::OriginNotApproved { .. }), "{url}");
    }
    assert_eq!((approved.connections(), other.connections()), (0, 0));

    let wider = client.with_approved([Origin::of(&other.url("/")).unwrap()]);
    assert!(wider.post(request(&other, "/echo")).await.is_ok());
    assert!(wider.post(request(&approved, "/echo")).await.is_err());
}

#[tokio::test]
async fn a_redirect_is_an_error_and_is_not_followed() {
    let service = Service::start(router()).await;
    let failed = client(&service, QUICK).post(request(&service, "/away")).await.unwrap_err();
    assert!(matches!(failed, ProviderError::Status { code: 308, .. }), "{failed:?}");
    assert_eq!(service.requests(), 1);
}

#[tokio::test]
async fn an_error_status_keeps_its_patience_and_body() {
    let service = Service::start(router()).await;
    let failed = client(&service, QUICK).post(request(&service, "/limited")).await.unwrap_err();
    let ProviderError::Status { code, retry_after, body } = &failed else { panic!("{failed:?}") };
    assert_eq!((*code, *retry_after), (429, Some(Duration::from_secs(7))));
    assert_eq!(body.bytes(), b"slow down");
    assert!(!format!("{failed:?} {failed}").contains("slow"));
}

#[tokio::test]
async fn chunks_come_as_they_are_sent() {
    let service = Service::start(router()).await;
    let (text, error) = collect(&client(&service, QUICK), request(&service, "/chunks")).await;
    assert_eq!((text.as_str(), error), ("one two", None));
}

#[tokio::test]
async fn each_part_has_its_time() {
    let service = Service::start(router()).await;
    let client = client(&service, QUICK);
    let silent = client.post(request(&service, "/silent")).await.unwrap_err();
    assert_eq!(silent, ProviderError::Timeout { phase: Phase::FirstByte });
    assert!(silent.may_have_been_sent());

    let (text, error) = collect(&client, request(&service, "/headers-only")).await;
    assert_eq!(
        (text.as_str(), error),
        ("", Some(ProviderError::Timeout { phase: Phase::FirstByte }))
    );

    let (text, error) = collect(&client, request(&service, "/stalls")).await;
    let between = ProviderError::Timeout { phase: Phase::BetweenChunks };
    assert_eq!((text.as_str(), error), ("one", Some(between)));

    let mut drips = request(&service, "/drips");
    drips.total = Some(Duration::from_millis(400));
    let (text, error) = collect(&client, drips).await;
    assert!(text.starts_with("dripdrip"));
    assert_eq!(error, Some(ProviderError::Timeout { phase: Phase::Total }));
}

#[tokio::test]
async fn an_endless_answer_is_cut() {
    let service = Service::start(router()).await;
    // It is its length that ends it, on a machine that is slow as well.
    let client = client(&service, Timeouts::default());
    let mut request = request(&service, "/endless");
    request.max_bytes = 1_000;
    let whole = client.post(request.clone()).await.unwrap_err();
    assert_eq!(whole, ProviderError::TooLarge { max_bytes: 1_000 });
    let (text, error) = collect(&client, request).await;
    assert!(text.len() <= 1_000);
    assert_eq!(error, Some(ProviderError::TooLarge { max_bytes: 1_000 }));
}

#[tokio::test]
async fn an_unreachable_provider_was_not_sent_to() {
    let service = Service::start(router()).await;
    let client = client(&service, QUICK);
    let request = request(&service, "/echo");
    drop(service);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let failed = client.post(request).await.unwrap_err();
    assert!(matches!(failed, ProviderError::Unreachable { sent: false, .. }), "{failed:?}");
    assert!(!failed.may_have_been_sent());
}

/// One that lets nobody in, with those who wait before its door: whoever comes now gets no answer at
/// all, not even a refusal.
async fn crowded() -> (TcpListener, Vec<TcpStream>) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(stream) = timeout(QUICK.connect, TcpStream::connect(address)).await {
        waiting.push(stream.unwrap());
        assert!(waiting.len() < 100, "it lets everybody in");
    }
    (listener, waiting)
}

/// Of what was never connected nothing was sent, and nothing can be charged for it.
#[tokio::test]
async fn a_connection_that_is_never_made_ends_in_time_and_nothing_was_sent() {
    wiiiv_net::install_tls_provider();
    let (listener, waiting) = crowded().await;
    let url = Url::parse(&format!("http://{}/chunks", listener.local_addr().unwrap())).unwrap();
    let origin = Origin::of(&url).unwrap();
    let timeouts = Timeouts { connect: QUICK.connect, ..Timeouts::default() };
    let client = ProviderClient::new([origin.clone()], timeouts).unwrap();
    let credential = Credential::bearer(origin, SecretString::from("sk-canary"));
    let asked = ProviderRequest::new(url, Some(credential), Bytes::from_static(b"{}"));
    let begun = Instant::now();
    let (got, posted, streamed) = tokio::join!(
        client.get(asked.clone()),
        client.post(asked.clone()),
        client.post_stream(asked),
    );
    let took = begun.elapsed();
    assert!(took >= QUICK.connect && took < 10 * QUICK.connect, "{took:?}");
    for failed in [got.map(|_| ()), posted.map(|_| ()), streamed.map(|_| ())] {
        let failed = failed.unwrap_err();
        assert_eq!(failed, ProviderError::Timeout { phase: Phase::Connect });
        assert!(!failed.may_have_been_sent());
    }
    // Those before the door are all who ever came.
    for _ in &waiting {
        timeout(QUICK.connect, listener.accept()).await.unwrap().unwrap();
    }
    assert!(timeout(QUICK.connect, listener.accept()).await.is_err());
}

#[tokio::test]
async fn dropping_the_stream_ends_the_providers_work() {
    struct Gone(Option<oneshot::Sender<()>>);
    impl Drop for Gone {
        fn drop(&mut self) {
            let _ = self.0.take().map(|gone| gone.send(()));
        }
    }
    let (gone, seen) = oneshot::channel();
    let guard = std::sync::Mutex::new(Some(Gone(Some(gone))));
    let work = move || {
        let guard = guard.lock().unwrap().take();
        async move {
            Body::from_stream(repeat(()).then(move |()| {
                let _working = &guard;
                async {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    chunk("token")
                }
            }))
        }
    };
    let work = std::sync::Arc::new(work);
    let service =
        Service::start(Router::new().route("/work", post(move || (work.clone())()))).await;
    let client = client(&service, QUICK);
    let mut stream = client.post_stream(request(&service, "/work")).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), "token");
    drop(stream);
    tokio::time::timeout(Duration::from_secs(2), seen).await.unwrap().unwrap();
}

#[test]
fn debug_output_holds_no_secret() {
    let url = Url::parse("https://a.test/v1?key=canary").unwrap();
    let origin = Origin::of(&url).unwrap();
    let credential = Credential::bearer(origin, SecretString::from("canary"));
    let request = ProviderRequest::new(url, Some(credential), Bytes::from_static(b"canary"));
    assert!(!format!("{request:?}").contains("canary"));
}

#[tokio::test]
async fn a_key_travels_where_its_provider_wants_it() {
    let service = Service::start(router()).await;
    let client = client(&service, QUICK);
    let mut asked = request(&service, "/key");
    let origin = Origin::of(&asked.url).unwrap();
    asked.credential =
        Some(Credential::header("x-api-key", origin, SecretString::from("sk-canary")));
    let answer = client.post(asked).await.unwrap();
    assert_eq!(answer.body, "sk-canary|false");
}

/// Both are approved: a key of one is no key of the other.
#[tokio::test]
async fn a_key_is_never_sent_to_another_origin() {
    let (service, other) = (Service::start(router()).await, Service::start(router()).await);
    let origins = [&service, &other].map(|service| Origin::of(&service.url("/")).unwrap());
    let client = ProviderClient::new(origins.clone(), QUICK).unwrap();
    let [_, elsewhere] = origins;
    for credential in [
        Credential::bearer(elsewhere.clone(), SecretString::from("sk-canary")),
        Credential::header("x-api-key", elsewhere, SecretString::from("sk-canary")),
    ] {
        let asked = ProviderRequest { credential: Some(credential), ..request(&service, "/echo") };
        let refused = client.post(asked).await.unwrap_err();
        assert!(matches!(refused, ProviderError::KeyElsewhere { .. }), "{refused}");
        assert!(!refused.may_have_been_sent() && !refused.to_string().contains("canary"));
    }
}
