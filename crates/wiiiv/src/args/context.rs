//! Arguments of `context`.

use crate::args::words::within;
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
    #[command(flatten)]
    pub judgement: JudgementArgs,
}

/// A real model that measures answers, as `ghost run --mode live` is given one.
#[derive(Debug, Args)]
pub struct JudgementArgs {
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub judge: Option<String>,
    #[arg(long, value_name = "MODEL", requires = "judge")]
    pub answer_model: Option<String>,
    #[arg(long = "calls", value_name = "NUMBER", requires = "judge",
        value_parser = within(1..=100_000_u32))]
    pub judgement_calls: Option<u32>,
    #[arg(long = "base-url", value_name = "URL", requires = "judge")]
    pub live_base_url: Option<String>,
    #[arg(long, value_name = "FILE", requires = "judge")]
    pub key_file: Option<PathBuf>,
    #[arg(
        long = "key-env",
        value_name = "VARIABLE",
        requires = "judge",
        conflicts_with = "key_file"
    )]
    pub key_variable: Option<String>,
}
