//! How long one utterance takes to be read: the committed tables, every utterance many times; and hostile
//! ones of full length, with the memory that they take at most.
//!
//! `cargo xtask bench language`

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends with the reason")]

use serde::Deserialize;
use std::{hint::black_box, time::Instant};
use wiiiv_domain::MESSAGE_CHARS_MAX;
use wiiiv_language::{Lexicon, Situation, read};

const TABLES: [&str; 2] = [
    include_str!("../tests/it/utterances/independent.toml"),
    include_str!("../tests/it/utterances/utterances.toml"),
];
const SYSTEMS: &str = include_str!("../tests/it/utterances/systems.toml");
const ROUNDS: usize = 21;
/// What readers look at again and again, and what is no text at all.
const HOSTILE: [&str; 16] = [
    "그리고 지워 ",
    "a.txt랑 ",
    "over ",
    "not ",
    "or ",
    "except food ",
    "식품하고 ",
    "일이삼사오",
    "'",
    "{\"",
    "instead of ",
    "wrlte ",
    "ㅁㄴㅇㄹ",
    "\u{1100}\u{1161}\u{11a8}",
    "\u{301}",
    "가a1ㄱ\u{202e}\0",
];
/// The longest message, and one that is longer than any.
const LENGTHS: [usize; 2] = [MESSAGE_CHARS_MAX, 100_000];

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
    hostile(&lexicon, &situation);
}

fn hostile(lexicon: &Lexicon, situation: &Situation) {
    let before = peak_kib();
    for chars in LENGTHS {
        let slowest = HOSTILE.map(|piece| {
            let full = piece.repeat(chars / piece.chars().count());
            let begun = Instant::now();
            black_box(read(lexicon, black_box(&full), situation));
            (begun.elapsed().as_secs_f64() * 1e3, piece)
        });
        let (slowest, piece) =
            slowest.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
        println!(
            "hostile, {chars} characters: slowest {slowest:.1} ms ({piece:?} again and again)"
        );
    }
    println!("peak memory: {} KiB more than before them", peak_kib().saturating_sub(before));
}

/// Of the process, as Linux tells it; 0 elsewhere.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or_default()
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
