//! Log-ins that failed, by name and by address: the next one has to wait, so that passwords cannot
//! be tried in bulk and nobody alone takes every place where they are checked.

use crate::problem::{Problem, ProblemCode};
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use wiiiv_store::USER_NAME_CHARS_MAX;

/// Names and addresses that are remembered at the same time.
const KEYS_MAX: usize = 8_192;
/// Failures of one name before it has to wait.
const NAME_FAILURES_FREE: u32 = 5;
/// The same for an address, which several people may share.
const PEER_FAILURES_FREE: u32 = 20;
/// Passwords of one name or address that are checked at the same time.
const CHECKED_AT_ONCE_MAX: u32 = 4;
/// Doubled with every failure.
const WAIT_FIRST: Duration = Duration::from_secs(1);
/// Nobody can keep somebody else out for longer than this.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Without a failure for so long, a name or address is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(900);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Name(String),
    /// An IPv6 network of 64 bits counts as one address: one customer has all of it.
    Peer(IpAddr),
}

impl Key {
    const fn failures_free(&self) -> u32 {
        match self {
            Self::Name(_) => NAME_FAILURES_FREE,
            Self::Peer(_) => PEER_FAILURES_FREE,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Record {
    failures: u32,
    checking: u32,
    last: Instant,
}

impl Record {
    /// `None`: it may be tried now.
    fn wait(&self, key: &Key, now: Instant) -> Option<Duration> {
        if self.checking >= CHECKED_AT_ONCE_MAX {
            return Some(WAIT_FIRST);
        }
        let beyond = self.failures.checked_sub(key.failures_free())?;
        let wait = WAIT_FIRST.saturating_mul(1_u32.checked_shl(beyond).unwrap_or(u32::MAX));
        let wait = wait.min(WAIT_MAX).checked_sub(now.saturating_duration_since(self.last));
        wait.filter(|left| !left.is_zero())
    }
    fn is_forgotten(&self, now: Instant) -> bool {
        self.checking == 0 && now.saturating_duration_since(self.last) >= FORGOTTEN_AFTER
    }
}

type Book = HashMap<Key, Record>;

/// Shared by every request: held for a look-up, never across an await.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attempts {
    book: Arc<Mutex<Book>>,
}

impl Attempts {
    /// A place to check one password in; refused while the name or the address has to wait.
    pub(crate) fn begin(&self, name: &str, peer: Option<SocketAddr>) -> Result<Attempt, Problem> {
        self.begin_at(name, peer, Instant::now())
    }

    fn begin_at(
        &self,
        name: &str,
        peer: Option<SocketAddr>,
        now: Instant,
    ) -> Result<Attempt, Problem> {
        // A longer name is nobody's: what is kept of it is bounded.
        let name = name.chars().take(USER_NAME_CHARS_MAX + 1).collect();
        let keys: Vec<Key> = std::iter::once(Key::Name(name))
            .chain(peer.map(|peer| Key::Peer(network(peer.ip()))))
            .collect();
        let mut book = self.book();
        let waits = keys.iter().filter_map(|key| book.get(key)?.wait(key, now));
        if let Some(wait) = waits.max() {
            return Err(busy(wait));
        }
        if book.len() + keys.len() > KEYS_MAX {
            book.retain(|_, record| !record.is_forgotten(now));
        }
        while book.len() + keys.len() > KEYS_MAX {
            let resting = book.iter().filter(|(_, record)| record.checking == 0);
            let oldest = resting.min_by_key(|(_, record)| record.last).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { return Err(busy(WAIT_FIRST)) };
            book.remove(&oldest);
        }
        for key in &keys {
            let record =
                book.entry(key.clone()).or_insert(Record { failures: 0, checking: 0, last: now });
            record.checking += 1;
        }
        Ok(Attempt { book: Arc::clone(&self.book), keys, outcome: Outcome::Failed })
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

fn busy(wait: Duration) -> Problem {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Problem::new(ProblemCode::TooManyLogins).retry_after(seconds)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Failed,
    Succeeded,
    /// Nobody looked at the password.
    Unchecked,
}

/// One password that is being checked. It has failed unless the opposite is said: whoever hangs up
/// half way learns nothing for free.
#[derive(Debug)]
pub(crate) struct Attempt {
    book: Arc<Mutex<Book>>,
    keys: Vec<Key>,
    outcome: Outcome,
}

impl Attempt {
    pub(crate) fn succeeded(mut self) {
        self.outcome = Outcome::Succeeded;
    }
    pub(crate) fn unchecked(mut self) {
        self.outcome = Outcome::Unchecked;
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        for key in &self.keys {
            let Some(record) = book.get_mut(key) else { continue };
            record.checking = record.checking.saturating_sub(1);
            match (self.outcome, key) {
                (Outcome::Failed, _) => {
                    record.failures = record.failures.saturating_add(1);
                    record.last = now;
                }
                // One account that is known says nothing about the others that were tried from
                // the same address.
                (Outcome::Succeeded, Key::Name(_)) => record.failures = 0,
                (Outcome::Succeeded, Key::Peer(_)) | (Outcome::Unchecked, _) => {}
            }
            if record.failures == 0 && record.checking == 0 {
                book.remove(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> Option<SocketAddr> {
        Some(SocketAddr::from(([192, 0, 2, last], 1)))
    }

    fn fail(attempts: &Attempts, name: &str, peer: Option<SocketAddr>, times: u32) {
        for _ in 0..times {
            drop(attempts.begin_at(name, peer, Instant::now() + WAIT_MAX).expect("a place"));
        }
    }

    fn wait(refused: Result<Attempt, Problem>) -> Option<u64> {
        refused.err().and_then(|problem| problem.params().get("retry_after_seconds")?.as_u64())
    }

    #[test]
    fn a_name_waits_longer_with_every_failure_from_wherever() {
        let attempts = Attempts::default();
        fail(&attempts, "kim", peer(1), NAME_FAILURES_FREE);
        assert_eq!(wait(attempts.begin("kim", peer(2))), Some(1));
        fail(&attempts, "kim", peer(3), 1);
        assert_eq!(wait(attempts.begin("kim", peer(2))), Some(2));
        fail(&attempts, "kim", peer(3), 12);
        assert_eq!(wait(attempts.begin("kim", peer(2))), Some(WAIT_MAX.as_secs()));
        assert!(attempts.begin("lee", peer(2)).is_ok(), "nobody else waits");
        let later = Instant::now() + WAIT_MAX;
        attempts.begin_at("kim", peer(2), later).expect("a place").succeeded();
        assert!(attempts.begin("kim", peer(2)).is_ok(), "the right password ends it");
    }

    #[test]
    fn an_address_waits_whatever_names_it_tries() {
        let attempts = Attempts::default();
        for nth in 0..PEER_FAILURES_FREE {
            fail(&attempts, &format!("name-{nth}"), peer(1), 1);
        }
        assert_eq!(wait(attempts.begin("another", peer(1))), Some(1));
        assert!(attempts.begin("another", peer(2)).is_ok());
        let one = network("2001:db8::1".parse().expect("an address"));
        assert_eq!(one, network("2001:db8::ffff".parse().expect("an address")));
        assert_eq!(
            network("::ffff:192.0.2.1".parse().expect("an address")),
            IpAddr::from([192, 0, 2, 1])
        );
    }

    #[test]
    fn one_address_has_few_places_at_once_and_an_unchecked_try_costs_nothing() {
        let attempts = Attempts::default();
        let held: Vec<Attempt> = (0..CHECKED_AT_ONCE_MAX)
            .map(|nth| attempts.begin(&format!("name-{nth}"), peer(1)).expect("a place"))
            .collect();
        assert_eq!(wait(attempts.begin("one-more", peer(1))), Some(1));
        assert!(attempts.begin("one-more", peer(2)).is_ok());
        held.into_iter().for_each(Attempt::unchecked);
        assert!(attempts.begin("one-more", peer(1)).is_ok());
        let names = attempts.book().keys().filter(|key| matches!(key, Key::Name(_))).count();
        assert!(names <= 1, "what did not fail is not remembered");
    }

    #[test]
    fn the_book_is_bounded() {
        let attempts = Attempts::default();
        for nth in 0..KEYS_MAX {
            fail(&attempts, &format!("name-{nth}"), None, 1);
        }
        fail(&attempts, "one-more", None, 1);
        assert_eq!(attempts.book().len(), KEYS_MAX);
        assert!(!attempts.book().contains_key(&Key::Name("name-0".to_owned())), "the oldest goes");
        let later = Instant::now() + FORGOTTEN_AFTER;
        assert!(attempts.begin_at("one-more", None, later).is_ok());
        assert!(attempts.book().len() <= 1);
    }
}
