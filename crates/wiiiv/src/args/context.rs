//! Arguments of `context`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum ContextCommand {
    Eval(ContextEvalArgs),
}

#[derive(Debug, Args)]
pub struct ContextEvalArgs {
    #[arg(value_name = "FOLDER", default_value = "context-eval")]
    pub conversations: PathBuf,
    #[arg(long = "model", value_name = "PROVIDER:MODEL", default_value = "OPENAI:gpt-4o-mini")]
    pub counted_as: String,
}
