//! One call of a service; its answer filtered by `select` and saved in `targetPath`, where asked.

use super::{BOUND_DEFAULT_BYTES, DrawFacts, content, files, reason, url};
use wiiiv_domain::{
    Arg, BOUND_BYTES_MAX, Effect, HttpMethod, Node, NodeKind, NotDrawn, ProjectPolicy, Retry,
    SlotName, Spec, StepId, StepParams, UrlTemplate, ValueKind, WorkspacePath,
};

pub(super) fn workflow(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let request = method(spec).and_then(|m| Ok((m, body(spec, facts, m)?)));
    let (url, (method, body)) = reason::both(url::template(spec, facts.policy), request)?;
    let (select, target) = reason::both(content::selected(spec), saved(spec, facts, method))?;
    chain(call(method, url, body, facts.policy), select, target).map_err(|e| vec![e])
}

fn chain(
    call: Result<Node, NotDrawn>,
    select: Option<String>,
    target: Option<WorkspacePath>,
) -> Result<Vec<Node>, NotDrawn> {
    let call = call?;
    let mut last = call.id.clone();
    let mut nodes = vec![call];
    if let Some(expr) = select {
        let filter = filter(&last, expr)?;
        last = filter.id.clone();
        nodes.push(filter);
    }
    if let Some(path) = target {
        let content = content::of_step(&last, ValueKind::Text, BOUND_DEFAULT_BYTES);
        nodes.push(files::save(&path, content, &last)?);
    }
    Ok(nodes)
}

fn method(spec: &Spec) -> Result<HttpMethod, NotDrawn> {
    let Some(text) = spec.slots.get(SlotName::METHOD) else { return Ok(HttpMethod::Get) };
    HttpMethod::parse(text).ok_or_else(|| reason::slot(SlotName::METHOD, "METHOD_UNKNOWN"))
}

fn body(
    spec: &Spec,
    facts: &DrawFacts<'_>,
    method: HttpMethod,
) -> Result<Option<(String, Arg)>, NotDrawn> {
    let body = content::of_request(spec, facts)?;
    if body.is_some() && method.is_safe() {
        return Err(reason::slot(SlotName::METHOD, "METHOD_TAKES_NO_BODY"));
    }
    Ok(body)
}

fn saved(
    spec: &Spec,
    facts: &DrawFacts<'_>,
    method: HttpMethod,
) -> Result<Option<WorkspacePath>, NotDrawn> {
    if spec.slots.get(SlotName::TARGET_PATH).is_none() {
        return Ok(None);
    }
    if method == HttpMethod::Head {
        return Err(reason::slot(SlotName::METHOD, "METHOD_HAS_NO_ANSWER"));
    }
    files::target(spec, facts).map(Some)
}

fn call(
    method: HttpMethod,
    url: UrlTemplate,
    body: Option<(String, Arg)>,
    policy: &ProjectPolicy,
) -> Result<Node, NotDrawn> {
    let idempotent = is_idempotent(method, &url, policy);
    let (content_type, body) = body.unzip();
    let (kind, effect) = if method.is_safe() {
        (NodeKind::Observe, Effect::Read)
    } else {
        (NodeKind::Act, Effect::Write)
    };
    let once = Retry { attempts_max: 1, ..Retry::default() };
    Ok(Node {
        id: StepId::parse("call").map_err(files::odd_id)?,
        kind,
        params: StepParams::ApiCall { method, url, content_type, body },
        depends_on: Vec::new(),
        when: None,
        retry: if idempotent { Retry::default() } else { once },
        effect,
        idempotent,
    })
}

/// GET and HEAD are; another method only where the policy says that the service promises so.
fn is_idempotent(method: HttpMethod, url: &UrlTemplate, policy: &ProjectPolicy) -> bool {
    let promised = || {
        policy.allowed_hosts.iter().any(|rule| {
            rule.covers(url.scheme, &url.host, url.port)
                && rule.idempotent_methods.contains(&method)
        })
    };
    method.is_safe() || promised()
}

fn filter(after: &StepId, expr: String) -> Result<Node, NotDrawn> {
    Ok(Node {
        id: StepId::parse("filter").map_err(files::odd_id)?,
        kind: NodeKind::Transform,
        params: StepParams::Transform {
            input: content::of_step(after, ValueKind::Json, BOUND_BYTES_MAX),
            beside: Vec::new(),
            expr,
        },
        depends_on: vec![after.clone()],
        when: None,
        retry: Retry::default(),
        effect: Effect::Read,
        idempotent: true,
    })
}
