//! The outer bounds of a spec: what it may touch. Risk, DACS and the preview judge it, and drawing
//! stays inside it.

use crate::{
    effect::Effect,
    host_name::host_of,
    http_method::HttpMethod,
    slots::{SlotName, Slots},
    task::TaskType,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The most that a spec may touch. Drawing a plan outside it fails.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Envelope {
    /// Kinds of effect that steps may have.
    pub effects: BTreeSet<Effect>,
    /// `host` or `host:port`, lower case.
    pub hosts: BTreeSet<String>,
    /// Workspace-relative paths; a leading slash means the same root.
    pub paths: BTreeSet<String>,
    /// Names of databases that steps may use.
    pub databases: BTreeSet<String>,
    /// Plugins, each as `server/tool`.
    pub plugins: BTreeSet<String>,
}

impl Envelope {
    /// The narrowest envelope for these slots. READ unless the request names a change.
    #[must_use]
    pub fn narrowest(task: TaskType, slots: &Slots) -> Self {
        let mut envelope = Self::default();
        envelope.effects.extend(task.default_effect());
        if let Some(path) = slots.get(SlotName::TARGET_PATH) {
            envelope.paths.insert(path.trim_start_matches('/').to_owned());
            if task == TaskType::ApiWorkflow || task == TaskType::WebFetch {
                envelope.effects.insert(Effect::Write);
            }
        }
        let speaks = matches!(task, TaskType::ApiWorkflow | TaskType::WebFetch);
        // For a registered system, code has written the address into the proposal's envelope.
        let registered = slots.get(SlotName::SYSTEM).is_some();
        let named = || slots.get(SlotName::DOMAIN).filter(|_| !registered);
        let host = slots.get(SlotName::URL).filter(|_| !registered).or_else(named);
        if let (true, Some(host)) = (speaks, host.and_then(host_of)) {
            envelope.hosts.insert(host);
        }
        if slots.get(SlotName::METHOD).and_then(HttpMethod::parse).is_some_and(|m| !m.is_safe()) {
            envelope.effects.insert(Effect::Write);
        }
        if let Some(database) = slots.get("database") {
            envelope.databases.insert(database.to_owned());
        }
        envelope
    }

    /// This envelope with everything that `wider` names added.
    #[must_use]
    pub fn widened(mut self, wider: &Self) -> Self {
        self.effects.extend(&wider.effects);
        self.hosts.extend(wider.hosts.iter().cloned());
        self.paths.extend(wider.paths.iter().cloned());
        self.databases.extend(wider.databases.iter().cloned());
        self.plugins.extend(wider.plugins.iter().cloned());
        self
    }

    /// Whether nothing is named at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The greatest effect that is named; `None` if none is.
    #[must_use]
    pub fn greatest_effect(&self) -> Option<Effect> {
        self.effects.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_in_a_query_is_no_host() {
        let host = |text| host_of(text).unwrap_or_default();
        assert_eq!(host("a.test/?next=https://b.test/"), "a.test");
        assert_eq!(host("a.test#https://b.test/"), "a.test");
        assert_eq!(host("https://a.test/?next=https://b.test/"), "a.test");
    }

    #[test]
    fn a_get_saved_to_a_file_reads_a_host_and_writes_a_path() -> Result<(), crate::SlotError> {
        let mut slots = Slots::default();
        slots.set(SlotName::URL, "http://Shop.test:8080/items?x=1")?;
        slots.set(SlotName::TARGET_PATH, "/out.json")?;
        let envelope = Envelope::narrowest(TaskType::ApiWorkflow, &slots);
        assert_eq!(envelope.hosts.iter().next().map(String::as_str), Some("shop.test:8080"));
        assert_eq!(envelope.paths.iter().next().map(String::as_str), Some("out.json"));
        assert_eq!(envelope.greatest_effect(), Some(Effect::Write));
        Ok(())
    }
}
