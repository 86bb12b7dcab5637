//! What the outputs of a plan's steps hold.

use crate::{
    id::ExecutionId,
    plan::{Blueprint, StepParams},
    provenance::{SourceKind, ValueSource, ValueSources},
    step_id::StepId,
    value::{Binding, Source},
};
use std::collections::BTreeSet;

impl Blueprint {
    /// What the output of this step holds, in a run of this plan: through transforms, back to the steps
    /// that read it.
    #[must_use]
    pub fn sources_of(&self, execution: ExecutionId, step: &StepId) -> ValueSources {
        let (mut seen, mut open) = (BTreeSet::new(), vec![step]);
        let mut found = ValueSources::default();
        while let Some(step) = open.pop() {
            if !seen.insert(step) {
                continue;
            }
            let read = |kind| [ValueSource::Step { execution, step: step.clone(), kind }];
            let Some(node) = self.node(step) else {
                found.extend(read(SourceKind::Output));
                continue;
            };
            match &node.params {
                StepParams::FileRead { .. } => found.extend(read(SourceKind::File)),
                StepParams::WebFetch { .. } => found.extend(read(SourceKind::Page)),
                StepParams::ApiCall { .. } => found.extend(read(SourceKind::Answer)),
                // What a change of a file leaves is our own report of it.
                StepParams::FileWrite { .. } | StepParams::FileDelete { .. } => {}
                StepParams::Transform { .. } => {
                    let args = node.params.args();
                    for binding in args.iter().filter_map(|(_, arg)| arg.binding()) {
                        match &binding.from {
                            Source::Step { step } => open.push(step),
                            Source::Run { .. } => found.extend(of_earlier(binding)),
                        }
                    }
                }
            }
        }
        found
    }
}

/// Of which plan that was is not known here.
fn of_earlier(binding: &Binding) -> Option<ValueSource> {
    match &binding.from {
        Source::Step { .. } => None,
        Source::Run { execution, step } => {
            let (execution, step) = (*execution, step.clone());
            Some(ValueSource::Step { execution, step, kind: SourceKind::Output })
        }
    }
}
