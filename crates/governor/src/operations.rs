//! Registered systems, and what those that a task names can do: told where a person is asked for
//! one.

use crate::session::Session;
use wiiiv_domain::{Lang, Operation, ParameterPlace, SlotName, System};
use wiiiv_hlx::neutralise;

/// Operations of one system that are told; the rest are counted.
const OPERATIONS_TOLD_MAX: usize = 20;

/// Systems that are told; the rest are counted.
const SYSTEMS_TOLD_MAX: usize = 8;

/// Empty where nothing of a system is missing.
pub fn told(session: &Session, missing: &[SlotName]) -> String {
    if missing.iter().any(|slot| slot.as_str() == SlotName::DOMAIN) {
        return systems(session);
    }
    let asked =
        |slot: &SlotName| matches!(slot.as_str(), SlotName::OPERATION | SlotName::ARGUMENTS);
    let task = session.flow.active().filter(|_| missing.iter().any(asked));
    let named = task.and_then(|task| task.slots.get(SlotName::SYSTEM)).unwrap_or_default();
    let known = |name: &str| session.systems.iter().find(|system| system.name.as_str() == name);
    let lists = named.split(',').filter_map(known).map(|system| list(session, system));
    lists.collect::<Vec<_>>().join("\n")
}

/// `skymall (스카이몰), skystock (재고 시스템)`, by the first alias of each.
fn systems(session: &Session) -> String {
    let known = session.systems.iter().take(SYSTEMS_TOLD_MAX);
    let mut names: Vec<String> = known.map(|system| called(system, session.language)).collect();
    let rest = session.systems.len().saturating_sub(SYSTEMS_TOLD_MAX);
    names.extend((rest > 0).then(|| format!("… +{rest}")));
    if names.is_empty() {
        return String::new();
    }
    session.room.deps.messages.systems_known(session.language, &names.join(", "))
}

fn called(system: &System, lang: Lang) -> String {
    let alias = system.alias(lang).map(|alias| format!(" ({alias})")).unwrap_or_default();
    neutralise(&format!("{}{alias}", system.name))
}

fn list(session: &Session, system: &System) -> String {
    let texts = &session.room.deps.messages;
    let mut lines = vec![texts.operations_of(session.language, system.name.as_str())];
    let told = system.operations.iter().take(OPERATIONS_TOLD_MAX);
    lines.extend(told.map(|operation| line(operation, session.language)));
    let rest = system.operations.len().saturating_sub(OPERATIONS_TOLD_MAX);
    lines.extend((rest > 0).then(|| format!("- … +{rest}")));
    lines.join("\n")
}

/// `- 상품: product (GET /products/{id})`, what people call it first; a query argument that has to
/// be there is named too.
fn line(operation: &Operation, lang: Lang) -> String {
    let needed = operation.parameters.iter();
    let needed = needed.filter(|p| p.required && p.place == ParameterPlace::Query);
    let needed: Vec<&str> = needed.map(|parameter| parameter.name.as_str()).collect();
    let query = if needed.is_empty() { String::new() } else { format!("?{}", needed.join("&")) };
    let label = operation.label(lang).map(|label| format!("{label}: ")).unwrap_or_default();
    let (id, method, path) = (&operation.id, operation.method.as_str(), &operation.path);
    neutralise(&format!("- {label}{id} ({method} {path}{query})"))
}
