//! One trace id for each request: in its span, its answer and its problem.

use crate::telemetry;
use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use std::{sync::Arc, time::Instant};
use tracing::Instrument as _;
use uuid::Uuid;

/// 32 hexadecimal digits, as in W3C trace contexts.
#[derive(Debug, Clone)]
pub(crate) struct TraceId(Arc<str>);

impl TraceId {
    fn fresh() -> Self {
        Self(Uuid::new_v4().simple().to_string().into())
    }
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

const TRACE_HEADER: HeaderName = HeaderName::from_static("x-trace-id");

/// The span holds the route's pattern, never the address itself, a header or a body.
pub(crate) async fn traced(mut request: Request, next: Next) -> Response {
    let trace = TraceId::fresh();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let span = tracing::info_span!(
        "http",
        trace_id = trace.as_str(),
        method = %request.method(),
        route = route.as_deref().unwrap_or("none"),
        status = tracing::field::Empty,
    );
    request.extensions_mut().insert(trace.clone());
    let (method, begun) = (request.method().clone(), Instant::now());
    let mut response = next.run(request).instrument(span.clone()).await;
    span.record("status", response.status().as_u16());
    telemetry::answered(&method, route.as_deref(), response.status(), begun.elapsed());
    if let Ok(value) = HeaderValue::from_str(trace.as_str()) {
        response.headers_mut().insert(TRACE_HEADER, value);
    }
    response
}
