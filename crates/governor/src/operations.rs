//! Registered systems, what those that a task names can do, and what their rows hold: told where a
//! person is asked for one.

use crate::session::Session;
use wiiiv_domain::{Field, Lang, Operation, ParameterPlace, SlotName, Slots, System};
use wiiiv_hlx::neutralise;

/// Operations of one system that are told; the rest are counted.
const OPERATIONS_TOLD_MAX: usize = 20;

/// Systems that are told; the rest are counted.
const SYSTEMS_TOLD_MAX: usize = 8;

/// Fields that are told; the rest are counted.
const FIELDS_TOLD_MAX: usize = 12;

/// Values of one field that are told.
const VALUES_TOLD_MAX: usize = 6;

/// Empty where nothing of a system is missing.
pub fn told(session: &Session, missing: &[SlotName]) -> String {
    let lacks = |name: &str| missing.iter().any(|slot| slot.as_str() == name);
    if lacks(SlotName::DOMAIN) {
        return systems(session);
    }
    let Some(task) = session.flow.active() else { return String::new() };
    if lacks(SlotName::OPERATION) || lacks(SlotName::ARGUMENTS) {
        return operations(session, task.slots);
    }
    if lacks(SlotName::SELECT) { fields(session, task.slots) } else { String::new() }
}

fn operations(session: &Session, slots: &Slots) -> String {
    let named = slots.get(SlotName::SYSTEM).unwrap_or_default();
    let known = |name: &str| session.systems.iter().find(|system| system.name.as_str() == name);
    let lists = named.split(',').filter_map(known).map(|system| list(session, system));
    lists.collect::<Vec<_>>().join("\n")
}

/// `가격 (price), 상태 (status: 배송중, 취소됨)`: what a condition on the rows of one list may name.
fn fields(session: &Session, slots: &Slots) -> String {
    let (lang, said) = (session.language, |name| slots.get(name).unwrap_or_default());
    let system = session.systems.iter().find(|s| s.name.as_str() == said(SlotName::SYSTEM));
    let mut operations = system.into_iter().flat_map(|system| &system.operations);
    let Some(operation) = operations.find(|operation| operation.id == said(SlotName::OPERATION))
    else {
        return String::new();
    };
    let told = operation.fields.iter().take(FIELDS_TOLD_MAX);
    let mut told: Vec<String> = told.map(|field| held(field, lang)).collect();
    let rest = operation.fields.len().saturating_sub(FIELDS_TOLD_MAX);
    told.extend((rest > 0).then(|| format!("… +{rest}")));
    if told.is_empty() {
        return String::new();
    }
    session.room.deps.messages.told(lang, "ask.fields", &[("fields", told.join(", "))])
}

fn held(field: &Field, lang: Lang) -> String {
    let values = field.values.iter().take(VALUES_TOLD_MAX);
    let mut values: Vec<String> = values.map(|held| held.value.to_string()).collect();
    values.extend((field.values.len() > VALUES_TOLD_MAX).then(|| "…".to_owned()));
    let values = values.join(", ");
    // In English a word of Korean says less than the name.
    let label = field.label(lang).filter(|label| lang == Lang::Ko || label.is_ascii());
    let told = match (label, values.is_empty()) {
        (None, true) => field.name.clone(),
        (None, false) => format!("{} ({values})", field.name),
        (Some(label), true) => format!("{label} ({})", field.name),
        (Some(label), false) => format!("{label} ({}: {values})", field.name),
    };
    neutralise(&told)
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
    let names = [("systems", names.join(", "))];
    session.room.deps.messages.told(session.language, "ask.systems", &names)
}

fn called(system: &System, lang: Lang) -> String {
    let alias = system.alias(lang).map(|alias| format!(" ({alias})")).unwrap_or_default();
    neutralise(&format!("{}{alias}", system.name))
}

fn list(session: &Session, system: &System) -> String {
    let texts = &session.room.deps.messages;
    let named = [("system", system.name.to_string())];
    let mut lines = vec![texts.told(session.language, "ask.operations", &named)];
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
