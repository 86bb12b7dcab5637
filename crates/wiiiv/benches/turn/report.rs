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

pub fn print(options: &Options, columns: &[Column], floors: &[Floor]) {
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
    let over = |column: &Column, floor: &Floor| {
        of(&column.turns, Round::cpu_us) / (of(&column.calls, Round::cpu_us) + floor.cpu_us)
    };
    let each = || columns.iter().zip(floors);
    let cells = |figure: &dyn Fn(&Column, &Floor) -> String| {
        each().map(|(column, floor)| figure(column, floor)).collect::<Vec<_>>()
    };
    row("floor CPU µs", &cells(&|_, floor| format!("{:.0}", floor.cpu_us)));
    row("floor ms", &cells(&|_, floor| format!("{:.2}", floor.wall_ms)));
    row("over bare + floor", &cells(&|column, floor| format!("{:.2}", over(column, floor))));
    // What the floor waits for is the disk, once for each commit of a turn that shares none.
    let less = |column: &Column, floor: &Floor| match column.connections {
        1 => {
            let p50 = of(&column.turns, |round| round.latency_ms(0.5));
            format!("{:.2}", p50 - (floor.wall_ms - floor.cpu_us / 1e3))
        }
        _ => "-".to_owned(),
    };
    row("p50 less its fsyncs", &cells(&less));
    let rows = floors.first().map_or(0.0, |floor| floor.rows_per_turn);
    println!(
        "floor: a turn's {rows:.1} rows in as many commits as it has, by cached raw statements on one thread"
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

/// What a turn of conversation costs and leaves: one model call, no plan.
pub fn print_chat(columns: &[Column]) {
    let head: Vec<String> = columns.iter().map(|column| column.connections.to_string()).collect();
    row("connections", &head);
    let figures = |name: &str, digits: usize, figure: &dyn Fn(&Column) -> Option<f64>| {
        let text = |column| figure(column).map_or("-".to_owned(), |f| format!("{f:.digits$}"));
        row(name, &columns.iter().map(text).collect::<Vec<_>>());
    };
    figures("chat CPU µs", 0, &|column| Some(median(column.turns.iter().map(Round::cpu_us))));
    figures("reads a turn", 2, &|column| column.per_turn(column.counters.reads));
    figures("writes a turn", 2, &|column| column.per_turn(column.counters.writes));
    figures("commits a turn", 2, &|column| column.per_turn(column.counters.commits));
    figures("kB kept a turn", 1, &|c| c.per_turn(Some(c.counters.bytes_kept / 1e3)));
}

fn row(name: &str, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>10}")).collect();
    println!("{name:<20}{}", cells.concat());
}
