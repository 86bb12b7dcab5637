//! Listens, and stops without cutting off requests in progress.

use crate::{
    app::router,
    limits::{ACCEPT_PAUSE, DRAIN_TIME_MAX, HEAD_TIME_MAX},
    listen::{
        connections::{ConnectionSlot, Connections},
        timed_body::TimedBody,
    },
    state::AppState,
};
use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{
    future::Future,
    io::{self, Write as _},
    net::SocketAddr,
    pin::pin,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// Until `shutdown` resolves: streams end at once, other answers have ten seconds.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let stop = state.stop().clone();
    let slots = Connections::within(state.config().open_files);
    let app = router(state);
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &slots) => accepted,
            Some(_) = connections.join_next() => continue,
            () = &mut shutdown => break,
        };
        let (stream, peer, slot) = match accepted {
            Ok(Some(accepted)) => accepted,
            Ok(None) => continue,
            Err(error) => {
                // Out of handles, or the peer has gone: neither is a reason to stop.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (app, stop) = (app.clone(), stop.clone());
        connections.spawn(async move {
            answer(app, stream, peer, stop).await;
            drop(slot);
        });
    }
    stop.cancel();
    drop(listener);
    let drained = async { while connections.join_next().await.is_some() {} };
    // What is left is cut off with the set.
    let _late = tokio::time::timeout(DRAIN_TIME_MAX, drained).await;
    Ok(())
}

/// Beyond the bound, connections wait in the system's own queue. `None`: its address has enough.
async fn accept(
    listener: &TcpListener,
    slots: &Connections,
) -> io::Result<Option<(TcpStream, SocketAddr, ConnectionSlot)>> {
    let of_all = slots.acquire().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    match slots.slot(of_all, peer.ip()) {
        Some(slot) => Ok(Some((stream, peer, slot))),
        None => {
            tracing::debug!(%peer, "one address has too many connections");
            turn_away(stream);
            Ok(None)
        }
    }
}

const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
    content-length: 0\r\nconnection: close\r\n\r\n";

/// Nobody waits for such a peer: as much is told as can be told at once.
fn turn_away(stream: TcpStream) {
    let told = stream.into_std().and_then(|mut stream| stream.write_all(BUSY));
    if let Err(error) = told {
        tracing::trace!(%error, "a connection that was turned away was not told so");
    }
}

/// A head must come in time, also the next one on a connection that is kept.
async fn answer(app: Router, stream: TcpStream, peer: SocketAddr, stop: CancellationToken) {
    // With Nagle's algorithm the second write of an answer waits for the acknowledgement of the
    // first, which the peer delays by 40 ms.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, %peer, "TCP_NODELAY could not be set");
    }
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(|body| Body::new(TimedBody::new(body)));
        request.extensions_mut().insert(ConnectInfo(peer));
        app.clone().oneshot(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME_MAX);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, %peer, "a connection ended early");
    }
}
