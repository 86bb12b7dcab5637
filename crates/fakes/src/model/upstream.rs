//! A real provider behind a fake: passes each request on unchanged, with the key that it came with.
//! The key goes to this provider and nowhere else.

use crate::loopback::{event_stream, header_text};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use futures::StreamExt as _;
use std::io;
use wiiiv_net::{Origin, ProviderClient, ProviderError, ProviderRequest, Timeouts, Url};

/// Headers that a provider reads: the key, and the version of the interface.
const PASSED_ON: [&str; 4] = ["authorization", "x-api-key", "x-goog-api-key", "anthropic-version"];

pub struct Upstream {
    base: Url,
    client: ProviderClient,
}

impl Upstream {
    /// `base`: the address of the provider's interface, such as `https://api.openai.com/v1`.
    pub fn at(base: &str) -> io::Result<Self> {
        let base = Url::parse(base).map_err(io::Error::other)?;
        let origin = Origin::of(&base).map_err(|error| io::Error::other(error.to_string()))?;
        let client = ProviderClient::new([origin], Timeouts::default());
        Ok(Self { base, client: client.map_err(io::Error::other)? })
    }

    /// `path` and `query` are below the base. `record` is called with each piece before the client
    /// gets it.
    pub async fn pass_on(
        &self,
        (path, query): (&str, Option<&str>),
        headers: &HeaderMap,
        body: Bytes,
        record: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Response {
        let mut request = ProviderRequest::new(self.endpoint(path, query), None, body);
        request.headers = passed_on(headers);
        match self.client.post_stream(request).await {
            Ok(pieces) => {
                let pieces = pieces.inspect(move |piece| {
                    if let Ok(piece) = piece {
                        record(piece);
                    }
                });
                event_stream(Body::from_stream(pieces))
            }
            Err(error) => refused(error),
        }
    }

    fn endpoint(&self, path: &str, query: Option<&str>) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}/{}", url.path().trim_end_matches('/'), path.trim_start_matches('/'));
        url.set_path(&path);
        if query.is_some() {
            url.set_query(query);
        }
        url
    }
}

fn passed_on(headers: &HeaderMap) -> Vec<(String, String)> {
    let header = |name: &&str| Some(((*name).to_owned(), header_text(headers, name)?.to_owned()));
    PASSED_ON.iter().filter_map(header).collect()
}

/// The provider's own refusal; without one, what a gateway would answer.
fn refused(error: ProviderError) -> Response {
    match error {
        ProviderError::Status { code, retry_after, body } => {
            let status = StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_GATEWAY);
            let mut answer = (status, body.bytes().to_vec()).into_response();
            let seconds = retry_after.map(|wait| wait.as_secs().to_string());
            if let Some(value) = seconds.and_then(|seconds| seconds.parse().ok()) {
                answer.headers_mut().insert(header::RETRY_AFTER, value);
            }
            answer
        }
        ProviderError::Timeout { .. } => StatusCode::GATEWAY_TIMEOUT.into_response(),
        ProviderError::OriginNotApproved { .. }
        | ProviderError::KeyElsewhere { .. }
        | ProviderError::Header(_)
        | ProviderError::Unreachable { .. }
        | ProviderError::TooLarge { .. }
        | ProviderError::Interrupted { .. } => StatusCode::BAD_GATEWAY.into_response(),
    }
}
