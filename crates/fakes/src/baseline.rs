//! A server that only makes the calls upstream: the baseline that a governed turn is measured against.

use crate::loopback::LoopbackServer;
use axum::{Router, extract::State, http::StatusCode, routing::post};
use futures::StreamExt as _;
use serde_json::json;
use std::{io, sync::Arc};
use wiiiv_net::{Bytes, Origin, ProviderClient, ProviderRequest, Timeouts, Url};

struct UpstreamCalls {
    client: ProviderClient,
    url: Url,
    body: Bytes,
    per_turn: usize,
}

pub struct BaselineServer {
    server: LoopbackServer,
}

impl BaselineServer {
    /// Each `POST /turn` calls the model server at `upstream` so many times, one after the other.
    pub async fn open(upstream: &str, calls_per_turn: usize) -> io::Result<Self> {
        let origin = Origin::parse(upstream).map_err(io::Error::other)?;
        let client =
            ProviderClient::new([origin], Timeouts::default()).map_err(io::Error::other)?;
        let url = format!("{upstream}/v1/chat/completions");
        let url = Url::parse(&url).map_err(io::Error::other)?;
        let body = json!({"model": "m", "stream": true, "messages": []}).to_string();
        let calls =
            UpstreamCalls { client, url, body: Bytes::from(body), per_turn: calls_per_turn };
        let app = Router::new().route("/turn", post(turn)).with_state(Arc::new(calls));
        Ok(Self { server: LoopbackServer::start(0, app).await? })
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }
}

async fn turn(State(calls): State<Arc<UpstreamCalls>>) -> Result<&'static str, StatusCode> {
    for _ in 0..calls.per_turn {
        let request = ProviderRequest::new(calls.url.clone(), None, calls.body.clone());
        let answer = calls.client.post_stream(request).await;
        let mut answer = answer.map_err(|_| StatusCode::BAD_GATEWAY)?;
        while let Some(part) = answer.next().await {
            part.map_err(|_| StatusCode::BAD_GATEWAY)?;
        }
    }
    Ok("{}")
}
