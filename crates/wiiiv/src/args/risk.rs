//! `risk`: conversations on hold, what raised their risk, and the word of whoever clears it.

use crate::short_id::IdArg;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum RiskCommand {
    List,
    Show {
        conversation: IdArg,
    },
    Clear {
        conversation: IdArg,
        #[arg(long, id = "clear_reason", value_name = "TEXT")]
        reason: String,
    },
}
