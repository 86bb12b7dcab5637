use super::*;

fn peer(last: u8) -> Option<SocketAddr> {
    Some(SocketAddr::from(([192, 0, 2, last], 1)))
}

fn stranger(name: &str, peer: Option<SocketAddr>) -> Who<'_> {
    Who::Stranger { name, peer }
}

fn fail(attempts: &Attempts, who: Who<'_>, times: u32) {
    for _ in 0..times {
        drop(attempts.begin_at(who, Instant::now() + WAIT_MAX).expect("a place"));
    }
}

fn wait(refused: Result<Attempt, Problem>) -> Option<u64> {
    refused.err().and_then(|problem| problem.params().get("retry_after_seconds")?.as_u64())
}

fn account(id: u128) -> Who<'static> {
    Who::SignedIn(UserId::from(uuid::Uuid::from_u128(id)))
}

#[test]
fn a_name_waits_longer_with_every_failure_at_that_address_alone() {
    let attempts = Attempts::default();
    let (here, there) = (stranger("kim", peer(1)), stranger("kim", peer(2)));
    fail(&attempts, here, OWN_FAILURES_FREE);
    assert_eq!(wait(attempts.begin(here)), Some(1));
    fail(&attempts, here, 1);
    assert_eq!(wait(attempts.begin(here)), Some(2));
    fail(&attempts, here, 12);
    assert_eq!(wait(attempts.begin(here)), Some(WAIT_MAX.as_secs()));
    assert!(attempts.begin(there).is_ok(), "nobody is kept out from elsewhere");
    assert!(attempts.begin(stranger("lee", peer(1))).is_ok(), "nor anybody else from here");
    let later = Instant::now() + WAIT_MAX;
    attempts.begin_at(here, later).expect("a place").succeeded();
    assert!(attempts.begin(here).is_ok(), "the right password ends it");
}

#[test]
fn guesses_from_many_addresses_fill_a_bucket_that_leaks() {
    let attempts = Attempts::default();
    let now = Instant::now();
    for nth in 0..NAME_FAILURES_FREE {
        let from = u8::try_from(nth / 4).expect("an address");
        drop(attempts.begin_at(stranger("kim", peer(from)), now).expect("a place"));
    }
    let fresh = stranger("kim", peer(200));
    assert_eq!(wait(attempts.begin(fresh)), Some(NAME_LEAK.as_secs()), "full for strangers");
    assert!(attempts.begin(stranger("lee", peer(200))).is_ok());
    assert!(attempts.begin_at(fresh, Instant::now() + NAME_LEAK).is_ok(), "one has leaked out");
}

/// By then it waits a minute for each.
#[test]
fn one_address_alone_never_fills_a_name() {
    let attempts = Attempts::default();
    let (here, start) = (stranger("kim", peer(1)), Instant::now());
    let key = Key::Name("kim".to_owned());
    let mut record = Record { failures: 0, checking: 0, last: start };
    let mut at = start;
    for nth in 0..500_u32 {
        record.failed(&key, at);
        let beyond = nth.saturating_sub(OWN_FAILURES_FREE).min(6);
        at += WAIT_FIRST.saturating_mul(1 << beyond).min(WAIT_MAX);
        assert!(record.leaked(at).failures < NAME_FAILURES_FREE / 4, "{nth}");
    }
    assert!(attempts.begin(here).is_ok());
}

#[test]
fn what_strangers_do_holds_no_known_device_and_nobody_who_is_signed_in() {
    let attempts = Attempts::default();
    let now = Instant::now();
    for nth in 0..NAME_FAILURES_FREE {
        let from = u8::try_from(nth / 4).expect("an address");
        drop(attempts.begin_at(stranger("kim", peer(from)), now).expect("a place"));
    }
    let device = Who::Known(DeviceId::from_bytes([7; 16]));
    attempts.begin(device).expect("a place").unchecked();
    attempts.begin(account(1)).expect("a place").unchecked();
    fail(&attempts, device, OWN_FAILURES_FREE);
    assert_eq!(wait(attempts.begin(device)), Some(1), "its own count");
    fail(&attempts, account(1), OWN_FAILURES_FREE);
    assert_eq!(wait(attempts.begin(account(1))), Some(1));
    assert!(attempts.begin(account(2)).is_ok());
}

#[test]
fn an_address_waits_whatever_names_it_tries() {
    let attempts = Attempts::default();
    for nth in 0..PEER_FAILURES_FREE {
        fail(&attempts, stranger(&format!("name-{nth}"), peer(1)), 1);
    }
    assert_eq!(wait(attempts.begin(stranger("another", peer(1)))), Some(1));
    assert!(attempts.begin(stranger("another", peer(2))).is_ok());
}

#[test]
fn one_address_has_few_places_at_once_and_an_unchecked_try_costs_nothing() {
    let attempts = Attempts::default();
    let held: Vec<Attempt> = (0..CHECKED_AT_ONCE_MAX)
        .map(|nth| attempts.begin(stranger(&format!("name-{nth}"), peer(1))).expect("a place"))
        .collect();
    assert_eq!(wait(attempts.begin(stranger("one-more", peer(1)))), Some(1));
    assert!(attempts.begin(stranger("one-more", peer(2))).is_ok());
    held.into_iter().for_each(Attempt::unchecked);
    assert!(attempts.begin(stranger("one-more", peer(1))).is_ok());
    let names = attempts.book().keys().filter(|key| matches!(key, Key::NameAt(..))).count();
    assert!(names <= 2, "what did not fail is not remembered");
}

#[test]
fn the_book_is_bounded() {
    let attempts = Attempts::default();
    for nth in 0..KEYS_MAX {
        fail(&attempts, account(nth as u128), 1);
    }
    let oldest = Key::Account(UserId::from(uuid::Uuid::from_u128(0)));
    assert!(attempts.book().contains_key(&oldest));
    fail(&attempts, account(KEYS_MAX as u128), 1);
    assert_eq!(attempts.book().len(), KEYS_MAX);
    assert!(!attempts.book().contains_key(&oldest), "the oldest goes");
    let later = Instant::now() + FORGOTTEN_AFTER;
    assert!(attempts.begin_at(account(1), later).is_ok());
    assert!(attempts.book().len() <= 1);
}
