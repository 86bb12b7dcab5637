//! A shop: items to read, orders to place, and a log of every call that reached it.

use crate::loopback::{LoopbackServer, header_text};
use crate::shared::Shared;
use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{Path, Request, State},
    http::StatusCode,
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::Serialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, io, net::SocketAddr, time::Duration};

/// Calls that the log keeps; the oldest go first.
const CALLS_MAX: usize = 10_000;
/// A request body, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
const SEEDED: [(&str, &str, &str, u64, u32); 5] = [
    ("A1", "Notebook", "노트북", 1_290_000, 7),
    ("A2", "Mouse", "마우스", 29_000, 120),
    ("A3", "Keyboard", "키보드", 89_000, 0),
    ("B1", "Tea", "녹차", 7_500, 64),
    ("B2", "Cup", "찻잔", 12_000, 31),
];

#[derive(Debug, Clone, Serialize)]
pub struct Item {
    pub sku: &'static str,
    pub name: &'static str,
    pub name_ko: &'static str,
    /// Whole won.
    pub price: u64,
    pub stock: u32,
}

#[derive(Debug, Clone)]
pub struct ShopCall {
    pub method: String,
    pub path: String,
    pub idempotency_key: Option<String>,
    pub body: String,
}

/// What the shop does with a call once the call is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShopMode {
    Answer,
    /// Acts, then answers after this long.
    Slow(Duration),
    /// Acts, then closes the connection in the middle of its answer.
    DropAfter,
    /// 503 with Retry-After of one second, and no effect.
    Unavailable,
}

struct ShopState {
    calls: Vec<ShopCall>,
    orders: Vec<Value>,
    /// By name, what `/pages/` and `/answers/` hold.
    texts: BTreeMap<String, String>,
    mode: ShopMode,
}

pub struct Shop {
    server: LoopbackServer,
    state: Shared<ShopState>,
}

impl Shop {
    /// On a loopback port; 0 takes a free one.
    pub async fn open(port: u16) -> io::Result<Self> {
        let state = Shared::new(ShopState {
            calls: Vec::new(),
            orders: Vec::new(),
            texts: BTreeMap::new(),
            mode: ShopMode::Answer,
        });
        let app = Router::new()
            .route("/items", get(items))
            .route("/items/{sku}", get(item))
            .route("/orders", post(order).get(orders))
            .route("/pages/{name}", get(page))
            .route("/answers/{name}", get(answer))
            .layer(middleware::from_fn_with_state(state.clone(), log))
            .with_state(state.clone());
        Ok(Self { server: LoopbackServer::start(port, app).await?, state })
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }
    #[must_use]
    pub fn calls(&self) -> Vec<ShopCall> {
        self.state.with(|state| state.calls.clone())
    }
    /// How often this method and path was called.
    #[must_use]
    pub fn count(&self, method: &str, path: &str) -> usize {
        let matches = |call: &&ShopCall| call.method == method && call.path == path;
        self.state.with(|state| state.calls.iter().filter(matches).count())
    }
    /// Orders that took effect.
    #[must_use]
    pub fn orders(&self) -> Vec<Value> {
        self.state.with(|state| state.orders.clone())
    }
    /// At `/pages/{name}` as plain text, and at `/answers/{name}` as JSON.
    pub fn put_text(&self, name: &str, text: &str) {
        self.state.with(|state| state.texts.insert(name.to_owned(), text.to_owned()));
    }
    pub fn set_mode(&self, mode: ShopMode) {
        self.state.with(|state| state.mode = mode);
    }
}

fn stock() -> Vec<Item> {
    let item = |(sku, name, name_ko, price, stock)| Item { sku, name, name_ko, price, stock };
    SEEDED.into_iter().map(item).collect()
}

/// Logs a call before anything is done with it: the log counts what reached the shop.
async fn log(State(state): State<Shared<ShopState>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, BODY_BYTES_MAX).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let call = ShopCall {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        idempotency_key: header_text(&parts.headers, "idempotency-key").map(str::to_owned),
        body: String::from_utf8_lossy(&bytes).into_owned(),
    };
    let mode = state.with(|state| {
        if state.calls.len() >= CALLS_MAX {
            state.calls.remove(0);
        }
        state.calls.push(call);
        state.mode
    });
    match mode {
        ShopMode::Unavailable => {
            (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "1")], "later").into_response()
        }
        ShopMode::Answer => next.run(Request::from_parts(parts, bytes.into())).await,
        ShopMode::DropAfter => {
            let _ = next.run(Request::from_parts(parts, bytes.into())).await;
            let broken = futures::stream::iter([Ok("{"), Err(io::Error::other("dropped"))]);
            (StatusCode::CREATED, Body::from_stream(broken)).into_response()
        }
        ShopMode::Slow(delay) => {
            let answer = next.run(Request::from_parts(parts, bytes.into())).await;
            tokio::time::sleep(delay).await;
            answer
        }
    }
}

async fn items() -> Json<Vec<Item>> {
    Json(stock())
}

async fn item(Path(sku): Path<String>) -> Response {
    match stock().into_iter().find(|item| item.sku == sku) {
        Some(item) => Json(item).into_response(),
        None => (StatusCode::NOT_FOUND, Json(json!({"error": "no such item"}))).into_response(),
    }
}

async fn page(State(state): State<Shared<ShopState>>, Path(name): Path<String>) -> Response {
    match state.with(|state| state.texts.get(&name).cloned()) {
        Some(text) => ([("content-type", "text/plain; charset=utf-8")], text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn answer(State(state): State<Shared<ShopState>>, Path(name): Path<String>) -> Response {
    match state.with(|state| state.texts.get(&name).cloned()) {
        Some(text) => Json(json!({"name": name, "text": text})).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn orders(State(state): State<Shared<ShopState>>) -> Json<Vec<Value>> {
    Json(state.with(|state| state.orders.clone()))
}

async fn order(State(state): State<Shared<ShopState>>, body: Bytes) -> Response {
    let Ok(wanted) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, Json(json!({"error": "not JSON"}))).into_response();
    };
    let number = state.with(|state| {
        state.orders.push(wanted.clone());
        state.orders.len()
    });
    (StatusCode::CREATED, Json(json!({"order": number, "wanted": wanted}))).into_response()
}
