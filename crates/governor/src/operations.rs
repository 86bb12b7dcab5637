//! What the systems that a task names can do, told where a person is asked for an operation.

use crate::session::Session;
use wiiiv_domain::{Operation, ParameterPlace, SlotName, System};
use wiiiv_hlx::neutralise;

/// Operations of one system that are told; the rest are counted.
const OPERATIONS_TOLD_MAX: usize = 20;

/// Empty where nothing of a system is missing.
pub fn told(session: &Session, missing: &[SlotName]) -> String {
    let asked =
        |slot: &SlotName| matches!(slot.as_str(), SlotName::OPERATION | SlotName::ARGUMENTS);
    let task = session.flow.active().filter(|_| missing.iter().any(asked));
    let named = task.and_then(|task| task.slots.get(SlotName::SYSTEM)).unwrap_or_default();
    let known = |name: &str| session.systems.iter().find(|system| system.name.as_str() == name);
    let lists = named.split(',').filter_map(known).map(|system| list(session, system));
    lists.collect::<Vec<_>>().join("\n")
}

fn list(session: &Session, system: &System) -> String {
    let texts = &session.room.deps.messages;
    let mut lines = vec![texts.operations_of(session.language, system.name.as_str())];
    lines.extend(system.operations.iter().take(OPERATIONS_TOLD_MAX).map(line));
    let rest = system.operations.len().saturating_sub(OPERATIONS_TOLD_MAX);
    lines.extend((rest > 0).then(|| format!("- … +{rest}")));
    lines.join("\n")
}

/// `- product: GET /products/{id} (상품)`; a query argument that has to be there is named too.
fn line(operation: &Operation) -> String {
    let needed = operation.parameters.iter();
    let needed = needed.filter(|p| p.required && p.place == ParameterPlace::Query);
    let needed: Vec<&str> = needed.map(|parameter| parameter.name.as_str()).collect();
    let query = if needed.is_empty() { String::new() } else { format!("?{}", needed.join("&")) };
    let labels = operation.labels.join(", ");
    let labels = if labels.is_empty() { labels } else { format!(" ({labels})") };
    let (id, method, path) = (&operation.id, operation.method.as_str(), &operation.path);
    neutralise(&format!("- {id}: {method} {path}{query}{labels}"))
}
