//! Delays after failed log-ins, so that passwords cannot be tried in bulk, nobody occupies every
//! password check, and nobody can lock another person out.
//!
//! A stranger's guess counts for its address, for the name at that address, and for the name
//! everywhere. The first two wait longer after every failure. The third is a leaky bucket: guesses
//! from a few addresses never fill it, those from many do; then all strangers share one guess every
//! ten seconds, the owner on a new device included.
//!
//! A device that has logged in under the name before is no stranger: it sends its own token
//! (`wiiiv_store::DeviceId`), its failures count for it alone, and others' do not delay it. A wrong
//! old password of a signed-in person counts for the account alone.

use crate::{
    access::peer::network,
    problem::{Problem, ProblemCode},
};
use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use wiiiv_domain::UserId;
use wiiiv_store::{DeviceId, USER_NAME_CHARS_MAX};

/// Devices, names and addresses that are remembered at the same time.
const KEYS_MAX: usize = 8_192;
/// Failures before it has to wait: of a device, of a name at one address, of an account's old password.
const OWN_FAILURES_FREE: u32 = 5;
/// Of an address, which several people may share.
const PEER_FAILURES_FREE: u32 = 20;
/// Of a name everywhere: that many fill its bucket.
const NAME_FAILURES_FREE: u32 = 60;
/// One failure of a name leaks out of its bucket in so long: faster than one address, which waits a
/// minute by then, puts any in.
const NAME_LEAK: Duration = Duration::from_secs(10);
/// Passwords that are checked at the same time, of one key.
const CHECKED_AT_ONCE_MAX: u32 = 4;
/// Of a name everywhere.
const NAME_CHECKED_AT_ONCE_MAX: u32 = 16;
/// Doubled with every failure.
const WAIT_FIRST: Duration = Duration::from_secs(1);
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Without a failure for so long, a key is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(900);

/// Who tries a password.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who<'a> {
    /// At a log-in. `peer`: where the connection comes from, as far as that is known.
    Stranger { name: &'a str, peer: Option<SocketAddr> },
    /// At a log-in, from where this person has logged in before.
    Known(DeviceId),
    /// The old password of somebody who is signed in.
    SignedIn(UserId),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Device(DeviceId),
    Account(UserId),
    /// An IPv6 network of 64 bits counts as one address: one customer has all of it.
    NameAt(String, Option<IpAddr>),
    Peer(IpAddr),
    Name(String),
}

impl Who<'_> {
    fn keys(self) -> Vec<Key> {
        match self {
            Self::Known(device) => vec![Key::Device(device)],
            Self::SignedIn(user) => vec![Key::Account(user)],
            Self::Stranger { name, peer } => {
                // A longer name is nobody's: what is kept of it is bounded.
                let name: String = name.chars().take(USER_NAME_CHARS_MAX + 1).collect();
                let peer = peer.map(|peer| network(peer.ip()));
                let own = [Key::NameAt(name.clone(), peer), Key::Name(name)];
                own.into_iter().chain(peer.map(Key::Peer)).collect()
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Record {
    failures: u32,
    checking: u32,
    /// Of a name: when the bucket last leaked.
    last: Instant,
}

impl Record {
    /// `None`: it may be tried now.
    fn wait(&self, key: &Key, now: Instant) -> Option<Duration> {
        match key {
            Key::Device(_) | Key::Account(_) | Key::NameAt(..) => {
                self.doubled(OWN_FAILURES_FREE, now)
            }
            Key::Peer(_) => self.doubled(PEER_FAILURES_FREE, now),
            Key::Name(_) => self.leaking(now),
        }
    }

    fn doubled(&self, free: u32, now: Instant) -> Option<Duration> {
        if self.checking >= CHECKED_AT_ONCE_MAX {
            return Some(WAIT_FIRST);
        }
        let beyond = self.failures.checked_sub(free)?;
        let wait = WAIT_FIRST.saturating_mul(1_u32.checked_shl(beyond).unwrap_or(u32::MAX));
        let wait = wait.min(WAIT_MAX).checked_sub(now.saturating_duration_since(self.last));
        wait.filter(|left| !left.is_zero())
    }

    fn leaking(&self, now: Instant) -> Option<Duration> {
        if self.checking >= NAME_CHECKED_AT_ONCE_MAX {
            return Some(WAIT_FIRST);
        }
        let left = self.leaked(now);
        let full = left.failures >= NAME_FAILURES_FREE;
        full.then(|| NAME_LEAK.saturating_sub(now.saturating_duration_since(left.last)))
    }

    /// What is left in a name's bucket.
    fn leaked(self, now: Instant) -> Self {
        let since = now.saturating_duration_since(self.last);
        let out = u32::try_from(since.as_secs() / NAME_LEAK.as_secs()).unwrap_or(u32::MAX);
        match self.failures.checked_sub(out) {
            Some(failures) if failures > 0 => {
                Self { failures, last: self.last + NAME_LEAK * out, ..self }
            }
            Some(_) | None => Self { failures: 0, last: now, ..self },
        }
    }

    fn is_forgotten(&self, now: Instant) -> bool {
        self.checking == 0 && now.saturating_duration_since(self.last) >= FORGOTTEN_AFTER
    }

    fn failed(&mut self, key: &Key, now: Instant) {
        match key {
            Key::Name(_) => {
                let left = self.leaked(now);
                let last = if left.failures == 0 { now } else { left.last };
                *self = Self { failures: left.failures.saturating_add(1), last, ..left };
            }
            Key::Device(_) | Key::Account(_) | Key::NameAt(..) | Key::Peer(_) => {
                self.failures = self.failures.saturating_add(1);
                self.last = now;
            }
        }
    }
}

type Records = HashMap<Key, Record>;

/// Shared by every request: held for a look-up, never across an await.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attempts {
    book: Arc<Mutex<Records>>,
}

impl Attempts {
    /// A place to check one password in; refused while one of the keys has to wait.
    pub(crate) fn begin(&self, who: Who<'_>) -> Result<Attempt, Problem> {
        self.begin_at(who, Instant::now())
    }

    fn begin_at(&self, who: Who<'_>, now: Instant) -> Result<Attempt, Problem> {
        let keys = who.keys();
        let mut book = self.book();
        let waits = keys.iter().filter_map(|key| book.get(key)?.wait(key, now));
        if let Some(wait) = waits.max() {
            return Err(busy(wait));
        }
        make_room(&mut book, keys.len(), now)?;
        for key in &keys {
            let record =
                book.entry(key.clone()).or_insert(Record { failures: 0, checking: 0, last: now });
            record.checking += 1;
        }
        Ok(Attempt { book: Arc::clone(&self.book), keys, outcome: Outcome::Failed })
    }

    fn book(&self) -> MutexGuard<'_, Records> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The oldest goes where nothing may be forgotten yet.
fn make_room(book: &mut Records, keys: usize, now: Instant) -> Result<(), Problem> {
    if book.len() + keys > KEYS_MAX {
        book.retain(|_, record| !record.is_forgotten(now));
    }
    while book.len() + keys > KEYS_MAX {
        let resting = book.iter().filter(|(_, record)| record.checking == 0);
        let oldest = resting.min_by_key(|(_, record)| record.last).map(|(key, _)| key.clone());
        let oldest = oldest.ok_or_else(|| busy(WAIT_FIRST))?;
        book.remove(&oldest);
    }
    Ok(())
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
    book: Arc<Mutex<Records>>,
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
                (Outcome::Failed, _) => record.failed(key, now),
                (Outcome::Succeeded, Key::Device(_) | Key::Account(_) | Key::NameAt(..)) => {
                    record.failures = 0;
                }
                // One account that is known says nothing about the others that were tried from the
                // same address, nor about guesses from elsewhere.
                (Outcome::Succeeded, Key::Peer(_) | Key::Name(_)) | (Outcome::Unchecked, _) => {}
            }
            if record.failures == 0 && record.checking == 0 {
                book.remove(key);
            }
        }
    }
}

#[cfg(test)]
mod tests;
