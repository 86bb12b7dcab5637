//! What drawn nodes have in common.

use wiiiv_domain::{BlueprintError, Effect, Node, NodeKind, NotDrawn, Retry, StepId, StepParams};

/// It depends on nothing, has no condition and may be repeated.
pub(super) fn node(
    id: &str,
    kind: NodeKind,
    effect: Effect,
    params: StepParams,
) -> Result<Node, NotDrawn> {
    let odd_id = |BlueprintError::StepId(id)| NotDrawn::OutsideEnvelope { what: id };
    Ok(Node {
        id: StepId::parse(id).map_err(odd_id)?,
        kind,
        params,
        depends_on: Vec::new(),
        when: None,
        retry: Retry::default(),
        effect,
        idempotent: true,
    })
}
