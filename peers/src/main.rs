//! The same texts and vectors through this search and others': what each finds, and what it costs.
//!
//! `cargo xtask bench peers [SET..] [--large]`: of the sets that are named, else of `rag-eval/` and those that
//! `cargo xtask rag-sets` built. `--large` adds 100,000 chunks to 10,000, which takes minutes.

mod by_hnsw;
mod by_sqlite;
mod by_tantivy;
mod cpu;
mod drawn;
mod ours;
mod pairs;
mod peer;
mod sets;

use cpu::{process_ms, thread_us};
use drawn::{DIMENSIONS, Draw, Words};
use peer::{ByWords, FOUND, Outcome};
use sets::{Page, Set};
use std::{collections::BTreeSet, hint::black_box, path::Path};
use wiiiv_retrieval::measure::ndcg_at;

const QUERIES: usize = 200;

/// A name, and what makes the index of some pages.
type Maker = (&'static str, fn(&[Page]) -> Outcome<ByWords>);

const MAKERS: [Maker; 7] = [
    ("ours", ours::by_words),
    ("tantivy, words", by_tantivy::words),
    ("tantivy, English stems", by_tantivy::stems),
    ("tantivy, pairs of syllables", by_tantivy::pairs),
    ("FTS5, unicode61", by_sqlite::words),
    ("FTS5, trigram", by_sqlite::trigrams),
    ("FTS5, pairs of syllables", by_sqlite::pairs),
];

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let is_large = args.iter().any(|arg| arg == "--large");
    for folder in args.iter().filter(|arg| !arg.starts_with("--")) {
        for set in sets::read(Path::new(folder))? {
            quality(&set)?;
        }
    }
    let sizes: &[usize] = if is_large { &[10_000, 100_000] } else { &[10_000] };
    for chunks in sizes {
        costs_of_words(*chunks)?;
        costs_of_meaning(*chunks)?;
    }
    Ok(())
}

/// nDCG@10 of all queries.
fn quality(Set { name, pages, queries }: &Set) -> Outcome<()> {
    println!("\n{name}: {} pages, {} queries", pages.len(), queries.len());
    println!("{:<30} {:>8} {:>12} {:>12}", "by words", "nDCG@10", "index, ms", "query, µs");
    for (peer, make) in MAKERS {
        let begun = process_ms();
        let search = make(pages)?;
        let indexed = process_ms() - begun;
        let begun = thread_us();
        let mut sum = 0.0;
        for query in queries {
            let answers: Vec<(usize, f64)> = query.answers.iter().map(|at| (*at, 1.0)).collect();
            sum += ndcg_at(&search(&query.text)?, &answers, FOUND);
        }
        let count = queries.len().max(1) as f64;
        let (ndcg, query) = (sum / count, (thread_us() - begun) / count);
        println!("{peer:<30} {ndcg:>8.3} {indexed:>12.0} {query:>12.0}");
    }
    Ok(())
}

/// Of drawn texts, which have no right answer: pages of four chunks.
fn costs_of_words(chunks: usize) -> Outcome<()> {
    let mut draw = Draw::new(28);
    let words = Words::new(&mut draw);
    let page = |draw: &mut Draw| {
        let is_korean = draw.below(2) == 0;
        let texts = (0..4).map(|_| words.chunk(draw, is_korean)).collect();
        Page { title: String::new(), chunks: texts }
    };
    let pages: Vec<Page> = (0..chunks / 4).map(|_| page(&mut draw)).collect();
    let queries: Vec<String> = (0..QUERIES).map(|_| words.query(&mut draw)).collect();
    println!("\n{chunks} drawn chunks\n{:<30} {:>12} {:>12}", "by words", "index, ms", "query, µs");
    for (peer, make) in MAKERS {
        let begun = process_ms();
        let search = make(&pages)?;
        let indexed = process_ms() - begun;
        let begun = thread_us();
        for query in &queries {
            black_box(search(query)?);
        }
        let query = (thread_us() - begun) / QUERIES as f64;
        println!("{peer:<30} {indexed:>12.0} {query:>12.0}");
    }
    Ok(())
}

/// Of drawn vectors, beside comparing each as it is.
fn costs_of_meaning(chunks: usize) -> Outcome<()> {
    let mut draw = Draw::new(29);
    let vectors: Vec<Vec<f32>> = (0..chunks).map(|_| draw.vector()).collect();
    let queries: Vec<Vec<f32>> = (0..QUERIES).map(|_| draw.vector()).collect();
    let exact: Vec<BTreeSet<usize>> =
        queries.iter().map(|query| nearest(&vectors, query)).collect();
    println!("\n{chunks} drawn vectors of {DIMENSIONS}");
    println!("{:<30} {:>8} {:>12} {:>12}", "by meaning", "recall", "index, ms", "query, µs");
    let begun = process_ms();
    let ours = ours::by_meaning(&vectors)?;
    row("ours, all of them", process_ms() - begun, &queries, &exact, |query| ours(query))?;
    let begun = process_ms();
    let graph = by_hnsw::Graph::new(&vectors);
    let indexed = process_ms() - begun;
    for width in [50, 200] {
        let name = format!("hnsw_rs, ef {width}");
        row(&name, indexed, &queries, &exact, |query| Ok(graph.search(query, FOUND, width)))?;
    }
    Ok(())
}

fn row(
    name: &str,
    indexed: f64,
    queries: &[Vec<f32>],
    exact: &[BTreeSet<usize>],
    search: impl Fn(&[f32]) -> Outcome<Vec<usize>>,
) -> Outcome<()> {
    let begun = thread_us();
    let mut found = 0;
    for (query, exact) in queries.iter().zip(exact) {
        found += search(query)?.into_iter().filter(|number| exact.contains(number)).count();
    }
    let query = (thread_us() - begun) / queries.len() as f64;
    let wanted: usize = exact.iter().map(BTreeSet::len).sum();
    let recall = found as f64 / wanted as f64;
    println!("{name:<30} {recall:>8.3} {indexed:>12.0} {query:>12.0}");
    Ok(())
}

fn nearest(vectors: &[Vec<f32>], query: &[f32]) -> BTreeSet<usize> {
    let product = |vector: &[f32]| -> f32 { vector.iter().zip(query).map(|(a, b)| a * b).sum() };
    let mut all: Vec<(f32, usize)> =
        vectors.iter().map(|vector| product(vector)).zip(0..).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().take(FOUND).map(|(_, number)| number).collect()
}
