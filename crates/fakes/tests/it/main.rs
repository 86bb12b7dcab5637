//! The other parties over the wire.
#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot set up")]

mod cassette;
mod model;
mod provider;
mod services;
mod shop;
mod site;

use wiiiv_net::{
    Bytes, Credential, Origin, ProviderClient, ProviderError, ProviderRequest, Timeouts, Url,
};

/// Any HTTP client does; this one is at hand.
struct Caller {
    client: ProviderClient,
    base: String,
    credential: Option<Credential>,
}

impl Caller {
    fn to(origin: &str) -> Self {
        wiiiv_net::install_tls_provider();
        let approved = [Origin::parse(origin).unwrap()];
        let client = ProviderClient::new(approved, Timeouts::default()).unwrap();
        Self { client, base: origin.to_owned(), credential: None }
    }
    fn request(&self, path: &str, body: &str) -> ProviderRequest {
        let url = Url::parse(&format!("{}{path}", self.base)).unwrap();
        ProviderRequest::new(url, self.credential.clone(), Bytes::from(body.to_owned()))
    }
    async fn get(&self, path: &str) -> Result<String, ProviderError> {
        let answer = self.client.get(self.request(path, "")).await?;
        Ok(String::from_utf8(answer.body.to_vec()).unwrap())
    }
    async fn post(&self, path: &str, body: &str) -> Result<String, ProviderError> {
        let answer = self.client.post(self.request(path, body)).await?;
        Ok(String::from_utf8(answer.body.to_vec()).unwrap())
    }
}

/// The status of a refusal.
fn status(result: Result<String, ProviderError>) -> Option<u16> {
    match result {
        Err(ProviderError::Status { code, .. }) => Some(code),
        _ => None,
    }
}
