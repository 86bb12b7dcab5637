//! Draws one request as a node; its effect follows from its method and the policy.

use super::{content, input::Input, node, reason};
use wiiiv_domain::{
    Arg, Effect, HttpMethod, Node, NodeKind, NotDrawn, ProjectPolicy, Retry, Scheme, SlotName,
    Spec, StepId, StepParams, UrlTemplate,
};

/// What a request carries, with its content type.
pub(super) type Body = Option<(String, Arg)>;

/// GET and HEAD, and what an administrator labels so.
pub(super) fn reads(
    method: HttpMethod,
    (scheme, host, port): (Scheme, &str, Option<u16>),
    segments: &[Option<&str>],
    policy: &ProjectPolicy,
) -> bool {
    let mut rules = policy.allowed_hosts.iter();
    method.is_safe()
        || rules.any(|r| r.covers(scheme, host, port) && r.labels_read(method, segments))
}

pub(super) fn is_read(method: HttpMethod, url: &UrlTemplate, policy: &ProjectPolicy) -> bool {
    let place = (url.scheme, url.host.as_str(), url.port);
    reads(method, place, &url.written_segments(), policy)
}

/// Written out, or the earlier output that is referred to.
pub(super) fn body(
    spec: &Spec,
    method: HttpMethod,
    source: Option<&Input>,
) -> Result<Body, NotDrawn> {
    let body = match (spec.slots.get(SlotName::BODY), source) {
        (Some(_), Some(_)) => return Err(reason::slot(SlotName::SOURCE_RUN, "CONTENT_AND_SOURCE")),
        (Some(text), None) => {
            let media_type = content::media_type(content::is_json(text));
            Some((media_type.to_owned(), Arg::Literal(text.to_owned())))
        }
        (None, Some(source)) => {
            let value =
                if source.is_json { source.json() } else { source.text(super::input::WHOLE) };
            Some((content::media_type(source.is_json).to_owned(), value))
        }
        (None, None) => None,
    };
    if body.is_some() && method.is_safe() {
        return Err(reason::slot(SlotName::METHOD, "METHOD_TAKES_NO_BODY"));
    }
    Ok(body)
}

pub(super) fn node(
    id: &str,
    method: HttpMethod,
    url: UrlTemplate,
    body: Body,
    policy: &ProjectPolicy,
) -> Result<Node, NotDrawn> {
    let reads = is_read(method, &url, policy);
    let idempotent = reads || is_promised(method, &url, policy);
    let (kind, effect) = match reads {
        true => (NodeKind::Observe, Effect::Read),
        false => (NodeKind::Act, Effect::Write),
    };
    let once = Retry { attempts_max: 1, ..Retry::default() };
    let source = body.as_ref().and_then(|(_, value)| value.binding()).map(|b| &b.from);
    let depends_on = source.and_then(step_of).into_iter().collect();
    let (content_type, body) = body.unzip();
    let params = StepParams::ApiCall { method, url, content_type, body };
    let retry = if idempotent { Retry::default() } else { once };
    Ok(Node { depends_on, retry, idempotent, ..node::node(id, kind, effect, params)? })
}

fn step_of(source: &wiiiv_domain::Source) -> Option<StepId> {
    match source {
        wiiiv_domain::Source::Step { step } => Some(step.clone()),
        wiiiv_domain::Source::Run { .. } => None,
    }
}

/// Another method only where the policy says that the service promises so.
fn is_promised(method: HttpMethod, url: &UrlTemplate, policy: &ProjectPolicy) -> bool {
    let mut rules = policy.allowed_hosts.iter();
    let segments = url.written_segments();
    rules.any(|rule| {
        rule.covers(url.scheme, &url.host, url.port) && rule.promises(method, &segments)
    })
}
