//! Two servers under the same load, interleaved: this build and another revision, or this build with fine rules or
//! memories and without.

use crate::{
    governed::{Governed, model},
    load::{Round, Stop, median},
    options::{Options, THIS_BUILD},
};
use std::path::Path;

pub async fn other_build(options: &Options, other: &Path) {
    let model = model().await;
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let this = Governed::start(THIS_BUILD, &model, folders[0].path()).await;
    let that = Governed::start(other, &model, folders[1].path()).await;
    print(options, "this build / the other", &this, &that).await;
}

/// This build with that many fine rules in the project's policy against itself with none. All of them are about reading
/// files and none forbids what the turn reads.
pub async fn no_fine_rule(options: &Options, count: usize) {
    let model = model().await;
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let with = Governed::start(THIS_BUILD, &model, folders[0].path()).await;
    let without = Governed::start(THIS_BUILD, &model, folders[1].path()).await;
    with.add_fine_rules(count).await;
    print(options, &format!("with {count} fine rules / with none"), &with, &without).await;
}

/// This build with that many characters kept in mind of everybody who talks against itself with none.
pub async fn no_memory(options: &Options, chars: usize) {
    let model = model().await;
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let with = Governed::start(THIS_BUILD, &model, folders[0].path()).await;
    let without = Governed::start(THIS_BUILD, &model, folders[1].path()).await;
    with.keep_in_mind(chars).await;
    let title = format!("with {chars} characters of memory / with none");
    print(options, &title, &with, &without).await;
}

async fn print(options: &Options, title: &str, this: &Governed, that: &Governed) {
    println!(
        "{title}, {} interleaved rounds, at least {} CPU seconds a side each: \
         median ratio (lowest to highest)",
        options.rounds, options.cpu_seconds
    );
    let stop = Stop::CpuSeconds(options.cpu_seconds);
    for connections in options.connections.iter().copied() {
        let mut pairs = Vec::new();
        for round in 0..options.rounds {
            // Whoever comes first in a round comes second in the next.
            let (first, second) = if round % 2 == 0 { (this, that) } else { (that, this) };
            let sessions = first.sessions(connections).await;
            let one = first.round(&sessions, connections, stop).await;
            let sessions = second.sessions(connections).await;
            let other = second.round(&sessions, connections, stop).await;
            pairs.push(if round % 2 == 0 { (one, other) } else { (other, one) });
        }
        println!("{connections} connection(s)");
        line("CPU µs", &pairs, Round::cpu_us);
        line("p50 ms", &pairs, |round| round.latency_ms(0.5));
        line("p99 ms", &pairs, |round| round.latency_ms(0.99));
        line("turns/s", &pairs, Round::turns_per_second);
    }
}

fn line(name: &str, pairs: &[(Round, Round)], figure: fn(&Round) -> f64) {
    let ratios: Vec<f64> = pairs.iter().map(|(this, that)| figure(this) / figure(that)).collect();
    let lowest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = ratios.iter().copied().fold(0.0, f64::max);
    println!(
        "  {name:<8}{:8.3} ({lowest:.3} to {highest:.3})   {:10.2} / {:.2}",
        median(ratios),
        median(pairs.iter().map(|(this, _)| figure(this))),
        median(pairs.iter().map(|(_, that)| figure(that))),
    );
}
