//! What a plan takes from an earlier run: it is known before a yes, and shown with it.

use super::{Preview, PreviewStep, PreviewValue};
use crate::sentence::WHOLE;
use std::collections::BTreeMap;
use wiiiv_domain::{Arg, Binding, Blueprint, ExecutionId, Node, Source, StepId, StepParams};

/// What steps of earlier runs have put out, as people read it.
pub type EarlierOutputs = BTreeMap<(ExecutionId, StepId), String>;

/// The outputs that a plan writes or sends whole.
#[must_use]
pub fn earlier(blueprint: &Blueprint) -> Vec<(ExecutionId, StepId)> {
    blueprint.nodes.iter().filter_map(taken).collect()
}

fn taken(node: &Node) -> Option<(ExecutionId, StepId)> {
    let given = match &node.params {
        StepParams::FileWrite { content, .. } => Some(content),
        StepParams::ApiCall { body, .. } => body.as_ref(),
        StepParams::FileRead { .. }
        | StepParams::FileDelete { .. }
        | StepParams::WebFetch { .. }
        | StepParams::Transform { .. } => None,
    };
    let Arg::Bound(Binding { from: Source::Run { execution, step }, select, .. }) = given? else {
        return None;
    };
    (select == WHOLE).then(|| (*execution, step.clone()))
}

impl Preview {
    /// Beside where it comes from, what it is. The texts are made harmless by whoever renders them.
    #[must_use]
    pub fn with_earlier(mut self, blueprint: &Blueprint, outputs: &EarlierOutputs) -> Self {
        for (step, node) in self.steps.iter_mut().zip(&blueprint.nodes) {
            let held = taken(node).and_then(|source| outputs.get(&source));
            if let (Some(PreviewValue::Bound { holds, .. }), Some(held)) = (given(step), held) {
                *holds = Some(held.clone());
            }
        }
        self
    }
}

fn given(step: &mut PreviewStep) -> Option<&mut PreviewValue> {
    match &mut step.request {
        Some(request) => request.body.as_mut(),
        None => step.value.as_mut(),
    }
}
