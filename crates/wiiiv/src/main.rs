//! The program: `dispatch` reads the command line and runs what it asks for; `open` puts a server together.

mod account;
mod args;
mod clock;
mod commands;
mod complaint;
mod config;
mod connection;
mod context;
mod credentials;
mod demo;
mod dispatch;
mod exit;
mod failure;
mod folders;
mod help;
mod master;
mod misuse;
mod open;
mod open_files;
mod output;
mod plan;
mod preference;
mod preview;
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

fn main() -> ExitCode {
    // First of all: the child limits itself before it reads anything.
    if std::env::args_os().nth(1).is_some_and(|name| name == wiiiv_exec::sandbox::COMMAND) {
        return wiiiv_exec::sandbox::run_child();
    }
    secret::no_core_dumps();
    wiiiv_net::install_tls_provider();
    dispatch::run().into()
}
