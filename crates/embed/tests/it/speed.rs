//! What a text costs, in milliseconds of one processor.

use crate::weights::folder;
use wiiiv_embed::{Embedder, Kind, LocalModel};

const QUERY: &str = "환불은 며칠 안에 신청해야 하나요?";
const SENTENCE: &str =
    "승인이 늦어지면 알림이 가고, it is answered after three days at the latest. ";
const TOKENS: usize = 256;
const TRIES: u8 = 8;

/// Of this thread, however busy the machine is.
fn milliseconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds: f64 = told.split(' ').next().unwrap().parse().unwrap();
    nanoseconds / 1e6
}

#[test]
fn a_text_costs_milliseconds() {
    let Some(folder) = folder() else { return };
    for model in LocalModel::ALL {
        let begun = milliseconds();
        let embedder = Embedder::open(&folder, model).unwrap();
        let opened = milliseconds() - begun;
        let mut passage = String::new();
        while embedder.count_tokens(&passage) < TOKENS {
            passage.push_str(SENTENCE);
        }
        // The clock ticks every few milliseconds: they are counted together.
        let cost = |text: &str, kind| {
            let begun = milliseconds();
            (0..TRIES).for_each(|_| drop(embedder.embed(text, kind).unwrap()));
            (milliseconds() - begun) / f64::from(TRIES)
        };
        let (query, whole) = (cost(QUERY, Kind::Query), cost(&passage, Kind::Passage));
        let tokens = embedder.count_tokens(&passage);
        println!(
            "figure: {model}: opened in {opened:.0} ms; a query {query:.1} ms, {tokens} tokens {whole:.0} ms"
        );
        assert!(query < whole, "{query} {whole}");
    }
}
