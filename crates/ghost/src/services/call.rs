//! The log of a service: every call in the order in which it came.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::{BTreeMap, VecDeque},
    time::Instant,
};

/// Calls that the log keeps; a longer run drops the oldest.
const CALLS_MAX: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenState {
    Valid,
    /// It was given here, and holds no more.
    Expired,
    /// It was never given here: another service's, or made up.
    Invalid,
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceCall {
    /// From 1.
    pub number: u64,
    /// Milliseconds since the service began.
    pub at_ms: u64,
    pub method: String,
    pub path: String,
    /// Decoded; of a name that stands twice, the last.
    pub query: BTreeMap<String, String>,
    /// JSON, else text, else null. A log-in's is never kept.
    pub body: Value,
    pub token: TokenState,
    pub idempotency_key: Option<String>,
    /// None while it runs, and where the connection was dropped.
    pub status: Option<u16>,
}

pub struct CallLog {
    began: Instant,
    calls: VecDeque<ServiceCall>,
    last: u64,
}

impl CallLog {
    pub fn begin() -> Self {
        Self { began: Instant::now(), calls: VecDeque::new(), last: 0 }
    }
    /// Its number and time are the log's to give.
    pub fn add(&mut self, call: ServiceCall) -> u64 {
        if self.calls.len() >= CALLS_MAX {
            self.calls.pop_front();
        }
        self.last += 1;
        let at_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.calls.push_back(ServiceCall { number: self.last, at_ms, ..call });
        self.last
    }
    pub fn answered(&mut self, number: u64, status: u16) {
        let call = self.calls.iter_mut().rev().find(|call| call.number == number);
        if let Some(call) = call {
            call.status = Some(status);
        }
    }
    pub fn clear(&mut self) {
        self.calls.clear();
        self.last = 0;
    }
    pub fn all(&self) -> Vec<ServiceCall> {
        self.calls.iter().cloned().collect()
    }
}
