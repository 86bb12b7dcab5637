//! What a start costs over 100,000 chunks that a store on disk has: the store is opened and a governor started over it,
//! as a server does, with a double in the place of an embedding model, which counts what it is asked. Texts and vectors
//! are those of `cargo xtask bench retrieval`.
//!
//! `cargo xtask bench restart [--documents 2500]`

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends with the reason")]

#[path = "../../retrieval/benches/retrieval/drawn.rs"]
mod drawn;

use drawn::{Draw, Words};
use futures::future::join_all;
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use wiiiv_domain::{ContentDigest, DocumentId, Scope};
use wiiiv_gate::Principal;
use wiiiv_governor::{
    DocumentDeps, DocumentError, EmbedKind, FoundPassages, Governor, SearchDocuments, TextEmbedder,
};
use wiiiv_retrieval::{PASSAGES_DEFAULT, SegmentTrace, Terms};
use wiiiv_store::{
    AfterPut, DocumentAuthor, DocumentContent, DocumentOrigin, IngestBounds, NewChunk, NewIngest,
    NewPassage, NewVectors, Store,
};
use wiiiv_testkit::{Person, Setup, default_profile, now, person};

const DOCUMENTS: usize = 2_500;
/// Of one document, in passages of four.
const CHUNKS_A_DOCUMENT: usize = 40;
const CHUNKS_A_PASSAGE: usize = 4;
/// Documents that are put side by side: the store writes them together.
const PUT_AT_ONCE: usize = 8;
const QUERIES: usize = 20;
/// What one document alone says.
const MARK: &str = "zyzzyva";
const MARKED: usize = 7;
/// Aim of the issue, in seconds.
const AIM: f64 = 2.0;
/// What a start does in the background has begun by then.
const BACKGROUND: Duration = Duration::from_secs(2);
const EMBEDDER: &str = "local:double";
const BOUNDS: IngestBounds = IngestBounds {
    open_max: 64,
    scope_bytes_max: 1_000_000_000,
    scope_chunks_max: 1_000_000,
    chunks_max: 1_000_000,
};
/// Ticks of `/proc/self/stat` in a second.
const TICKS: f64 = 100.0;

/// Counts texts of documents, and knows no meaning.
#[derive(Default)]
struct Double(AtomicUsize);

impl TextEmbedder for Double {
    fn name(&self) -> &str {
        EMBEDDER
    }
    fn embed(&self, text: &str, kind: EmbedKind) -> Result<Vec<f32>, String> {
        if kind == EmbedKind::Passage {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
        Ok(Draw(text.len() as u64).numbers())
    }
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let (documents, double) = (documents(), Arc::new(Double::default()));
    let embedder = Arc::clone(&double) as Arc<dyn TextEmbedder>;
    let setup = Setup {
        documents: DocumentDeps { embedders: vec![embedder], folder: None },
        ..Setup::default()
    };
    let (who, marked) = filled(&setup, documents).await;
    println!(
        "{documents} documents of {CHUNKS_A_DOCUMENT} chunks in the store, {} MB on disk; load average {}",
        disk_bytes(&setup) / 1_000_000,
        load()
    );

    let started = Started::of(&setup, &who).await;
    searches(&started.governor, &who).await;
    started.print("a start", &double, marked).await;
    let begun = Instant::now();
    let principal = principal(started.governor.store(), &who).await;
    started.governor.documents().remove_document(&principal, marked).await.expect("removed");
    println!("a delete: {:.1} ms", millis(begun));
    let found = search(&started.governor, &who, MARK).await;
    println!("  the document is found: {}", has(&found, marked));
    started.governor.shutdown().await;
    drop(started);

    let started = Started::of(&setup, &who).await;
    started.print("one more start", &double, marked).await;
    started.governor.shutdown().await;
}

/// As many as are asked for: `cargo bench` adds words of its own.
fn documents() -> usize {
    let behind = std::env::args().skip_while(|arg| arg != "--documents").nth(1);
    let count = behind.map_or(DOCUMENTS, |count| count.parse().expect("a number of documents"));
    assert!(count > MARKED, "more than {MARKED} documents");
    count
}

/// The store has them and is closed: whose they are, and the one that has the mark.
async fn filled(setup: &Setup, documents: usize) -> (Person, DocumentId) {
    let governor = setup.start().await;
    let store = governor.store().clone();
    // What is queued here is ended here, and by nobody else.
    governor.shutdown().await;
    drop(governor);
    let who = person(&store, "owner", false, default_profile()).await;
    let mut draw = Draw(28);
    let (begun, words) = (Instant::now(), Words::new(&mut draw));
    let (all, mut put): (Vec<usize>, Vec<DocumentId>) = ((0..documents).collect(), Vec::new());
    for part in all.chunks(PUT_AT_ONCE) {
        let author = principal(&store, &who).await;
        let contents = part.iter().map(|nth| content(&words, &mut draw, *nth));
        let contents: Vec<DocumentContent> = contents.collect();
        let puts = part.iter().zip(contents).map(|(nth, content)| {
            let (store, author) = (&store, &author);
            async move { put_one(store, author, *nth, content).await }
        });
        put.extend(join_all(puts).await);
        if put.len() % 200 < PUT_AT_ONCE {
            let seconds = begun.elapsed().as_secs();
            eprintln!(
                "filling the store, which takes a while: {} of {documents} documents, {seconds} s",
                put.len()
            );
        }
    }
    (who, *put.get(MARKED).expect("the marked one"))
}

async fn put_one(
    store: &Store,
    author: &Principal,
    nth: usize,
    content: DocumentContent,
) -> DocumentId {
    let new = NewIngest {
        scope: Scope::User(author.user()),
        origin: DocumentOrigin::Upload,
        file_name: file_name(nth),
        title: None,
        media_type: None,
        file: nth.to_string().into_bytes(),
    };
    let queued = store.queue_ingest(DocumentAuthor::of(author), new, BOUNDS).await;
    let job = queued.expect("an ingest").id;
    store.put_document(job, content, BOUNDS).await.expect("a document").id
}

fn file_name(nth: usize) -> String {
    format!("{nth}.md")
}

/// With a vector of the double's for each chunk.
fn content(words: &Words, draw: &mut Draw, nth: usize) -> DocumentContent {
    let title = words.query(draw);
    let mut texts: Vec<String> =
        (0..CHUNKS_A_DOCUMENT).map(|at| words.chunk(draw, at % 2 == 0)).collect();
    if let Some(english) = texts.get_mut(1).filter(|_| nth == MARKED) {
        *english = format!("{MARK} {english}");
    }
    let passage =
        |texts: &[String]| NewPassage { headings: Vec::new(), page: None, text: texts.join("\n") };
    let passages = texts.chunks(CHUNKS_A_PASSAGE).map(passage).collect();
    let chunk = |(at, text): (usize, String)| NewChunk {
        passage: u32::try_from(at / CHUNKS_A_PASSAGE).expect("few"),
        hash: ContentDigest::of_bytes(text.as_bytes()),
        terms: Terms::of(&title, &file_name(nth), &text).to_bytes(),
        text,
    };
    let chunks: Vec<NewChunk> = texts.into_iter().enumerate().map(chunk).collect();
    let vectors = chunks.iter().map(|chunk| (chunk.hash, draw.vector().to_bytes())).collect();
    let vectors = Some(NewVectors { embedder: EMBEDDER.to_owned(), vectors });
    DocumentContent { title, passages, chunks, vectors, after: AfterPut::Ready(None) }
}

/// A governor over what the store has, from the opening of the store to the answer to a question that was asked at once.
struct Started {
    governor: Governor,
    seconds: f64,
    cpu_seconds: f64,
    found: FoundPassages,
}

impl Started {
    async fn of(setup: &Setup, who: &Person) -> Self {
        let (begun, cpu) = (Instant::now(), cpu_seconds());
        let governor = setup.start().await;
        governor.recover().await.expect("recovered");
        let found = search(&governor, who, MARK).await;
        let seconds = begun.elapsed().as_secs_f64();
        Self { governor, seconds, cpu_seconds: cpu_seconds() - cpu, found }
    }

    async fn print(&self, name: &str, double: &Double, marked: DocumentId) {
        let Self { seconds, cpu_seconds, found, .. } = self;
        let note = if *seconds > AIM { "above the aim" } else { "within the aim" };
        println!(
            "{name}: ready, and the first question answered, in {seconds:.2} s, {cpu_seconds:.2} CPU s; {note} of {AIM} s"
        );
        let of = |count: fn(&SegmentTrace) -> usize| -> usize {
            found.trace.segments.iter().map(count).sum()
        };
        let (chunks, vectors) = (of(|segment| segment.chunks), of(|segment| segment.vectors));
        println!("  in the library: {chunks} chunks, {vectors} with a vector");
        println!("  the marked document is found: {}", has(found, marked));
        tokio::time::sleep(BACKGROUND).await;
        let missing = self.governor.documents().standing().await.expect("a standing").missing;
        let embedded = double.0.load(Ordering::SeqCst);
        println!("  texts embedded: {embedded}; texts without a vector: {missing}");
    }
}

/// Behind the first question.
async fn searches(governor: &Governor, who: &Person) {
    let mut draw = Draw(29);
    let words = Words::new(&mut draw);
    let mut all = Vec::new();
    for _ in 0..QUERIES {
        let (text, begun) = (words.query(&mut draw), Instant::now());
        search(governor, who, &text).await;
        all.push(millis(begun));
    }
    let first = all.first().copied().unwrap_or_default();
    all.sort_by(f64::total_cmp);
    let median = all.get(QUERIES / 2).copied().unwrap_or_default();
    println!(
        "the first search when all is ready: {first:.1} ms; median of {QUERIES}: {median:.1} ms"
    );
}

/// Waits for what is being loaded, however long.
async fn search(governor: &Governor, who: &Person, text: &str) -> FoundPassages {
    let principal = principal(governor.store(), who).await;
    let wanted = SearchDocuments { project: None, text: text.to_owned(), limit: PASSAGES_DEFAULT };
    loop {
        let found = governor.documents().search_documents(&principal, wanted.clone()).await;
        if !matches!(found, Err(DocumentError::Unavailable(_))) {
            return found.expect("an answer");
        }
    }
}

async fn principal(store: &Store, who: &Person) -> Principal {
    store.authenticate(&who.token, None, now()).await.expect("logged in")
}

fn has(found: &FoundPassages, document: DocumentId) -> &'static str {
    if found.hits.iter().any(|hit| hit.document == document) { "yes" } else { "no" }
}

fn millis(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e3
}

/// Of all threads, in steps of 10 ms.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program is in brackets and may have spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks / TICKS
}

fn disk_bytes(setup: &Setup) -> u64 {
    let files = fs::read_dir(setup.folder.path()).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|about| about.len()).sum()
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
