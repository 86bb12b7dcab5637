//! Closes what a crash left open, when a session is restored.

use crate::{
    audit::Chain,
    budget,
    database::clock::now,
    error::StoreError,
    session::lease::{self, Lease},
    store::Store,
    writer::{boundary::AuditEntry, point::Point},
};
use serde_json::json;
use wiiiv_domain::CallId;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Calls that never settled: what they really used is unknown, so their holds count as spent.
    pub calls: Vec<CallId>,
}

impl Store {
    /// To be called once a session's lease is taken and before its first new boundary. The holds
    /// of executions stand until those are finished.
    pub async fn recover_session(&self, lease: &Lease) -> Result<Recovered, StoreError> {
        let (lease, at) = (lease.clone(), now());
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                lease::check(&tx.db, &lease, None, at).await?;
                let (calls, alerts) = budget::recover(tx, lease.session, at).await?;
                for (call, held) in &calls {
                    let body = json!({ "call": call, "session": lease.session, "charged": held });
                    let entry = AuditEntry::new("call.healed", body);
                    tx.record(Chain::Project(lease.project), at, entry).await?;
                }
                for alert in alerts {
                    tx.record(Chain::Project(lease.project), at, alert).await?;
                }
                let calls = calls.into_iter().map(|(call, _)| call).collect();
                Ok(Recovered { calls })
            })
        })
        .await
    }
}
