//! The client of the REST API.

use std::time::Duration;

use futures::stream::{BoxStream, StreamExt as _};
use reqwest::header::{
    ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_MATCH, LOCATION,
};
use reqwest::{RequestBuilder, Response};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tokio::time::timeout_at;
use url::Url;

use crate::api::call::{ApiCall, CallBody};
use crate::api::error::ApiError;
use crate::api::problem::Problem;
use crate::api::reply::ApiReply;
use crate::body::{Body, ByteStream, Pace};
use crate::connector::{build, builder, method};
use crate::header::parse_value;
use crate::origin::{Origin, OriginFormat};
use crate::sse::{SseEvent, sse_events};
use crate::timeouts::Timeouts;

const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(5),
    first_byte: Duration::from_secs(60),
    between_chunks: Duration::from_secs(30),
    total: Duration::from_secs(120),
};
/// Of a call that sends a file, as long as the server waits for one.
const UPLOAD_TIMEOUTS: Timeouts =
    Timeouts { first_byte: Duration::from_secs(300), total: Duration::from_secs(330), ..TIMEOUTS };
/// Three heartbeats.
const EVENTS_SILENCE: Duration = Duration::from_secs(45);
const REPLY_BYTES_MAX: usize = 64 * 1_048_576;
const PROBLEM_BYTES_MAX: usize = 64 * 1024;
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

pub type EventStream = BoxStream<'static, Result<SseEvent, ApiError>>;

/// Speaks to one server, with one person's or service's token.
#[derive(Debug, Clone)]
pub struct ApiClient {
    http: reqwest::Client,
    base: String,
    origin: Origin,
    token: Option<SecretString>,
    language: Option<HeaderValue>,
}

impl ApiClient {
    /// `base` may have a path that the server is mounted at.
    pub fn new(base: &str, token: Option<SecretString>) -> Result<Self, ApiError> {
        let url = Url::parse(base.trim()).map_err(|_| OriginFormat::NotAUrl)?;
        let origin = Origin::of(&url)?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(OriginFormat::NotBare.into());
        }
        let base = url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { http: build(builder(TIMEOUTS.connect)?)?, base, origin, token, language: None })
    }

    /// What problems are told in: an ISO 639-1 code.
    #[must_use]
    pub fn in_language(self, code: &'static str) -> Self {
        Self { language: Some(HeaderValue::from_static(code)), ..self }
    }

    /// The same server with another token.
    #[must_use]
    pub fn with_token(&self, token: SecretString) -> Self {
        Self { token: Some(token), ..self.clone() }
    }

    pub async fn send(&self, call: ApiCall) -> Result<ApiReply, ApiError> {
        let is_upload = matches!(call.body, Some(CallBody::File { .. }));
        let pace = Pace::starting_now(if is_upload { &UPLOAD_TIMEOUTS } else { &TIMEOUTS });
        let response = self.open(call, "application/json", None, pace).await?;
        let status = response.status().as_u16();
        let etag = text(response.headers(), &ETAG);
        let location = text(response.headers(), &LOCATION);
        let body = Body::new(response, pace, REPLY_BYTES_MAX).read_all().await;
        let body = body.map_err(|fault| ApiError::of_body(fault, REPLY_BYTES_MAX))?;
        let body = if body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&body)
                .map_err(|error| ApiError::NotJson { reason: error.to_string() })?
        };
        Ok(ApiReply { status, etag, location, body })
    }

    /// Server-sent events, of a GET or of a POST that answers with them. Ends with the server's
    /// stream or after the first fault.
    pub async fn events(
        &self,
        call: ApiCall,
        last_event_id: Option<&str>,
    ) -> Result<EventStream, ApiError> {
        let pace = Pace::endless(TIMEOUTS.first_byte, EVENTS_SILENCE);
        let response = self.open(call, "text/event-stream", last_event_id, pace).await?;
        let bytes = endless(response, pace);
        Ok(sse_events(bytes).map(|event| event.map_err(ApiError::from)).boxed())
    }

    /// Any answer as it comes, however long: exports.
    pub async fn download(&self, call: ApiCall) -> Result<ByteStream<ApiError>, ApiError> {
        let pace = Pace::endless(TIMEOUTS.first_byte, TIMEOUTS.between_chunks);
        let response = self.open(call, "*/*", None, pace).await?;
        Ok(endless(response, pace))
    }

    async fn open(
        &self,
        call: ApiCall,
        accept: &'static str,
        last_event_id: Option<&str>,
        pace: Pace,
    ) -> Result<Response, ApiError> {
        let request = self.request(call, accept, last_event_id)?;
        let response = timeout_at(pace.first_byte, request.send())
            .await
            .map_err(|_| ApiError::Timeout { phase: pace.first_phase() })?
            .map_err(|error| ApiError::of_send(&error, &self.origin.to_string()))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let body = Body::new(response, pace, PROBLEM_BYTES_MAX).read_start().await;
        Err(ApiError::Problem(Box::new(Problem::read(status, &body))))
    }

    fn request(
        &self,
        call: ApiCall,
        accept: &'static str,
        last_event_id: Option<&str>,
    ) -> Result<RequestBuilder, ApiError> {
        // INVARIANT: the token goes to the server's own origin. Behind a `/` a path cannot change
        // the host that stands before it.
        if !call.path.starts_with('/') {
            return Err(ApiError::Path { path: call.path });
        }
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        if let Some(language) = &self.language {
            headers.insert(ACCEPT_LANGUAGE, language.clone());
        }
        let optional = [
            (IF_MATCH, call.if_match.as_deref()),
            (IDEMPOTENCY_KEY, call.idempotency_key.as_deref()),
            (LAST_EVENT_ID, last_event_id),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                let value = parse_value(name.as_str(), value)?;
                headers.insert(name, value);
            }
        }
        if let Some(token) = &self.token {
            let text = SecretString::from(format!("Bearer {}", token.expose_secret()));
            let value = parse_value(AUTHORIZATION.as_str(), text.expose_secret())?;
            headers.insert(AUTHORIZATION, value);
        }
        let url = format!("{}{}", self.base, call.path);
        let request = self.http.request(method(call.method), url).headers(headers);
        Ok(match call.body {
            Some(CallBody::Json(body)) => request.json(&body),
            Some(CallBody::File { media_type, bytes }) => {
                let media_type = parse_value(CONTENT_TYPE.as_str(), &media_type)?;
                request.header(CONTENT_TYPE, media_type).body(bytes)
            }
            None => request,
        })
    }
}

fn endless(response: Response, pace: Pace) -> ByteStream<ApiError> {
    Body::endless(response, pace).into_stream(|fault| ApiError::of_body(fault, usize::MAX))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}
