//! One request to the router, and its answer.

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Request, response::Parts},
};
use serde_json::Value;
use std::net::SocketAddr;
use tower::ServiceExt as _;

pub struct TestRequest {
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Vec<u8>,
    peer: Option<SocketAddr>,
}

pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// `null` where it is no JSON.
    pub body: Value,
    pub text: String,
}

impl TestRequest {
    /// `path` below `/api/v2`.
    pub fn new(method: &str, path: &str) -> Self {
        Self::at(method, &format!("/api/v2{path}"))
    }
    /// `path` from the root.
    pub fn at(method: &str, path: &str) -> Self {
        Self {
            method: method.parse().expect("a method"),
            path: path.to_owned(),
            headers: HeaderMap::new(),
            body: Vec::new(),
            peer: None,
        }
    }
    /// As a browser on this machine.
    pub fn here(self) -> Self {
        let peer = Some(SocketAddr::from(([127, 0, 0, 1], 50_000)));
        Self { peer, ..self.header("host", "127.0.0.1:7717") }
    }
    /// From another machine.
    pub fn from(self, peer: [u8; 4]) -> Self {
        Self { peer: Some(SocketAddr::from((peer, 50_000))), ..self }
    }
    /// With a browser's log-in: its cookie and its page key.
    pub fn page(self, (cookie, key): (&str, &str)) -> Self {
        self.header("cookie", cookie).header("x-page-key", key)
    }
    pub fn by(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(name, value.parse().expect("a header"));
        self
    }
    pub fn json(self, body: &Value) -> Self {
        self.bytes("application/json", body.to_string().into_bytes())
    }
    pub fn bytes(self, media_type: &str, body: Vec<u8>) -> Self {
        Self { body, ..self.header("content-type", media_type) }
    }

    /// The head alone: an endless body is not awaited.
    pub async fn status(self, router: &Router) -> u16 {
        self.open(router).await.status().as_u16()
    }

    /// The whole answer where it is a refusal; of any other the head alone.
    pub async fn refusal(self, router: &Router) -> Answer {
        let (head, body) = self.open(router).await.into_parts();
        let body = if head.status.is_client_error() { body } else { Body::empty() };
        Answer::read(head, body).await
    }

    async fn open(self, router: &Router) -> axum::response::Response {
        let mut request = Request::builder().method(self.method).uri(self.path);
        *request.headers_mut().expect("headers") = self.headers;
        let mut request = request.body(Body::from(self.body)).expect("a request");
        if let Some(peer) = self.peer {
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        router.clone().oneshot(request).await.expect("an answer")
    }

    pub async fn send(self, router: &Router) -> Answer {
        let (head, body) = self.open(router).await.into_parts();
        Answer::read(head, body).await
    }
}

impl Answer {
    async fn read(head: Parts, body: Body) -> Self {
        let bytes = to_bytes(body, usize::MAX).await.expect("a whole body");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status: head.status.as_u16(), headers: head.headers, body, text }
    }
    /// All that it tells but which request it was.
    pub fn told(&self) -> String {
        let mut body = self.body.clone();
        let trace = body.get_mut("trace_id").map(Value::take);
        let trace = trace.and_then(|trace| trace.as_str().map(str::to_owned)).unwrap_or_default();
        let line = |(name, value): (&HeaderName, &HeaderValue)| format!("{name}: {value:?}");
        let mut lines: Vec<String> = self.headers.iter().map(line).collect();
        lines.retain(|line| trace.is_empty() || !line.contains(&trace));
        lines.sort();
        format!("{} {lines:?} {body}", self.status)
    }
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
    /// Of an event stream: names and data.
    pub fn events(&self) -> Vec<(String, Value)> {
        let frames = self.text.split("\n\n").filter(|frame| frame.contains("data:"));
        frames.map(frame).collect()
    }
}

fn frame(text: &str) -> (String, Value) {
    let line = |name: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(name));
        found.unwrap_or_default().trim().to_owned()
    };
    (line("event:"), serde_json::from_str(&line("data:")).unwrap_or(Value::Null))
}
