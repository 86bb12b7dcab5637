//! Draws calls of services, one or several. Answers are joined, filtered by `select` and saved in
//! `targetPath` if asked. Without a call, an earlier result takes their place.

use super::{
    condition, content, files,
    input::{Input, Narrowed, WHOLE, narrow},
    reason, request, source, system, url,
};
use crate::draw::facts::DrawFacts;
use wiiiv_domain::{HttpMethod, Node, NotDrawn, SlotName, Spec, UrlTemplate, WorkspacePath};

/// What is done with the answers.
struct Then {
    select: Option<String>,
    when: Option<String>,
    target: Option<WorkspacePath>,
}

pub(super) fn workflow(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let one = |e| vec![e];
    if is_without_call(spec) {
        let then = then(spec, facts, &[])?;
        let sources = source::inputs(spec, facts).map_err(one)?;
        return again(&then, &sources).map_err(one);
    }
    let calls = match system::requests(spec, facts) {
        Some(registered) => registered.map_err(one)?,
        None => {
            let (url, method) = reason::both(url::template(spec, facts.policy), method(spec))?;
            vec![(method, url)]
        }
    };
    let acts =
        |(method, url): &(HttpMethod, UrlTemplate)| !request::is_read(*method, url, facts.policy);
    match calls.as_slice() {
        [call] if acts(call) => {
            let then = then(spec, facts, &calls)?;
            acting(spec, facts, &then, call.clone()).map_err(one)
        }
        calls if calls.iter().any(acts) => {
            Err(vec![reason::slot(SlotName::OPERATION, "SEVERAL_READ_ONLY")])
        }
        calls => {
            let then = then(spec, facts, calls);
            let read = reading(spec, facts, calls);
            match (read, then) {
                (Ok(nodes), Ok(then)) => after(&then, nodes).map_err(one),
                (Ok(_), Err(reasons)) => Err(reasons),
                (Err(reason), _) => Err(vec![reason]),
            }
        }
    }
}

/// An earlier result is referred to and no service is named.
fn is_without_call(spec: &Spec) -> bool {
    let named = |slot| spec.slots.get(slot).is_some();
    let places = [SlotName::SYSTEM, SlotName::DOMAIN, SlotName::URL];
    named(SlotName::SOURCE_RUN) && !places.into_iter().any(named)
}

fn method(spec: &Spec) -> Result<HttpMethod, NotDrawn> {
    let Some(text) = spec.slots.get(SlotName::METHOD) else { return Ok(HttpMethod::Get) };
    HttpMethod::parse(text).ok_or_else(|| reason::slot(SlotName::METHOD, "METHOD_UNKNOWN"))
}

fn then(
    spec: &Spec,
    facts: &DrawFacts<'_>,
    calls: &[(HttpMethod, UrlTemplate)],
) -> Result<Then, Vec<NotDrawn>> {
    let expression = |slot| content::expression(spec, slot);
    let select = expression(SlotName::SELECT);
    let expressions = select.and_then(|select| Ok((select, expression(SlotName::WHEN)?)));
    let ((select, when), target) = reason::both(expressions, saved(spec, facts, calls))?;
    Ok(Then { select, when, target })
}

fn saved(
    spec: &Spec,
    facts: &DrawFacts<'_>,
    calls: &[(HttpMethod, UrlTemplate)],
) -> Result<Option<WorkspacePath>, NotDrawn> {
    if spec.slots.get(SlotName::TARGET_PATH).is_none() {
        return Ok(None);
    }
    files::adds_nothing(spec)?;
    if calls.iter().any(|(method, _)| *method == HttpMethod::Head) {
        return Err(reason::slot(SlotName::METHOD, "METHOD_HAS_NO_ANSWER"));
    }
    files::target(spec, facts).map(Some)
}

/// Requests that change nothing, all at once.
fn reading(
    spec: &Spec,
    facts: &DrawFacts<'_>,
    calls: &[(HttpMethod, UrlTemplate)],
) -> Result<Vec<Node>, NotDrawn> {
    let sources = source::inputs(spec, facts)?;
    let source = match sources.as_slice() {
        [] => None,
        [only] => Some(only),
        _ => return Err(reason::slot(SlotName::SOURCE_RUN, "ONE_SOURCE_ONLY")),
    };
    let mut nodes = Vec::new();
    for (at, (method, url)) in calls.iter().enumerate() {
        let id = if calls.len() == 1 { "call".to_owned() } else { format!("call-{}", at + 1) };
        let body = request::body(spec, *method, source)?;
        nodes.push(request::node(&id, *method, url.clone(), body, facts.policy)?);
    }
    Ok(nodes)
}

/// What follows from the answers of these calls.
fn after(then: &Then, nodes: Vec<Node>) -> Result<Vec<Node>, NotDrawn> {
    let answers: Vec<Input> = nodes.iter().map(|node| Input::of_step(&node.id)).collect();
    saving(then, nodes, &answers, then.select.as_deref())
}

/// An earlier result, filtered once more: nobody is called.
fn again(then: &Then, sources: &[Input]) -> Result<Vec<Node>, NotDrawn> {
    // Something is to be seen also where nothing is chosen and nothing is saved.
    let shown = then.target.is_none().then_some(WHOLE);
    saving(then, Vec::new(), sources, then.select.as_deref().or(shown))
}

/// The nodes, then those that narrow the inputs and save what is selected.
fn saving(
    then: &Then,
    mut nodes: Vec<Node>,
    inputs: &[Input],
    select: Option<&str>,
) -> Result<Vec<Node>, NotDrawn> {
    let Narrowed { whole, selected } = narrow(&mut nodes, inputs, select, then.when.is_some())?;
    match (&then.target, &then.when) {
        (Some(path), when) => {
            let condition = when.as_deref().map(|expr| (&whole, expr));
            nodes.push(condition::guard(files::save(path, &selected)?, condition));
        }
        (None, Some(_)) => return Err(reason::slot(SlotName::WHEN, "CONDITION_WITHOUT_ACTION")),
        (None, None) => {}
    }
    Ok(nodes)
}

/// One request that acts. A condition speaks of the earlier result that is referred to.
fn acting(
    spec: &Spec,
    facts: &DrawFacts<'_>,
    then: &Then,
    (method, url): (HttpMethod, UrlTemplate),
) -> Result<Vec<Node>, NotDrawn> {
    let mut nodes = Vec::new();
    let sources = source::inputs(spec, facts)?;
    let source = match sources.as_slice() {
        [] => None,
        several => Some(narrow(&mut nodes, several, None, true)?.whole),
    };
    let is_carried = then.when.is_none() || carries(spec, method);
    let body = request::body(spec, method, source.as_ref().filter(|_| is_carried))?;
    let call = request::node("call", method, url, body, facts.policy)?;
    let call = match (&then.when, &source) {
        (None, _) => call,
        (Some(expr), Some(of)) => condition::guard(call, Some((of, expr))),
        (Some(_), None) => {
            return Err(reason::slot(SlotName::WHEN, "CONDITION_WITHOUT_SOURCE"));
        }
    };
    let answer = Input::of_step(&call.id);
    nodes.push(call);
    // The condition has been spent on the call.
    let saved = Then { select: None, when: None, target: then.target.clone() };
    saving(&saved, nodes, &[answer], then.select.as_deref())
}

/// Beside a condition, what it speaks of is sent only where nothing else is.
fn carries(spec: &Spec, method: HttpMethod) -> bool {
    spec.slots.get(SlotName::BODY).is_none() && method != HttpMethod::Delete
}
