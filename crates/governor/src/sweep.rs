//! Looks every `sweep` at questions that wait: what is due is expired by its session, and what nobody has
//! answered for a while is shown to more people. Overrides of policies that are over are ended. All times
//! stand in the store: a restart changes none.

use crate::{clock, overrides, runtime::Runtime, session::Request, sessions::Sessions, telemetry};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use wiiiv_store::StoreError;

/// Questions of one look.
const BATCH_MAX: u64 = 256;

pub async fn run(runtime: Arc<Runtime>, sessions: Sessions, stop: CancellationToken) {
    let mut tick = tokio::time::interval(runtime.config.sweep);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        if let Err(error) = expire(&runtime, &sessions).await {
            tracing::warn!(%error, "approvals cannot be looked at for expiry");
        }
        if let Err(error) = end_overrides(&runtime).await {
            tracing::warn!(%error, "overrides cannot be looked at for their end");
        }
        if let Err(error) = escalate(&runtime).await {
            tracing::warn!(%error, "approvals cannot be looked at for escalation");
        }
    }
}

async fn expire(runtime: &Runtime, sessions: &Sessions) -> Result<(), StoreError> {
    for row in runtime.deps.store.approvals_due(clock::now(), BATCH_MAX).await? {
        let (approval, digest) = (row.request.id, row.request.digest);
        sessions.tell(row.session, Request::Expire { approval, digest }).await;
    }
    Ok(())
}

/// What is over allows nothing; here the policy before it comes back where nobody asks for it.
async fn end_overrides(runtime: &Runtime) -> Result<(), StoreError> {
    let store = &runtime.deps.store;
    let mut last = Ok(());
    for (project, end) in store.overrides_due(clock::now(), BATCH_MAX).await? {
        // One that cannot be ended does not keep the others.
        if let Err(error) = overrides::end_by_itself(store, project, end).await {
            last = Err(error);
        }
    }
    last
}

/// No session hears of it: the question stays as it is.
async fn escalate(runtime: &Runtime) -> Result<(), StoreError> {
    let store = &runtime.deps.store;
    let mut done = false;
    for row in store.approvals_to_escalate(clock::now(), BATCH_MAX).await? {
        if store.escalate_approval(&row).await? {
            telemetry::approval_escalated();
            done = true;
        }
    }
    if done {
        runtime.hub.questions_changed();
    }
    Ok(())
}
