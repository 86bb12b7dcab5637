//! Outputs that later nodes use: a single one unchanged, several as an array in order.

use super::{node::node, reason};
use crate::draw::facts::{BOUND_DEFAULT_BYTES, EarlierStep};
use wiiiv_domain::{
    Arg, BOUND_BYTES_MAX, Binding, Effect, ExecutionId, Node, NodeKind, NotDrawn, SlotName, Source,
    StepId, StepParams, ValueKind,
};

pub(super) const WHOLE: &str = ".";
const JSON: &str = "application/json";
const JSON_LINES: &str = "application/x-ndjson";

#[derive(Debug, Clone)]
pub(super) struct Input {
    from: Source,
    /// Known of an earlier run; a service's answer is taken for JSON.
    pub(super) is_json: bool,
    /// Known of an earlier run: several values, one a line.
    pub(super) is_json_lines: bool,
    max_bytes: u64,
    /// Of a text that goes on as it is.
    text_bytes: u64,
}

impl Input {
    pub(super) fn of_step(step: &StepId) -> Self {
        let from = Source::Step { step: step.clone() };
        let (max_bytes, text_bytes) = (BOUND_BYTES_MAX, BOUND_DEFAULT_BYTES);
        Self { from, is_json: true, is_json_lines: false, max_bytes, text_bytes }
    }
    pub(super) fn of_run(execution: ExecutionId, step: &EarlierStep) -> Self {
        let max_bytes = step.size_bytes.clamp(BOUND_DEFAULT_BYTES, BOUND_BYTES_MAX);
        Self {
            from: Source::Run { execution, step: step.step.clone() },
            is_json: step.media_type.starts_with(JSON),
            is_json_lines: step.media_type.starts_with(JSON_LINES),
            max_bytes,
            text_bytes: max_bytes,
        }
    }
    pub(super) fn json(&self) -> Arg {
        Arg::Bound(self.bound(WHOLE, ValueKind::Json, self.max_bytes))
    }
    /// The whole of it, or a part, as text.
    pub(super) fn text(&self, select: &str) -> Arg {
        self.file(select, ValueKind::Text)
    }
    /// The whole of it, or a part, as a file of that kind holds it.
    pub(super) fn file(&self, select: &str, kind: ValueKind) -> Arg {
        Arg::Bound(self.bound(select, kind, self.text_bytes))
    }
    /// Whether `expr` holds of it.
    pub(super) fn condition(&self, expr: &str) -> Binding {
        self.bound(expr, ValueKind::Json, BOUND_DEFAULT_BYTES)
    }
    /// The step of the same plan that it comes from.
    pub(super) const fn step(&self) -> Option<&StepId> {
        match &self.from {
            Source::Step { step } => Some(step),
            Source::Run { .. } => None,
        }
    }
    fn bound(&self, select: &str, kind: ValueKind, max_bytes: u64) -> Binding {
        Binding { from: self.from.clone(), select: select.to_owned(), kind, max_bytes }
    }
}

/// What a plan goes on with after joining and selecting.
pub(super) struct Narrowed {
    /// What a condition speaks of: the same that the selection is taken from.
    pub(super) whole: Input,
    pub(super) selected: Input,
}

/// Adds the steps that make one output of the inputs. Where a condition speaks of them, their
/// array is a step of its own.
pub(super) fn narrow(
    nodes: &mut Vec<Node>,
    inputs: &[Input],
    select: Option<&str>,
    conditional: bool,
) -> Result<Narrowed, NotDrawn> {
    let mut add = |id: &str, inputs: &[Input], expr: &str| {
        let node = transform(id, inputs, expr)?;
        let input = Input::of_step(&node.id);
        nodes.push(node);
        Ok(input)
    };
    let whole = match (inputs, select) {
        ([only], _) => only.clone(),
        (_, Some(expr)) if !conditional => {
            let selected = add("filter", inputs, expr)?;
            return Ok(Narrowed { whole: selected.clone(), selected });
        }
        (_, _) => add("join", inputs, WHOLE)?,
    };
    let selected = match select {
        Some(expr) => add("filter", std::slice::from_ref(&whole), expr)?,
        None => whole.clone(),
    };
    Ok(Narrowed { whole, selected })
}

fn transform(id: &str, inputs: &[Input], expr: &str) -> Result<Node, NotDrawn> {
    let Some((first, beside)) = inputs.split_first() else {
        return Err(reason::slot(SlotName::SOURCE_RUN, "MISSING"));
    };
    let mut depends_on: Vec<StepId> = Vec::new();
    for step in inputs.iter().filter_map(Input::step) {
        if !depends_on.contains(step) {
            depends_on.push(step.clone());
        }
    }
    let params = StepParams::Transform {
        input: first.json(),
        beside: beside.iter().map(Input::json).collect(),
        expr: expr.to_owned(),
    };
    Ok(Node { depends_on, ..node(id, NodeKind::Transform, Effect::Read, params)? })
}
