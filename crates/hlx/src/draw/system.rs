//! Registered systems: a plan names them and their operations, and code adds the address.

use super::{arguments, reason, request, route::Route};
use crate::{draw::facts::DrawFacts, request::body_fault};
use std::collections::BTreeSet;
use wiiiv_domain::{
    Effect, HttpMethod, NotDrawn, ProjectPolicy, RequestTarget, SlotName, Slots, Spec, System,
    UrlTemplate,
};

/// Calls of one plan.
const CALLS_MAX: usize = 8;

/// What code adds to a proposal whose `domain` names registered systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// Their names, by commas: the slot `system`.
    pub names: String,
    /// As an envelope names the places.
    pub hosts: BTreeSet<String>,
    /// Of the operations that are named.
    pub effects: BTreeSet<Effect>,
}

/// `None` where any part of `domain` is no registered system.
#[must_use]
pub fn registered(slots: &Slots, systems: &[System], policy: &ProjectPolicy) -> Option<Registered> {
    let words = slots.get(SlotName::DOMAIN)?.split(',');
    let called = |word: &str| systems.iter().find(|system| system.is_called(word));
    let named: Vec<&System> = words.map(called).collect::<Option<_>>()?;
    let names: Vec<&str> = named.iter().map(|system| system.name.as_str()).collect();
    let calls = slots.get(SlotName::OPERATION).and_then(|words| calls(&named, words).ok());
    let acts = |(system, route): &(&System, Route<'_>)| {
        let place = (system.base_url.scheme, system.base_url.host.as_str(), system.base_url.port);
        !request::reads(route.method, place, &route.written_segments(), policy)
    };
    let effect = |call| if acts(call) { Effect::Write } else { Effect::Read };
    Some(Registered {
        names: names.join(","),
        hosts: named.iter().map(|system| system.base_url.place()).collect(),
        effects: calls.unwrap_or_default().iter().map(effect).collect(),
    })
}

/// The requests that the slots ask for; `None` where they name no registered system.
pub(super) fn requests(
    spec: &Spec,
    facts: &DrawFacts<'_>,
) -> Option<Result<Vec<(HttpMethod, UrlTemplate)>, NotDrawn>> {
    spec.slots.get(SlotName::SYSTEM).map(|names| of_systems(names, spec, facts))
}

fn of_systems(
    names: &str,
    spec: &Spec,
    facts: &DrawFacts<'_>,
) -> Result<Vec<(HttpMethod, UrlTemplate)>, NotDrawn> {
    // Removed or renamed since it was named.
    let unknown = || reason::slot(SlotName::DOMAIN, "SYSTEM_UNKNOWN");
    let found = |name: &str| facts.systems.iter().find(|s| s.name.as_str() == name);
    let named = names.split(',').map(|name| found(name).ok_or_else(unknown));
    let named: Vec<&System> = named.collect::<Result<_, _>>()?;
    let words = spec.slots.get(SlotName::OPERATION);
    let words = words.ok_or_else(|| reason::slot(SlotName::OPERATION, "MISSING"))?;
    let calls = calls(&named, words).map_err(|code| reason::slot(SlotName::OPERATION, code))?;
    let systems: Vec<&System> = calls.iter().map(|(system, _)| *system).collect();
    calls.iter().try_for_each(|(_, route)| takes(route, spec))?;
    let given = arguments::shared_out(arguments::given(&spec.slots)?, &systems)?;
    let filled = calls.iter().zip(given).map(|((system, route), given)| {
        let url = arguments::filled(system, route, given)?;
        reaches(system, route, &url)?;
        Ok((route.method, url))
    });
    filled.collect()
}

/// INVARIANT: no plan asks for a request that the system's credential may not go along with. The
/// executor refuses it too: a person is not asked about what will not be sent.
fn reaches(system: &System, route: &Route<'_>, url: &UrlTemplate) -> Result<(), NotDrawn> {
    let segments = url.written_segments();
    let query: Vec<&str> = url.query.iter().map(|(name, _)| name.as_str()).collect();
    let target = RequestTarget { method: route.method, segments: &segments, query: &query };
    if !system.sends_credential() || system.lets_credential_go(&target) {
        return Ok(());
    }
    Err(match route.operation {
        Some(_) => reason::slot(SlotName::ARGUMENTS, "ARGUMENT_UNFIT"),
        None => reason::slot(SlotName::OPERATION, "OPERATION_NOT_REGISTERED"),
    })
}

/// INVARIANT: no plan carries a body that its operation's schema does not take. An earlier result is
/// checked by whoever can read it; several that are joined are not known before the plan runs.
fn takes(route: &Route<'_>, spec: &Spec) -> Result<(), NotDrawn> {
    let Some(taken) = route.operation.and_then(|operation| operation.body.as_ref()) else {
        return Ok(());
    };
    let body = spec.slots.get(SlotName::BODY);
    let sources = spec.slots.get(SlotName::SOURCE_RUN).map(|names| names.split(',').count());
    match (body, sources) {
        (None, Some(1)) if taken.is_json() => Ok(()),
        (None, Some(1)) => Err(reason::slot(SlotName::BODY, "BODY_MEDIA_TYPE")),
        (None, Some(2..)) => Err(reason::slot(SlotName::SOURCE_RUN, "ONE_SOURCE_ONLY")),
        (_, _) => {
            body_fault(taken, body).map_or(Ok(()), |code| Err(reason::slot(SlotName::BODY, code)))
        }
    }
}

/// Each system with its operation: one word for each, or several words for one system.
fn calls<'a>(
    named: &[&'a System],
    words: &str,
) -> Result<Vec<(&'a System, Route<'a>)>, &'static str> {
    let of = |(system, word): (&'a System, &str)| Some((system, Route::of(system, word)?));
    // A path may hold commas of its own.
    if let Some(one) = named.first().filter(|_| named.len() == 1).map(|only| of((only, words)))
        && let Some(call) = one
    {
        return Ok(vec![call]);
    }
    let words: Vec<&str> = words.split(',').collect();
    let systems: Vec<&System> = match named {
        [only] => vec![only; words.len()],
        several => several.to_vec(),
    };
    if systems.len() > CALLS_MAX {
        return Err("TOO_MANY_CALLS");
    }
    if systems.len() != words.len() {
        return Err("OPERATION_COUNT");
    }
    let calls = systems.into_iter().zip(words).map(of).collect::<Option<_>>();
    calls.ok_or("OPERATION_UNKNOWN")
}
