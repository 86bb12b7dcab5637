//! The client that sends keys, to approved origins only.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Method, Response};
use tokio::time::timeout_at;

use crate::body::{Body, ByteStream, Pace};
use crate::connector::{ClientUnavailable, build, builder};
use crate::header;
use crate::origin::Origin;
use crate::provider::error::{ErrorBody, ProviderError};
use crate::provider::request::{ProviderRequest, ProviderResponse};
use crate::timeouts::Timeouts;

/// How much of an error's body is read.
const ERROR_BODY_BYTES_MAX: usize = 64 * 1024;
/// A provider that asks for more patience than this is not waited for.
const RETRY_AFTER_SECONDS_MAX: u64 = 3_600;
const POOL_IDLE: Duration = Duration::from_secs(60);

/// Speaks only to origins on its list, wherever their addresses are.
#[derive(Debug, Clone)]
pub struct ProviderClient {
    http: reqwest::Client,
    approved: BTreeSet<Origin>,
    timeouts: Timeouts,
}

impl ProviderClient {
    pub fn new(
        approved: impl IntoIterator<Item = Origin>,
        timeouts: Timeouts,
    ) -> Result<Self, ClientUnavailable> {
        let http = build(builder(timeouts.connect)?.pool_idle_timeout(POOL_IDLE))?;
        Ok(Self { http, approved: approved.into_iter().collect(), timeouts })
    }

    /// The same connections under another list.
    #[must_use]
    pub fn with_approved(&self, approved: impl IntoIterator<Item = Origin>) -> Self {
        Self { approved: approved.into_iter().collect(), ..self.clone() }
    }

    /// Whether this origin is on the list.
    #[must_use]
    pub fn approves(&self, origin: &Origin) -> bool {
        self.approved.contains(origin)
    }

    /// What every call is bounded by.
    #[must_use]
    pub const fn timeouts(&self) -> &Timeouts {
        &self.timeouts
    }

    pub async fn get(&self, request: ProviderRequest) -> Result<ProviderResponse, ProviderError> {
        self.whole(Method::GET, request).await
    }

    pub async fn post(&self, request: ProviderRequest) -> Result<ProviderResponse, ProviderError> {
        self.whole(Method::POST, request).await
    }

    /// The answer as it comes. Dropping the stream ends the provider's work.
    pub async fn post_stream(
        &self,
        request: ProviderRequest,
    ) -> Result<ByteStream<ProviderError>, ProviderError> {
        let max_bytes = request.max_bytes;
        let (response, pace) = self.open(Method::POST, request).await?;
        let body = Body::new(response, pace, max_bytes);
        Ok(body.into_stream(move |fault| ProviderError::of_body(fault, max_bytes)))
    }

    async fn whole(
        &self,
        method: Method,
        request: ProviderRequest,
    ) -> Result<ProviderResponse, ProviderError> {
        let max_bytes = request.max_bytes;
        let (response, pace) = self.open(method, request).await?;
        let status = response.status().as_u16();
        let body = Body::new(response, pace, max_bytes).read_all().await;
        let body = body.map_err(|fault| ProviderError::of_body(fault, max_bytes))?;
        Ok(ProviderResponse { status, body })
    }

    async fn open(
        &self,
        method: Method,
        request: ProviderRequest,
    ) -> Result<(Response, Pace), ProviderError> {
        self.check_origin(&request)?;
        let headers = headers(&request)?;
        let mut timeouts = self.timeouts;
        timeouts.total = request.total.map_or(timeouts.total, |total| total.min(timeouts.total));
        let pace = Pace::starting_now(&timeouts);
        let call = self.http.request(method, request.url).headers(headers).body(request.body);
        let response = timeout_at(pace.first_byte, call.send())
            .await
            .map_err(|_| ProviderError::Timeout { phase: pace.first_phase() })?
            .map_err(|error| ProviderError::of_send(&error))?;
        if response.status().is_success() {
            Ok((response, pace))
        } else {
            Err(status_error(response, pace).await)
        }
    }

    // INVARIANT: nothing is resolved, dialled or sent for an origin that is not on the list, nor
    // with a key that belongs elsewhere.
    fn check_origin(&self, request: &ProviderRequest) -> Result<(), ProviderError> {
        let origin = Origin::of(&request.url)
            .map_err(|error| ProviderError::OriginNotApproved { origin: error.to_string() })?;
        if !self.approved.contains(&origin) {
            return Err(ProviderError::OriginNotApproved { origin: origin.to_string() });
        }
        match &request.credential {
            Some(key) if !key.is_for(&origin) => {
                Err(ProviderError::KeyElsewhere { origin: origin.to_string() })
            }
            Some(_) | None => Ok(()),
        }
    }
}

fn headers(request: &ProviderRequest) -> Result<HeaderMap, ProviderError> {
    let mut headers = header::parse(&request.headers)?;
    if !request.body.is_empty() && !headers.contains_key(CONTENT_TYPE) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(credential) = &request.credential {
        credential.add_to(&mut headers)?;
    }
    Ok(headers)
}

async fn status_error(response: Response, pace: Pace) -> ProviderError {
    let code = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(retry_after);
    let body = Body::new(response, pace, ERROR_BODY_BYTES_MAX).read_start().await;
    ProviderError::Status { code, retry_after, body: ErrorBody(body) }
}

/// Seconds or a date, as RFC 9110 has it.
fn retry_after(value: &HeaderValue) -> Option<Duration> {
    let text = value.to_str().ok()?.trim();
    let wait = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => httpdate::parse_http_date(text)
            .ok()?
            .duration_since(SystemTime::now())
            .unwrap_or(Duration::ZERO),
    };
    Some(wait.min(Duration::from_secs(RETRY_AFTER_SECONDS_MAX)))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use reqwest::header::HeaderValue;

    use super::retry_after;

    fn read(text: &str) -> Option<Duration> {
        retry_after(&HeaderValue::from_str(text).unwrap())
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_and_bounded() {
        assert_eq!(read("7"), Some(Duration::from_secs(7)));
        assert_eq!(read("999999"), Some(Duration::from_secs(3_600)));
        assert_eq!(read("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        assert!(read(&soon).is_some_and(|wait| (80..=90).contains(&wait.as_secs())));
        assert_eq!(read("soon"), None);
    }
}
