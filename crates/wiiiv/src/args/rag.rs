//! `rag`: documents, how they are added, and searches in them.

use crate::args::{
    project::ProjectArg,
    words::{one_of, within},
};
use crate::short_id::IdArg;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use wiiiv_context::{PASSAGES_SHOWN_MAX, PassageFormat};
use wiiiv_embed::LocalModel;

/// `wiiiv rag ...`
#[derive(Debug, Subcommand)]
pub enum RagCommand {
    Add(RagAddArgs),
    List(RagScopeArgs),
    Show {
        #[arg(id = "rag_document", value_name = "DOCUMENT")]
        document: IdArg,
        #[arg(long = "passage", id = "rag_passage", value_name = "NUMBER",
            value_parser = within(0..=u32::MAX))]
        passage: Option<u32>,
        #[arg(long = "cited-version", id = "rag_cited_version", value_name = "NUMBER",
            requires = "rag_passage", value_parser = within(1..=u32::MAX))]
        cited_version: Option<u32>,
    },
    Search(RagSearchArgs),
    Remove {
        #[arg(id = "rag_document", value_name = "DOCUMENT")]
        document: IdArg,
    },
    Rename {
        #[arg(id = "rag_document", value_name = "DOCUMENT")]
        document: IdArg,
        #[arg(id = "rag_new_title", value_name = "TITLE")]
        title: String,
    },
    Jobs(RagScopeArgs),
    Cancel {
        #[arg(id = "rag_job", value_name = "JOB")]
        job: IdArg,
    },
    Reembed(ProjectArg),
    Eval(RagEvalArgs),
    Format(RagFormatArgs),
}

/// Who finds a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RagScope {
    Global,
    Me,
    Project,
}

/// A project that is named means its scope.
#[derive(Debug, Args)]
pub struct RagScopeArgs {
    #[arg(long = "scope", id = "rag_scope", value_enum, value_name = "SCOPE")]
    pub scope: Option<RagScope>,
    #[command(flatten)]
    pub project: ProjectArg,
}

impl RagScopeArgs {
    /// `None`: nothing is named.
    pub fn named(&self) -> Option<RagScope> {
        self.scope.or_else(|| self.project.project.as_ref().map(|_| RagScope::Project))
    }
}

/// Files, and where they are added.
#[derive(Debug, Args)]
pub struct RagAddArgs {
    #[arg(id = "rag_paths", value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    #[arg(long = "title", id = "rag_title", value_name = "TITLE")]
    pub title: Option<String>,
    #[arg(long = "wait", id = "rag_wait")]
    pub wait: bool,
    #[command(flatten)]
    pub of: RagScopeArgs,
}

/// What is searched for, and what of it is told.
#[derive(Debug, Args)]
pub struct RagSearchArgs {
    #[arg(id = "rag_text", value_name = "TEXT")]
    pub text: String,
    #[arg(long = "limit", id = "rag_limit", value_name = "NUMBER", value_parser = within(1..=50_u32))]
    pub limit: Option<u32>,
    #[arg(long = "debug", id = "rag_debug")]
    pub debug: bool,
    #[arg(long = "trace", id = "rag_trace")]
    pub trace: bool,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Args)]
pub struct RagEvalArgs {
    #[arg(value_name = "SET", default_value = "rag-eval")]
    pub evaluated_set: PathBuf,
    #[arg(long, value_name = "EMBEDDER", default_value = "none",
        value_parser = one_of(EmbedderArg::ALL, EmbedderArg::as_str))]
    pub embedder: EmbedderArg,
    #[arg(long = "models", value_name = "FOLDER")]
    pub models_folder: Option<PathBuf>,
    #[arg(long, value_name = "PART", default_value = "scored",
        value_parser = one_of(PartChoice::ALL, PartChoice::as_str))]
    pub part: PartChoice,
}

/// Hits of another search, and how they are shown.
#[derive(Debug, Args)]
pub struct RagFormatArgs {
    #[arg(id = "rag_hits", value_name = "FILE")]
    pub hits: PathBuf,
    #[arg(long = "format", id = "rag_format", value_name = "FORMAT", conflicts_with = "rag_query",
        value_parser = one_of(PassageFormat::ALL, PassageFormat::as_str))]
    pub format: Option<PassageFormat>,
    #[arg(long = "query", id = "rag_query", value_name = "QUESTION")]
    pub query: Option<String>,
    #[arg(long = "limit", id = "rag_shown", value_name = "NUMBER",
        value_parser = within(1..=PASSAGES_SHOWN_MAX))]
    pub limit: Option<usize>,
    #[arg(long = "keep-order", id = "rag_keep_order")]
    pub keep_order: bool,
}

/// Which half of a set's queries is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartChoice {
    /// On which ranking may be tuned.
    Tuning,
    Scored,
    All,
}

impl PartChoice {
    pub const ALL: [Self; 3] = [Self::Tuning, Self::Scored, Self::All];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tuning => "tuning",
            Self::Scored => "scored",
            Self::All => "all",
        }
    }
}

/// What meaning is measured with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedderArg {
    None,
    Local(LocalModel),
}

impl EmbedderArg {
    pub const ALL: [Self; 3] =
        [Self::None, Self::Local(LocalModel::E5Small), Self::Local(LocalModel::UseMultilingual)];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Local(model) => model.as_str(),
        }
    }
}
