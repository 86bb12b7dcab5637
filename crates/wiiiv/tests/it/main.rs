//! The program as its users run it: processes, terminals left out.

mod audit;
mod configuration;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod damage;
mod demo;
mod exit_codes;
#[cfg(test)]
mod host;
mod model;
mod program;
mod sandbox;
mod server;
