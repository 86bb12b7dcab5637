//! Approvals expire by themselves: a task looks every `sweep` and tells the sessions concerned.

use crate::{clock, deps::Shared, governor::wake, registry::Registry, session::Expire};
use kameo::actor::ActorRef;
use tokio_util::sync::CancellationToken;

/// Expired approvals of one look.
const BATCH_MAX: u64 = 256;

pub async fn run(room: Shared, registry: ActorRef<Registry>, stop: CancellationToken) {
    let mut tick = tokio::time::interval(room.config.sweep);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        let due = match room.deps.store.approvals_due(clock::now(), BATCH_MAX).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "approvals cannot be looked at for expiry");
                continue;
            }
        };
        for row in due {
            let Some(actor) = wake(&registry, row.session).await else { continue };
            let expire = Expire { approval: row.request.id, digest: row.request.digest };
            let _ = actor.tell(expire).await;
        }
    }
}
