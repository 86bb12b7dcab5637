//! Developer tasks: `cargo xtask test`, `tidy`, `web`, `dist`, `bench`, `fuzz`, `mutants` and `rag-sets`.

mod bench;
mod dist;
mod fault;
mod fuzz;
mod mutants;
mod peers;
mod process;
mod rag_sets;
mod revision;
mod suite;
mod task;
mod tidy;
mod web;

use crate::fault::Fault;
use std::{path::Path, process::ExitCode};
use task::Task;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("xtask: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// Answers whether everything that was checked is in order.
fn run() -> Result<bool, Fault> {
    let own_root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent")?;
    match Task::parse(std::env::args().skip(1))? {
        Task::Help => {
            println!("{}", task::USAGE);
            Ok(true)
        }
        Task::Tidy { root } => {
            tidy::run(root.as_deref().unwrap_or(own_root), &mut std::io::stdout())
        }
        Task::Test { long } => suite::run(own_root, long),
        Task::Web => web::build(own_root),
        Task::Dist => dist::run(own_root),
        Task::Bench { name, args } if name == peers::NAME => peers::run(own_root, &args),
        Task::Bench { name, args } => bench::run(own_root, &name, &args),
        Task::Mutants { count, seed } => mutants::run(own_root, count, seed),
        Task::RagSets => match rag_sets::missing() {
            Some(reason) => Err(reason.into()),
            None => rag_sets::build(own_root, &mut std::io::stdout()),
        },
        Task::Fuzz { name, seconds } => fuzz::run(own_root, &name, seconds),
    }
}
