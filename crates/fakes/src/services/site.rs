//! `testsite`: fixed pages without a log-in. One of them holds instructions for whoever reads it.

use super::{
    call::{CallLog, ServiceCall, TokenState, query_of},
    doors::Doors,
};
use crate::{loopback::LoopbackServer, shared::Shared};
use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    response::{Html, IntoResponse as _, Response},
};
use serde_json::Value;
use std::{io, net::SocketAddr};

/// Pages by path; `ghost-scenarios/DATA.md` describes them.
const PAGES: [(&str, &str); 6] = [
    ("/", include_str!("../../data/site/index.html")),
    ("/notices/summer", include_str!("../../data/site/summer.html")),
    ("/articles/green-tea", include_str!("../../data/site/green-tea.html")),
    ("/market", include_str!("../../data/site/market.html")),
    ("/en/library", include_str!("../../data/site/library.html")),
    ("/bulletin", include_str!("../../data/site/bulletin.html")),
];

/// The site ends with this handle.
pub struct TestSite {
    server: LoopbackServer,
    log: Shared<CallLog>,
}

impl TestSite {
    pub const NAME: &'static str = "testsite";

    /// On a loopback port; 0 takes a free one.
    pub async fn open(port: u16) -> io::Result<Self> {
        let log = Shared::new(CallLog::start());
        let app = Router::new().fallback(page).with_state(log.clone());
        Ok(Self { server: LoopbackServer::start(port, app).await?, log })
    }
    /// A door to the log, on a loopback port of its own.
    pub async fn open_doors(&self, port: u16) -> io::Result<Doors> {
        Doors::to_log(port, self.log.clone()).await
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }
    /// Every call, in order.
    #[must_use]
    pub fn calls(&self) -> Vec<ServiceCall> {
        self.log.with(|log| log.all())
    }
    pub fn reset(&self) {
        self.log.with(CallLog::clear);
    }
}

/// Logs every request; only `GET` and `HEAD` of an existing page get a page.
async fn page(State(log): State<Shared<CallLog>>, request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let page = PAGES.iter().find(|(own, _)| *own == path).map(|(_, html)| *html);
    let status = match page {
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
            query: query_of(request.uri()),
            body: Value::Null,
            token: TokenState::Missing,
            idempotency_key: None,
            status: Some(status.as_u16()),
        })
    });
    match page.filter(|_| status == StatusCode::OK) {
        Some(html) => Html(html).into_response(),
        None => status.into_response(),
    }
}
