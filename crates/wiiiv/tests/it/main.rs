//! The program as its users run it: processes, terminals left out.

mod audit;
mod configuration;
mod demo;
mod exit_codes;
mod program;
mod sandbox;
mod server;
