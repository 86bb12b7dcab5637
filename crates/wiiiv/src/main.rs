//! The program: command line, configuration, telemetry and `main`.
//!
//! - `dispatch` runs the command that `args` has parsed; `commands/` has one file for each.
//! - `start` and `open` build a server: `open` is the only opening of a gate.
//! - `config` reads settings from defaults, files, environment and flags; `telemetry` exports
//!   metrics.
//! - `audit_feed` sends the audit on to receivers; `serve` keeps it going, `commands/audit_send` does it once.
//! - `demo` prepares a user, a project and services; `serve` runs the server until a signal.
//!
//! Begin reading at `dispatch.rs`, then `open.rs` and `commands/chat.rs`.

mod account;
mod args;
mod audit_feed;
mod citation;
mod clock;
mod commands;
mod complaint;
mod config;
mod connection;
mod context;
mod credentials;
mod demo;
mod dispatch;
mod document_scopes;
mod draft;
mod embedders;
mod exit;
mod failure;
mod folders;
mod help;
mod io_reason;
mod json_file;
mod line_changes;
mod local_model_fault;
mod master;
mod misuse;
mod model_name;
mod open;
mod open_files;
mod output;
mod plan;
mod preference;
mod preview;
mod provider_model;
mod query;
mod secret;
mod serve;
mod short_id;
mod start;
mod start_error;
mod telemetry;
mod terminal;
mod texts;
mod tokenizers;

use std::process::ExitCode;

/// A turn makes thousands of small allocations, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // First of all: the child limits itself before it reads anything.
    if std::env::args_os().nth(1).is_some_and(|name| name == wiiiv_exec::sandbox::COMMAND) {
        return wiiiv_exec::sandbox::run_child();
    }
    secret::no_core_dumps();
    wiiiv_net::install_tls_provider();
    dispatch::run().into()
}
