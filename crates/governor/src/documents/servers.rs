//! How many calls that embed documents are out at one server at a time: one that does not answer keeps nobody waiting whose
//! own does.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Of one server.
const CALLS_MAX: usize = 4;

/// By the address of a server how many calls are out there.
#[derive(Default, Clone)]
pub struct Servers(Arc<Mutex<BTreeMap<String, usize>>>);

/// One call, until it is dropped.
pub struct ServerCall {
    server: String,
    servers: Servers,
}

impl Servers {
    /// `None`: too many are out there.
    pub fn call(&self, server: &str) -> Option<ServerCall> {
        let mut calls = self.calls();
        let out = calls.entry(server.to_owned()).or_default();
        if *out >= CALLS_MAX {
            return None;
        }
        *out += 1;
        Some(ServerCall { server: server.to_owned(), servers: self.clone() })
    }

    /// Whoever is told so hears of the end of a call there later.
    pub fn is_full(&self, server: &str) -> bool {
        self.calls().get(server).is_some_and(|out| *out >= CALLS_MAX)
    }

    fn calls(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ServerCall {
    fn drop(&mut self) {
        let mut calls = self.servers.calls();
        if let Some(out) = calls.get_mut(&self.server) {
            *out = out.saturating_sub(1);
        }
        // Of a server that nobody asks nothing is kept.
        calls.retain(|_, out| *out > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_full_leaves_the_others() {
        let servers = Servers::default();
        let mut out: Vec<ServerCall> =
            (0..CALLS_MAX).map(|_| servers.call("https://a.test").unwrap()).collect();
        assert!(servers.is_full("https://a.test") && servers.call("https://a.test").is_none());
        assert!(!servers.is_full("https://b.test"));
        out.extend(servers.call("https://b.test"));
        assert_eq!(out.len(), CALLS_MAX + 1);
        out.remove(0);
        assert!(servers.call("https://a.test").is_some(), "one has ended");
        out.clear();
        assert!(servers.calls().is_empty());
    }
}
