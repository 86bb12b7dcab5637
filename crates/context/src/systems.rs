//! Registered systems as a prompt lists them: names, aliases and operations, without address or
//! authentication.

use serde_json::Value;
use wiiiv_domain::{Operation, ParameterPlace, RequestBody, SlotName, Slots, System};

/// The block at its longest, in bytes.
pub const SYSTEMS_SHOWN_BYTES_MAX: usize = 16_384;
/// The last line where something was left out.
const MORE: &str = "[…]\n";

/// Whole lines within the bound: first the systems that the message or the task speaks of. And how many lines are
/// left out.
pub(crate) fn shown(
    systems: &[System],
    message: &str,
    task: Option<&Slots>,
    bytes_max: usize,
) -> (String, usize) {
    let message = message.to_lowercase();
    let domain = task.and_then(|slots| slots.get(SlotName::DOMAIN)).unwrap_or_default();
    let named = |system: &System| {
        let said = |name: &str| says(&message, &name.to_lowercase());
        let aliases = system.aliases.iter().map(String::as_str);
        domain.split(',').any(|part| system.is_called(part))
            || aliases.chain([system.name.as_str()]).any(said)
    };
    let (first, then): (Vec<&System>, Vec<&System>) =
        systems.iter().partition(|system| named(system));
    let (mut text, mut fitted) = (String::new(), 0_usize);
    let all = systems.iter().map(|system| system.operations.len() + 1).sum::<usize>();
    for line in first.into_iter().chain(then).flat_map(lines) {
        if text.len() + line.len() + MORE.len() > bytes_max {
            if text.len() + MORE.len() <= bytes_max {
                text.push_str(MORE);
            }
            break;
        }
        text.push_str(&line);
        fitted += 1;
    }
    text.truncate(text.trim_end().len());
    (text, all.saturating_sub(fitted))
}

/// Not inside a longer word; particles may follow.
fn says(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(name).any(|(at, found)| {
        let before = text.get(..at).is_some_and(|before| before.ends_with(part));
        let after = text.get(at + found.len()..).is_some_and(|after| after.starts_with(part));
        !before && !after
    })
}

fn lines(system: &System) -> impl Iterator<Item = String> {
    let head = [format!("system {}", system.name), system.aliases.join(", ")];
    let head = format!("{}\n", filled(&head, ": "));
    std::iter::once(head).chain(system.operations.iter().map(line))
}

/// `products | GET /products | category, min_price | 상품 목록, products`; of an operation with a body
/// its members too.
fn line(operation: &Operation) -> String {
    let Operation { id, method, path, labels, reads, idempotent: _, parameters, fields, body } =
        operation;
    let reads = if *reads && !method.is_safe() { " (reads)" } else { "" };
    let route = format!("{} {path}{reads}", method.as_str());
    let arguments = parameters.iter().map(|parameter| {
        let required = parameter.required || parameter.place == ParameterPlace::Path;
        format!("{}{}", parameter.name, if required { "*" } else { "" })
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let fields = fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(" ");
    let fields = if fields.is_empty() { fields } else { format!("fields {fields}") };
    let body = body.as_ref().map(sent).unwrap_or_default();
    let parts = [id.clone(), route, arguments, fields, body, labels.join(", ")];
    format!("- {}\n", filled(&parts, " | "))
}

/// `body name*: string, team: string`
fn sent(body: &RequestBody) -> String {
    let required = body.schema.get("required").and_then(Value::as_array);
    let needs = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let members = body.schema.get("properties").and_then(Value::as_object);
    let members = members.into_iter().flatten().map(|(name, member)| {
        let kind = member.get("type").and_then(Value::as_str).unwrap_or("any");
        format!("{name}{}: {kind}", if needs(name) { "*" } else { "" })
    });
    let members = members.collect::<Vec<_>>().join(", ");
    if members.is_empty() { "body JSON".to_owned() } else { format!("body {members}") }
}

/// One line, whatever a registration holds.
fn filled(parts: &[String], between: &str) -> String {
    let kept: Vec<&str> =
        parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    kept.join(between).replace(|c: char| c.is_control(), " ")
}
