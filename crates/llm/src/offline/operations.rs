//! Handles registered systems whose operation is not named yet.

use wiiiv_domain::{HttpMethod, Lang, Operation, SlotName, Slots, System, TaskType};
use wiiiv_language::{Lexicon, lists};
use wiiiv_messages::Messages;

/// Systems that a question speaks of.
const SYSTEMS_TOLD_MAX: usize = 8;
/// Operations of each that it lists.
const OPERATIONS_TOLD_MAX: usize = 20;
const MORE: &str = "…";

/// A request to registered systems that cannot be made yet.
pub(super) struct Unsettled<'s> {
    /// All that the request speaks to.
    pub(super) systems: Vec<&'s System>,
    /// Those without an operation of their own.
    asked: Vec<&'s System>,
    /// What is to be done there, as it was said.
    intent: String,
}

impl<'s> Unsettled<'s> {
    /// `None` where every system's operation is known, or what is spoken to is not registered.
    pub(super) fn of(systems: &'s [System], task: TaskType, slots: &Slots) -> Option<Self> {
        let addressed = task == TaskType::ApiWorkflow && slots.get(SlotName::URL).is_none();
        let domain = slots.get(SlotName::DOMAIN).filter(|_| addressed)?;
        let registered = |name: &str| systems.iter().find(|system| system.is_called(name));
        let systems: Vec<&System> = domain.split(',').map(registered).collect::<Option<_>>()?;
        let mut told = slots.get(SlotName::OPERATION).unwrap_or_default().split(',');
        let unknown = |system: &&System| {
            let told = told.next().unwrap_or_default();
            system.operation(told).is_none() && !is_route(told)
        };
        let asked: Vec<&System> = systems.iter().copied().filter(unknown).collect();
        let intent = slots.get(SlotName::INTENT).unwrap_or_default().to_owned();
        (!asked.is_empty()).then_some(Self { systems, asked, intent })
    }

    /// Where only some lists have what is spoken of, it asks which of them (`everything under 20000`).
    pub(super) fn question(&self, lexicon: &Lexicon, messages: &Messages, lang: Lang) -> String {
        let lines = self.asked.iter().take(SYSTEMS_TOLD_MAX).map(|system| {
            let spoken = lists(lexicon, system, &self.intent);
            let all = || system.operations.iter().collect();
            let operations: Vec<&Operation> = if spoken.len() > 1 { spoken } else { all() };
            let told = operations.iter().take(OPERATIONS_TOLD_MAX).map(|op| called(op, lang));
            let mut told: Vec<String> = told.collect();
            if operations.len() > OPERATIONS_TOLD_MAX {
                told.push(MORE.to_owned());
            }
            messages.offline_operations(lang, system.name.as_str(), &told)
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// `GET /products?category=food`
fn is_route(told: &str) -> bool {
    let method =
        told.trim().split_once(' ').map(|(method, path)| (HttpMethod::parse(method), path));
    matches!(method, Some((Some(_), path)) if path.trim_start().starts_with('/'))
}

/// `상품 목록 (products)`
fn called(operation: &Operation, lang: Lang) -> String {
    let id = &operation.id;
    operation.label(lang).map_or_else(|| id.clone(), |label| format!("{label} ({id})"))
}
