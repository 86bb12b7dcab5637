//! `ghost`: scenarios that test the server, and the demo services that they use.

use crate::args::words::{one_of, within};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use wiiiv_domain::ModelSlot;
use wiiiv_ghost::Mode;

/// `ghost run --vary` and `ghost record` choose the others.
const MODES: [Mode; 5] = [Mode::Replay, Mode::Adversary, Mode::Faults, Mode::Twins, Mode::Live];
/// The slots whose models answer with a proposal.
const PLAYED_SLOTS: [ModelSlot; 2] = [ModelSlot::Governor, ModelSlot::Generator];

#[derive(Debug, Subcommand)]
pub enum GhostCommand {
    List(GhostSelection),
    Run(GhostRunArgs),
    Record(GhostRecordArgs),
    Coverage(GhostCoverageArgs),
    Report(GhostReportArgs),
    Services(GhostServicesArgs),
    #[command(subcommand)]
    Key(GhostKeyCommand),
    #[command(subcommand)]
    Keys(GhostKeysCommand),
}

/// The runner's own key.
#[derive(Debug, Subcommand)]
pub enum GhostKeyCommand {
    New {
        #[arg(value_name = "FILE")]
        runner_key_file: PathBuf,
    },
}

/// The keys that a server knows.
#[derive(Debug, Subcommand)]
pub enum GhostKeysCommand {
    Add {
        #[arg(value_name = "NAME")]
        runner_key_name: String,
        #[arg(value_name = "PUBLIC_KEY")]
        public_key: String,
    },
    List,
    Revoke {
        #[arg(value_name = "NAME")]
        runner_key_name: String,
    },
}

/// Which scenarios; all where nothing is named.
#[derive(Debug, Args)]
pub struct GhostSelection {
    #[arg(long, value_name = "ID")]
    pub scenario: Vec<String>,
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    #[arg(long, value_name = "FOLDER", default_value = "ghost-scenarios")]
    pub folder: PathBuf,
}

/// How they are played.
#[derive(Debug, Args)]
pub struct GhostPlay {
    #[arg(long, value_name = "MODE", default_value = "replay",
        value_parser = one_of(MODES, Mode::as_str))]
    pub mode: Mode,
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = within(1..=1000_u32))]
    pub repeat: u32,
    #[arg(long, value_name = "NUMBER", value_parser = within(0..=u64::MAX))]
    pub seed: Option<u64>,
    #[arg(long, value_name = "NUMBER", value_parser = within(1..=64_u16))]
    pub jobs: Option<u16>,
    #[arg(long, value_name = "RUNS", value_parser = within(1..=u32::MAX))]
    pub sample: Option<u32>,
}

#[derive(Debug, Args)]
pub struct GhostRunArgs {
    #[command(flatten)]
    pub selection: GhostSelection,
    #[command(flatten)]
    pub play: GhostPlay,
    #[arg(long, value_name = "PEOPLE", conflicts_with_all = ["mode", "repeat"],
        value_parser = within(1..=1000_u32))]
    pub vary: Option<u32>,
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[arg(long = "sign", value_name = "FILE")]
    pub runner_key_to_sign: Option<PathBuf>,
    #[command(flatten)]
    pub live: LiveArgs,
    #[arg(long = "policy", value_name = "FILE", conflicts_with = "vary")]
    pub played_policy: Option<PathBuf>,
}

/// A real model, by its name or as a project's policy has it in a slot, and the key that it is asked
/// with: from a file or a named variable, never an argument.
#[derive(Debug, Args)]
pub struct LiveArgs {
    #[arg(long = "model", value_name = "PROVIDER:MODEL", group = "played_model")]
    pub live_model: Option<String>,
    #[arg(long = "slot", group = "played_model",
        value_parser = one_of(PLAYED_SLOTS, ModelSlot::as_str))]
    pub live_slot: Option<ModelSlot>,
    #[arg(long, requires = "live_slot")]
    pub project: Option<String>,
    #[arg(long = "base-url", value_name = "URL", requires = "played_model")]
    pub live_base_url: Option<String>,
    #[arg(long, value_name = "FILE", requires = "played_model")]
    pub key_file: Option<PathBuf>,
    #[arg(
        long = "key-env",
        value_name = "VARIABLE",
        requires = "played_model",
        conflicts_with = "key_file"
    )]
    pub key_variable: Option<String>,
}

#[derive(Debug, Args)]
pub struct GhostRecordArgs {
    #[arg(long = "scenario", value_name = "ID")]
    pub recorded: String,
    #[arg(long, value_name = "FOLDER", default_value = "ghost-scenarios")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub live: LiveArgs,
    #[arg(
        long = "output",
        value_name = "FILE",
        conflicts_with = "in_place",
        required_unless_present = "in_place"
    )]
    pub recorded_to: Option<PathBuf>,
    #[arg(long, requires = "recorded_to")]
    pub force: bool,
    #[arg(long = "write")]
    pub in_place: bool,
}

#[derive(Debug, Args)]
pub struct GhostCoverageArgs {
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "tag", "mode"])]
    pub results: Option<PathBuf>,
    #[command(flatten)]
    pub selection: GhostSelection,
    #[command(flatten)]
    pub play: GhostPlay,
}

#[derive(Debug, Args)]
pub struct GhostReportArgs {
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct GhostServicesArgs {
    #[arg(long, value_name = "PORT")]
    pub port_skymall: Option<u16>,
    #[arg(long, value_name = "PORT")]
    pub port_skystock: Option<u16>,
    #[arg(long, value_name = "PORT")]
    pub port_testsite: Option<u16>,
}
