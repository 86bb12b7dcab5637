//! A loopback HTTP server that ends with its handle, and what its handlers have in common.

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{io, net::Ipv4Addr, net::SocketAddr, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};
use tower::ServiceExt as _;

/// Pause before the next try after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Marks a response that is not written: the connection is closed instead.
#[derive(Debug, Clone, Copy)]
struct ClosesConnection;

/// What a handler returns to close the connection without an answer.
pub fn close_connection() -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(ClosesConnection);
    response
}

/// Server-sent events.
pub fn event_stream(body: Body) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// A header's value, if it is text.
pub fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

pub struct LoopbackServer {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl LoopbackServer {
    /// Port 0 takes a free one.
    pub async fn start(port: u16, app: Router) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { address, task: tokio::spawn(accept(listener, app)) })
    }
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// All connections end with this future, so that none of them reaches the next server at the same port.
async fn accept(listener: TcpListener, app: Router) {
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    open.spawn(connection(stream, app.clone()));
                }
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
            Some(_) = open.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, app: Router) {
    // Without it a second small write waits 40 ms for a delayed acknowledgement. It fails only where
    // the peer is gone, and then the connection ends by itself.
    let _gone = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let app = app.clone();
        async move {
            let Ok(response) = app.oneshot(request.map(Body::new)).await;
            if response.extensions().get::<ClosesConnection>().is_some() {
                return Err(io::Error::other("the connection is closed without an answer"));
            }
            Ok(response)
        }
    });
    // An error ends this connection only.
    let _ended = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
