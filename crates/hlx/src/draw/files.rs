//! One file in the workspace: read, written or deleted.

use super::{DrawFacts, content, reason};
use wiiiv_domain::{
    Arg, BlueprintError, DenyCode, Effect, Node, NodeKind, NotDrawn, Retry, SlotName, Spec, StepId,
    StepParams, WorkspacePath,
};

pub(super) fn read(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let path = target(spec, facts).map_err(|e| vec![e])?;
    let params = StepParams::FileRead { directory: path.directory(), name: name_of(&path) };
    one("read", NodeKind::Observe, Effect::Read, params)
}

pub(super) fn write(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let (path, content) = reason::both(target(spec, facts), content::of_file(spec, facts))?;
    let params =
        StepParams::FileWrite { directory: path.directory(), name: name_of(&path), content };
    one("write", NodeKind::Act, Effect::Write, params)
}

pub(super) fn delete(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let path = target(spec, facts).map_err(|e| vec![e])?;
    let params = StepParams::FileDelete { directory: path.directory(), name: name_of(&path) };
    one("delete", NodeKind::Act, Effect::Delete, params)
}

/// The path that the spec names, by the rules of governance.md 2.
pub(super) fn target(spec: &Spec, facts: &DrawFacts<'_>) -> Result<WorkspacePath, NotDrawn> {
    let raw = spec.slots.get(SlotName::TARGET_PATH).unwrap_or_default();
    let path = WorkspacePath::parse(raw)
        .map_err(|error| reason::slot(SlotName::TARGET_PATH, error.code()))?;
    match path.system_directory() {
        // Never silently re-rooted: the user is asked to name a workspace path.
        Some(first) if !facts.own_directories.contains(first) => {
            Err(NotDrawn::Denied { code: DenyCode::PathNotAllowed, what: format!("/{path}") })
        }
        Some(_) | None => Ok(path),
    }
}

/// A node that saves `content` in a file: the last of a longer plan.
pub(super) fn save(path: &WorkspacePath, content: Arg, after: &StepId) -> Result<Node, NotDrawn> {
    let params =
        StepParams::FileWrite { directory: path.directory(), name: name_of(path), content };
    let mut node = file_node("save", NodeKind::Act, Effect::Write, params).map_err(odd_id)?;
    node.depends_on = vec![after.clone()];
    Ok(node)
}

fn one(
    id: &str,
    kind: NodeKind,
    effect: Effect,
    params: StepParams,
) -> Result<Vec<Node>, Vec<NotDrawn>> {
    file_node(id, kind, effect, params).map(|node| vec![node]).map_err(|e| vec![odd_id(e)])
}

/// Files are idempotent: reading changes nothing, writing the same bytes and deleting an absent
/// file are found to be done already, and a file that changed since is refused by its pre-image.
fn file_node(
    id: &str,
    kind: NodeKind,
    effect: Effect,
    params: StepParams,
) -> Result<Node, BlueprintError> {
    Ok(Node {
        id: StepId::parse(id)?,
        kind,
        params,
        depends_on: Vec::new(),
        when: None,
        retry: Retry::default(),
        effect,
        idempotent: true,
    })
}

pub(super) fn odd_id(error: BlueprintError) -> NotDrawn {
    match error {
        BlueprintError::StepId(id) => NotDrawn::OutsideEnvelope { what: id },
    }
}

fn name_of(path: &WorkspacePath) -> Arg {
    Arg::Literal(path.name().to_owned())
}
