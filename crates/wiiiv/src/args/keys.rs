//! `keys` and `models`: a project's models, and the keys for their providers.

use crate::args::{project::ProjectArg, words::one_of};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use wiiiv_domain::{ModelSlot, ProviderName};
use wiiiv_embed::LocalModel;
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
    Install {
        #[arg(value_name = "MODEL", value_parser = one_of(LocalModel::ALL, LocalModel::as_str))]
        local_model: LocalModel,
        #[arg(long = "from", value_name = "FILE")]
        package: Option<PathBuf>,
        #[arg(long, value_name = "FOLDER")]
        data_dir: Option<PathBuf>,
    },
    Try {
        #[arg(long, default_value_t = ModelSlot::Governor,
            value_parser = one_of(ModelSlot::ALL, ModelSlot::as_str))]
        slot: ModelSlot,
        #[arg(long)]
        picture: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
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
