//! The client of the addresses in plans; it checks every destination.

use crate::{
    body::{Body, Pace},
    connector::{build, builder, method},
    header,
    tool::{
        error::{EgressError, RedirectFault},
        hop::Hop,
        redirect,
        request::{TOOL_BYTES_MAX, TOOL_TIMEOUT_MS_MAX, ToolRequest, ToolResponse},
        resolver::Resolver,
        rule::EgressRule,
        target::Target,
    },
};
use reqwest::{
    Response,
    header::{
        CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE, DATE,
        ETAG, HeaderMap, HeaderName, LAST_MODIFIED, LINK, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE,
    },
};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// Redirects that are followed in a row.
pub const REDIRECTS_MAX: usize = 5;
const CONNECT_MAX: Duration = Duration::from_secs(10);
const IDEMPOTENCY_KEY: &str = "idempotency-key";
const KEPT_HEADERS: [HeaderName; 12] = [
    CACHE_CONTROL,
    CONTENT_DISPOSITION,
    CONTENT_ENCODING,
    CONTENT_LANGUAGE,
    CONTENT_TYPE,
    DATE,
    ETAG,
    LAST_MODIFIED,
    LINK,
    LOCATION,
    RETRY_AFTER,
    WWW_AUTHENTICATE,
];

/// Connections are never kept: one that a rule of another project opened would be a way around
/// the check.
#[derive(Debug, Clone)]
pub struct ToolClient {
    resolver: Resolver,
}

impl ToolClient {
    #[must_use]
    pub fn new(resolver: Resolver) -> Self {
        Self { resolver }
    }

    /// Sends at most one request that is not a GET or HEAD, and nothing to a place that `allowed`
    /// does not name. Redirects are followed within the request's own origin.
    pub async fn send(
        &self,
        request: ToolRequest,
        allowed: &[EgressRule],
    ) -> Result<ToolResponse, EgressError> {
        self.send_within(request, allowed, |_| true).await
    }

    /// The same, with redirects followed to those URLs of the origin that `follows` takes.
    pub async fn send_within(
        &self,
        request: ToolRequest,
        allowed: &[EgressRule],
        follows: impl Fn(&Url) -> bool + Send + Sync,
    ) -> Result<ToolResponse, EgressError> {
        let timeout = Duration::from_millis(request.timeout_ms.min(TOOL_TIMEOUT_MS_MAX));
        let deadline = Instant::now() + timeout;
        let max_bytes = request.max_bytes.min(TOOL_BYTES_MAX);
        let mut hop = first_hop(request)?;
        for redirects in 0..=REDIRECTS_MAX {
            let sent = self.hop(&hop, allowed, deadline).await;
            let response = match redirects {
                0 => sent?,
                _ => sent.map_err(|error| error.on_redirect(redirects))?,
            };
            let refused = |reason| EgressError::Redirect { hop: redirects + 1, reason };
            match redirect::next(&hop, &response).map_err(refused)? {
                None => return read(response, redirects, deadline, max_bytes).await,
                Some(next) if follows(&next.url) => hop = next,
                Some(_) => return Err(refused(RedirectFault::OtherPath)),
            }
        }
        let reason = RedirectFault::TooMany { max: REDIRECTS_MAX };
        Err(EgressError::Redirect { hop: REDIRECTS_MAX + 1, reason })
    }

    async fn hop(
        &self,
        hop: &Hop,
        allowed: &[EgressRule],
        deadline: Instant,
    ) -> Result<Response, EgressError> {
        let target = Target::check(hop.url.clone(), allowed, &self.resolver, deadline).await?;
        dial(target, hop, deadline).await
    }
}

fn first_hop(request: ToolRequest) -> Result<Hop, EgressError> {
    let mut headers = header::parse(&request.headers)?;
    if let Some(key) = &request.idempotency_key {
        let value = header::parse_value(IDEMPOTENCY_KEY, key)?;
        headers.insert(HeaderName::from_static(IDEMPOTENCY_KEY), value);
    }
    Ok(Hop { method: request.method, url: request.url, headers, body: request.body })
}

async fn dial(target: Target, hop: &Hop, deadline: Instant) -> Result<Response, EgressError> {
    let left = deadline.saturating_duration_since(Instant::now());
    // Half of what is left, so that a connection that does not come about is told from an answer
    // that does not come.
    let mut client = builder(CONNECT_MAX.min(left / 2))?.pool_max_idle_per_host(0);
    if let Some(name) = target.url.domain() {
        client = client.resolve_to_addrs(name, &target.addresses);
    }
    let mut call =
        build(client)?.request(method(hop.method), target.url).headers(hop.headers.clone());
    if let Some(body) = &hop.body {
        call = call.body(body.clone());
    }
    timeout_at(deadline, call.send())
        .await
        .map_err(|_| EgressError::Timeout { sent: true })?
        .map_err(|error| EgressError::of_send(&error))
}

async fn read(
    response: Response,
    redirects: usize,
    deadline: Instant,
    max_bytes: usize,
) -> Result<ToolResponse, EgressError> {
    let status = response.status().as_u16();
    let headers = kept(response.headers());
    let url = response.url().clone();
    let address = response.remote_addr();
    let body = Body::new(response, Pace::until(deadline), max_bytes).read_all().await;
    let body = body.map_err(|fault| EgressError::of_body(fault, max_bytes))?;
    Ok(ToolResponse { status, headers, body, url, address, redirects })
}

fn kept(headers: &HeaderMap) -> Vec<(String, String)> {
    let kept = headers.iter().filter(|(name, _)| KEPT_HEADERS.contains(name));
    kept.filter_map(|(name, value)| {
        value.to_str().ok().map(|value| (name.as_str().to_owned(), value.to_owned()))
    })
    .collect()
}
