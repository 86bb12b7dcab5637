//! Checks the form of a step's parameters.

use super::PlanError;
use url::Url;
use wiiiv_domain::{
    Arg, BOUND_BYTES_MAX, Effect, HttpMethod, Node, NodeKind, PathError, StepId, StepParams,
    UrlTemplate, WorkspacePath,
};

/// Stands for a name that is not known yet.
const ANY_NAME: &str = "name";

/// Kind and effect follow from the parameters: a plan cannot say less of itself. Only a request
/// that acts by its method may be labelled READ, and then the policy has to say the same.
pub(super) fn natures(params: &StepParams) -> &'static [(NodeKind, Effect)] {
    const READS: (NodeKind, Effect) = (NodeKind::Observe, Effect::Read);
    const WRITES: (NodeKind, Effect) = (NodeKind::Act, Effect::Write);
    match params {
        StepParams::FileRead { .. } | StepParams::WebFetch { .. } => &[READS],
        StepParams::FileWrite { .. } => &[WRITES],
        StepParams::FileDelete { .. } => &[(NodeKind::Act, Effect::Delete)],
        StepParams::ApiCall { method, .. } => match method {
            HttpMethod::Get | HttpMethod::Head => &[READS],
            HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch => &[WRITES, READS],
            HttpMethod::Delete => &[WRITES],
        },
        StepParams::Transform { .. } => &[(NodeKind::Transform, Effect::Read)],
    }
}

pub(super) fn check(node: &Node, errors: &mut Vec<PlanError>) {
    let step = &node.id;
    for (argument, value) in node.params.args() {
        let too_long = |text: &String| text.len() as u64 > BOUND_BYTES_MAX;
        if matches!(value, Arg::Literal(text) if too_long(text)) {
            errors.push(PlanError::LiteralTooLong { step: step.clone(), argument });
        }
    }
    match &node.params {
        StepParams::FileRead { directory, name } => {
            errors.extend(path(step, directory, name, WorkspacePath::parse_to_read));
        }
        StepParams::FileWrite { directory, name, .. }
        | StepParams::FileDelete { directory, name } => {
            errors.extend(path(step, directory, name, WorkspacePath::parse));
        }
        StepParams::ApiCall { method, url, content_type, body } => {
            errors.extend(place(step, url));
            errors.extend(request(step, *method, content_type.as_deref(), body.as_ref()));
        }
        StepParams::WebFetch { url } => errors.extend(place(step, url)),
        StepParams::Transform { .. } => {}
    }
}

fn path(
    step: &StepId,
    directory: &str,
    name: &Arg,
    parse: impl Fn(&str) -> Result<WorkspacePath, PathError>,
) -> Option<PlanError> {
    let name = match name {
        Arg::Literal(name) => name.as_str(),
        Arg::Bound(_) => ANY_NAME,
    };
    match parse(&format!("{directory}/{name}")) {
        Err(error) => Some(PlanError::Path { step: step.clone(), error }),
        // The joined path must fall apart into the same two parts again.
        Ok(path) => (path.name() != name || path.directory() != directory)
            .then(|| PlanError::FileName { step: step.clone() }),
    }
}

fn place(step: &StepId, url: &UrlTemplate) -> Option<PlanError> {
    let port = url.port.map(|port| format!(":{port}")).unwrap_or_default();
    let text = format!("{}://{}{port}/", url.scheme.as_str(), url.host);
    let same = Url::parse(&text).is_ok_and(|parsed| {
        parsed.host_str() == Some(url.host.as_str())
            && parsed.path() == "/"
            && parsed.username().is_empty()
            && parsed.query().is_none()
            && parsed.fragment().is_none()
    });
    (!same).then(|| PlanError::Url { step: step.clone() })
}

fn request(
    step: &StepId,
    method: HttpMethod,
    content_type: Option<&str>,
    body: Option<&Arg>,
) -> Option<PlanError> {
    if body.is_some() && method.is_safe() {
        return Some(PlanError::BodyNotAllowed { step: step.clone() });
    }
    let written = |kind: &str| !kind.is_empty() && kind.bytes().all(|b| matches!(b, b' '..=b'~'));
    let fits = match (content_type, body) {
        (Some(kind), Some(_)) => written(kind),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    (!fits).then(|| PlanError::ContentType { step: step.clone() })
}
