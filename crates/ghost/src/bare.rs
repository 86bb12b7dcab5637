//! A server that only makes the calls upstream: what a governed turn is measured against.

use crate::served::Served;
use axum::{Router, extract::State, http::StatusCode, routing::post};
use futures::StreamExt as _;
use serde_json::json;
use std::{io, sync::Arc};
use wiiiv_net::{Bytes, Origin, ProviderClient, ProviderRequest, Timeouts, Url};

struct Calls {
    client: ProviderClient,
    url: Url,
    body: Bytes,
    times: usize,
}

pub struct Bare {
    served: Served,
}

impl Bare {
    /// `POST /turn` calls the model server at this origin so many times, one after the other.
    pub async fn open(upstream: &str, times: usize) -> io::Result<Self> {
        let origin = Origin::parse(upstream).map_err(io::Error::other)?;
        let client =
            ProviderClient::new([origin], Timeouts::default()).map_err(io::Error::other)?;
        let url = format!("{upstream}/v1/chat/completions");
        let url = Url::parse(&url).map_err(io::Error::other)?;
        let body = json!({"model": "m", "stream": true, "messages": []}).to_string();
        let calls = Calls { client, url, body: Bytes::from(body), times };
        let app = Router::new().route("/turn", post(turn)).with_state(Arc::new(calls));
        Ok(Self { served: Served::on(0, app).await? })
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.served.url()
    }
}

async fn turn(State(calls): State<Arc<Calls>>) -> Result<&'static str, StatusCode> {
    for _ in 0..calls.times {
        let request = ProviderRequest::new(calls.url.clone(), None, calls.body.clone());
        let answer = calls.client.post_stream(request).await;
        let mut answer = answer.map_err(|_| StatusCode::BAD_GATEWAY)?;
        while let Some(part) = answer.next().await {
            part.map_err(|_| StatusCode::BAD_GATEWAY)?;
        }
    }
    Ok("{}")
}
