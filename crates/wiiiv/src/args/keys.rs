//! `keys` and `models`: a project's models, and the keys for their providers.

use crate::args::project::ProjectArg;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use wiiiv_domain::ProviderName;
use wiiiv_llm::own_base_url;
use wiiiv_net::{Origin, Url};

#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    List(HolderArg),
    Set {
        #[command(flatten)]
        key: KeyArg,
        #[arg(long = "origin", value_name = "ORIGIN")]
        key_origin: Option<String>,
        #[arg(long, value_name = "FILE")]
        secret_file: Option<PathBuf>,
    },
    Remove(KeyArg),
    Verify(KeyArg),
    Resolve(ProjectArg),
    Rotate {
        #[arg(long = "no-wait")]
        begin_only: bool,
    },
    Rotation,
}

#[derive(Debug, Subcommand)]
pub enum ModelsCommand {
    List,
    Effective(ProjectArg),
    Available(ProjectArg),
    Discover,
    Try {
        #[arg(long, value_enum, default_value_t = SlotArg::Governor)]
        slot: SlotArg,
        #[arg(long)]
        picture: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SlotArg {
    Governor,
    Generator,
    Embedding,
}

impl SlotArg {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Governor => "governor",
            Self::Generator => "generator",
            Self::Embedding => "embedding",
        }
    }
}

#[derive(Debug, Args)]
pub struct KeyArg {
    #[arg(value_enum, ignore_case = true, value_name = "PROVIDER")]
    pub key_provider: KeyProvider,
    #[command(flatten)]
    pub holder: HolderArg,
}

#[derive(Debug, Args)]
pub struct HolderArg {
    #[arg(long = "of", value_enum, default_value_t = Holder::Me)]
    pub holder: Holder,
    #[command(flatten)]
    pub project: ProjectArg,
}

/// Whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Holder {
    Me,
    Project,
    Server,
}

impl Holder {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Me => "me",
            Self::Project => "project",
            Self::Server => "server",
        }
    }
}

/// That a key can be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyProvider {
    Openai,
    Anthropic,
    Google,
    Ollama,
    Custom,
}

impl KeyProvider {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Google => "google",
            Self::Ollama => "ollama",
            Self::Custom => "custom",
        }
    }

    /// That everybody knows.
    #[must_use]
    pub fn own_origin(self) -> Option<Origin> {
        let provider = match self {
            Self::Openai => ProviderName::OpenAi,
            Self::Anthropic => ProviderName::Anthropic,
            Self::Google => ProviderName::Google,
            Self::Ollama | Self::Custom => return None,
        };
        Origin::of(&Url::parse(own_base_url(provider)?).ok()?).ok()
    }

    /// Where it stands is only its user's to say: another key of it is for the same place. Any
    /// other provider has a place that everybody knows.
    #[must_use]
    pub const fn is_placed_by_its_user(self) -> bool {
        match self {
            Self::Ollama | Self::Custom => true,
            Self::Openai | Self::Anthropic | Self::Google => false,
        }
    }
}
