//! The command line. Its help texts are in `config/messages`, in both languages.

mod approvals;
mod context;
mod delegation;
mod ghost;
mod grant;
mod halt;
mod init;
mod keys;
mod memory;
mod overrides;
mod people;
mod profile;
pub mod project;
mod rag;
mod risk;
mod rollout;
mod search;
mod systems;
mod understand;
mod usage;
mod webhook;
pub mod words;

use crate::{
    args::{
        project::ProjectArg,
        words::{days, named_value, one_of, within},
    },
    config::Flags,
    short_id::IdArg,
};
pub use approvals::{ApprovalsCommand, DecideArgs, EditArgs};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
pub use context::{ContextCommand, ContextEvalArgs, JudgementArgs};
pub use delegation::{DelegateArgs, UndelegateArgs};
pub use ghost::{
    GhostCommand, GhostCoverageArgs, GhostKeyCommand, GhostKeysCommand, GhostPlay, GhostRecordArgs,
    GhostReportArgs, GhostRunArgs, GhostSelection, GhostServicesArgs, LiveArgs,
};
pub use grant::{GrantArgs, RevokeGrantArgs};
pub use halt::HaltArgs;
pub use init::InitArgs;
pub use keys::{Holder, HolderArg, KeyArg, KeysCommand, ModelsCommand};
pub use memory::{MemoryArg, MemoryCommand, MemoryEditArgs};
pub use overrides::{OverrideCommand, ProposeArgs};
pub use people::{MembersArgs, PasswordArgs, ProjectsCommand, TokensCommand, UsersCommand};
pub use profile::{ProfileAnswerArgs, ProfileCommand, ProfileSetArgs};
pub use rag::{
    EmbedderArg, PartChoice, RagAddArgs, RagCommand, RagEvalArgs, RagFormatArgs, RagScope,
    RagScopeArgs, RagSearchArgs,
};
pub use risk::RiskCommand;
pub use rollout::{DivergencesArgs, FiguresArgs, ReviewArgs, RolloutCommand, StageArgs, WaiveArgs};
pub use search::{AuditListArgs, ExecutionListArgs};
use std::path::PathBuf;
pub use systems::{SystemArg, SystemsCommand};
pub use understand::{PendingQuestion, UnderstandArgs};
pub use usage::{BY_PROJECT, UsageArgs};
pub use webhook::WebhookCommand;
use wiiiv_domain::{Lang, StepId};

#[derive(Debug, Parser)]
#[command(name = "wiiiv", version, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Args)]
pub struct Global {
    #[arg(long, global = true)]
    pub json: bool,
    #[arg(long, global = true, value_name = "ko|en",
        value_parser = one_of(Lang::ALL, Lang::as_str))]
    pub language: Option<Lang>,
    #[arg(long, global = true, value_name = "URL")]
    pub server: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Serve(Flags),
    Demo(DemoArgs),
    Init(InitArgs),
    Login(LoginArgs),
    Logout,
    Chat(ChatArgs),
    #[command(subcommand)]
    Sessions(SessionsCommand),
    #[command(subcommand)]
    Approvals(ApprovalsCommand),
    #[command(subcommand)]
    Executions(ExecutionsCommand),
    Halt(HaltArgs),
    Resume(HaltArgs),
    Halts,
    #[command(subcommand)]
    Risk(RiskCommand),
    #[command(subcommand)]
    Memory(MemoryCommand),
    #[command(subcommand)]
    Profile(ProfileCommand),
    #[command(subcommand)]
    Rag(RagCommand),
    #[command(subcommand)]
    Projects(ProjectsCommand),
    #[command(subcommand)]
    Users(UsersCommand),
    #[command(subcommand)]
    Tokens(TokensCommand),
    #[command(subcommand)]
    Policy(PolicyCommand),
    #[command(subcommand)]
    Rollout(RolloutCommand),
    #[command(subcommand)]
    Systems(SystemsCommand),
    #[command(subcommand)]
    Models(ModelsCommand),
    #[command(subcommand)]
    Keys(KeysCommand),
    Usage(UsageArgs),
    Why(WhyArgs),
    #[command(subcommand)]
    Audit(AuditCommand),
    #[command(subcommand)]
    Ghost(GhostCommand),
    #[command(subcommand)]
    Context(ContextCommand),
    Understand(UnderstandArgs),
    Doctor(Flags),
    #[command(subcommand)]
    Config(ConfigCommand),
    Completions {
        shell: Shell,
    },
    Help {
        #[arg(value_name = "COMMAND")]
        topic: Vec<String>,
    },
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct DemoArgs {
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    #[arg(long, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
    #[command(subcommand)]
    pub command: Option<DemoCommand>,
}

#[derive(Debug, Subcommand)]
pub enum DemoCommand {
    Link,
}

#[derive(Debug, Args)]
pub struct LoginArgs {
    pub name: String,
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub setup_token_file: Option<PathBuf>,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Args)]
pub struct ChatArgs {
    pub message: Option<String>,
    #[arg(long, value_name = "SESSION", conflicts_with = "resume")]
    pub session: Option<IdArg>,
    #[arg(long = "continue", short = 'c')]
    pub resume: bool,
    #[arg(long, conflicts_with_all = ["message", "session", "resume", "fields"])]
    pub examples: bool,
    #[arg(long = "field", value_name = "NAME=VALUE", value_parser = named_value)]
    #[arg(conflicts_with = "message", requires = "seen")]
    pub fields: Vec<(String, String)>,
    #[arg(long, value_name = "NUMBER", value_parser = within(0..=u64::MAX))]
    pub seen: Option<u64>,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Subcommand)]
pub enum SessionsCommand {
    List(ProjectArg),
    Rename {
        conversation: IdArg,
        title: String,
    },
    Pin {
        conversation: IdArg,
        #[arg(long)]
        off: bool,
    },
    Delete {
        conversation: IdArg,
    },
    Export {
        conversation: IdArg,
        #[arg(long, value_enum, value_name = "FORMAT", default_value = "markdown")]
        format: ExportFormat,
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    Markdown,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResolutionArg {
    Happened,
    DidNotHappen,
    Abandon,
}

#[derive(Debug, Subcommand)]
pub enum ExecutionsCommand {
    List(ExecutionListArgs),
    Show {
        execution: IdArg,
    },
    Cancel {
        execution: IdArg,
    },
    Resolve {
        execution: IdArg,
        #[arg(value_parser = StepId::parse)]
        step: StepId,
        #[arg(long = "as", value_enum, value_name = "RESOLUTION")]
        resolution: ResolutionArg,
    },
}

#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    Show(ProjectArg),
    Set {
        file: PathBuf,
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[arg(long, value_name = "VERSION")]
        expected: Option<String>,
        #[command(flatten)]
        project: ProjectArg,
    },
    Diff {
        file: PathBuf,
        #[arg(long, value_name = "DAYS", value_parser = days)]
        replay: Option<u32>,
        #[command(flatten)]
        project: ProjectArg,
    },
    Rules {
        file: PathBuf,
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[arg(long, value_name = "VERSION")]
        expected: Option<String>,
        #[command(flatten)]
        project: ProjectArg,
    },
    #[command(subcommand)]
    Override(OverrideCommand),
    Check {
        file: PathBuf,
    },
    Profile {
        #[arg(value_name = "PROFILE")]
        profile: Option<String>,
    },
}

#[derive(Debug, Args)]
pub struct WhyArgs {
    #[arg(value_name = "DECISION")]
    pub decided: String,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    List(AuditListArgs),
    Export(AuditExportArgs),
    Key {
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    Receipt {
        execution: IdArg,
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    Verify {
        file: PathBuf,
        #[arg(long, value_name = "PUB")]
        key: Option<PathBuf>,
        #[arg(long, value_name = "FILE")]
        checkpoint: Option<PathBuf>,
        #[arg(long, value_name = "FILE", conflicts_with = "checkpoint", requires = "key")]
        keep: Option<PathBuf>,
        #[arg(long)]
        feed: bool,
        #[arg(long, conflicts_with = "key")]
        allow_unsigned: bool,
    },
    Erase(EraseArgs),
    Erasures,
    VerifyReceipt {
        file: PathBuf,
        #[arg(long, value_name = "PUB")]
        key: Option<PathBuf>,
        #[arg(long, conflicts_with = "key")]
        allow_unsigned: bool,
    },
}

#[derive(Debug, Args)]
pub struct EraseArgs {
    #[arg(long = "user", value_name = "USER", conflicts_with = "project")]
    pub erase_user: Option<String>,
    #[arg(long, value_name = "DAY")]
    pub before: Option<String>,
    #[arg(id = "erase_reason", long = "reason", value_name = "TEXT")]
    pub reason: String,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Args)]
pub struct AuditExportArgs {
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[arg(long, value_name = "RECEIVER")]
    pub to: Option<String>,
    #[arg(id = "resume_state", long = "resume", value_name = "STATE", requires = "to")]
    pub resume: Option<PathBuf>,
    #[arg(long, value_name = "FILE", requires = "to")]
    pub secret_file: Option<PathBuf>,
    #[arg(long = "server-chain", conflicts_with = "project")]
    pub server_chain: bool,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    Show {
        #[arg(long)]
        origin: bool,
        #[command(flatten)]
        flags: Flags,
    },
}
