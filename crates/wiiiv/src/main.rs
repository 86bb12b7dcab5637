//! x
mod config;
mod folders;
fn main() { let _ = config::load(&config::Flags::default()); }
