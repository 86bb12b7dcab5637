//! What may be changed in a plan that waits for an answer: values of its arguments, and nothing that makes
//! it another plan.

use wiiiv_domain::{
    Arg, Binding, HttpMethod, Node, RequestTarget, SlotName, Slots, StepId, StepParams, System,
    UrlTemplate,
};

/// Slots that hold arguments. What is done, where, and with which expression is no argument.
const ARGUMENTS: [&str; 4] =
    [SlotName::TARGET_PATH, SlotName::CONTENT, SlotName::BODY, SlotName::ARGUMENTS];

/// The values that somebody who may answer can change, sorted by name. An address is one of them where
/// no system is named, and a request that is written out (`GET /items?limit=3`) where one is: of both only
/// the values can become others, which [`is_same_but_for_values`] sees to.
#[must_use]
pub fn editable(slots: &Slots) -> Vec<(SlotName, String)> {
    let registered = slots.get(SlotName::SYSTEM).is_some();
    let addressed = slots.get(SlotName::URL).is_some();
    let may = |name: &str, value: &str| match name {
        SlotName::URL => !registered,
        SlotName::DOMAIN => !registered && !addressed && value.contains('/'),
        SlotName::OPERATION => registered && is_written_out(value),
        _ => ARGUMENTS.contains(&name),
    };
    let may = slots.iter().filter(|(name, value)| may(name.as_str(), value));
    may.map(|(name, value)| (name.clone(), value.to_owned())).collect()
}

/// An id or a label holds no value.
fn is_written_out(operation: &str) -> bool {
    let mut words = operation.split_whitespace();
    words.next().and_then(HttpMethod::parse).is_some() && words.next().is_some()
}

/// Whether the new steps are the old ones with other values: the first that is not comes back.
pub fn is_same_but_for_values(
    old: &[Node],
    new: &[Node],
    systems: &[System],
) -> Result<(), StepId> {
    let mut both = old.iter().zip(new);
    if let Some((_, other)) = both.find(|(old, new)| !is_same_step(old, new, systems)) {
        return Err(other.id.clone());
    }
    let further = new.get(old.len()).or_else(|| old.get(new.len()));
    further.map_or(Ok(()), |node| Err(node.id.clone()))
}

fn is_same_step(old: &Node, new: &Node, systems: &[System]) -> bool {
    let Node { id, kind, params, depends_on, when, retry, effect, idempotent } = old;
    let same = (id, kind, depends_on, when) == (&new.id, &new.kind, &new.depends_on, &new.when)
        && (retry, effect, idempotent) == (&new.retry, &new.effect, &new.idempotent);
    same && is_same_act(params, &new.params, systems)
}

fn is_same_act(old: &StepParams, new: &StepParams, systems: &[System]) -> bool {
    match (old, new) {
        (StepParams::FileRead { name: old, .. }, StepParams::FileRead { name: new, .. })
        | (StepParams::FileDelete { name: old, .. }, StepParams::FileDelete { name: new, .. }) => {
            is_same_source(old, new)
        }
        (
            StepParams::FileWrite { name: old_name, content: old, .. },
            StepParams::FileWrite { name: new_name, content: new, .. },
        ) => is_same_source(old_name, new_name) && is_same_source(old, new),
        (
            StepParams::ApiCall { method, url, content_type, body },
            StepParams::ApiCall { method: to, url: to_url, content_type: to_type, body: to_body },
        ) => {
            let is_same_body = match (body, to_body) {
                (Some(old), Some(new)) => is_same_source(old, new),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            (method, content_type) == (to, to_type)
                && is_same_body
                && is_same_request(*method, (url, to_url), systems)
        }
        (StepParams::WebFetch { url: old }, StepParams::WebFetch { url: new }) => {
            is_same_request(HttpMethod::Get, (old, new), systems)
        }
        (StepParams::Transform { .. }, StepParams::Transform { .. }) => old == new,
        (
            StepParams::FileRead { .. }
            | StepParams::FileWrite { .. }
            | StepParams::FileDelete { .. }
            | StepParams::ApiCall { .. }
            | StepParams::WebFetch { .. }
            | StepParams::Transform { .. },
            _,
        ) => false,
    }
}

/// What is written stays written, and what is bound stays bound to the same; a file's new name may give
/// it another form.
fn is_same_source(old: &Arg, new: &Arg) -> bool {
    match (old, new) {
        (Arg::Literal(_), Arg::Literal(_)) => true,
        (Arg::Bound(old), Arg::Bound(new)) => {
            let Binding { from, select, kind: _, max_bytes } = old;
            (from, select, max_bytes) == (&new.from, &new.select, &new.max_bytes)
        }
        (Arg::Literal(_), Arg::Bound(_)) | (Arg::Bound(_), Arg::Literal(_)) => false,
    }
}

/// The same place and the same operation there. A registered operation says which segments are values;
/// of any other request the path is what is done.
fn is_same_request(
    method: HttpMethod,
    (old, new): (&UrlTemplate, &UrlTemplate),
    systems: &[System],
) -> bool {
    let is_same_place = (&old.system, old.scheme, &old.host, old.port)
        == (&new.system, new.scheme, &new.host, new.port);
    let is_same_query = old.query.len() == new.query.len()
        && old.query.iter().zip(&new.query).all(|((name, value), (to_name, to_value))| {
            name == to_name && is_same_source(value, to_value)
        });
    if !is_same_place || !is_same_query {
        return false;
    }
    let system = old.system.as_ref();
    let system = system.and_then(|name| systems.iter().find(|system| system.name == *name));
    let operation = |url: &UrlTemplate| {
        let segments = url.written_segments();
        let query: Vec<&str> = url.query.iter().map(|(name, _)| name.as_str()).collect();
        let found =
            system?.operation_at(&RequestTarget { method, segments: &segments, query: &query });
        found.map(|operation| operation.id.clone())
    };
    match operation(old) {
        Some(known) => operation(new) == Some(known),
        None => old.segments == new.segments,
    }
}
