//! Wire forms of profiles.

use super::mirror::mirror;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{
    PendingChange, ProfileAge, ProfileChange, ProfileDay, ProfileDone, ProfileEdit, ProfileEntry,
    ProfileFault, ProfileName, ProfileSchema, ProfileSlot, ProfileSlotKind, ProfileSlotPolicy,
    ProfileText, SlotOutcome, Timestamp,
};
use wiiiv_store::{ProfileHow, ProfileRow};

/// How a new value meets those that a slot has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfilePolicyName {
    Overwrite,
    Accumulate,
    TimeBased,
    LatestWithSeries,
    Decay,
}

mirror!(ProfileSlotPolicy => ProfilePolicyName: Overwrite, Accumulate, TimeBased, LatestWithSeries, Decay);

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfileKindName {
    Text,
    Number,
    Day,
}

mirror!(ProfileSlotKind => ProfileKindName: Text, Number, Day);

/// Words in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ProfileLabelView {
    pub ko: String,
    pub en: String,
}

impl From<&wiiiv_domain::ProfileLabel> for ProfileLabelView {
    fn from(label: &wiiiv_domain::ProfileLabel) -> Self {
        Self { ko: label.ko.clone(), en: label.en.clone() }
    }
}

/// A slot of a schema.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileSchemaSlotView {
    pub name: String,
    pub policy: ProfilePolicyName,
    /// A change of it is asked about, and it is shown before the others.
    pub safety: bool,
    pub kind: ProfileKindName,
    /// Of one value, in Unicode scalar values.
    pub chars_max: usize,
    pub values_max: u8,
    /// Days after which a value counts as old; `null` where the policy is not `decay`.
    pub half_life_days: Option<u32>,
    pub label: ProfileLabelView,
    pub hint: ProfileLabelView,
}

impl From<&ProfileSlot> for ProfileSchemaSlotView {
    fn from(slot: &ProfileSlot) -> Self {
        Self {
            name: slot.name.to_string(),
            policy: slot.policy.into(),
            safety: slot.safety,
            kind: slot.kind.into(),
            chars_max: slot.chars_max,
            values_max: slot.values_max,
            half_life_days: slot.half_life_days,
            label: (&slot.label).into(),
            hint: (&slot.hint).into(),
        }
    }
}

/// The schema of a project's profiles.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileSchemaView {
    pub name: String,
    pub label: ProfileLabelView,
    pub hint: ProfileLabelView,
    /// Slots of safety first.
    pub slots: Vec<ProfileSchemaSlotView>,
}

impl From<&ProfileSchema> for ProfileSchemaView {
    fn from(schema: &ProfileSchema) -> Self {
        Self {
            name: schema.name.to_string(),
            label: (&schema.label).into(),
            hint: (&schema.hint).into(),
            slots: schema.slots.iter().map(Into::into).collect(),
        }
    }
}

/// How much a value still counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfileAgeName {
    Current,
    Old,
    Gone,
}

mirror!(ProfileAge => ProfileAgeName: Current, Old, Gone);

/// One value.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileValueView {
    pub value: String,
    /// When it was told.
    pub at: String,
    /// The turn whose message told it; `null`: a form.
    pub turn: Option<Uuid>,
    /// The day that it began or was measured, where that was told.
    pub from: Option<String>,
    /// The day that it ended.
    pub until: Option<String>,
    pub age: ProfileAgeName,
}

impl ProfileValueView {
    fn of((entry, age): (&ProfileEntry, ProfileAge)) -> Self {
        Self {
            value: entry.text.as_str().to_owned(),
            at: entry.at.to_string(),
            turn: entry.turn.map(|turn| turn.uuid()),
            from: entry.from.as_ref().map(|day| day.as_str().to_owned()),
            until: entry.until.as_ref().map(|day| day.as_str().to_owned()),
            age: age.into(),
        }
    }
}

/// What a slot holds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileSlotView {
    pub name: String,
    /// Oldest first.
    pub values: Vec<ProfileValueView>,
}

/// What is to be done with a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfileOpName {
    /// `value` counts, by the policy of the slot.
    Set,
    /// `value`, which goes on, is over.
    End,
    /// `value` never counted; with a `day` the one of that day alone.
    Remove,
    /// No value counts any more.
    Clear,
}

/// What waits for a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfilePendingOpName {
    Set,
    End,
    Remove,
    Clear,
    /// An undo: the slot holds `value` again, and nothing else.
    Restore,
}

/// A change that waits for a yes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfilePendingView {
    pub id: u64,
    pub slot: String,
    pub op: ProfilePendingOpName,
    /// With `restore` all values that the slot holds then, parted by commas. `null`: none.
    pub value: Option<String>,
    pub day: Option<String>,
    /// Values that go with a yes: of a slot of safety all that do. Where that changes, the change waits under
    /// another `id`.
    pub contradicts: Vec<String>,
    pub at: String,
    /// The turn whose message told it; `null`: a form.
    pub turn: Option<Uuid>,
}

impl From<&PendingChange> for ProfilePendingView {
    fn from(change: &PendingChange) -> Self {
        Self {
            id: change.id,
            slot: change.slot.to_string(),
            op: op_of(&change.edit),
            value: value_of(&change.edit),
            day: change.edit.day().map(|day| day.as_str().to_owned()),
            contradicts: change.with.iter().map(|text| text.as_str().to_owned()).collect(),
            at: change.at.to_string(),
            turn: change.turn.map(|turn| turn.uuid()),
        }
    }
}

const fn op_of(edit: &ProfileEdit) -> ProfilePendingOpName {
    match edit {
        ProfileEdit::Set { .. } => ProfilePendingOpName::Set,
        ProfileEdit::End { .. } => ProfilePendingOpName::End,
        ProfileEdit::Remove { .. } => ProfilePendingOpName::Remove,
        ProfileEdit::Clear => ProfilePendingOpName::Clear,
        ProfileEdit::Restore { .. } => ProfilePendingOpName::Restore,
    }
}

fn value_of(edit: &ProfileEdit) -> Option<String> {
    let ProfileEdit::Restore { to } = edit else {
        return edit.text().map(|text| text.as_str().to_owned());
    };
    let values: Vec<&str> = to.entries().iter().map(|entry| entry.text.as_str()).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// What came of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfileOutcomeName {
    Unchanged,
    Kept,
    /// It waits for a yes.
    Waits,
    Refused,
}

/// What came of one change that was asked for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileOutcomeView {
    pub slot: String,
    pub outcome: ProfileOutcomeName,
    /// The number under which it waits.
    pub pending: Option<u64>,
}

impl From<&ProfileDone> for ProfileOutcomeView {
    fn from(done: &ProfileDone) -> Self {
        let (outcome, pending) = match done.outcome {
            SlotOutcome::Unchanged => (ProfileOutcomeName::Unchanged, None),
            SlotOutcome::Kept => (ProfileOutcomeName::Kept, None),
            SlotOutcome::Waits(id) => (ProfileOutcomeName::Waits, Some(id)),
            SlotOutcome::Refused => (ProfileOutcomeName::Refused, None),
        };
        Self { slot: done.slot.to_string(), outcome, pending }
    }
}

/// The caller's profile in a project.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileView {
    /// By which schema; `null`: the project's policy has none, and nobody has a profile here.
    pub schema: Option<String>,
    /// From 1, and the `ETag` as well; 0 where nothing was ever told.
    pub version: u64,
    pub at: Option<String>,
    /// Every slot of the schema, those of safety first.
    pub slots: Vec<ProfileSlotView>,
    /// Oldest first.
    pub pending: Vec<ProfilePendingView>,
    /// Of the changes that were asked for, in their order; of an undo, of each slot whose values differ; empty in an answer
    /// to anything else.
    pub outcomes: Vec<ProfileOutcomeView>,
}

impl ProfileView {
    /// `schema`: as the policy has it.
    pub(crate) fn of(
        schema: Option<&ProfileSchema>,
        row: Option<&ProfileRow>,
        done: &[ProfileDone],
        now: Timestamp,
    ) -> Self {
        let values = |slot: &ProfileSlot| {
            let content = row.and_then(|row| row.document.slots.get(&slot.name));
            let values = content.into_iter().flat_map(|content| content.aged(slot, now));
            values.map(ProfileValueView::of).collect()
        };
        let slots = schema.into_iter().flat_map(|schema| &schema.slots);
        let slots =
            slots.map(|slot| ProfileSlotView { name: slot.name.to_string(), values: values(slot) });
        Self {
            schema: schema.map(|schema| schema.name.to_string()),
            version: row.map_or(0, |row| row.version),
            at: row.map(|row| row.at.to_string()),
            slots: slots.collect(),
            pending: row
                .into_iter()
                .flat_map(|row| &row.document.pending)
                .map(Into::into)
                .collect(),
            outcomes: done.iter().map(Into::into).collect(),
        }
    }
}

/// A change of one slot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileEditBody {
    pub slot: String,
    pub op: ProfileOpName,
    /// One line; nothing with `clear`.
    pub value: Option<String>,
    /// `2026-11-21`: since when, or until when, for slots that have a time. With `remove` the day of the one value that is
    /// meant: its `from`, or else that of its `at`.
    pub day: Option<String>,
}

/// Changes slots: all of these or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutProfile {
    /// 1 to 16, in their order. A change of a slot of safety, and one that contradicts what is there, waits for a yes.
    #[schema(min_items = 1, max_items = 16)]
    pub changes: Vec<ProfileEditBody>,
}

impl PutProfile {
    pub(crate) fn changes(self) -> Result<Vec<ProfileChange>, Problem> {
        let read = |(nth, body): (usize, ProfileEditBody)| {
            body.read()
                .map_err(|fault| Problem::field(&format!("changes[{nth}]"), fault.to_string()))
        };
        self.changes.into_iter().enumerate().map(read).collect()
    }
}

impl ProfileEditBody {
    fn read(self) -> Result<ProfileChange, ProfileFault> {
        let slot = ProfileName::parse(&self.slot)?;
        let day = self.day.as_deref().map(ProfileDay::parse).transpose()?;
        let text = || ProfileText::parse(self.value.as_deref().unwrap_or_default());
        let edit = match self.op {
            ProfileOpName::Set => ProfileEdit::Set { text: text()?, from: day },
            ProfileOpName::End => ProfileEdit::End { text: text()?, until: day },
            ProfileOpName::Remove => ProfileEdit::Remove { text: text()?, from: day },
            ProfileOpName::Clear => ProfileEdit::Clear,
        };
        Ok(ProfileChange { slot, edit })
    }
}

/// Which version's values are brought back. Where they are those that count already, there is no new version. Whoever may
/// tell nothing more only goes further back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoProfile {
    /// A version that is kept; 0: nothing at all; without it the newest one with other values.
    pub to: Option<u64>,
}

/// What made a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfileHowName {
    Changed,
    Accepted,
    Dropped,
    Restored,
    Erased,
}

mirror!(ProfileHow => ProfileHowName: Changed, Accepted, Dropped, Restored, Erased);

/// What became of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProfileChangeKind {
    Added,
    Removed,
}

/// A value that a version added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ProfileChangeView {
    pub slot: String,
    pub kind: ProfileChangeKind,
    pub value: String,
    pub from: Option<String>,
    pub until: Option<String>,
}

/// One version of a profile.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileVersionView {
    pub version: u64,
    pub how: ProfileHowName,
    pub author: Uuid,
    pub author_name: Option<String>,
    pub at: String,
    /// The turn whose message told it; `null`: a form.
    pub turn: Option<Uuid>,
    /// `false`: the version before it is no longer kept, and `changes` is empty because nobody knows them.
    pub before_kept: bool,
    /// Against the version before it, slot by slot.
    pub changes: Vec<ProfileChangeView>,
}

impl ProfileVersionView {
    /// `changes`: `None` where the version before it is no longer kept.
    pub(crate) fn of(
        row: &ProfileRow,
        name: Option<String>,
        changes: Option<Vec<ProfileChangeView>>,
    ) -> Self {
        Self {
            version: row.version,
            how: row.how.into(),
            author: row.author.uuid(),
            author_name: name,
            at: row.at.to_string(),
            turn: row.turn.map(|turn| turn.uuid()),
            before_kept: changes.is_some(),
            changes: changes.unwrap_or_default(),
        }
    }
}
