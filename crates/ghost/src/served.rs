//! A loopback server that ends with its handle, and its connections with it.

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
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

/// Before the next try where a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// In place of an answer: the connection is closed and nothing is written.
#[derive(Debug, Clone, Copy)]
struct Cut;

/// What a handler returns to close the connection without an answer.
pub fn cut() -> Response {
    let mut nothing = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    nothing.extensions_mut().insert(Cut);
    nothing
}

pub struct Served {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Served {
    /// Port 0 takes a free one. Loopback only.
    pub async fn on(port: u16, app: Router) -> io::Result<Self> {
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

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The connections end with this future: who comes to the same port next meets nobody from before.
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
    // Otherwise a second small write waits 40 ms for a delayed acknowledgement. Where it fails, the
    // peer is gone and the connection ends by itself.
    let _gone = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let app = app.clone();
        async move {
            let Ok(answer) = app.oneshot(request.map(Body::new)).await;
            if answer.extensions().get::<Cut>().is_some() {
                return Err(io::Error::other("cut"));
            }
            Ok(answer)
        }
    });
    // An error of one connection is that connection's.
    let _ended = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
