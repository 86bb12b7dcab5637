//! W-turn against W-bare: what a governed turn costs beside the two model calls that it makes.
//!
//! `cargo xtask bench turn [--connections 1,16,64] [--rounds N] [--cpu-seconds S]` measures the
//! governed server against the bare one. `--curves` measures how the cost of a turn grows, `--audit-rows` one of them, `--restarts`
//! how long a session takes to come back, `--chat` measures turns that are answered in words.
//! `--langgraph` adds LangGraph's own turn to the run. `--against REV` measures this tree against another revision,
//! `--fine-rules N` a project with that many fine rules against one with none, `--memory N` people with that many
//! characters of memory against people with none.
//!
//! The governed server is the real binary over a SQLite file with `synchronous = full`. The bare
//! server is this program in a second process and makes the same two upstream calls. The model
//! answers at once: first a tool call (FILE_READ, which no policy asks a person about), then text.
//! The turn lacks two things of W-turn: the pre-granted approval, since nobody is asked about a turn that
//! reads and a grant would count for nothing, and the 1,000 characters of memory: nobody has any but by `--memory`.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot go on ends with the reason"
)]

mod against;
mod bare;
mod counters;
mod curves;
mod floor;
mod governed;
mod langgraph;
mod load;
mod options;
mod process;
mod report;

use counters::Counters;
use governed::{Governed, chat_model, model};
use load::{Round, Stop};
use options::{Options, Task};

fn main() {
    wiiiv_net::install_tls_provider();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    if let Some(upstream) = bare::upstream() {
        return runtime.block_on(bare::serve(&upstream));
    }
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(reason) => {
            eprintln!("bench turn: {reason}\n{}", options::USAGE);
            std::process::exit(2);
        }
    };
    runtime.block_on(async {
        match &options.task {
            Task::Bare => against_bare(&options).await,
            Task::Chat => chat(&options).await,
            Task::Curves => curves::print(&options).await,
            Task::AuditRows => curves::audit_rows(&options).await,
            Task::Restarts => curves::restarts(&options).await,
            Task::Against(binary) => against::other_build(&options, binary).await,
            Task::FineRules(count) => against::no_fine_rule(&options, *count).await,
            Task::Memory(chars) => against::no_memory(&options, *chars).await,
        }
    });
}

/// One table of the governed server beside the bare one, a column for each number of connections.
async fn against_bare(options: &Options) {
    let model = model().await;
    let folder = tempfile::tempdir().expect("a folder");
    let governed = Governed::start(options::THIS_BUILD, &model, folder.path()).await;
    let bare = bare::Bare::start(&model);
    let mut langgraph = options.langgraph.as_ref().map(|python| {
        let folder = tempfile::tempdir().expect("a folder");
        (langgraph::LangGraph::start(python, &model, folder.path()), folder)
    });
    let mut rivals = Vec::new();
    let rows_before = floor::row_counts(&governed);
    let mut columns = Vec::new();
    for connections in &options.connections {
        let (mut turns, mut calls) = (Vec::new(), Vec::new());
        let mut counters = Counters::default();
        for _ in 0..options.rounds {
            let stop = Stop::CpuSeconds(options.cpu_seconds);
            calls.push(Round::run(&bare.process, *connections, stop, |_, _| bare.turn()).await);
            let sessions = governed.sessions(*connections).await;
            let before = Counters::read(&governed).await;
            let answered = model.answered();
            let round = governed.round(&sessions, *connections, stop).await;
            counters.add(&before, &Counters::read(&governed).await);
            let asked = model.answered() - answered;
            assert_eq!(asked, 2 * round.turns(), "a turn makes two model calls");
            turns.push(round);
            if let Some((langgraph, _)) = &mut langgraph {
                rivals.push(langgraph.round(options.cpu_seconds));
            }
        }
        columns.push(report::Column { connections: *connections, calls, turns, counters });
    }
    let floors = floor::measure(&governed, &rows_before, &columns);
    report::print(options, &columns, &floors);
    report::print_rivals(&columns, &rivals);
}

/// Turns that are answered in words, by themselves.
async fn chat(options: &Options) {
    let model = chat_model().await;
    let folder = tempfile::tempdir().expect("a folder");
    let governed = Governed::start(options::THIS_BUILD, &model, folder.path()).await;
    let mut columns = Vec::new();
    for connections in &options.connections {
        let mut column = report::Column {
            connections: *connections,
            calls: Vec::new(),
            turns: Vec::new(),
            counters: Counters::default(),
        };
        for _ in 0..options.rounds {
            let sessions = governed.sessions(*connections).await;
            let before = Counters::read(&governed).await;
            let stop = Stop::CpuSeconds(options.cpu_seconds);
            column.turns.push(governed.round(&sessions, *connections, stop).await);
            column.counters.add(&before, &Counters::read(&governed).await);
        }
        columns.push(column);
    }
    report::print_chat(&columns);
}
