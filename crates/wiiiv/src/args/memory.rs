//! `memory`: what is kept in mind of the user, or of a project.

use crate::args::words::within;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `wiiiv memory ...`
#[derive(Debug, Subcommand)]
pub enum MemoryCommand {
    Show(MemoryArg),
    Edit(MemoryEditArgs),
    History(MemoryArg),
    Export {
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        of: MemoryArg,
    },
}

/// Where the new text comes from, and what it follows.
#[derive(Debug, Args)]
pub struct MemoryEditArgs {
    #[arg(long = "file", id = "memory_file", value_name = "FILE")]
    pub file: Option<PathBuf>,
    #[arg(long = "expected", id = "memory_version", value_name = "VERSION",
        value_parser = within(0..=u64::MAX))]
    pub expected: Option<u64>,
    #[command(flatten)]
    pub of: MemoryArg,
}

/// Unlike elsewhere no project means none: the user's own memory.
#[derive(Debug, Args)]
pub struct MemoryArg {
    #[arg(long = "project", id = "memory_project", value_name = "PROJECT")]
    pub project: Option<String>,
}
