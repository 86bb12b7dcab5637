//! Shared dependencies of all handlers.

use crate::{
    access::{attempts::Attempts, demo_links::DemoLinks},
    listen::slots::Slots,
    models::providers::ModelPlaces,
    next_key::NextKey,
    readiness::Readiness,
    telemetry::MetricsSource,
    ui::Ui,
    view::{audit_check::AuditCheck, names::Names, titles::Titles},
};
use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ProjectId, ProjectPolicy, Timestamp, UserId};
use wiiiv_governor::Governor;
use wiiiv_store::Store;

/// Handed in by `main`.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// What a new project begins with: a profile of `policies/profiles/`.
    pub new_project_policy: ProjectPolicy,
    /// Browsers send the cookie over TLS only. Off where the server is spoken to in plain HTTP.
    pub secure_cookies: bool,
    /// Of the build, e.g. a commit; shown by `/info`.
    pub build: String,
    /// Files that the process may have open: what is left of them bounds the connections.
    pub open_files: u64,
    pub ui: Ui,
    pub models: ModelPlaces,
    pub figures: MetricsSource,
    pub next_key: NextKey,
    /// Of the demo alone.
    pub demo: Option<Demo>,
}

/// Whom the demo signs in by a one-time link, on this machine only.
#[derive(Debug, Clone)]
pub struct Demo {
    pub user: UserId,
    pub project: ProjectId,
    pub links: DemoLinks,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    governor: Governor,
    config: ServerConfig,
    streams: Slots,
    files: Slots,
    attempts: Attempts,
    readiness: Readiness,
    audit_check: AuditCheck,
    names: Names,
    titles: Titles,
    stop: CancellationToken,
    started: Timestamp,
}

impl AppState {
    #[must_use]
    pub fn new(governor: Governor, config: ServerConfig) -> Self {
        let inner = Inner {
            governor,
            config,
            streams: Slots::of_streams(),
            files: Slots::of_files(),
            attempts: Attempts::default(),
            readiness: Readiness::default(),
            audit_check: AuditCheck::default(),
            names: Names::default(),
            titles: Titles::default(),
            stop: CancellationToken::new(),
            started: now(),
        };
        Self { inner: Arc::new(inner) }
    }
    pub(crate) fn governor(&self) -> &Governor {
        &self.inner.governor
    }
    pub(crate) fn store(&self) -> &Store {
        self.inner.governor.store()
    }
    pub(crate) fn config(&self) -> &ServerConfig {
        &self.inner.config
    }
    pub(crate) fn streams(&self) -> &Slots {
        &self.inner.streams
    }
    pub(crate) fn files(&self) -> &Slots {
        &self.inner.files
    }
    pub(crate) fn attempts(&self) -> &Attempts {
        &self.inner.attempts
    }
    pub(crate) fn readiness(&self) -> &Readiness {
        &self.inner.readiness
    }
    pub(crate) fn audit_check(&self) -> &AuditCheck {
        &self.inner.audit_check
    }
    pub(crate) fn names(&self) -> &Names {
        &self.inner.names
    }
    pub(crate) fn titles(&self) -> &Titles {
        &self.inner.titles
    }
    /// Cancelled when the server stops: streams end by it.
    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.inner.stop
    }
    pub(crate) fn started(&self) -> Timestamp {
        self.inner.started
    }
}

pub(crate) fn now() -> Timestamp {
    Timestamp::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}
