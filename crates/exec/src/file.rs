//! Reads, writes and deletes files of the project's workspace.

use crate::{
    executor::{Executor, StepReport},
    fault::{contract, failure},
    media,
    rows::rows_of_file,
};
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Capability, ExecutorId, ExecutorMeta, FailureCategory, Risk, STEP_OUTPUT_BYTES_MAX,
    StepFailure, StepParams, StepType, ValueKind,
};
use wiiiv_gate::{Authorized, Step, Verifier};
use wiiiv_workspace::{Entry, EntryKind, WorkspaceError, WorkspacePath, Workspaces};

#[derive(Debug, Clone)]
pub(crate) struct FileExecutor {
    verifier: Verifier,
    workspaces: Workspaces,
}

impl FileExecutor {
    pub(crate) fn new(verifier: Verifier, workspaces: Workspaces) -> Self {
        Self { verifier, workspaces }
    }

    fn perform(&self, permit: Authorized<Step>) -> Result<StepReport, WorkspaceError> {
        match permit.peek().node().params.step_type() {
            StepType::FileWrite => self.write(permit),
            StepType::FileDelete => self.delete(permit),
            // What is no file step has no path, and is refused for that.
            StepType::FileRead | StepType::ApiCall | StepType::WebFetch | StepType::Transform => {
                self.read(permit)
            }
        }
    }

    fn read(&self, permit: Authorized<Step>) -> Result<StepReport, WorkspaceError> {
        let step = self.verifier.redeem(permit)?;
        let found = step.node().params.step_type();
        let path = step.path().map_err(|_| WorkspaceError::WrongStep { found })?;
        let path = WorkspacePath::parse_to_read(&path)?;
        let workspace = self
            .workspaces
            .of(step.project())
            .map_err(|error| WorkspaceError::Io { path: path.to_string(), kind: error.kind() })?;
        let bytes = match workspace.read(&path, STEP_OUTPUT_BYTES_MAX) {
            Err(WorkspaceError::IsDirectory { .. }) => return Ok(listed(&workspace.list(&path)?)),
            read => read?,
        };
        let media_type = media::of_file(path.name(), &bytes).to_owned();
        Ok(StepReport::success(bytes, media_type, true, None))
    }

    fn write(&self, permit: Authorized<Step>) -> Result<StepReport, WorkspaceError> {
        let path = permit.peek().path().unwrap_or_default();
        let step = permit.peek();
        let content = step.value("content").filter(|_| binds_rows(&step.node().params));
        let rows = content.and_then(|content| rows_of_file(&path, content));
        let written = self.workspaces.write(permit)?;
        let mut facts = json!({
            "path": path,
            "sizeBytes": written.size_bytes,
            "digest": written.digest.to_string(),
        });
        if let (Some(rows), Some(members)) = (rows, facts.as_object_mut()) {
            members.insert("rows".to_owned(), rows.into());
        }
        Ok(own(&facts))
    }

    fn delete(&self, permit: Authorized<Step>) -> Result<StepReport, WorkspaceError> {
        let path = permit.peek().path().unwrap_or_default();
        self.workspaces.delete(permit)?;
        Ok(own(&json!({ "path": path, "deleted": true })))
    }
}

/// Names that somebody else may have chosen.
fn listed(entries: &[Entry]) -> StepReport {
    let row = |entry: &Entry| match entry.kind {
        EntryKind::File { size_bytes } => {
            json!({ "name": entry.name, "kind": "file", "sizeBytes": size_bytes })
        }
        EntryKind::Folder => json!({ "name": entry.name, "kind": "folder" }),
    };
    let rows = entries.iter().map(row).collect::<serde_json::Value>();
    StepReport::success(rows.to_string().into_bytes(), media::JSON.to_owned(), true, None)
}

/// The content is made of rows by code: of a text that was written out nobody knows what it holds.
fn binds_rows(params: &StepParams) -> bool {
    let StepParams::FileWrite { content, .. } = params else { return false };
    content.binding().is_some_and(|binding| match binding.kind {
        ValueKind::Csv | ValueKind::JsonLines | ValueKind::Json => true,
        ValueKind::Text => false,
    })
}

/// Facts of ours about what was done.
fn own(facts: &serde_json::Value) -> StepReport {
    StepReport::success(facts.to_string().into_bytes(), media::JSON.to_owned(), false, None)
}

impl Executor for FileExecutor {
    fn meta() -> ExecutorMeta {
        ExecutorMeta {
            id: ExecutorId::new("file"),
            contract_version: 1,
            step_types: [StepType::FileRead, StepType::FileWrite, StepType::FileDelete].into(),
            capabilities: [Capability::Read, Capability::Write, Capability::Delete].into(),
            risk: Risk::Medium,
        }
    }

    /// Not stopped half way: it is short, and its end is known.
    async fn execute(&self, permit: Authorized<Step>, _: &CancellationToken) -> StepReport {
        let this = self.clone();
        match spawn_blocking(move || this.perform(permit)).await {
            Ok(Ok(report)) => report,
            Ok(Err(error)) => failed(&error).into(),
            Err(_) => lost().into(),
        }
    }
}

fn failed(error: &WorkspaceError) -> StepFailure {
    let category = match error {
        WorkspaceError::NotFound { .. } => FailureCategory::ResourceNotFound,
        WorkspaceError::Foreign(_)
        | WorkspaceError::WrongStep { .. }
        | WorkspaceError::SystemDirectory { .. }
        | WorkspaceError::SymbolicLink { .. }
        | WorkspaceError::HardLinked { .. }
        | WorkspaceError::NotAFile { .. } => FailureCategory::PermissionDenied,
        WorkspaceError::Path(_)
        | WorkspaceError::IsDirectory { .. }
        | WorkspaceError::NotADirectory { .. }
        | WorkspaceError::TooManyEntries { .. }
        | WorkspaceError::TooLarge { .. }
        | WorkspaceError::PreImageChanged { .. } => FailureCategory::ContractViolation,
        WorkspaceError::Io { .. }
        | WorkspaceError::Unstaged { .. }
        | WorkspaceError::Unconfirmed { .. } => FailureCategory::IoError,
    };
    let effect_unknown = matches!(error, WorkspaceError::Unconfirmed { .. });
    let not_started = error.left_alone();
    let failure = failure(category, error.code(), error.to_string());
    StepFailure { effect_unknown, not_started, ..failure }
}

fn lost() -> StepFailure {
    let failure = contract("FILE_LOST", "the step broke off: look at the file");
    StepFailure { effect_unknown: true, ..failure }
}
