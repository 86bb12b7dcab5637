//! Puts each argument of an operation in its place as one value, never as syntax.

use super::{
    reason,
    route::{Route, parameter},
};
use serde_json::{Map, Value};
use wiiiv_domain::{
    Arg, NotDrawn, Parameter, ParameterPlace, SlotName, Slots, System, UrlTemplate,
};

/// A part of a URL, in bytes.
const URL_PART_BYTES_MAX: usize = 2048;

pub(crate) type Arguments = Map<String, Value>;

/// Of a request to this one system.
pub(crate) fn own(slots: &Slots, system: &System) -> Result<Arguments, NotDrawn> {
    let all = shared_out(given(slots)?, &[system])?;
    Ok(all.into_iter().next().unwrap_or_default())
}

pub(super) fn given(slots: &Slots) -> Result<Arguments, NotDrawn> {
    let Some(text) = slots.get(SlotName::ARGUMENTS) else { return Ok(Arguments::new()) };
    serde_json::from_str(text).map_err(|_| odd("ARGUMENTS_NOT_OBJECT"))
}

/// Of several systems, each takes what stands under its name; nothing is left over.
pub(super) fn shared_out(all: Arguments, systems: &[&System]) -> Result<Vec<Arguments>, NotDrawn> {
    let under = |system: &System| all.iter().find(|(name, _)| system.is_called(name));
    if let [only] = systems {
        let alone = under(only).filter(|_| all.len() == 1).and_then(|(_, own)| own.as_object());
        return Ok(vec![alone.cloned().unwrap_or(all)]);
    }
    if all.keys().any(|name| !systems.iter().any(|system| system.is_called(name))) {
        return Err(odd("ARGUMENT_UNKNOWN"));
    }
    let own = |system: &&System| match under(system) {
        None => Ok(Arguments::new()),
        Some((_, Value::Object(own))) => Ok(own.clone()),
        Some(_) => Err(odd("ARGUMENTS_NOT_OBJECT")),
    };
    systems.iter().map(own).collect()
}

/// The address that the operation is called at.
pub(super) fn filled(
    system: &System,
    route: &Route<'_>,
    mut given: Arguments,
) -> Result<UrlTemplate, NotDrawn> {
    already_written(route, &mut given)?;
    let mut segments = Vec::new();
    for segment in &route.segments {
        segments.push(Arg::Literal(match parameter(segment) {
            None => segment.clone(),
            Some(name) => {
                let value = taken(&mut given, name)?.ok_or_else(|| odd("ARGUMENT_MISSING"))?;
                // A parser takes these for steps in the path.
                if matches!(value.as_str(), "" | "." | "..") {
                    return Err(odd("ARGUMENT_UNFIT"));
                }
                value
            }
        }));
    }
    let query = route.query.iter().map(|(name, value)| (name.clone(), literal(value)));
    let mut query: Vec<_> = query.collect();
    match route.parameters {
        Some(declared) => {
            let is_open = |p: &&Parameter| {
                let written = route.query.iter().any(|(name, _)| *name == p.name);
                p.place == ParameterPlace::Query && !written
            };
            for parameter in declared.iter().filter(is_open) {
                match taken(&mut given, &parameter.name)? {
                    Some(value) => query.push((parameter.name.clone(), Arg::Literal(value))),
                    None if parameter.required => return Err(odd("ARGUMENT_MISSING")),
                    None => {}
                }
            }
            if given.values().any(|value| !value.is_null()) {
                return Err(odd("ARGUMENT_UNKNOWN"));
            }
        }
        None => {
            for name in given.keys().cloned().collect::<Vec<_>>() {
                let value = taken(&mut given, &name)?;
                query.extend(value.map(|value| (name, Arg::Literal(value))));
            }
        }
    }
    let base = &system.base_url;
    let (scheme, host, port) = (base.scheme, base.host.clone(), base.port);
    Ok(UrlTemplate { system: Some(system.name.clone()), scheme, host, port, segments, query })
}

/// An argument that a registered operation's path or query says already is said twice, and the same.
fn already_written(route: &Route<'_>, given: &mut Arguments) -> Result<(), NotDrawn> {
    if route.operation.is_none() {
        return Ok(());
    }
    for (name, written) in route.written.iter().chain(&route.query) {
        if taken(given, name)?.is_some_and(|value| value != *written) {
            return Err(odd("ARGUMENT_UNFIT"));
        }
    }
    Ok(())
}

/// `null` is as good as not given.
fn taken(given: &mut Arguments, name: &str) -> Result<Option<String>, NotDrawn> {
    let text = match given.remove(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text,
        Some(number @ Value::Number(_)) => number.to_string(),
        Some(truth @ Value::Bool(_)) => truth.to_string(),
        Some(Value::Array(_) | Value::Object(_)) => return Err(odd("ARGUMENT_UNFIT")),
    };
    if text.len() > URL_PART_BYTES_MAX { Err(odd("ARGUMENT_UNFIT")) } else { Ok(Some(text)) }
}

fn literal(text: &str) -> Arg {
    Arg::Literal(text.to_owned())
}

fn odd(code: &str) -> NotDrawn {
    reason::slot(SlotName::ARGUMENTS, code)
}
