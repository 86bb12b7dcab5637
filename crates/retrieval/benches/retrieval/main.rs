//! What a search costs over 10,000 and 100,000 chunks, what it costs to load them, and what a scope costs
//! beside the size of all others. Texts are made up: words by Zipf's law, half Korean, half English; so are
//! vectors of 384 numbers, in clusters.
//!
//! `cargo xtask bench retrieval`

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends with the reason")]

mod drawn;

use drawn::{Draw, Words};
use std::{fs, hint::black_box, sync::Arc, time::Instant};
use uuid::Uuid;
use wiiiv_domain::{DocumentId, Scope, UserId};
use wiiiv_retrieval::{ChunkHash, Entry, Library, Query, Terms, Vector};

const CHUNKS: [usize; 2] = [10_000, 100_000];
/// Of one document, in passages of four.
const CHUNKS_A_DOCUMENT: usize = 40;
const CHUNKS_A_PASSAGE: usize = 4;
const QUERIES: usize = 200;
const ROUNDS: usize = 5;
/// Aims of the issue: CPU µs of a hybrid search without the query's embedding.
const AIMS_US: [f64; 2] = [600.0, 20_000.0];

fn main() {
    let mut draw = Draw(28);
    let words = Words::new(&mut draw);
    let queries: Vec<(String, Vector)> =
        (0..QUERIES).map(|_| (words.query(&mut draw), draw.vector())).collect();
    let most = CHUNKS.into_iter().max().unwrap_or_default();
    let stored: Vec<(Vec<u8>, Vec<u8>)> = (0..most)
        .map(|nth| {
            let text = words.chunk(&mut draw, nth % 2 == 0);
            (Terms::of("", "", &text).to_bytes(), draw.vector().to_bytes())
        })
        .collect();
    let bytes: usize = stored.iter().map(|(terms, _)| terms.len()).sum();
    println!("{most} chunks, {} bytes of terms each; load average {}", bytes / most, load());
    println!(
        "{:<52} {:>12} {:>12} {:>12}",
        "CPU µs of a search, top 5", "hybrid", "words", "meaning"
    );
    for (chunks, aim) in CHUNKS.into_iter().zip(AIMS_US) {
        let (library, cpu) = loaded(stored.get(..chunks).unwrap_or_default(), &[user(1)]);
        let hybrid = row(&format!("{chunks} chunks in the scope"), &library, &queries);
        let note = if hybrid > aim { "above the aim" } else { "within the aim" };
        println!(
            "  {note} of {aim:.0} µs; loaded with {cpu:.0} CPU ms from stored terms and vectors"
        );
    }
    shares(&stored, &queries);
    removal(&stored);
}

/// A scope of a tenth, a hundredth and a thousandth of all chunks, the others in another scope.
fn shares(stored: &[(Vec<u8>, Vec<u8>)], queries: &[(String, Vector)]) {
    for share in [1, 10, 100, 1000] {
        let scopes: Vec<Scope> =
            (0..share).map(|nth| if nth == 0 { user(1) } else { user(2) }).collect();
        let (library, _) = loaded(stored, &scopes);
        row(&format!("a scope of 1/{share} of {} chunks", stored.len()), &library, queries);
    }
}

/// Half of the documents of a scope of all chunks, one after the other, and the numbers given anew meanwhile.
fn removal(stored: &[(Vec<u8>, Vec<u8>)]) {
    let (library, _) = loaded(stored, &[user(1)]);
    let documents = stored.len() / CHUNKS_A_DOCUMENT / 2;
    let cpu = cpu_us();
    for nth in 0..documents {
        black_box(library.remove(user(1), document(nth)));
    }
    let each = (cpu_us() - cpu) / documents as f64;
    println!("removing {documents} documents of {CHUNKS_A_DOCUMENT} chunks: {each:.0} CPU µs each");
}

/// The library, and the CPU ms that it took.
fn loaded(stored: &[(Vec<u8>, Vec<u8>)], scopes: &[Scope]) -> (Library, f64) {
    let cpu = cpu_us();
    let library = Library::new();
    for (chunks, nth) in stored.chunks(CHUNKS_A_DOCUMENT).zip(0..) {
        let entries =
            chunks.iter().zip(0..).map(|((terms, vector), chunk)| entry(nth, chunk, terms, vector));
        let scope = scopes.get(nth % scopes.len()).copied().expect("a scope");
        library.put(scope, document(nth), "", entries.collect());
    }
    (library, (cpu_us() - cpu) / 1e3)
}

fn entry(document: usize, chunk: usize, terms: &[u8], vector: &[u8]) -> Entry {
    let mut hash = [0; 32];
    let number = (document * CHUNKS_A_DOCUMENT + chunk).to_le_bytes();
    hash.iter_mut().zip(number).for_each(|(to, from)| *to = from);
    let terms = Arc::new(Terms::from_bytes(terms).expect("terms"));
    let vector = Some(Arc::new(Vector::from_bytes(vector).expect("a vector")));
    let number = |at: usize| u32::try_from(at).expect("few");
    let (chunk, passage) = (number(chunk), number(chunk / CHUNKS_A_PASSAGE));
    Entry { chunk, passage, hash: ChunkHash(hash), terms, vector }
}

/// Prints the CPU µs of a search by both legs, by words and by meaning; answers the first.
fn row(name: &str, library: &Library, queries: &[(String, Vector)]) -> f64 {
    let of = |text: bool, vector: bool| {
        let mut rounds: Vec<f64> =
            (0..ROUNDS).map(|_| round(library, queries, text, vector)).collect();
        rounds.sort_by(f64::total_cmp);
        rounds.get(ROUNDS / 2).copied().unwrap_or_default()
    };
    let (hybrid, words, meaning) = (of(true, true), of(true, false), of(false, true));
    println!("{name:<52} {hybrid:>12.0} {words:>12.0} {meaning:>12.0}");
    hybrid
}

fn round(library: &Library, queries: &[(String, Vector)], text: bool, vector: bool) -> f64 {
    let cpu = cpu_us();
    for (own, meaning) in queries {
        let query = Query::new(if text { own } else { "" }, vector.then_some(meaning));
        black_box(library.search(&[user(1)], &query));
    }
    (cpu_us() - cpu) / queries.len() as f64
}

fn user(number: u128) -> Scope {
    Scope::User(UserId::from_uuid(Uuid::from_u128(number)))
}

fn document(number: usize) -> DocumentId {
    DocumentId::from_uuid(Uuid::from_u128(number as u128))
}

/// Of this thread, as Linux counts it; by the clock elsewhere.
fn cpu_us() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = text.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    ns.map_or_else(clock_us, |ns| ns / 1e3)
}

fn clock_us() -> f64 {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
