//! What is printed: one column for each number of connections.

use crate::{
    counters::Counters,
    floor::Floor,
    langgraph,
    load::{Round, median},
    options::Options,
};

pub struct Column {
    pub connections: usize,
    /// Rounds of W-bare.
    pub calls: Vec<Round>,
    /// Rounds of W-turn.
    pub turns: Vec<Round>,
    pub counters: Counters,
}

impl Column {
    pub fn turns(&self) -> usize {
        self.turns.iter().map(Round::turns).sum()
    }
    pub fn per_turn(&self, sum: Option<f64>) -> Option<f64> {
        Some(sum? / self.turns() as f64)
    }
}

pub fn print(options: &Options, columns: &[Column], floor: &Floor) {
    println!(
        "W-turn and W-bare: medians of {} interleaved rounds, at least {} CPU seconds a side each",
        options.rounds, options.cpu_seconds
    );
    let head: Vec<String> = columns.iter().map(|column| column.connections.to_string()).collect();
    row("connections", &head);
    let of = |rounds: &[Round], figure: fn(&Round) -> f64| median(rounds.iter().map(figure));
    let figures = |name: &str, digits: usize, figure: &dyn Fn(&Column) -> Option<f64>| {
        let text = |column| figure(column).map_or("-".to_owned(), |f| format!("{f:.digits$}"));
        row(name, &columns.iter().map(text).collect::<Vec<_>>());
    };
    let both = |name: &str, digits: usize, figure: fn(&Round) -> f64| {
        figures(&format!("bare {name}"), digits, &|column| Some(of(&column.calls, figure)));
        figures(&format!("turn {name}"), digits, &|column| Some(of(&column.turns, figure)));
        let ratio = |column: &Column| of(&column.turns, figure) / of(&column.calls, figure);
        figures("  ratio", 2, &|column| Some(ratio(column)));
    };
    both("CPU µs", 0, Round::cpu_us);
    both("p50 ms", 2, |round| round.latency_ms(0.5));
    both("p99 ms", 2, |round| round.latency_ms(0.99));
    both("turns/s", 1, Round::turns_per_second);
    figures("reads a turn", 2, &|column| column.per_turn(column.counters.reads));
    figures("writes a turn", 2, &|column| column.per_turn(column.counters.writes));
    figures("commits a turn", 2, &|column| column.per_turn(column.counters.commits));
    let kilo = |sum: f64| Some(sum / 1e3);
    figures("kB written a turn", 1, &|c| c.per_turn(kilo(c.counters.bytes_written)));
    figures("kB kept a turn", 1, &|c| c.per_turn(kilo(c.counters.bytes_kept)));
    let floor_of = |column: &Column| of(&column.calls, Round::cpu_us) + floor.cpu_us;
    figures("over bare + floor", 2, &|c| Some(of(&c.turns, Round::cpu_us) / floor_of(c)));
    // What the floor waits for is the disk, once for each commit of a turn that shares none.
    let waits_ms = floor.wall_ms - floor.cpu_us / 1e3;
    let p50 = |column: &Column| of(&column.turns, |round| round.latency_ms(0.5));
    figures("p50 less its fsyncs", 2, &|c| (c.connections == 1).then(|| p50(c) - waits_ms));
    println!(
        "floor: {:.0} µs CPU and {:.2} ms a turn for its {:.1} rows in {} commits, by cached raw \
         statements on one thread",
        floor.cpu_us, floor.wall_ms, floor.rows_per_turn, floor.commits_per_turn
    );
}

/// One process of LangGraph, one turn at a time, beside each column of this build.
pub fn print_rivals(columns: &[Column], rivals: &[langgraph::Round]) {
    if rivals.is_empty() {
        return;
    }
    let cpu = median(rivals.iter().map(|round| round.cpu_us));
    let rate = median(rivals.iter().map(|round| round.turns_per_second));
    println!("LangGraph: {cpu:.0} µs CPU a turn, {rate:.1} turns/s");
    for column in columns {
        let ours = median(column.turns.iter().map(Round::cpu_us));
        let turns = median(column.turns.iter().map(Round::turns_per_second));
        println!(
            "  at {} connection(s): LangGraph / ours {:.2} in CPU, ours / LangGraph {:.1} in turns/s",
            column.connections,
            cpu / ours,
            turns / rate
        );
    }
}

fn row(name: &str, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>10}")).collect();
    println!("{name:<20}{}", cells.concat());
}
