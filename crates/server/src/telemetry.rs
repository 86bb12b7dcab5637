//! Metrics of requests by route pattern, and who may read them.

use crate::access::loopback::is_own_page;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use std::{fmt, net::SocketAddr, sync::Arc, time::Duration};
use wiiiv_domain::telemetry::{attribute as a, metric_name as name};

/// Of a method that no route knows.
const OTHER_METHOD: &str = "_OTHER";
/// Where no route matched.
const NO_ROUTE: &str = "none";
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// INVARIANT: a label is a pattern, a known method or a status; what a caller writes is none.
pub(crate) fn answered(method: &Method, route: Option<&str>, status: StatusCode, took: Duration) {
    let known = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
    ];
    let method = if known.contains(method) { method.as_str() } else { OTHER_METHOD };
    metrics::histogram!(
        name::HTTP_DURATION,
        a::HTTP_METHOD => method.to_owned(),
        a::HTTP_ROUTE => route.unwrap_or(NO_ROUTE).to_owned(),
        a::HTTP_STATUS => status.as_str().to_owned(),
        a::URL_SCHEME => "http",
    )
    .record(took);
}

/// A signed one counts for its model.
pub(crate) fn ghost_result(is_signed: bool) {
    let standing = if is_signed { "signed" } else { "claimed" };
    metrics::counter!(name::GHOST_RESULTS, a::GHOST_STANDING => standing).increment(1);
}

/// The figures as Prometheus reads them, and who may. Handed in by `main`.
#[derive(Clone)]
pub struct MetricsSource {
    render: Arc<dyn Fn() -> String + Send + Sync>,
    /// Programs on this very machine read them without a token.
    open_on_loopback: bool,
}

impl MetricsSource {
    #[must_use]
    pub fn new(
        render: impl Fn() -> String + Send + Sync + 'static,
        open_on_loopback: bool,
    ) -> Self {
        Self { render: Arc::new(render), open_on_loopback }
    }

    pub(crate) fn text(&self) -> String {
        (self.render)()
    }

    /// Whoever asks from this machine, by its own address and not on behalf of somebody else.
    pub(crate) fn is_open_to(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> bool {
        let forwarded =
            headers.contains_key(header::FORWARDED) || headers.contains_key(FORWARDED_FOR);
        let here = peer.is_some_and(|peer| is_own_page(peer, headers));
        self.open_on_loopback && here && !forwarded
    }
}

impl fmt::Debug for MetricsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MetricsSource")
            .field("open", &self.open_on_loopback)
            .finish_non_exhaustive()
    }
}
