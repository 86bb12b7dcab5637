//! Listening, and stopping without cutting anybody off in the middle.

use crate::{
    app::router,
    limits::{ACCEPT_PAUSE, CONNECTIONS_MAX, DRAIN_TIME_MAX, HEAD_TIME_MAX},
    state::AppState,
};
use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{future::Future, io, net::SocketAddr, pin::pin, sync::Arc};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
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
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let app = router(state);
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            Some(_) = connections.join_next() => continue,
            () = &mut shutdown => break,
        };
        let (stream, peer, place) = match accepted {
            Ok(accepted) => accepted,
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
            drop(place);
        });
    }
    stop.cancel();
    drop(listener);
    let drained = async { while connections.join_next().await.is_some() {} };
    // What is left is cut off with the set.
    let _late = tokio::time::timeout(DRAIN_TIME_MAX, drained).await;
    Ok(())
}

/// Beyond the bound, connections wait in the system's own queue.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

/// A head must come in time, also the next one on a connection that is kept.
async fn answer(app: Router, stream: TcpStream, peer: SocketAddr, stop: CancellationToken) {
    // With Nagle's algorithm the second write of an answer waits for the acknowledgement of the
    // first, which the peer delays by 40 ms.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, %peer, "TCP_NODELAY could not be set");
    }
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
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
