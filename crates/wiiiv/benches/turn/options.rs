//! The command line of the benchmark.

use std::path::PathBuf;

pub const THIS_BUILD: &str = env!("CARGO_BIN_EXE_wiiiv");

pub const USAGE: &str = "\
usage: cargo xtask bench turn [--connections 1,16,64] [--rounds 5] [--cpu-seconds 5] [--langgraph]
       cargo xtask bench turn --chat [--connections 1,16] [--rounds 5] [--cpu-seconds 5]
       cargo xtask bench turn --curves [--rounds 5] [--cpu-seconds 5]
       cargo xtask bench turn --audit-rows [--rounds 5] [--cpu-seconds 5]
       cargo xtask bench turn --restarts [--rounds 5]
       cargo xtask bench turn --against REV [--connections 1,16] [--rounds 10] [--cpu-seconds 2]
       cargo xtask bench turn --fine-rules 20 [--connections 1,16] [--rounds 10] [--cpu-seconds 2]
       cargo xtask bench turn --memory 1000 [--connections 1,16] [--rounds 10] [--cpu-seconds 2]";

pub enum Task {
    /// Against the server that only makes the model calls.
    Bare,
    /// Turns that are answered in words and do nothing.
    Chat,
    Curves,
    /// The curve of the audit alone, which takes longest.
    AuditRows,
    /// The last of the curves alone.
    Restarts,
    /// Against this binary of another revision.
    Against(PathBuf),
    /// With so many fine rules in the project's policy against none.
    FineRules(usize),
    /// With so many characters of memory of whoever talks against none.
    Memory(usize),
}

pub struct Options {
    pub task: Task,
    pub connections: Vec<usize>,
    pub rounds: usize,
    /// CPU seconds that each side takes at least in a round: `/proc` counts ticks of 10 ms.
    pub cpu_seconds: f64,
    /// A Python that has LangGraph: its turn is measured in the same run.
    pub langgraph: Option<PathBuf>,
}

impl Options {
    pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut args = args.into_iter();
        let (mut task, mut connections, mut rounds, mut cpu_seconds, mut langgraph) =
            (Task::Bare, None, None, None, None);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("`{arg}` lacks its value"));
            match arg.as_str() {
                // What `cargo bench` adds.
                "--bench" => {}
                "--chat" => task = Task::Chat,
                "--curves" => task = Task::Curves,
                "--audit-rows" => task = Task::AuditRows,
                "--restarts" => task = Task::Restarts,
                "--against-binary" => task = Task::Against(PathBuf::from(value()?)),
                "--fine-rules" => task = Task::FineRules(number(&value()?)?),
                "--memory" => task = Task::Memory(number(&value()?)?),
                "--connections" => connections = Some(list(&value()?)?),
                "--rounds" => rounds = Some(number(&value()?)?),
                "--langgraph-python" => langgraph = Some(PathBuf::from(value()?)),
                "--cpu-seconds" => cpu_seconds = Some(seconds(&value()?)?),
                _ => return Err(format!("`{arg}` is no option")),
            }
        }
        let (usual_connections, usual_rounds, usual_seconds) = match task {
            Task::Bare => (vec![1, 16, 64], 5, 5.0),
            Task::Chat => (vec![1, 16], 5, 5.0),
            Task::Curves | Task::AuditRows | Task::Restarts => (vec![16], 5, 5.0),
            Task::Against(_) | Task::FineRules(_) | Task::Memory(_) => (vec![1, 16], 10, 2.0),
        };
        Ok(Self {
            task,
            connections: connections.unwrap_or(usual_connections),
            rounds: rounds.unwrap_or(usual_rounds),
            cpu_seconds: cpu_seconds.unwrap_or(usual_seconds),
            langgraph,
        })
    }
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("`{text}` is no number above 0"))
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| format!("`{text}` is no number of seconds"))
}

fn list(text: &str) -> Result<Vec<usize>, String> {
    text.split(',').map(number).collect()
}
