//! Lists registered systems, operations or fields to choose from.

use crate::session::Session;
use wiiiv_domain::{Field, Lang, Operation, ParameterPlace, SlotName, Slots, System};
use wiiiv_hlx::neutralise;

/// Items of each kind that are listed; the rest are counted.
const OPERATIONS_TOLD_MAX: usize = 20;
const SYSTEMS_TOLD_MAX: usize = 8;
const FIELDS_TOLD_MAX: usize = 12;
/// Values of one field that are listed.
const VALUES_TOLD_MAX: usize = 6;

/// Empty where nothing of a system is missing.
pub fn choices(session: &Session, missing: &[SlotName]) -> String {
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
    let systems = named.split(',').filter_map(|name| session.work.systems.named(name));
    let lists = systems.map(|system| list(session, system));
    lists.collect::<Vec<_>>().join("\n")
}

/// `가격 (price), 상태 (status: 배송중, 취소됨)`: what a condition on the rows of one list may name.
fn fields(session: &Session, slots: &Slots) -> String {
    let (lang, said) = (session.conversation.language, |name| slots.get(name).unwrap_or_default());
    let system = session.work.systems.named(said(SlotName::SYSTEM));
    let mut operations = system.into_iter().flat_map(|system| &system.operations);
    let Some(operation) = operations.find(|operation| operation.id == said(SlotName::OPERATION))
    else {
        return String::new();
    };
    let fields = first(&operation.fields, FIELDS_TOLD_MAX, |field| held(field, lang));
    if fields.is_empty() {
        return String::new();
    }
    session.text("ask.fields", &[("fields", fields.join(", "))])
}

/// The first of them, and how many more there are.
fn first<T>(all: &[T], max: usize, text: impl Fn(&T) -> String) -> Vec<String> {
    let mut texts: Vec<String> = all.iter().take(max).map(text).collect();
    let rest = all.len().saturating_sub(max);
    texts.extend((rest > 0).then(|| format!("… +{rest}")));
    texts
}

fn held(field: &Field, lang: Lang) -> String {
    let values = field.values.iter().take(VALUES_TOLD_MAX);
    let mut values: Vec<String> = values.map(|held| held.value.to_string()).collect();
    values.extend((field.values.len() > VALUES_TOLD_MAX).then(|| "…".to_owned()));
    let values = values.join(", ");
    // A Korean label does not help an English reader.
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
    let lang = session.conversation.language;
    let names = first(&session.work.systems.list, SYSTEMS_TOLD_MAX, |system| called(system, lang));
    if names.is_empty() {
        return String::new();
    }
    session.text("ask.systems", &[("systems", names.join(", "))])
}

fn called(system: &System, lang: Lang) -> String {
    let alias = system.alias(lang).map(|alias| format!(" ({alias})")).unwrap_or_default();
    neutralise(&format!("{}{alias}", system.name))
}

fn list(session: &Session, system: &System) -> String {
    let lang = session.conversation.language;
    let mut lines = vec![session.text("ask.operations", &[("system", system.name.to_string())])];
    let operations = first(&system.operations, OPERATIONS_TOLD_MAX, |known| line(known, lang));
    lines.extend(operations.iter().map(|line| format!("- {line}")));
    lines.join("\n")
}

/// `상품: product (GET /products/{id})`, what people call it first; a query argument that has to
/// be there is named too.
fn line(operation: &Operation, lang: Lang) -> String {
    let needed = operation.parameters.iter();
    let needed = needed.filter(|p| p.required && p.place == ParameterPlace::Query);
    let needed: Vec<&str> = needed.map(|parameter| parameter.name.as_str()).collect();
    let query = if needed.is_empty() { String::new() } else { format!("?{}", needed.join("&")) };
    let label = operation.label(lang).map(|label| format!("{label}: ")).unwrap_or_default();
    let (id, method, path) = (&operation.id, operation.method.as_str(), &operation.path);
    neutralise(&format!("{label}{id} ({method} {path}{query})"))
}
