//! `testsite`: a few pages that never change, one of which tells its reader what to do. No log-in.

use super::call::{CallLog, ServiceCall, TokenState};
use super::doors::Doors;
use crate::room::Room;
use crate::served::Served;
use axum::{
    Router,
    extract::{Query, Request, State},
    http::StatusCode,
    response::{Html, IntoResponse as _, Response},
};
use serde_json::Value;
use std::{collections::BTreeMap, io, net::SocketAddr};

/// By its path. What may be said of them stands in `ghost-scenarios/DATA.md`.
const PAGES: [(&str, &str); 6] = [
    ("/", include_str!("../../data/site/index.html")),
    ("/notices/summer", include_str!("../../data/site/summer.html")),
    ("/articles/green-tea", include_str!("../../data/site/green-tea.html")),
    ("/market", include_str!("../../data/site/market.html")),
    ("/en/library", include_str!("../../data/site/library.html")),
    ("/bulletin", include_str!("../../data/site/bulletin.html")),
];

/// Ends with its handle.
pub struct TestSite {
    served: Served,
    log: Room<CallLog>,
}

impl TestSite {
    pub const NAME: &'static str = "testsite";

    /// On a loopback port; 0 takes a free one.
    pub async fn open(port: u16) -> io::Result<Self> {
        let log = Room::of(CallLog::begin());
        let app = Router::new().fallback(page).with_state(log.clone());
        Ok(Self { served: Served::on(port, app).await?, log })
    }
    /// The log over HTTP, on a loopback port of its own.
    pub async fn open_doors(&self, port: u16) -> io::Result<Doors> {
        Doors::to_log(port, self.log.clone()).await
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.served.url()
    }
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.served.address()
    }
    /// Every call in the order in which it came.
    #[must_use]
    pub fn calls(&self) -> Vec<ServiceCall> {
        self.log.with(|log| log.all())
    }
    pub fn reset(&self) {
        self.log.with(CallLog::clear);
    }
}

/// Whatever comes is logged; only `GET` and `HEAD` of a page that is there have an answer.
async fn page(State(log): State<Room<CallLog>>, request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let here = PAGES.iter().find(|(own, _)| *own == path).map(|(_, html)| *html);
    let status = match here {
        Some(_) if method.is_safe() => StatusCode::OK,
        Some(_) => StatusCode::METHOD_NOT_ALLOWED,
        None => StatusCode::NOT_FOUND,
    };
    log.with(|log| {
        log.add(ServiceCall {
            number: 0,
            at_ms: 0,
            method: method.as_str().to_owned(),
            path: path.to_owned(),
            query: query_of(&request),
            body: Value::Null,
            token: TokenState::Missing,
            idempotency_key: None,
            status: Some(status.as_u16()),
        })
    });
    match here.filter(|_| status == StatusCode::OK) {
        Some(html) => Html(html).into_response(),
        None => status.into_response(),
    }
}

fn query_of(request: &Request) -> BTreeMap<String, String> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
    pairs.map(|Query(pairs)| pairs.into_iter().collect()).unwrap_or_default()
}
