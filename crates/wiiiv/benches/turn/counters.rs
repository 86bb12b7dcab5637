//! What the store and the kernel count of the turns.

use crate::governed::Governed;
use serde_json::Value;
use wiiiv_net::ApiCall;

/// Sums. A figure of the store is `None` where the server of another revision does not tell it.
#[derive(Default, Clone, Copy)]
pub struct Counters {
    pub commits: Option<f64>,
    pub reads: Option<f64>,
    pub writes: Option<f64>,
    pub bytes_written: f64,
    /// Size of the database file behind a checkpoint.
    pub bytes_kept: f64,
}

impl Counters {
    pub async fn read(governed: &Governed) -> Self {
        let info = governed.client.send(ApiCall::get("/info")).await.expect("info").body;
        let figure = |name: &str| info["store"].get(name).and_then(Value::as_f64);
        let bytes_written = governed.process.bytes_written();
        Self {
            commits: figure("commits"),
            reads: figure("reads"),
            writes: figure("writes"),
            bytes_written,
            bytes_kept: governed.checkpointed_bytes(),
        }
    }

    /// Adds what was counted between two readings.
    pub fn add(&mut self, before: &Self, after: &Self) {
        let sum = |sum: Option<f64>, before: Option<f64>, after: Option<f64>| {
            Some(sum.unwrap_or(0.0) + after? - before?)
        };
        self.commits = sum(self.commits, before.commits, after.commits);
        self.reads = sum(self.reads, before.reads, after.reads);
        self.writes = sum(self.writes, before.writes, after.writes);
        self.bytes_written += after.bytes_written - before.bytes_written;
        self.bytes_kept += after.bytes_kept - before.bytes_kept;
    }
}
