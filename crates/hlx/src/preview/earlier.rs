//! Values that a plan takes from an earlier run; the preview shows them.

use super::{Preview, PreviewStep, PreviewValue};
use crate::bound_text::WHOLE;
use std::collections::BTreeMap;
use wiiiv_domain::{Arg, Binding, Blueprint, Node, Source, StepId, StepParams, ValueKind};

/// By the step that writes or sends it: what it takes from an earlier run, as people read it.
pub type EarlierOutputs = BTreeMap<StepId, String>;

/// The values of earlier runs that a plan writes or sends whole, or writes as rows.
#[must_use]
pub fn earlier(blueprint: &Blueprint) -> Vec<(&StepId, &Binding)> {
    blueprint.nodes.iter().filter_map(|node| Some((&node.id, taken(node)?))).collect()
}

fn taken(node: &Node) -> Option<&Binding> {
    let given = match &node.params {
        StepParams::FileWrite { content, .. } => Some(content),
        StepParams::ApiCall { body, .. } => body.as_ref(),
        StepParams::FileRead { .. }
        | StepParams::FileDelete { .. }
        | StepParams::WebFetch { .. }
        | StepParams::Transform { .. } => None,
    };
    let Arg::Bound(binding) = given? else { return None };
    let Source::Run { .. } = binding.from else { return None };
    let is_rows = matches!(binding.kind, ValueKind::Csv | ValueKind::JsonLines);
    (is_rows || binding.select == WHOLE).then_some(binding)
}

impl Preview {
    /// Beside where it comes from, what it is. The texts are made harmless by whoever renders them.
    #[must_use]
    pub fn with_earlier(mut self, outputs: &EarlierOutputs) -> Self {
        for step in &mut self.steps {
            let held = outputs.get(&step.id).cloned();
            if let (Some(PreviewValue::Bound { holds, .. }), Some(held)) = (given(step), held) {
                *holds = Some(held);
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
