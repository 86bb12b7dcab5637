//! A whole profile: what each slot holds, and the changes that wait for their person's yes.

use super::{
    PROFILE_CHANGES_MAX, PROFILE_PENDING_MAX,
    change::{ProfileChange, ProfileEdit},
    content::SlotContent,
    merge::{Merge, merged},
    schema::ProfileSchema,
    text::{ProfileFault, ProfileName, ProfileText},
};
use crate::{clock::Timestamp, id::TurnId};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, mem};

/// A change that waits for a yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PendingChange {
    /// Its number; none is used twice in one profile.
    pub id: u64,
    /// The slot.
    pub slot: ProfileName,
    /// What is to be done with it.
    pub edit: ProfileEdit,
    /// What it contradicts, takes back or, of a slot of safety, takes away now. Where that changes, it waits under another number: a yes takes no more
    /// away than was shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<ProfileText>,
    /// When it was told.
    pub at: Timestamp,
    /// The turn whose message told it. `None`: a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
}

/// What came of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotOutcome {
    /// It stood there already.
    Unchanged,
    /// It counts.
    Kept,
    /// It waits for a yes, under this number.
    Waits(u64),
    /// It fits no slot, or nothing that the slot holds.
    Refused,
}

/// What came of one change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileDone {
    /// The slot.
    pub slot: ProfileName,
    /// What came of it.
    pub outcome: SlotOutcome,
}

/// A profile, as it is sealed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileDocument {
    /// What each slot holds; an empty one is not there.
    #[serde(default)]
    pub slots: BTreeMap<ProfileName, SlotContent>,
    /// Oldest first.
    #[serde(default)]
    pub pending: Vec<PendingChange>,
    /// The last number that was given.
    #[serde(default)]
    pub asked: u64,
}

impl ProfileDocument {
    /// Whether nothing is told and nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.pending.is_empty()
    }

    /// What that slot holds.
    #[must_use]
    pub fn content(&self, slot: &ProfileName) -> SlotContent {
        self.slots.get(slot).cloned().unwrap_or_default()
    }

    /// The slots whose values differ from those of another.
    #[must_use]
    pub fn differing(&self, other: &Self) -> Vec<ProfileName> {
        let mut names: Vec<&ProfileName> = self.slots.keys().chain(other.slots.keys()).collect();
        names.sort();
        names.dedup();
        names
            .into_iter()
            .filter(|name| self.slots.get(*name) != other.slots.get(*name))
            .cloned()
            .collect()
    }

    /// All of these changes or none, in their order. What is asked about waits.
    pub fn changed(
        &self,
        schema: &ProfileSchema,
        changes: &[ProfileChange],
        told: (Timestamp, Option<TurnId>),
    ) -> Result<(Self, Vec<ProfileDone>), ProfileFault> {
        if changes.is_empty() {
            return Err(ProfileFault::NoChange);
        }
        if changes.len() > PROFILE_CHANGES_MAX {
            return Err(ProfileFault::TooManyChanges(PROFILE_CHANGES_MAX));
        }
        let (mut next, mut done) = (self.clone(), Vec::new());
        for change in changes {
            let outcome = next.change(schema, change, told)?;
            done.push(ProfileDone { slot: change.slot.clone(), outcome });
        }
        next.ask_anew(schema, &mut done);
        Ok((next, done))
    }

    /// What a conversation tells: those of these changes that can be made, in their order. What cannot is `Refused`.
    #[must_use]
    pub fn told(
        &self,
        schema: &ProfileSchema,
        changes: &[ProfileChange],
        told: (Timestamp, Option<TurnId>),
    ) -> (Self, Vec<ProfileDone>) {
        let (mut next, mut done) = (self.clone(), Vec::new());
        for change in changes.iter().take(PROFILE_CHANGES_MAX) {
            let outcome = next.change(schema, change, told).unwrap_or(SlotOutcome::Refused);
            done.push(ProfileDone { slot: change.slot.clone(), outcome });
        }
        next.ask_anew(schema, &mut done);
        (next, done)
    }

    /// With its person's yes to the change that waits under this number, which takes nothing away but what they were
    /// asked about.
    pub fn accepted(&self, schema: &ProfileSchema, id: u64) -> Result<Self, ProfileFault> {
        let (mut next, PendingChange { slot, edit, with, at, turn, .. }) = self.taken(id)?;
        let merge = next.merge(schema, (&slot, &edit), (at, turn))?;
        // By the words of another build's schema it may be another question.
        if merge.contradicted() != with {
            return Err(ProfileFault::NotPending);
        }
        if let Some(then) = merge.then() {
            next.put(&slot, then);
        }
        next.ask_anew(schema, &mut []);
        Ok(next)
    }

    /// Without the change that waits under this number.
    pub fn dropped(&self, id: u64) -> Result<Self, ProfileFault> {
        self.taken(id).map(|(next, _)| next)
    }

    /// With the values of an older one, but for slots of safety: those wait for a yes, as any change of them does. What
    /// waits goes on waiting.
    pub fn restored(
        &self,
        schema: &ProfileSchema,
        older: &Self,
        told: (Timestamp, Option<TurnId>),
    ) -> Result<(Self, Vec<ProfileDone>), ProfileFault> {
        let (mut next, mut done) = (self.clone(), Vec::new());
        for slot in self.differing(older) {
            let to = older.content(&slot);
            // What no schema names any more is shown to nobody, so there is nothing to ask.
            let outcome = if schema.slot(&slot).is_ok_and(|slot| slot.safety) {
                let edit = ProfileEdit::Restore { to };
                next.change(schema, &ProfileChange { slot: slot.clone(), edit }, told)?
            } else {
                next.put(&slot, to);
                SlotOutcome::Kept
            };
            done.push(ProfileDone { slot, outcome });
        }
        next.ask_anew(schema, &mut done);
        Ok((next, done))
    }

    /// The slot that the change under this number takes back, and to what. `None`: it is no undo.
    #[must_use]
    pub fn takes_back(&self, id: u64) -> Option<(&ProfileName, &SlotContent)> {
        let waits = self.pending.iter().find(|change| change.id == id)?;
        match &waits.edit {
            ProfileEdit::Restore { to } => Some((&waits.slot, to)),
            ProfileEdit::Set { .. }
            | ProfileEdit::End { .. }
            | ProfileEdit::Remove { .. }
            | ProfileEdit::Clear => None,
        }
    }

    fn merge(
        &self,
        schema: &ProfileSchema,
        (name, edit): (&ProfileName, &ProfileEdit),
        told: (Timestamp, Option<TurnId>),
    ) -> Result<Merge, ProfileFault> {
        merged((schema.slot(name)?, &schema.words), &self.content(name), edit, told)
    }

    /// Nothing where it cannot be made.
    fn change(
        &mut self,
        schema: &ProfileSchema,
        ProfileChange { slot, edit }: &ProfileChange,
        told: (Timestamp, Option<TurnId>),
    ) -> Result<SlotOutcome, ProfileFault> {
        match self.merge(schema, (slot, edit), told)? {
            Merge::Unchanged => Ok(SlotOutcome::Unchanged),
            Merge::Set(then) => {
                self.put(slot, then);
                Ok(SlotOutcome::Kept)
            }
            Merge::Contradiction { with, .. } => self.wait(slot, edit, with, told),
            Merge::Asks { .. } => self.wait(slot, edit, Vec::new(), told),
        }
    }

    /// What waits is another question once a yes to it would take other values away: it gets another number, and its
    /// person is asked anew.
    fn ask_anew(&mut self, schema: &ProfileSchema, done: &mut [ProfileDone]) {
        for mut change in mem::take(&mut self.pending) {
            let of = (&change.slot, &change.edit);
            let merge = self.merge(schema, of, (change.at, change.turn));
            let with = merge.map(|merge| merge.contradicted().to_vec()).unwrap_or_default();
            if with != change.with {
                self.asked += 1;
                let waits = |done: &&mut ProfileDone| done.outcome == SlotOutcome::Waits(change.id);
                for done in done.iter_mut().filter(waits) {
                    done.outcome = SlotOutcome::Waits(self.asked);
                }
                (change.id, change.with) = (self.asked, with);
            }
            self.pending.push(change);
        }
    }

    fn taken(&self, id: u64) -> Result<(Self, PendingChange), ProfileFault> {
        let mut next = self.clone();
        let at = next.pending.iter().position(|change| change.id == id);
        let at = at.ok_or(ProfileFault::NotPending)?;
        let change = next.pending.remove(at);
        Ok((next, change))
    }

    fn put(&mut self, slot: &ProfileName, content: SlotContent) {
        if content.is_empty() {
            self.slots.remove(slot);
        } else {
            self.slots.insert(slot.clone(), content);
        }
    }

    /// The same change waits once.
    fn wait(
        &mut self,
        slot: &ProfileName,
        edit: &ProfileEdit,
        with: Vec<ProfileText>,
        (at, turn): (Timestamp, Option<TurnId>),
    ) -> Result<SlotOutcome, ProfileFault> {
        let same = |waits: &&PendingChange| waits.slot == *slot && waits.edit == *edit;
        if let Some(waits) = self.pending.iter().find(same) {
            return Ok(SlotOutcome::Waits(waits.id));
        }
        if self.pending.len() >= PROFILE_PENDING_MAX {
            return Err(ProfileFault::TooManyChanges(PROFILE_PENDING_MAX));
        }
        self.asked += 1;
        let (id, slot, edit) = (self.asked, slot.clone(), edit.clone());
        self.pending.push(PendingChange { id, slot, edit, with, at, turn });
        Ok(SlotOutcome::Waits(id))
    }
}
