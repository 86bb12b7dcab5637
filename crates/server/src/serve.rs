//! Listening, and stopping without cutting anybody off in the middle.

use crate::{app::router, limits::DRAIN_TIME_MAX, state::AppState};
use std::{future::Future, io};
use tokio::net::TcpListener;

/// Until `shutdown` resolves: streams end at once, other answers have ten seconds.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let stop = state.stop().clone();
    let stopping = stop.clone();
    let server = axum::serve(listener, router(state)).with_graceful_shutdown(async move {
        shutdown.await;
        stopping.cancel();
    });
    let late = async move {
        stop.cancelled().await;
        tokio::time::sleep(DRAIN_TIME_MAX).await;
    };
    tokio::select! {
        served = server => served,
        () = late => Ok(()),
    }
}
