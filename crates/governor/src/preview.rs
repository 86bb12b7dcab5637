//! The preview of a frozen plan: its canonical form and its files' current content.

use crate::{output_text, runtime::Runtime, systems::RegisteredSystems};
use std::{collections::BTreeSet, sync::Arc};
use wiiiv_domain::{
    Blueprint, Currency, DocumentId, Scope, Source, ValueKind, ValueSource, ValueSources,
    WorkspacePath,
};
use wiiiv_gate::Findings;
use wiiiv_hlx::{
    DocumentName, DocumentNames, EarlierOutputs, PathContent, PreImages, Preview, earlier,
};
use wiiiv_workspace::{Workspace, WorkspaceError};

/// Largest file content that is shown, in bytes.
const PREVIEW_FILE_BYTES_MAX: u64 = 256 * 1024;

/// The gates' findings on a plan, and the currency of its budget.
#[derive(Debug, Clone)]
pub struct Outlook {
    pub findings: Findings,
    /// `None` where the project's model has no price.
    pub currency: Option<Currency>,
}

pub async fn preview(
    runtime: Arc<Runtime>,
    blueprint: Blueprint,
    systems: RegisteredSystems,
) -> Option<Preview> {
    let outputs = outputs(&runtime, &blueprint).await;
    let names = document_names(&runtime, &blueprint).await;
    let looked = tokio::task::spawn_blocking(move || {
        let workspace = runtime.deps.workspaces.of(blueprint.project).ok();
        let paths = blueprint.pre_images.keys().cloned();
        let now: PreImages = paths.map(|path| of_path(workspace.as_ref(), path)).collect();
        let messages = &runtime.deps.messages;
        wiiiv_hlx::preview(&blueprint, &now)
            .with_slot_names(|lang, slot| messages.slot(lang, slot))
            .with_document_names(&blueprint, &names)
            .with_earlier(&outputs)
            .with_credentials(&blueprint, &systems.list, &systems.standings)
    });
    looked.await.ok()
}

// INVARIANT: a person's own documents are not named: whoever may approve the plan may not see them.
async fn document_names(runtime: &Runtime, blueprint: &Blueprint) -> DocumentNames {
    let sources = blueprint.sources.values().flat_map(|places| places.values());
    let documents = sources.flat_map(ValueSources::iter).filter_map(|source| match source {
        ValueSource::Document { document, .. } => Some(*document),
        ValueSource::Step { .. } | ValueSource::Memory { .. } => None,
    });
    let documents: BTreeSet<DocumentId> = documents.collect();
    let mut names = DocumentNames::new();
    for document in documents {
        // One that is gone keeps its id.
        let Ok(Some(row)) = runtime.deps.store.document(document).await else { continue };
        let is_shared = match row.scope {
            Scope::Global => true,
            Scope::Project(project) => project == blueprint.project,
            Scope::User(_) => false,
        };
        if is_shared {
            names.insert(document, DocumentName { title: row.title, file: row.file_name });
        }
    }
    names
}

/// An output that cannot be read is left out; the step that needs it fails.
async fn outputs(runtime: &Runtime, blueprint: &Blueprint) -> EarlierOutputs {
    let mut outputs = EarlierOutputs::new();
    for (taker, binding) in earlier(blueprint) {
        let Source::Run { execution, step } = &binding.from else { continue };
        let Ok(Some((_, bytes))) = runtime.deps.store.output(*execution, step).await else {
            continue;
        };
        let shown = match binding.kind {
            ValueKind::Json | ValueKind::Text => Some(output_text::output(&bytes)),
            ValueKind::Csv | ValueKind::JsonLines => {
                let rows = runtime.deps.executors.select(&bytes, binding).await;
                rows.ok().map(|rows| output_text::text(rows.as_bytes()))
            }
        };
        outputs.extend(shown.map(|shown| (taker.clone(), shown)));
    }
    outputs
}

fn of_path(workspace: Option<&Workspace>, path: String) -> (String, PathContent) {
    let parsed = WorkspacePath::parse(&path).ok();
    let held = match workspace.zip(parsed) {
        Some((workspace, parsed)) => held(workspace, &parsed),
        None => PathContent::Unshown { bytes: None },
    };
    (path, held)
}

/// INVARIANT: only what is known to be absent is shown as absent.
fn held(workspace: &Workspace, path: &WorkspacePath) -> PathContent {
    match workspace.read(path, PREVIEW_FILE_BYTES_MAX) {
        Ok(bytes) => PathContent::Content(bytes),
        Err(WorkspaceError::NotFound { .. }) => PathContent::Nothing,
        Err(_) => PathContent::Unshown { bytes: workspace.size_bytes(path).ok() },
    }
}
