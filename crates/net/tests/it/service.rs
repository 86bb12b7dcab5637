//! A server on loopback that counts who connects and what is asked.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use wiiiv_domain::HttpMethod;
use wiiiv_net::{
    Bytes, EgressError, EgressRule, Resolver, ToolClient, ToolRequest, ToolResponse, Url,
};

pub struct Service {
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Service {
    pub async fn start(router: Router) -> Self {
        wiiiv_net::install_tls_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        let listener = listener.tap_io(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let asked = Arc::clone(&requests);
        let router = router.layer(from_fn(move |request: Request, next: Next| {
            asked.fetch_add(1, Ordering::SeqCst);
            next.run(request)
        }));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, connections, requests, task }
    }

    pub fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    /// A rule that names this server and allows its private address.
    pub fn rule(&self) -> EgressRule {
        rule("127.0.0.1", self.address.port(), true)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub fn rule(host: &str, port: u16, private: bool) -> EgressRule {
    EgressRule::new(None, host, Some(port), private).unwrap()
}

pub fn request(method: HttpMethod, url: Url) -> ToolRequest {
    ToolRequest {
        method,
        url,
        headers: Vec::new(),
        body: None,
        timeout_ms: 5_000,
        max_bytes: 1_000_000,
        idempotency_key: None,
    }
}

pub fn with_headers(request: ToolRequest, headers: &[(&str, &str)]) -> ToolRequest {
    let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    ToolRequest { headers, ..request }
}

pub fn with_body(request: ToolRequest, body: &'static str) -> ToolRequest {
    ToolRequest { body: Some(Bytes::from_static(body.as_bytes())), ..request }
}

pub async fn get(url: Url, allowed: &[EgressRule]) -> Result<ToolResponse, EgressError> {
    ToolClient::new(Resolver::System).send(request(HttpMethod::Get, url), allowed).await
}
