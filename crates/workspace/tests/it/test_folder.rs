//! A workspace in a temporary folder, and steps on its files.

use crate::permit::{Gate, project};
use serde_json::json;
use std::{fs, path::PathBuf};
use tempfile::TempDir;
use wiiiv_domain::{
    Arg, Binding, Capability, ContentDigest, Effect, ExecutionId, ExecutorId, ExecutorMeta, Node,
    NodeKind, PreImage, Retry, Risk, Source, StepId, StepParams, StepType, ValueKind,
    WorkspacePath,
};
use wiiiv_workspace::{Deleted, Workspace, WorkspaceError, Workspaces, Written};

pub struct Files {
    pub folder: TempDir,
    pub gate: Gate,
    pub workspaces: Workspaces,
}

pub fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).expect("a workspace path")
}

pub fn present(text: &str) -> PreImage {
    PreImage::Present(ContentDigest::of_bytes(text.as_bytes()))
}

pub fn gate() -> Gate {
    let file = ExecutorMeta {
        id: ExecutorId::new("file"),
        contract_version: 1,
        step_types: [StepType::FileRead, StepType::FileWrite, StepType::FileDelete].into(),
        capabilities: [Capability::Read, Capability::Write, Capability::Delete].into(),
        risk: Risk::Medium,
    };
    Gate::open(vec![file], json!([]))
}

pub fn files() -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    let gate = gate();
    let base = folder.path().join("base");
    let workspaces = Workspaces::new(&base, gate.opened.verifier.clone()).expect("a base");
    workspaces.of(project()).expect("a workspace");
    Files { folder, gate, workspaces }
}

/// Name and content are handed in at run time, so that the gate lets every text through.
fn bound() -> Arg {
    let step = StepId::parse("s").expect("a step id");
    let execution = ExecutionId::from_uuid(uuid::Uuid::from_u128(9));
    let from = Source::Run { execution, step };
    Arg::Bound(Binding { from, select: ".".to_owned(), kind: ValueKind::Text, max_bytes: 4 << 20 })
}

fn node(kind: NodeKind, effect: Effect, params: StepParams) -> Node {
    Node {
        id: StepId::parse("s").expect("a step id"),
        kind,
        params,
        depends_on: Vec::new(),
        when: None,
        retry: Retry::default(),
        effect,
        idempotent: true,
    }
}

pub fn write_node(at: &WorkspacePath) -> Node {
    let (directory, name) = (at.directory(), Arg::Literal(at.name().to_owned()));
    let params = StepParams::FileWrite { directory, name, content: bound() };
    node(NodeKind::Act, Effect::Write, params)
}

pub fn delete_node(at: &WorkspacePath) -> Node {
    let (directory, name) = (at.directory(), Arg::Literal(at.name().to_owned()));
    node(NodeKind::Act, Effect::Delete, StepParams::FileDelete { directory, name })
}

impl Files {
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("base").join(project().to_string())
    }
    /// A place that no step may ever touch.
    pub fn outside(&self) -> PathBuf {
        let outside = self.folder.path().join("outside");
        fs::create_dir_all(&outside).expect("a folder");
        outside
    }
    pub fn workspace(&self) -> Workspace {
        self.workspaces.of(project()).expect("a workspace")
    }
    pub fn put(&self, at: &str, text: &str) {
        let at = self.root().join(at);
        fs::create_dir_all(at.parent().expect("a parent")).expect("a folder");
        fs::write(at, text).expect("a file");
    }
    pub fn text(&self, at: &str) -> Option<String> {
        fs::read_to_string(self.root().join(at)).ok()
    }
    pub fn write(
        &self,
        at: &str,
        text: &str,
        was: Option<PreImage>,
    ) -> Result<Written, WorkspaceError> {
        let node = write_node(&path(at));
        let permit = self.gate.permit(node, &[("content", text)], was.map(|was| (at, was)));
        self.workspaces.write(permit)
    }
    pub fn delete(&self, at: &str, was: Option<PreImage>) -> Result<Deleted, WorkspaceError> {
        let node = delete_node(&path(at));
        self.workspaces.delete(self.gate.permit(node, &[], was.map(|was| (at, was))))
    }
}

#[track_caller]
pub fn refused<T: std::fmt::Debug>(done: Result<T, WorkspaceError>, code: &str) {
    assert_eq!(done.expect_err("refused").code(), code);
}
