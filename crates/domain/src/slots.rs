//! The values that a task has so far: named texts, bounded in number and length.

use crate::{
    host_name::host_of,
    limits::{SLOT_CHARS_MAX, SLOT_NAME_CHARS_MAX, SLOTS_MAX},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of a slot: ASCII letters, digits and `_`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SlotName(String);

impl SlotName {
    /// Path of the file that the task is about.
    pub const TARGET_PATH: &str = "targetPath";
    /// Text to write.
    pub const CONTENT: &str = "content";
    /// `true`: the content is appended to the file.
    pub const APPEND: &str = "append";
    /// `true`: the answer is to be saved in a file, even if no file is named yet.
    pub const SAVE: &str = "save";
    /// What the user wants, in their own words.
    pub const INTENT: &str = "intent";
    /// Host, URL or (once systems are registered) the system that a task speaks to.
    pub const DOMAIN: &str = "domain";
    /// Address of a page or a request.
    pub const URL: &str = "url";
    /// What a web search is for.
    pub const QUERY: &str = "query";
    /// Request method, e.g. `POST`.
    pub const METHOD: &str = "method";
    /// Request body as JSON.
    pub const BODY: &str = "body";
    /// A jq expression over the answer.
    pub const SELECT: &str = "select";
    /// `last`, or an execution id: an earlier run of this session whose output is used as data.
    pub const SOURCE_RUN: &str = "sourceRun";
    /// Names of registered systems, separated by commas. INVARIANT: only code writes it, from
    /// `domain`; a model's value is dropped.
    pub const SYSTEM: &str = "system";
    /// For each system an operation's id or label, or `METHOD /path?query`, separated by commas.
    pub const OPERATION: &str = "operation";
    /// A JSON object of the operation's path and query arguments.
    pub const ARGUMENTS: &str = "arguments";
    /// A jq condition over the answer; the next steps run only if it holds.
    pub const WHEN: &str = "when";
    /// Words that select rows and were not understood; the user is asked for `select`.
    pub const UNREAD: &str = "unread";

    /// From a text; fails unless it is 1 to [`SLOT_NAME_CHARS_MAX`] of the allowed characters.
    pub fn parse(name: &str) -> Result<Self, SlotError> {
        let fits = !name.is_empty()
            && name.chars().count() <= SLOT_NAME_CHARS_MAX
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if fits { Ok(Self(name.to_owned())) } else { Err(SlotError::Name) }
    }
}

checked_text!(SlotName, SlotError);

/// Why a slot was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// Not a slot name.
    #[error("a slot name is 1 to `{SLOT_NAME_CHARS_MAX}` ASCII letters, digits or underscores")]
    Name,
    /// A value is too long.
    #[error("a slot value is at most `{SLOT_CHARS_MAX}` characters")]
    Value,
    /// There are too many slots.
    #[error("at most `{SLOTS_MAX}` slots")]
    TooMany,
}

/// Name to text. An empty text means "not known".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<SlotName, String>", into = "BTreeMap<SlotName, String>")]
pub struct Slots(BTreeMap<SlotName, String>);

impl Slots {
    /// The value of that slot; `None` if it is not known.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n.as_str() == name).map(|(_, v)| v.as_str())
    }
    /// Sets one slot; an empty text removes it.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> Result<(), SlotError> {
        let (name, value) = (SlotName::parse(name)?, value.into());
        if value.chars().count() > SLOT_CHARS_MAX {
            return Err(SlotError::Value);
        }
        if value.is_empty() {
            self.0.remove(&name);
            return Ok(());
        }
        if self.0.len() >= SLOTS_MAX && !self.0.contains_key(&name) {
            return Err(SlotError::TooMany);
        }
        self.0.insert(name, value);
        Ok(())
    }
    /// The slots of `self` overwritten by those of `newer`; fails if that makes too many.
    ///
    /// INVARIANT: `system` follows the address: a newer address removes an older system, and a
    /// newer system or host removes an older address elsewhere. A newer `select`, or a newer `body`
    /// with more fields than the known one, removes `unread`.
    pub fn merged(&self, newer: &Self) -> Result<Self, SlotError> {
        let mut all = self.clone();
        if [SlotName::DOMAIN, SlotName::URL].iter().any(|place| newer.get(place).is_some()) {
            all.set(SlotName::SYSTEM, "")?;
        }
        let address = self.get(SlotName::URL).filter(|_| newer.get(SlotName::URL).is_none());
        let elsewhere = |place| address.is_some_and(|url| !is_at(url, place));
        if newer.get(SlotName::DOMAIN).is_some_and(elsewhere) {
            all.set(SlotName::URL, "")?;
        }
        if self.is_settled_by(newer) {
            all.set(SlotName::UNREAD, "")?;
        }
        for (name, value) in newer.iter() {
            all.set(name.as_str(), value)?;
        }
        Ok(all)
    }
    /// A newer body with the same fields does not settle it: `make that 5` names no tumbler.
    fn is_settled_by(&self, newer: &Self) -> bool {
        let body = newer.get(SlotName::BODY);
        match self.get(SlotName::BODY) {
            Some(known) => body.is_some_and(|body| says_more(known, body)),
            None => body.or(newer.get(SlotName::SELECT)).is_some(),
        }
    }
    /// Every filled slot, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&SlotName, &str)> {
        self.0.iter().map(|(n, v)| (n, v.as_str()))
    }
    /// Whether no slot is filled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether `body` has a field that `known` has not; true if either is not a JSON object.
fn says_more(known: &str, body: &str) -> bool {
    type Object = serde_json::Map<String, serde_json::Value>;
    let (Ok(known), Ok(body)) =
        (serde_json::from_str::<Object>(known), serde_json::from_str::<Object>(body))
    else {
        return true;
    };
    body.keys().any(|field| !known.contains_key(field))
}

/// Whether the URL is at this host; a host without a port matches any port.
fn is_at(url: &str, place: &str) -> bool {
    let (Some(host), Some(place)) = (host_of(url), host_of(place)) else { return false };
    host.strip_prefix(&place).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

impl TryFrom<BTreeMap<SlotName, String>> for Slots {
    type Error = SlotError;
    fn try_from(map: BTreeMap<SlotName, String>) -> Result<Self, SlotError> {
        let mut slots = Self::default();
        for (name, value) in map {
            slots.set(name.as_str(), value)?;
        }
        Ok(slots)
    }
}
impl From<Slots> for BTreeMap<SlotName, String> {
    fn from(slots: Slots) -> Self {
        slots.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_saved_needs_a_file() -> Result<(), SlotError> {
        use crate::{spec::Spec, task::TaskType};
        let mut known = Slots::default();
        for (name, value) in [(SlotName::INTENT, "save the orders"), (SlotName::DOMAIN, "mall")] {
            known.set(name, value)?;
        }
        let missing = |slots: &Slots| Spec::missing(TaskType::ApiWorkflow, slots);
        assert!(missing(&known).is_empty());
        known.set(SlotName::SAVE, "true")?;
        assert_eq!(missing(&known), [SlotName::TARGET_PATH]);
        let mut newer = Slots::default();
        newer.set(SlotName::TARGET_PATH, "orders.json")?;
        assert!(missing(&known.merged(&newer)?).is_empty());
        let mut shown = Slots::default();
        shown.set(SlotName::SAVE, "false")?;
        assert!(missing(&known.merged(&shown)?).is_empty());
        Ok(())
    }

    #[test]
    fn a_newer_place_leaves_no_older_system_behind() -> Result<(), SlotError> {
        let mut known = Slots::default();
        known.set(SlotName::DOMAIN, "몰")?;
        known.set(SlotName::SYSTEM, "skymall")?;
        let mut newer = Slots::default();
        newer.set(SlotName::OPERATION, "products")?;
        assert_eq!(known.merged(&newer)?.get(SlotName::SYSTEM), Some("skymall"));
        newer.set(SlotName::DOMAIN, "shop.test")?;
        assert_eq!(known.merged(&newer)?.get(SlotName::SYSTEM), None);
        newer.set(SlotName::SYSTEM, "skystock")?;
        assert_eq!(known.merged(&newer)?.get(SlotName::SYSTEM), Some("skystock"));
        Ok(())
    }

    #[test]
    fn what_was_not_understood_is_settled_by_a_selection() -> Result<(), SlotError> {
        use crate::{spec::Spec, task::TaskType};
        let mut known = Slots::default();
        for name in [SlotName::INTENT, SlotName::DOMAIN, SlotName::SELECT] {
            known.set(name, "a")?;
        }
        known.set(SlotName::UNREAD, "red ones")?;
        let missing = |slots: &Slots| Spec::missing(TaskType::ApiWorkflow, slots);
        assert_eq!(missing(&known), [SlotName::SELECT]);
        let mut newer = Slots::default();
        newer.set(SlotName::TARGET_PATH, "a.json")?;
        assert_eq!(missing(&known.merged(&newer)?), [SlotName::SELECT]);
        newer.set(SlotName::SELECT, ".[0]")?;
        assert!(missing(&known.merged(&newer)?).is_empty());
        Ok(())
    }

    #[test]
    fn what_is_sent_is_settled_by_a_body_that_says_more() -> Result<(), SlotError> {
        let mut known = Slots::default();
        known.set(SlotName::BODY, r#"{"quantity":3}"#)?;
        known.set(SlotName::UNREAD, "tumblers")?;
        for (name, value, open) in [
            (SlotName::SELECT, "[.[] | select(.product_id == 118)]", true),
            (SlotName::BODY, r#"{"quantity":5}"#, true),
            (SlotName::BODY, r#"{"product_id":118,"quantity":3}"#, false),
        ] {
            let mut newer = Slots::default();
            newer.set(name, value)?;
            let merged = known.merged(&newer)?;
            assert_eq!(merged.get(SlotName::UNREAD).is_some(), open, "{value}");
        }
        Ok(())
    }

    #[test]
    fn a_newer_place_leaves_no_older_address_behind() -> Result<(), SlotError> {
        let mut known = Slots::default();
        known.set(SlotName::DOMAIN, "old.test")?;
        known.set(SlotName::URL, "http://old.test/products")?;
        let mut newer = Slots::default();
        newer.set(SlotName::DOMAIN, "old.test")?;
        assert!(known.merged(&newer)?.get(SlotName::URL).is_some());
        // Its name in the path makes no host of it, nor a longer name that begins with it.
        for (url, place) in [
            ("http://old.test/products", "skymall"),
            ("http://old.test/skymall", "skymall"),
            ("http://old.test.evil.example/", "old.test"),
        ] {
            known.set(SlotName::URL, url)?;
            newer.set(SlotName::DOMAIN, place)?;
            assert_eq!(known.merged(&newer)?.get(SlotName::URL), None, "{url}");
        }
        known.set(SlotName::URL, "http://old.test:8080/products")?;
        assert!(known.merged(&newer)?.get(SlotName::URL).is_some());
        newer.set(SlotName::URL, "http://new.test/")?;
        assert_eq!(known.merged(&newer)?.get(SlotName::URL), Some("http://new.test/"));
        Ok(())
    }
}
