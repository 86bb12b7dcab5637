//! An edit: somebody who may answer a question changes values of the plan that it is about. The plan is
//! then made anew, and everything about it is decided again.

use crate::{
    id::UserId,
    slots::{SlotName, Slots},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A text of a change, in characters; more of it stands in the plans.
const CHANGE_CHARS_MAX: usize = 300;
/// Of those, so many stand before the first character that differs.
const CONTEXT_CHARS: usize = 40;

/// New values for slots of a plan that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanEdit {
    /// Who wrote them; `None` for the requester, whose own words they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<UserId>,
    /// The new values.
    pub slots: Slots,
}

impl PlanEdit {
    /// What it changes in these slots, sorted by name.
    #[must_use]
    pub fn changes(&self, slots: &Slots) -> Vec<SlotChange> {
        let changed = self.slots.iter().filter_map(|(name, to)| {
            let from = slots.get(name.as_str()).unwrap_or_default();
            (from != to).then(|| SlotChange::new(name.clone(), from, to))
        });
        changed.collect()
    }
}

/// One value, before and after. A long text is cut to what is around the first difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SlotChange {
    /// The slot.
    pub slot: SlotName,
    /// What was proposed.
    pub from: String,
    /// What takes its place.
    pub to: String,
}

impl SlotChange {
    /// From both texts, whole.
    #[must_use]
    pub fn new(slot: SlotName, from: &str, to: &str) -> Self {
        let same = from.chars().zip(to.chars()).take_while(|(old, new)| old == new).count();
        let skipped = match from.chars().count().max(to.chars().count()) > CHANGE_CHARS_MAX {
            true => same.saturating_sub(CONTEXT_CHARS),
            false => 0,
        };
        Self { slot, from: cut(from, skipped), to: cut(to, skipped) }
    }
}

fn cut(text: &str, skipped: usize) -> String {
    let mut rest = text.chars().skip(skipped);
    let shown: String = rest.by_ref().take(CHANGE_CHARS_MAX).collect();
    let front = if skipped > 0 { "…" } else { "" };
    let back = if rest.next().is_some() { "…" } else { "" };
    format!("{front}{shown}{back}")
}

/// The slots whose values hold what somebody else than the requester wrote, each with those people.
// INVARIANT: without any, `None`; no slot without a person. Nearly all specs have none, and this keeps them small.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<SlotName, Authors>", into = "BTreeMap<SlotName, Authors>")]
pub struct Edits(Option<Box<BySlot>>);

type BySlot = BTreeMap<SlotName, BTreeSet<UserId>>;

/// As it is written: one person without a list.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Authors {
    One(UserId),
    Several(BTreeSet<UserId>),
}

impl From<BTreeMap<SlotName, Authors>> for Edits {
    fn from(written: BTreeMap<SlotName, Authors>) -> Self {
        let people = |authors| match authors {
            Authors::One(person) => BTreeSet::from([person]),
            Authors::Several(people) => people,
        };
        Self::of(written.into_iter().map(|(name, authors)| (name, people(authors))).collect())
    }
}

impl From<Edits> for BTreeMap<SlotName, Authors> {
    fn from(edits: Edits) -> Self {
        let authors = |people: BTreeSet<UserId>| match people.first() {
            Some(person) if people.len() == 1 => Authors::One(*person),
            Some(_) | None => Authors::Several(people),
        };
        edits.by_slot().into_iter().map(|(name, people)| (name, authors(people))).collect()
    }
}

impl Edits {
    fn of(mut by_slot: BySlot) -> Self {
        by_slot.retain(|_, people| !people.is_empty());
        Self((!by_slot.is_empty()).then(|| Box::new(by_slot)))
    }
    fn by_slot(self) -> BySlot {
        self.0.map(|by_slot| *by_slot).unwrap_or_default()
    }
    /// Whether every value is the requester's.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
    /// Sorted by slot.
    pub fn iter(&self) -> impl Iterator<Item = (&SlotName, &BTreeSet<UserId>)> {
        self.0.iter().flat_map(|by_slot| by_slot.iter())
    }
    /// Who wrote any of them.
    #[must_use]
    pub fn people(&self) -> BTreeSet<UserId> {
        self.iter().flat_map(|(_, people)| people).copied().collect()
    }
    /// Of values that the requester's words replaced: whoever wrote one that stayed is still its author.
    #[must_use]
    pub fn kept(&self, old: &Slots, new: &Slots) -> Self {
        let mut by_slot = self.clone().by_slot();
        by_slot.retain(|name, _| {
            let value = new.get(name.as_str());
            value.is_some() && value == old.get(name.as_str())
        });
        Self::of(by_slot)
    }
    /// With the values of this edit that are others. A path is replaced as a whole; of any other value a part may
    /// have stayed, and with it whoever wrote that.
    #[must_use]
    pub fn with(&self, edit: &PlanEdit, old: &Slots) -> Self {
        let mut by_slot = self.clone().by_slot();
        for (name, value) in edit.slots.iter() {
            if old.get(name.as_str()) == Some(value) {
                continue;
            }
            let authors = by_slot.entry(name.clone()).or_default();
            if name.as_str() == SlotName::TARGET_PATH {
                authors.clear();
            }
            authors.extend(edit.by);
        }
        Self::of(by_slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        envelope::Envelope,
        spec::{Salt, Spec},
        task::TaskType,
    };
    use uuid::Uuid;

    fn person(n: u128) -> UserId {
        UserId::from_uuid(Uuid::from_u128(n))
    }

    fn slots(pairs: &[(&str, &str)]) -> Slots {
        let mut slots = Slots::default();
        for (name, value) in pairs {
            slots.set(name, *value).unwrap();
        }
        slots
    }

    fn spec(path: &str, content: &str) -> Spec {
        let slots = slots(&[(SlotName::TARGET_PATH, path), (SlotName::CONTENT, content)]);
        Spec::new(Salt::from_bytes([7; 16]), TaskType::FileWrite, slots, &Envelope::default())
    }

    fn edit(by: Option<UserId>, pairs: &[(&str, &str)]) -> PlanEdit {
        PlanEdit { by, slots: slots(pairs) }
    }

    #[test]
    fn a_spec_without_an_edit_keeps_its_bytes_and_one_with_has_another_digest() {
        let plain = spec("a.md", "one");
        assert!(!serde_json::to_string(&plain).unwrap().contains("edits"));
        let of = |edit: &PlanEdit| plain.edited(edit).unwrap();
        let by_two = of(&edit(Some(person(2)), &[(SlotName::CONTENT, "two")]));
        // Written by the requester, the same values are another spec: nobody else stands behind them.
        let own = of(&edit(None, &[(SlotName::CONTENT, "two")]));
        let asked = spec("a.md", "two");
        assert_eq!(own.digest().unwrap(), asked.digest().unwrap());
        assert_ne!(by_two.digest().unwrap(), asked.digest().unwrap());
        let back: Spec = serde_json::from_str(&serde_json::to_string(&by_two).unwrap()).unwrap();
        assert_eq!((&back, back.edits.people()), (&by_two, BTreeSet::from([person(2)])));
    }

    #[test]
    fn a_path_that_is_no_longer_named_leaves_the_envelope() {
        let moved = spec("/old.md", "one");
        let moved = moved.edited(&edit(Some(person(2)), &[(SlotName::TARGET_PATH, "new.md")]));
        let paths = moved.unwrap().envelope.paths;
        assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["new.md"]);
    }

    #[test]
    fn whoever_wrote_what_may_still_stand_there_stands_behind_it() {
        let first = spec("a.md", "one");
        let by_two = edit(Some(person(2)), &[(SlotName::CONTENT, "two")]);
        let once = first.edited(&by_two).unwrap();
        let by_three = edit(Some(person(3)), &[(SlotName::TARGET_PATH, "b.md")]);
        let twice = once.edited(&by_three).unwrap();
        assert_eq!(twice.edits.people(), BTreeSet::from([person(2), person(3)]));
        let own = edit(None, &[(SlotName::CONTENT, "two!"), (SlotName::TARGET_PATH, "c.md")]);
        assert_eq!(twice.edited(&own).unwrap().edits.people(), BTreeSet::from([person(2)]));
        // Nobody takes over what somebody else wrote: neither by sending it again nor by a full stop.
        let again = |content| edit(Some(person(4)), &[(SlotName::CONTENT, content)]);
        assert_eq!(twice.edited(&again("two")).unwrap().edits, twice.edits);
        let both = twice.edited(&again("two.")).unwrap();
        assert_eq!(both.edits.people(), BTreeSet::from([2, 3, 4].map(person)));
        let text = serde_json::to_string(&both).unwrap();
        assert_eq!(serde_json::from_str::<Spec>(&text).unwrap(), both, "{text}");
        // The requester says something else: what stayed is still the other's.
        let newer = slots(&[(SlotName::TARGET_PATH, "b.md"), (SlotName::CONTENT, "three")]);
        assert_eq!(twice.edits.kept(&twice.slots, &newer).people(), BTreeSet::from([person(3)]));
    }

    #[test]
    fn a_change_shows_where_long_texts_differ() {
        let name = || SlotName::parse(SlotName::CONTENT).unwrap();
        let short = SlotChange::new(name(), "one", "two");
        assert_eq!((short.from.as_str(), short.to.as_str()), ("one", "two"));
        let (old, new) = ("x".repeat(5_000) + "old", "x".repeat(5_000) + "new");
        let long = SlotChange::new(name(), &old, &new);
        assert!(long.from.ends_with("old") && long.to.ends_with("new"), "{long:?}");
        assert!(long.from.starts_with('…') && long.from.chars().count() <= CHANGE_CHARS_MAX + 2);
        let unchanged = edit(None, &[(SlotName::CONTENT, "one")]);
        assert!(unchanged.changes(&spec("a.md", "one").slots).is_empty());
    }
}
