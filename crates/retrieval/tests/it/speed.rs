//! Time in proportion to the text, whatever it holds.

use crate::{body, letters, tokens};
use std::{
    fs,
    time::{Duration, Instant},
};
use wiiiv_retrieval::{Chunking, SourceText, cut, normalized};

/// What somebody would send who wants it to take long.
fn hostile() -> Vec<(&'static str, String)> {
    let n = 8_000;
    vec![
        ("one word", "a".repeat(n * 4)),
        ("one line", "단어 word. ".repeat(n / 2)),
        ("one letter", format!("e{}", "\u{301}\u{323}".repeat(n))),
        ("joiners", "👩\u{200d}".repeat(n)),
        ("flags", "\u{1f1f0}".repeat(n)),
        ("lines", "\n".repeat(n * 4)),
        ("short lines", "a\n".repeat(n * 2)),
        ("paragraphs", "a\n\n".repeat(n)),
        ("headings", "# a\n## b\n".repeat(n / 4)),
        ("table", format!("{}|\n|---|\n{}", "|a".repeat(n), "|b|\n".repeat(n))),
        ("fences", "```\n".repeat(n)),
        ("items", "- a\n".repeat(n)),
        ("stops", ". ! ? 。".repeat(n)),
        ("quotes", "”".repeat(n)),
        ("different", (0..n).map(|at| format!("w{at} ")).collect()),
    ]
}

/// What this thread has had of a processor: other work beside it counts for nothing.
fn cpu() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(told.split(' ').next().unwrap().parse().unwrap())
}

fn taken(text: &str, count: &dyn Fn(&str) -> usize) -> Duration {
    let begun = cpu();
    for source in
        [SourceText::plain(text), SourceText::markdown(text), SourceText::code(text, "rust")]
    {
        for chunking in [Chunking::ParentChild, Chunking::Flat] {
            assert!(cut("t", &source, chunking, count).len() < 200_000);
        }
    }
    cpu() - begun
}

/// Four times the text may take eight times as long: of two measurements the best of each counts.
#[test]
fn time_grows_with_the_text_and_no_faster() {
    for (name, text) in hostile() {
        let best = |text: &str| (0..2).map(|_| taken(text, &tokens)).min().unwrap_or_default();
        let quarter: String = text.chars().take(text.chars().count() / 4).collect();
        let (short, long) = (best(&quarter), best(&text));
        let limit = short.mul_f64(8.0).max(Duration::from_millis(150));
        assert!(long <= limit, "{name}: {short:?}, four times the text {long:?}");
    }
}

/// The same letters, with the long line a paragraph of its own and as the first line of that of the others.
#[test]
fn lines_behind_a_long_one_cost_no_more_than_behind_a_short_one() {
    let (long, lines) = ("a".repeat(1 << 19), "a\n".repeat(1 << 17));
    let read = |text: String| {
        let begun = cpu();
        assert!(!SourceText::markdown(&text).parts.is_empty());
        cpu() - begun
    };
    let (apart, below) = (read(format!("{long}\n\n{lines}")), read(format!("{long}\n{lines}")));
    let limit = apart.mul_f64(8.0).max(Duration::from_millis(150));
    assert!(below <= limit, "apart {apart:?}, below {below:?}");
}

/// Counters that say that everything is too long, or nothing.
#[test]
fn no_counter_makes_it_endless() {
    let text = "가나다 word. ".repeat(400);
    for of_all in [0, 1, 1_000_000, usize::MAX] {
        for chunking in [Chunking::ParentChild, Chunking::Flat] {
            let passages = cut("t", &SourceText::plain(&text), chunking, &|_| of_all);
            assert_eq!(body(&passages), letters(&text));
        }
    }
}

#[test]
#[ignore = "long: ten megabytes of each"]
fn ten_megabytes_in_one_line() {
    for text in ["a", "단어 word. ", "e\u{301}", "👩\u{200d}", "\u{301}", "w x 。"] {
        let text = text.repeat(10 * 1024 * 1024 / text.len());
        let begun = Instant::now();
        let passages = cut("t", &SourceText::plain(&text), Chunking::ParentChild, &tokens);
        assert_eq!(body(&passages).len(), letters(&normalized(&text)).len());
        assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", begun.elapsed());
    }
}
