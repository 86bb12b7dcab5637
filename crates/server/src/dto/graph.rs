//! A plan as nodes and edges.

use super::{blueprint::effect_name, localized::LocalizedText};
use serde::Serialize;
use std::collections::BTreeSet;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Blueprint, BlueprintDigest, Node, Source, StepId};
use wiiiv_hlx::{PreImages, PreviewStep, preview};

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GraphNode {
    pub id: String,
    /// From 1, in plan order.
    pub number: usize,
    /// E.g. `FILE_WRITE`.
    #[serde(rename = "type")]
    pub step_type: &'static str,
    /// `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    pub sentence: LocalizedText,
    /// It happens only where this holds.
    pub when: Option<LocalizedText>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EdgeKind {
    /// Only waits for it.
    Order,
    /// Takes a value from it.
    Data,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct GraphEdge {
    pub from: String,
    pub to: String,
    pub kind: EdgeKind,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BlueprintGraph {
    pub blueprint: Uuid,
    pub digest: String,
    pub nodes: Vec<GraphNode>,
    /// At most one from node to node.
    pub edges: Vec<GraphEdge>,
}

impl BlueprintGraph {
    pub(crate) fn of(blueprint: &Blueprint, digest: BlueprintDigest) -> Self {
        // Nothing of what files hold now is told here.
        let told = preview(blueprint, &PreImages::new());
        Self {
            blueprint: blueprint.id.uuid(),
            digest: digest.to_string(),
            nodes: told.steps.into_iter().map(GraphNode::from).collect(),
            edges: blueprint.nodes.iter().flat_map(edges).collect(),
        }
    }
}

impl From<PreviewStep> for GraphNode {
    fn from(step: PreviewStep) -> Self {
        Self {
            id: step.id.to_string(),
            number: step.number,
            step_type: step.step_type.as_str(),
            effect: effect_name(step.effect),
            sentence: step.sentence.into(),
            when: step.when.map(LocalizedText::from),
        }
    }
}

fn edges(node: &Node) -> Vec<GraphEdge> {
    let bound = node.params.args();
    let bound = bound.iter().filter_map(|(_, arg)| arg.binding()).chain(&node.when);
    let sources: BTreeSet<&StepId> = bound.filter_map(|binding| step_of(&binding.from)).collect();
    let edge =
        |from: &StepId, kind| GraphEdge { from: from.to_string(), to: node.id.to_string(), kind };
    let order = node.depends_on.iter().filter(|step| !sources.contains(step));
    let order = order.map(|step| edge(step, EdgeKind::Order));
    sources.iter().map(|step| edge(step, EdgeKind::Data)).chain(order).collect()
}

/// An earlier run is no node of this plan.
const fn step_of(source: &Source) -> Option<&StepId> {
    match source {
        Source::Step { step } => Some(step),
        Source::Run { .. } => None,
    }
}
