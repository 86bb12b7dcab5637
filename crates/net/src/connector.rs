//! Settings of every client: TLS by ring, no proxy, no redirects, no silent retries.

use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Method};
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, RootCertStore};
use wiiiv_domain::HttpMethod;

/// How much of a transport error's text is kept.
pub(crate) const REASON_CHARS_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the HTTP client cannot be built: `{reason}`")]
pub struct ClientUnavailable {
    pub reason: String,
}

/// Makes ring the process's TLS provider. Called again, it does nothing.
pub fn install_tls_provider() {
    // Already installed: by us, or by a test binary that did the same.
    let _ = ring::default_provider().install_default();
}

pub(crate) fn builder(connect: Duration) -> Result<ClientBuilder, ClientUnavailable> {
    Ok(ClientBuilder::new()
        .tls_backend_preconfigured(tls_config()?)
        .redirect(Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .no_proxy()
        .tcp_nodelay(true)
        .connect_timeout(connect))
}

pub(crate) fn build(builder: ClientBuilder) -> Result<reqwest::Client, ClientUnavailable> {
    builder.build().map_err(|error| ClientUnavailable { reason: reason(&error) })
}

pub(crate) fn method(method: HttpMethod) -> Method {
    match method {
        HttpMethod::Get => Method::GET,
        HttpMethod::Head => Method::HEAD,
        HttpMethod::Post => Method::POST,
        HttpMethod::Put => Method::PUT,
        HttpMethod::Patch => Method::PATCH,
        HttpMethod::Delete => Method::DELETE,
    }
}

/// Read once: the system's certificates take longer to load than most requests.
pub(crate) fn tls_config() -> Result<ClientConfig, ClientUnavailable> {
    static CONFIG: OnceLock<ClientConfig> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    let config =
        new_tls_config().map_err(|error| ClientUnavailable { reason: error.to_string() })?;
    Ok(CONFIG.get_or_init(|| config).clone())
}

fn new_tls_config() -> Result<ClientConfig, rustls::Error> {
    let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?;
    let mut config = match rustls_platform_verifier::Verifier::new(provider) {
        Ok(verifier) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        // A machine without certificates may still speak plain HTTP to services beside it; no
        // HTTPS server is trusted then.
        Err(_) => builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The innermost cause, which names no URL and so no query text.
pub(crate) fn reason(error: &reqwest::Error) -> String {
    let mut cause: Option<&dyn Error> = error.source();
    let mut text = None;
    while let Some(inner) = cause {
        text = Some(inner.to_string());
        cause = inner.source();
    }
    let text = text.unwrap_or_else(|| "the request failed without a stated cause".to_owned());
    text.chars().take(REASON_CHARS_MAX).collect()
}
