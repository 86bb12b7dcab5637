//! Expires approvals: looks every `sweep`, and sends what is due to its session.

use crate::{clock, runtime::Runtime, session::Request, sessions::Sessions};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Approvals that one look expires.
const BATCH_MAX: u64 = 256;

pub async fn run(runtime: Arc<Runtime>, sessions: Sessions, stop: CancellationToken) {
    let mut tick = tokio::time::interval(runtime.config.sweep);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        let due = match runtime.deps.store.approvals_due(clock::now(), BATCH_MAX).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "approvals cannot be looked at for expiry");
                continue;
            }
        };
        for row in due {
            let (approval, digest) = (row.request.id, row.request.digest);
            sessions.tell(row.session, Request::Expire { approval, digest }).await;
        }
    }
}
