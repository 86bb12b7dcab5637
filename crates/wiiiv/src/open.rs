//! Opens the gate and builds the crates over it. No other module opens a gate or hands out a
//! verifier.

use crate::{
    config::{DocumentSettings, Settings},
    embedders, serve,
    start::{Ground, models_folder},
    start_error::StartError,
    tokenizers,
};
use std::{path::Path, sync::Arc};
use wiiiv_context::RuleBook;
use wiiiv_exec::{DocumentLimits, Executors, SandboxProgram, metas};
use wiiiv_gate::{BaseBook, DacsRules, GateKeeper, Opened, Registrar, RiskRules};
use wiiiv_governor::{Deps, DocumentDeps, Governor, WatchedFolder};
use wiiiv_language::Lexicon;
use wiiiv_llm::Models;
use wiiiv_messages::Messages;
use wiiiv_net::{Origin, ProviderClient, Resolver, Timeouts, ToolClient};
use wiiiv_store::{Store, StoreConfig};
use wiiiv_vault::{MasterKey, MasterKeys};
use wiiiv_workspace::{DocumentsFolder, Workspaces};

const DACS: &str = include_str!("../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../policies/risk.toml");
const PRICES: &str = include_str!("../../../config/prices.toml");

/// What the gate rules by, built in.
fn base_book() -> Result<BaseBook, StartError> {
    Ok(BaseBook {
        executors: metas(),
        dacs: DacsRules::parse(DACS).map_err(StartError::built_in)?,
        risk: RiskRules::parse(RISK).map_err(StartError::built_in)?,
        prices: toml::from_str(PRICES).map_err(StartError::built_in)?,
    })
}

/// Reads evidence back, for who looks at data without a server.
pub fn registrar() -> Result<Registrar, StartError> {
    Ok(wiiiv_gate::open(base_book()?).registrar)
}

/// What a command asks a real model with that has no server: each of its calls is ruled on, held for and on record as a
/// session's is. The record is in memory and ends with the command.
pub struct Measuring {
    pub keeper: GateKeeper,
    pub store: Store,
    pub models: Models,
}

/// No other origin is asked.
pub async fn measuring(origin: Origin) -> Result<Measuring, StartError> {
    let messages = Arc::new(Messages::embedded().map_err(StartError::built_in)?);
    let lexicon = Arc::new(Lexicon::embedded().map_err(StartError::built_in)?);
    let Opened { keeper, registrar, verifier } = wiiiv_gate::open(base_book()?);
    let master = MasterKey::generate().map_err(StartError::built_in)?;
    let store = Store::open(StoreConfig::memory(), registrar, MasterKeys::of(master)).await?;
    let provider = ProviderClient::new([origin], Timeouts::default())?;
    let models = Models::new(verifier, lexicon, messages, provider);
    Ok(Measuring { keeper, store, models: models.map_err(StartError::built_in)? })
}

/// Opens the crates on the prepared inputs, in order: gate, store, executors, models, governor.
pub async fn open(ground: &Ground, settings: &Settings) -> Result<Governor, StartError> {
    let messages = Arc::new(Messages::embedded().map_err(StartError::built_in)?);
    let lexicon = Arc::new(Lexicon::embedded().map_err(StartError::built_in)?);
    let book = base_book()?;
    let prices = book.prices.clone();
    let Opened { keeper, registrar, verifier } = wiiiv_gate::open(book);
    let config = ground.store_config(settings);
    let store = Store::open(config, registrar, ground.keys.clone()).await?;
    let workspaces = Workspaces::new(&ground.workspaces(), verifier.clone());
    let workspaces = workspaces.map_err(StartError::Workspaces)?;
    let program = SandboxProgram { path: std::env::current_exe().map_err(StartError::Served)? };
    let tools = ToolClient::new(Resolver::System);
    let documents = DocumentLimits::default().with_file_mib(settings.documents.file_mib);
    let executors = Executors::new(verifier.clone(), workspaces.clone(), tools, program)
        .with_document_limits(documents);
    let timeouts = Timeouts {
        connect: settings.llm.connect_seconds,
        first_byte: settings.llm.first_token_seconds,
        between_chunks: settings.llm.between_tokens_seconds,
        total: settings.llm.total_seconds,
    };
    let providers = ProviderClient::new(settings.llm.approved_origins.clone(), timeouts)?;
    let deps = Deps {
        store,
        keeper,
        models: Models::new(verifier, lexicon.clone(), messages.clone(), providers)
            .map_err(StartError::built_in)?
            .with_windows(settings.llm.windows.clone())
            .with_total_tokens(settings.context.total_tokens)
            .with_forms(settings.llm.structured.clone())
            .with_tokenizers(tokenizers::read(&settings.llm.tokenizers)?)
            .with_local_models(models_folder(ground.folder.path())),
        executors,
        workspaces,
        rules: RuleBook::embedded(),
        lexicon,
        messages,
        prices,
        environment: serve::environment_keys(),
        documents: document_deps(&ground.models(), &settings.documents)?,
    };
    Ok(Governor::start(deps, serve::governor_config(settings)))
}

/// The folder has to be there: an empty one in its place would make all its documents stale.
fn document_deps(models: &Path, settings: &DocumentSettings) -> Result<DocumentDeps, StartError> {
    let DocumentSettings { folder: path, scope, folder_seconds, embedder, .. } = settings;
    let embedders = embedders::chosen(models, *embedder)?;
    if path.as_os_str().is_empty() {
        return Ok(DocumentDeps { embedders, folder: None });
    }
    let refused = |error: std::io::Error| {
        let (path, reason) = (path.display().to_string(), error.to_string());
        StartError::DocumentsFolder { path, reason }
    };
    let folder = DocumentsFolder::open(path).map_err(refused)?;
    let folder = Some(WatchedFolder { folder, scope: *scope, every: *folder_seconds });
    Ok(DocumentDeps { embedders, folder })
}
