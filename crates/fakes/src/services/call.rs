//! The log of a service: every call, in order.

use axum::{extract::Query, http::Uri};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::{BTreeMap, VecDeque},
    time::Instant,
};

/// Calls that the log keeps; the oldest go first.
const CALLS_MAX: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenState {
    Valid,
    /// This service issued it, and it is no longer valid.
    Expired,
    /// This service never issued it.
    Invalid,
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceCall {
    /// From 1.
    pub number: u64,
    /// Milliseconds since the service started.
    pub at_ms: u64,
    pub method: String,
    pub path: String,
    /// Decoded; the last value of a repeated name.
    pub query: BTreeMap<String, String>,
    /// JSON, else text, else null. The body of a log-in is never kept.
    pub body: Value,
    pub token: TokenState,
    pub idempotency_key: Option<String>,
    /// `None` while it runs, and after a dropped connection.
    pub status: Option<u16>,
}

/// The query of an address, as the log keeps it.
pub fn query_of(uri: &Uri) -> BTreeMap<String, String> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    pairs.map(|Query(pairs)| pairs.into_iter().collect()).unwrap_or_default()
}

pub struct CallLog {
    started: Instant,
    calls: VecDeque<ServiceCall>,
    last: u64,
}

impl CallLog {
    pub fn start() -> Self {
        Self { started: Instant::now(), calls: VecDeque::new(), last: 0 }
    }
    /// The log sets the call's number and time.
    pub fn add(&mut self, call: ServiceCall) -> u64 {
        if self.calls.len() >= CALLS_MAX {
            self.calls.pop_front();
        }
        self.last += 1;
        let at_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
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
