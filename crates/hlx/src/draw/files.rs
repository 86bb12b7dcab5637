//! Draws the reading, writing or deletion of one file in the workspace.
//!
//! Files are idempotent: reading changes nothing, writing the same bytes and deleting an absent
//! file are found to be done already, and a file that changed since is refused by its pre-image.

use super::{
    condition, content, format,
    input::{Input, Narrowed, WHOLE, narrow},
    node::node,
    reason, source,
};
use crate::draw::facts::DrawFacts;
use wiiiv_domain::{
    Arg, DenyCode, Effect, Node, NodeKind, NotDrawn, PathError, SlotName, Spec, StepId, StepParams,
    WorkspacePath,
};

/// The step that lists the workspace.
pub const LISTING: &str = "list";

pub(super) fn read(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let path = WorkspacePath::parse_to_read(named(spec));
    let (path, ()) = reason::both(allowed(path, facts), condition::none(spec))?;
    let params = StepParams::FileRead { directory: path.directory(), name: name_of(&path) };
    let id = if path.is_root() { LISTING } else { "read" };
    node(id, NodeKind::Observe, Effect::Read, params).map(|node| vec![node]).map_err(one)
}

/// `content`, or earlier results, of which `select` may take a part.
pub(super) fn write(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let mut nodes = Vec::new();
    let content = content(spec, facts, &mut nodes);
    let (path, Content { value, after, condition }) = reason::both(target(spec, facts), content)?;
    let value = match value {
        Value::Written(text) => Arg::Literal(text),
        Value::Of(output, select) => output.file(&select, format::of(&path, &output).map_err(one)?),
    };
    let params =
        StepParams::FileWrite { directory: path.directory(), name: name_of(&path), content: value };
    let mut write = node("write", NodeKind::Act, Effect::Write, params).map_err(one)?;
    write.depends_on = after;
    nodes.push(condition::guard(write, condition.as_ref().map(|(of, expr)| (of, expr.as_str()))));
    Ok(nodes)
}

pub(super) fn delete(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let mut nodes = Vec::new();
    let condition = conditional(spec, facts, &mut nodes);
    let (path, condition) = reason::both(target(spec, facts), condition)?;
    let params = StepParams::FileDelete { directory: path.directory(), name: name_of(&path) };
    let delete = node("delete", NodeKind::Act, Effect::Delete, params).map_err(one)?;
    nodes.push(condition::guard(delete, condition.as_ref().map(|(of, expr)| (of, expr.as_str()))));
    Ok(nodes)
}

fn one(reason: NotDrawn) -> Vec<NotDrawn> {
    vec![reason]
}

/// What a file is to hold, and where it has to wait for.
struct Content {
    value: Value,
    after: Vec<StepId>,
    condition: Option<(Input, String)>,
}

/// Words of the user, or a part of an output.
enum Value {
    Written(String),
    Of(Input, String),
}

fn content(spec: &Spec, facts: &DrawFacts<'_>, nodes: &mut Vec<Node>) -> Result<Content, NotDrawn> {
    let sources = source::inputs(spec, facts)?;
    let when = content::expression(spec, SlotName::WHEN)?;
    let written = spec.slots.get(SlotName::CONTENT);
    if let Some(text) = written {
        if when.is_none() && !sources.is_empty() {
            return Err(reason::slot(SlotName::SOURCE_RUN, "CONTENT_AND_SOURCE"));
        }
        let condition = conditional(spec, facts, nodes)?;
        let whole = if appends(spec)? { added(facts.held, text) } else { text.to_owned() };
        return Ok(Content { value: Value::Written(whole), after: Vec::new(), condition });
    }
    adds_nothing(spec)?;
    let select = content::expression(spec, SlotName::SELECT)?;
    match sources.as_slice() {
        [] => Err(reason::slot(SlotName::CONTENT, "MISSING")),
        [only] => Ok(Content {
            value: Value::Of(only.clone(), select.unwrap_or_else(|| WHOLE.to_owned())),
            after: Vec::new(),
            condition: when.map(|expr| (only.clone(), expr)),
        }),
        several => {
            let Narrowed { whole, selected } =
                narrow(nodes, several, select.as_deref(), when.is_some())?;
            Ok(Content {
                after: selected.step().cloned().into_iter().collect(),
                value: Value::Of(selected, WHOLE.to_owned()),
                condition: when.map(|expr| (whole, expr)),
            })
        }
    }
}

/// Whether the content is to be added to what the file holds.
pub fn appends(spec: &Spec) -> Result<bool, NotDrawn> {
    match spec.slots.get(SlotName::APPEND) {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(reason::slot(SlotName::APPEND, "NOT_TRUE_OR_FALSE")),
    }
}

/// What is read is saved in a file of its own: the preview could not show what becomes of the file.
pub(super) fn adds_nothing(spec: &Spec) -> Result<(), NotDrawn> {
    if appends(spec)? {
        return Err(reason::slot(SlotName::APPEND, "ADDS_WRITTEN_TEXT_ONLY"));
    }
    Ok(())
}

/// A line of its own; the file ends as it ended.
fn added(held: Option<&str>, text: &str) -> String {
    match held {
        None | Some("") => text.to_owned(),
        Some(held) if held.ends_with('\n') => format!("{held}{}\n", text.trim_end_matches('\n')),
        Some(held) => format!("{held}\n{text}"),
    }
}

/// A condition that speaks of earlier results alone.
fn conditional(
    spec: &Spec,
    facts: &DrawFacts<'_>,
    nodes: &mut Vec<Node>,
) -> Result<Option<(Input, String)>, NotDrawn> {
    let Some(expr) = content::expression(spec, SlotName::WHEN)? else { return Ok(None) };
    match source::inputs(spec, facts)?.as_slice() {
        [] => Err(reason::slot(SlotName::WHEN, "CONDITION_WITHOUT_SOURCE")),
        sources => Ok(Some((narrow(nodes, sources, None, true)?.whole, expr))),
    }
}

/// The path that the spec names, by the rules of governance.md 2.
pub(super) fn target(spec: &Spec, facts: &DrawFacts<'_>) -> Result<WorkspacePath, NotDrawn> {
    allowed(WorkspacePath::parse(named(spec)), facts)
}

fn named(spec: &Spec) -> &str {
    spec.slots.get(SlotName::TARGET_PATH).unwrap_or_default()
}

fn allowed(
    path: Result<WorkspacePath, PathError>,
    facts: &DrawFacts<'_>,
) -> Result<WorkspacePath, NotDrawn> {
    let path = path.map_err(|error| reason::slot(SlotName::TARGET_PATH, error.code()))?;
    match path.system_directory() {
        // Never silently re-rooted: the user is asked to name a workspace path.
        Some(first) if !facts.own_directories.contains(first) => Err(NotDrawn::Denied {
            code: DenyCode::PathNotAllowed,
            what: format!("/{path}"),
            rule: None,
        }),
        Some(_) | None => Ok(path),
    }
}

/// A node that saves an output in a file: the last of a longer plan.
pub(super) fn save(path: &WorkspacePath, output: &Input) -> Result<Node, NotDrawn> {
    save_part(path, output, WHOLE)
}

/// The same with a part of the output.
pub(super) fn save_part(
    path: &WorkspacePath,
    output: &Input,
    select: &str,
) -> Result<Node, NotDrawn> {
    let params = StepParams::FileWrite {
        directory: path.directory(),
        name: name_of(path),
        content: output.file(select, format::of(path, output)?),
    };
    let mut node = node("save", NodeKind::Act, Effect::Write, params)?;
    node.depends_on = output.step().cloned().into_iter().collect();
    Ok(node)
}

fn name_of(path: &WorkspacePath) -> Arg {
    Arg::Literal(path.name().to_owned())
}
