//! Draws the reading of one page, saved in `targetPath` if asked.

use super::{
    condition, content, files, format,
    input::{Input, WHOLE},
    node::node,
    reason, url,
};
use crate::draw::facts::DrawFacts;
use wiiiv_domain::{
    Effect, Node, NodeKind, NotDrawn, SlotName, Spec, StepParams, ValueKind, WorkspacePath,
};

/// What of a page is saved in a file that is not JSON.
const TEXT: &str = ".text";

pub(super) fn fetch(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    if spec.slots.get(SlotName::URL).is_none() && spec.slots.get(SlotName::QUERY).is_some() {
        return Err(vec![reason::slot(SlotName::QUERY, "NO_SEARCH_SYSTEM")]);
    }
    let one = |reason| vec![reason];
    alone(spec).and_then(|()| files::adds_nothing(spec)).map_err(one)?;
    let saved = match spec.slots.get(SlotName::TARGET_PATH) {
        Some(_) => files::target(spec, facts)
            .and_then(|path| Ok((Some(path), content::expression(spec, SlotName::WHEN)?))),
        None => condition::none(spec).map(|()| (None, None)),
    };
    let (url, (saved, when)) = reason::both(url::template(spec, facts.policy), saved)?;
    let params = StepParams::WebFetch { url };
    let page = node("page", NodeKind::Observe, Effect::Read, params).map_err(one)?;
    let Some(path) = saved else { return Ok(vec![page]) };
    let read = Input::of_step(&page.id);
    let part = part(&path, &read).map_err(one)?;
    let saved = files::save_part(&path, &read, part).map_err(one)?;
    Ok(vec![page, condition::guard(saved, when.as_deref().map(|expr| (&read, expr)))])
}

/// A page is no list of rows, and nothing goes along with it.
fn alone(spec: &Spec) -> Result<(), NotDrawn> {
    let unfit = [SlotName::SELECT, SlotName::SOURCE_RUN];
    match unfit.into_iter().find(|slot| spec.slots.get(slot).is_some()) {
        Some(slot) => Err(reason::slot(slot, "NOT_OF_A_PAGE")),
        None => Ok(()),
    }
}

/// A JSON file holds the page with its title and address, any other its text alone. A page has no
/// rows.
fn part(path: &WorkspacePath, read: &Input) -> Result<&'static str, NotDrawn> {
    match format::of(path, read)? {
        ValueKind::Json => Ok(WHOLE),
        ValueKind::Text => Ok(TEXT),
        ValueKind::Csv | ValueKind::JsonLines => {
            Err(reason::slot(SlotName::TARGET_PATH, "NO_ROWS"))
        }
    }
}
