//! Nobody finds what they may not read: generated scopes, documents and queries, while documents come and go
//! beside them.

use crate::{
    draw::Draw,
    texts::{document, entry, near, number_of, project, user, with_vector},
};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_retrieval::{Entry, Found, Library, Query};

const QUERIES: u64 = 20_000;
const QUERIES_LONG: u64 = 1_000_000;
const READERS: u64 = 3;
const WRITERS: u64 = 2;
const SCOPES: u128 = 12;
/// In each scope.
const DOCUMENTS: usize = 12;
/// Documents whose number in their scope is below are never touched by a writer.
const STEADY: usize = 2;
/// Chunks of one version of a document are numbered from its multiple on.
const OF_VERSION: u32 = 100;

const WORDS: [&str; 8] =
    ["budget", "invoice", "예산", "회의록", "서울에서", "getUserName", "deadline", "계약서를"];

fn scope(number: u128) -> Scope {
    match number {
        0 => Scope::Global,
        1..=5 => user(number),
        _ => project(number),
    }
}

/// A document's number names its scope.
fn id(scope: u128, nth: usize) -> DocumentId {
    document(scope << 64 | u128::try_from(nth).expect("small"))
}

fn scope_of(document: DocumentId) -> Scope {
    scope(number_of(document) >> 64)
}

fn version(draw: &mut Draw, number: u32, scope: u128) -> Vec<Entry> {
    let chunks = 1 + draw.below(5);
    let entries = (0..u32::try_from(chunks).expect("few")).map(|nth| {
        let mut text = format!("secret of scope{scope} version{number} chunk{nth}");
        for _ in 0..draw.below(6) {
            text = format!("{text} {}", draw.of(&WORDS));
        }
        let entry = entry(number * OF_VERSION + nth, nth / 2, "", &text);
        let direction = draw.below(6);
        let has_vector = draw.below(4) > 0;
        if has_vector { with_vector(entry, near(direction, draw)) } else { entry }
    });
    entries.collect()
}

/// Puts documents in and takes them out until the readers are done.
fn write(library: &Library, seed: u64, is_over: &AtomicBool) {
    let mut draw = Draw::seeded(seed);
    let mut number = 1;
    while !is_over.load(Ordering::Relaxed) {
        let of = u128::try_from(draw.below(12)).expect("small");
        // Each writer has documents of its own.
        let own = draw.below((DOCUMENTS - STEADY) / 2) * 2;
        let nth = STEADY + own + usize::try_from(seed % WRITERS).expect("small");
        let (scope, document) = (scope(of), id(of, nth));
        match draw.below(4) {
            0 => {
                library.remove(scope, document);
                let query = Query { text: &format!("scope{of}"), vector: None, limit: 50 };
                let found = library.search(&[scope], &query);
                let gone = |found: &Found| found.hits.iter().all(|hit| hit.document != document);
                assert!(gone(&found), "a document is found that was removed before");
            }
            1 => {
                let vector = near(draw.below(6), &mut draw).into();
                library.set_vector(scope, document, number * OF_VERSION, vector);
            }
            _ => {
                number += 1;
                library.put(scope, document, "", version(&mut draw, number, of));
            }
        }
    }
}

/// What somebody may read: everybody's, their own, one project's.
fn principal(draw: &mut Draw) -> Vec<Scope> {
    let own = scope(1 + u128::try_from(draw.below(5)).expect("small"));
    let project = scope(6 + u128::try_from(draw.below(6)).expect("small"));
    match draw.below(4) {
        0 => vec![Scope::Global, own],
        1 => vec![own],
        _ => vec![Scope::Global, own, project],
    }
}

/// How many hits are of other scopes, of the answer and of its trace.
fn strays(found: &Found, scopes: &[Scope]) -> u64 {
    let allowed = |scope: &Scope| scopes.contains(scope);
    let hits = found.hits.iter().map(|hit| (hit.scope, hit.document));
    let ranked = found.trace.by_words.iter().chain(&found.trace.by_meaning);
    let all = hits.chain(ranked.map(|ranked| (ranked.scope, ranked.document)));
    let strays = all.filter(|(scope, id)| !allowed(scope) || scope_of(*id) != *scope).count();
    let segments = found.trace.segments.iter().filter(|segment| !allowed(&segment.scope)).count();
    u64::try_from(strays + segments).expect("few")
}

/// A document is of one version in one answer.
fn check_whole(found: &Found) {
    for hit in &found.hits {
        let same = found.hits.iter().filter(|other| other.document == hit.document);
        for other in same {
            assert_eq!(hit.chunk / OF_VERSION, other.chunk / OF_VERSION, "half a document");
        }
    }
}

/// Answers how many hits crossed a scope.
fn read(library: &Library, seed: u64, queries: u64) -> u64 {
    let mut draw = Draw::seeded(seed);
    let mut crossed = 0;
    for _ in 0..queries {
        let scopes = principal(&mut draw);
        // By the name of a scope, which is mostly another one's, or by words of all.
        let text = match draw.below(3) {
            0 => format!("secret of scope{}", draw.below(12)),
            1 => format!("version{} {}", draw.below(40), draw.of(&WORDS)),
            _ => format!("{} {}", draw.of(&WORDS), draw.of(&WORDS)),
        };
        let vector = (draw.below(3) > 0).then(|| near(draw.below(6), &mut draw));
        let limit = 1 + draw.below(60);
        let query = Query { text: &text, vector: vector.as_ref(), limit };
        let found = library.search(&scopes, &query);
        assert!(found.hits.len() <= limit.min(50));
        crossed += strays(&found, &scopes);
        check_whole(&found);
    }
    crossed
}

#[test]
fn no_hit_crosses_a_scope_while_documents_come_and_go() {
    let library = Library::new();
    let mut draw = Draw::seeded(1);
    for of in 0..SCOPES {
        for nth in 0..DOCUMENTS {
            library.put(scope(of), id(of, nth), "", version(&mut draw, 0, of));
        }
    }
    let long = std::env::var_os("WIIIV_LONG").is_some();
    let queries = if long { QUERIES_LONG } else { QUERIES };
    let (is_over, crossed) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for seed in 0..WRITERS {
            let (library, is_over) = (&library, &is_over);
            scope.spawn(move || write(library, seed, is_over));
        }
        let readers: Vec<_> = (0..READERS)
            .map(|seed| {
                let (library, crossed) = (&library, &crossed);
                scope.spawn(move || {
                    let strays = read(library, 100 + seed, queries.div_ceil(READERS));
                    crossed.fetch_add(strays, Ordering::Relaxed);
                })
            })
            .collect();
        let failed = readers.into_iter().filter_map(|reader| reader.join().err()).count();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(failed, 0);
    });
    let crossed = crossed.into_inner();
    println!("figure: retrieval: {queries} queries beside writers, {crossed} hits across scopes");
    assert_eq!(crossed, 0);
}

#[test]
fn what_others_may_read_changes_no_answer() {
    let library = Library::new();
    let mut draw = Draw::seeded(2);
    for nth in 0..DOCUMENTS {
        library.put(user(1), id(1, nth), "", version(&mut draw, 0, 1));
    }
    let vector = near(1, &mut draw);
    let query = Query::new("예산 budget scope1 getUserName", Some(&vector));
    let before = library.search(&[Scope::Global, user(1)], &query);
    assert!(!before.hits.is_empty());
    for nth in 0..200 {
        library.put(user(2), id(2, nth), "", version(&mut draw, 0, 2));
        library.put(project(7), id(7, nth), "", version(&mut draw, 0, 7));
    }
    assert_eq!(library.search(&[Scope::Global, user(1)], &query), before);
}

#[test]
fn no_more_than_three_scopes_are_searched() {
    let library = Library::new();
    let mut draw = Draw::seeded(3);
    for of in 0..5 {
        library.put(scope(of), id(of, 0), "", version(&mut draw, 0, of));
    }
    let scopes: Vec<Scope> = (0..5).map(scope).collect();
    let found = library.search(&scopes, &Query::new("secret", None));
    let searched: Vec<Scope> = found.trace.segments.iter().map(|one| one.scope).collect();
    assert_eq!(searched, scopes[..3]);
    let twice = library.search(&[user(1), user(1)], &Query::new("secret", None));
    assert_eq!(twice, library.search(&[user(1)], &Query::new("secret", None)));
}
