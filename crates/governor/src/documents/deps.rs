//! What documents need from outside: models on this machine, and the administrator's folder.

use super::embedder::TextEmbedder;
use std::{sync::Arc, time::Duration};
use wiiiv_domain::Scope;
use wiiiv_workspace::DocumentsFolder;

#[derive(Clone, Default)]
pub struct DocumentDeps {
    /// The first one is the one to use; another answers until each chunk has a vector of it. None: search is lexical
    /// only.
    pub embedders: Vec<Arc<dyn TextEmbedder>>,
    pub folder: Option<WatchedFolder>,
}

/// A folder whose files are documents.
#[derive(Clone)]
pub struct WatchedFolder {
    pub folder: DocumentsFolder,
    /// Who finds them.
    pub scope: Scope,
    /// Time between two looks at it.
    pub every: Duration,
}
