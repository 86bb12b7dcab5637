//! Runs the opened server until a signal stops it.

use crate::audit_feed;
use crate::config::Settings;
use crate::context::Context;
use crate::failure::Failure;
use crate::master;
use crate::telemetry::Telemetry;
use crate::{start::Ground, start_error::StartError};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use wiiiv_domain::{FlowLimits, ProjectPolicy, ProviderName};
use wiiiv_gate::profile;
use wiiiv_governor::{DocumentConfig, EnvironmentKeys, Governor, GovernorConfig};
use wiiiv_server::{
    AppState, Demo, LocalPlaces, ModelPlaces, NextKey, PROVIDER_KEYS, ServerConfig, Ui,
};
use wiiiv_vault::ApiKey;

const NEW_PROJECT: &str = include_str!("../../../policies/profiles/default.toml");
/// How often approvals are looked at for expiry, and sessions for rest.
const SWEEP_EVERY: Duration = Duration::from_secs(1);
/// In bytes.
const MEBIBYTE: u64 = 1_024 * 1_024;

pub fn new_project_policy() -> Result<ProjectPolicy, StartError> {
    profile(NEW_PROJECT).map_err(StartError::built_in)
}

pub fn governor_config(settings: &Settings) -> GovernorConfig {
    let limits = &settings.limits;
    let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    GovernorConfig {
        flow: FlowLimits {
            suspended_max: count(limits.suspended_tasks),
            rounds_max: limits.task_rounds,
            drawings_max: limits.drawings,
            refused_max: count(limits.refused_specs),
            ..GovernorConfig::default().flow
        },
        queue_max: count(settings.session.queue_messages),
        idle: settings.session.idle_seconds,
        sweep: SWEEP_EVERY,
        max_output_tokens: u64::from(settings.llm.max_output_tokens),
        model_attempts: settings.llm.attempts,
        model_deadline: settings.llm.total_seconds,
        documents: DocumentConfig {
            upload_bytes_max: settings.documents.file_mib * MEBIBYTE,
            queue_max: u64::from(settings.documents.queue_files),
            scope_bytes_max: u64::from(settings.documents.scope_mib) * MEBIBYTE,
            scope_chunks_max: u64::from(settings.documents.scope_chunks),
            chunks_max: u64::from(settings.documents.chunks),
            chunking: settings.documents.chunking,
            ..DocumentConfig::default()
        },
    }
}

/// Where it listens; at the first start also the token that makes the first account.
pub fn announce(
    context: &Context,
    url: &str,
    setup_token: Option<&SecretString>,
) -> Result<(), Failure> {
    let token = setup_token.map(ExposeSecret::expose_secret);
    context.output.document(&json!({ "url": url, "setup_token": token }))?;
    let texts = &context.texts.serve;
    context.say(&texts.listening, &[("url", url)])?;
    match token {
        Some(token) => context.say(&texts.setup, &[("url", url), ("token", token)]),
        None => Ok(()),
    }
}

/// Takes up what a crash interrupted, answers until a signal, then lets go in order.
pub async fn run(
    governor: Governor,
    ground: Ground,
    settings: &Settings,
    (stop, telemetry): (StopSignals, Telemetry),
    demo: Option<Demo>,
) -> Result<(), StartError> {
    // What cannot be sent to is said before anything is served.
    let receivers = audit_feed::receivers(&settings.audit.export)?;
    let conversations = governor.recover().await?;
    let ingests = governor.store().open_ingests().await?.len();
    tracing::info!(address = %ground.address, conversations, ingests, "serving; what was interrupted goes on");
    let config = ServerConfig {
        new_project_policy: new_project_policy()?,
        secure_cookies: settings.server.secure_cookies,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        open_files: ground.open_files,
        ui: Ui::embedded(),
        models: model_places(settings),
        figures: telemetry.figures(),
        next_key: next_key(settings),
        demo,
    };
    let keeping = tokio::spawn(telemetry.keep(governor.clone()));
    let every = settings.audit.export.interval_seconds;
    let mut sending = audit_feed::keep(governor.store(), &receivers, every);
    let state = AppState::new(governor.clone(), config);
    let Ground { listener, folder, .. } = ground;
    let served = wiiiv_server::serve(listener, state, stop.asked()).await;
    keeping.abort();
    sending.shutdown().await;
    governor.shutdown().await;
    if let Err(error) = governor.store().checkpoint_all().await {
        tracing::warn!(%error, "the audit's tail stays unsigned until the next start");
    }
    telemetry.close().await;
    tracing::info!("stopped");
    // Held to the very end: the next process may begin only now.
    drop(folder);
    served.map_err(StartError::Served)
}

/// Read when it is asked for: the file may come while the server runs.
fn next_key(settings: &Settings) -> NextKey {
    let keys = settings.keys.clone();
    NextKey::new(move || master::next_key(&keys).map_err(|error| error.to_string()))
}

/// Of a key's variable it is looked at whether it is set, never at what it holds.
fn model_places(settings: &Settings) -> ModelPlaces {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    ModelPlaces {
        approved: settings.llm.approved_origins.clone(),
        keys: PROVIDER_KEYS.iter().flat_map(|key| key.variables).copied().filter(is_set).collect(),
        local: LocalPlaces::USUAL,
    }
}

/// Keys that the server was started with, for projects whose policy names the environment. What is
/// set and is no key is left out, and said so by its name alone.
pub fn environment_keys() -> EnvironmentKeys {
    let named = [
        ("OPENAI_API_KEY", ProviderName::OpenAi),
        ("ANTHROPIC_API_KEY", ProviderName::Anthropic),
        ("GEMINI_API_KEY", ProviderName::Google),
        // As the provider's own programs have it, this one goes before the other.
        ("GOOGLE_API_KEY", ProviderName::Google),
    ];
    let mut keys = BTreeMap::new();
    for (variable, provider) in named {
        let Some(text) = std::env::var(variable).ok().filter(|text| !text.is_empty()) else {
            continue;
        };
        match ApiKey::parse(&SecretString::from(text)) {
            Ok(key) => {
                keys.insert(provider, key);
            }
            Err(error) => tracing::warn!(variable, %error, "not taken as a key"),
        }
    }
    EnvironmentKeys::new(keys)
}

/// Ctrl-C, or what a service manager sends. Listened for before anybody is told that the server is
/// there: a signal that comes at once is not lost.
pub struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    pub fn listen() -> Result<Self, StartError> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt()).map_err(StartError::Served)?,
            terminate: signal(SignalKind::terminate()).map_err(StartError::Served)?,
        })
    }

    pub async fn asked(mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
