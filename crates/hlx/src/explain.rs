//! Explains a plan in plain words: its purpose, then its steps in order.

use crate::{
    language::Lang,
    preview::{neutralise, title},
    sentence::sentence,
};
use std::fmt::Write as _;
use wiiiv_domain::{Blueprint, Node, SlotName, StepId};

#[must_use]
pub fn explain(blueprint: &Blueprint, lang: Lang) -> String {
    let mut text = title(blueprint, lang);
    text.push('\n');
    if let Some(intent) = blueprint.spec_snapshot.spec.slots.get(SlotName::INTENT) {
        let intent = neutralise(intent);
        text.push_str(&match lang {
            Lang::Ko => format!("목적: {intent}\n"),
            Lang::En => format!("Purpose: {intent}\n"),
        });
    }
    for (at, node) in blueprint.nodes.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{}. {}", at + 1, sentence(&blueprint.nodes, node, lang));
        text.push_str(&order(&blueprint.nodes, node, lang));
        text.push_str(again(node, lang));
        text.push('\n');
    }
    text
}

/// After which steps.
fn order(nodes: &[Node], node: &Node, lang: Lang) -> String {
    let number = |step: &StepId| nodes.iter().position(|n| &n.id == step).map(|at| at + 1);
    let after: Vec<_> =
        node.depends_on.iter().filter_map(number).map(|at| at.to_string()).collect();
    match (after.is_empty(), lang) {
        (true, _) => String::new(),
        (false, Lang::Ko) => format!(" ({}단계 뒤)", after.join(", ")),
        (false, Lang::En) => format!(" (after step {})", after.join(", ")),
    }
}

/// What is not repeated by itself is said.
const fn again(node: &Node, lang: Lang) -> &'static str {
    match (node.idempotent, lang) {
        (true, _) => "",
        (false, Lang::Ko) => " 결과를 알 수 없게 되면 다시 하지 않고 사람에게 묻습니다.",
        (false, Lang::En) => " If its outcome is lost it is not repeated: a person is asked.",
    }
}
