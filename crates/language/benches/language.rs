//! How long one utterance takes to be read: the committed tables, every utterance many times.
//!
//! `cargo xtask bench language`

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends with the reason")]

use serde::Deserialize;
use std::{hint::black_box, time::Instant};
use wiiiv_language::{Lexicon, Situation, read};

const TABLES: [&str; 2] = [
    include_str!("../tests/it/utterances/independent.toml"),
    include_str!("../tests/it/utterances/utterances.toml"),
];
const SYSTEMS: &str = include_str!("../tests/it/utterances/systems.toml");
const ROUNDS: usize = 21;

#[derive(Deserialize)]
struct Table {
    utterance: Vec<Utterance>,
}
#[derive(Deserialize)]
struct Utterance {
    text: String,
}
#[derive(Deserialize)]
struct Systems {
    system: Vec<wiiiv_domain::System>,
}

fn main() {
    let begun = Instant::now();
    let lexicon = Lexicon::embedded().expect("the lexicons compile");
    println!("lexicons compiled in {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    let tables = TABLES.map(|text| toml::from_str::<Table>(text).expect("a table"));
    let texts: Vec<String> =
        tables.into_iter().flat_map(|table| table.utterance).map(|u| u.text).collect();
    let systems: Systems = toml::from_str(SYSTEMS).expect("the systems");
    let situation = Situation { systems: systems.system.into(), ..Situation::default() };

    let mut each: Vec<f64> = texts.iter().map(|text| of(&lexicon, text, &situation)).collect();
    each.sort_by(f64::total_cmp);
    let at = |share: usize| each.get(each.len() * share / 100).copied().unwrap_or_default();
    let slowest = each.last().copied().unwrap_or_default();
    println!("{} utterances, median of {ROUNDS} readings of each, in µs:", texts.len());
    println!("median {:.0}   p95 {:.0}   slowest {slowest:.0}", at(50), at(95));
}

/// The median of its rounds, in µs.
fn of(lexicon: &Lexicon, text: &str, situation: &Situation) -> f64 {
    let round = |_| {
        let begun = Instant::now();
        black_box(read(lexicon, black_box(text), situation));
        begun.elapsed().as_secs_f64() * 1e6
    };
    let mut rounds: Vec<f64> = (0..ROUNDS).map(round).collect();
    rounds.sort_by(f64::total_cmp);
    rounds.get(ROUNDS / 2).copied().unwrap_or_default()
}
