//! Sends exporters' output to the collector through `net`. Exporters run on threads of their own;
//! the bytes go through the server's runtime.

use async_trait::async_trait;
use http::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use wiiiv_net::{
    Bytes, ClientUnavailable, Origin, ProviderClient, ProviderError, ProviderRequest, Timeouts, Url,
};

/// For one delivery in whole.
pub const DELIVERY_TIME_MAX: Duration = Duration::from_secs(5);
/// Of a collector's answer.
const ANSWER_BYTES_MAX: usize = 64 * 1_024;

#[derive(Debug)]
pub struct Carrier {
    client: ProviderClient,
    runtime: Handle,
    /// Said once, until it works again.
    fails: AtomicBool,
}

impl Carrier {
    /// Speaks to this origin and to no other. Inside the runtime.
    pub fn new(origin: Origin) -> Result<Self, ClientUnavailable> {
        let timeouts = Timeouts {
            connect: DELIVERY_TIME_MAX,
            first_byte: DELIVERY_TIME_MAX,
            between_chunks: DELIVERY_TIME_MAX,
            total: DELIVERY_TIME_MAX,
        };
        let client = ProviderClient::new([origin], timeouts)?;
        Ok(Self { client, runtime: Handle::current(), fails: AtomicBool::new(false) })
    }

    fn tell(&self, sent: &Result<u16, ProviderError>) {
        let failed = sent.as_ref().err();
        let changed = self.fails.swap(failed.is_some(), Ordering::Relaxed) != failed.is_some();
        match failed {
            Some(error) if changed => {
                tracing::warn!(%error, "telemetry is not delivered; what does not fit is dropped");
            }
            None if changed => tracing::info!("telemetry is delivered again"),
            Some(_) | None => {}
        }
    }
}

async fn send(client: ProviderClient, request: Request<Bytes>) -> Result<u16, ProviderError> {
    let (head, body) = request.into_parts();
    let url = Url::parse(&head.uri.to_string());
    let url =
        url.map_err(|error| ProviderError::OriginNotApproved { origin: error.to_string() })?;
    let mut request = ProviderRequest::new(url, None, body);
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value)));
    request.headers = headers.collect();
    request.max_bytes = ANSWER_BYTES_MAX;
    client.post(request).await.map(|answer| answer.status)
}

#[async_trait]
impl HttpClient for Carrier {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.runtime.spawn(send(self.client.clone(), request)).await?;
        self.tell(&sent);
        let status = match sent {
            Ok(status) | Err(ProviderError::Status { code: status, .. }) => status,
            Err(error) => return Err(error.into()),
        };
        Ok(Response::builder().status(status).body(Bytes::new())?)
    }
}
