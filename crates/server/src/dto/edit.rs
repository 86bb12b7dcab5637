//! Wire forms of edits: what can be changed in a plan that waits, and what was.

use super::{localized::LocalizedText, session::LanguageName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::SlotChange;
use wiiiv_hlx::neutralise;

/// A value of the plan that whoever is asked may change in place of an answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ValueView {
    /// Its name in `changes` of an edit.
    pub slot: String,
    /// What it is.
    pub label: LocalizedText,
    /// As it stands in the plan, with every character.
    pub value: String,
}

/// One value before and after; long texts are cut to what is around the first difference.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ValueChangeView {
    pub slot: String,
    pub label: LocalizedText,
    pub from: String,
    pub to: String,
}

/// One value of a plan that was changed in place of an answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChangedValue {
    pub slot: String,
    pub from: String,
    pub to: String,
}

impl From<&SlotChange> for ChangedValue {
    fn from(change: &SlotChange) -> Self {
        let (from, to) = (neutralise(&change.from), neutralise(&change.to));
        Self { slot: change.slot.to_string(), from, to }
    }
}

/// What was proposed, what was decided, and what takes effect.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EditView {
    /// The question that was answered by it.
    pub approval: Uuid,
    pub by: Uuid,
    pub by_name: Option<String>,
    pub at: String,
    /// The editor's own words.
    pub note: Option<String>,
    /// The plan that was asked about, and its digest.
    pub blueprint: Uuid,
    pub digest: String,
    /// Digest of the spec that was proposed.
    pub from: String,
    /// Of the one that took its place.
    pub to: String,
    /// The plan that was made of that; `null` where none could be made.
    pub made: Option<Uuid>,
    /// Empty where the conversation's texts are no longer kept: the audit has the digests.
    pub changes: Vec<ValueChangeView>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditApproval {
    /// Of the preview that was read: 64 hexadecimal digits.
    pub digest: String,
    /// The new values by their slots: those of `values` of the question, no others.
    pub changes: BTreeMap<String, String>,
    /// Why; shown to whoever asked.
    #[serde(default)]
    pub note: String,
    /// As of a message, where the conversation's owner decides.
    #[serde(default)]
    pub language: Option<LanguageName>,
}
