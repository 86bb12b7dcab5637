//! Checks that drawn nodes stay inside the reviewed envelope.

use super::url::is_place;
use wiiiv_domain::{Arg, Effect, Envelope, Node, NodeKind, NotDrawn, StepParams, WorkspacePath};

pub(super) fn envelope(nodes: &[Node], envelope: &Envelope) -> Result<(), Vec<NotDrawn>> {
    let outside: Vec<_> = nodes.iter().flat_map(|node| of_node(node, envelope)).collect();
    if outside.is_empty() { Ok(()) } else { Err(outside) }
}

fn of_node(node: &Node, envelope: &Envelope) -> Vec<NotDrawn> {
    let mut outside = Vec::new();
    // A transform touches nothing.
    let touches = node.kind != NodeKind::Transform;
    if touches && !envelope.effects.contains(&node.effect) {
        outside.push(format!("{} {}", node.id, word(node.effect)));
    }
    match &node.params {
        StepParams::FileRead { directory, name }
        | StepParams::FileWrite { directory, name, .. }
        | StepParams::FileDelete { directory, name } => {
            if !covers_path(envelope, directory, name) {
                outside.push(format!("{} {directory}", node.id));
            }
        }
        StepParams::ApiCall { url, .. } | StepParams::WebFetch { url } => {
            if !envelope.hosts.iter().any(|host| is_place(host, url)) {
                outside.push(format!("{} {}", node.id, url.host));
            }
        }
        StepParams::Transform { .. } => {}
    }
    outside.into_iter().map(|what| NotDrawn::OutsideEnvelope { what }).collect()
}

/// A bound name lies anywhere in its directory, so the directory itself must be covered.
fn covers_path(envelope: &Envelope, directory: &str, name: &Arg) -> bool {
    let path = match name {
        Arg::Literal(name) => format!("{directory}/{name}"),
        Arg::Bound(_) => directory.to_owned(),
    };
    let Ok(path) = WorkspacePath::parse_to_read(path.trim_start_matches('/')) else {
        return envelope.paths.contains("");
    };
    envelope.paths.iter().any(|above| path.is_under(above))
}

const fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "READ",
        Effect::Write => "WRITE",
        Effect::Delete => "DELETE",
        Effect::Execute => "EXECUTE",
    }
}
