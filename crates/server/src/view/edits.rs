//! Edits of a task's plans as people read them, and the values that can be changed.

use crate::{
    dto::{
        edit::{EditApproval, EditView, ValueChangeView, ValueView},
        localized::LocalizedText,
        text::prose,
    },
    limits::REASON_CHARS_MAX,
    problem::Problem,
    state::AppState,
};
use wiiiv_domain::{
    BlueprintDigest, Lang, SLOT_CHARS_MAX, SessionId, SlotChange, SlotError, SlotName, Slots,
    TaskId,
};
use wiiiv_governor::{ApprovalEdit, Governor};
use wiiiv_hlx::neutralise;
use wiiiv_store::EditedApproval;

/// Edits of one task that are told of, the oldest first.
const EDITS_SHOWN_MAX: usize = 50;

fn label(governor: &Governor, slot: &SlotName) -> LocalizedText {
    let of = |lang| governor.messages().slot(lang, slot);
    LocalizedText { ko: of(Lang::Ko), en: of(Lang::En) }
}

pub(crate) fn value(governor: &Governor, (slot, value): (SlotName, String)) -> ValueView {
    ValueView { label: label(governor, &slot), slot: slot.to_string(), value }
}

pub(crate) fn change(governor: &Governor, change: &SlotChange) -> ValueChangeView {
    ValueChangeView {
        slot: change.slot.to_string(),
        label: label(governor, &change.slot),
        from: neutralise(&change.from),
        to: neutralise(&change.to),
    }
}

/// None where nobody edited anything.
pub(crate) async fn edits(
    state: &AppState,
    session: SessionId,
    task: TaskId,
) -> Result<Vec<EditView>, Problem> {
    let store = state.store();
    let mut found = store.edits_of(session, task).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    found.truncate(EDITS_SHOWN_MAX);
    let names = state.names().of(store, found.iter().map(|edit| edit.by)).await?;
    let specs: Vec<_> = found.iter().map(|edit| (session, edit.to)).collect();
    let made = store.plans_of_specs(&specs).await?;
    let mut views = Vec::new();
    for edit in found {
        let EditedApproval { approval, blueprint, digest, from, to, by, at } = edit;
        let note = store.decision_note(session, approval).await?;
        let changes = note.iter().flat_map(|note| &note.changes);
        views.push(EditView {
            approval: approval.uuid(),
            by: by.uuid(),
            by_name: names.get(&by).map(ToString::to_string),
            at: at.to_string(),
            blueprint: blueprint.uuid(),
            digest: digest.to_string(),
            from: from.to_string(),
            to: to.to_string(),
            made: made.iter().find(|plan| plan.spec_digest == to).map(|plan| plan.id.uuid()),
            changes: changes.map(|one| change(state.governor(), one)).collect(),
            note: note.map(|note| note.reason).filter(|reason| !reason.is_empty()),
        });
    }
    Ok(views)
}

/// As the governor takes it. Whether the plan has such values is the governor's to say.
pub(crate) fn wanted(
    body: &EditApproval,
    digest: BlueprintDigest,
) -> Result<ApprovalEdit, Problem> {
    let mut slots = Slots::default();
    for (name, value) in &body.changes {
        if value.is_empty() {
            let why = "a value is not empty: change it, or reject the request";
            return Err(Problem::field(&format!("changes.{name}"), why));
        }
        let field = || format!("changes.{name}");
        slots.set(name, value.as_str()).map_err(|fault| match fault {
            SlotError::Value => {
                Problem::field(&field(), format!("1 to `{SLOT_CHARS_MAX}` characters"))
            }
            SlotError::Name | SlotError::TooMany => {
                Problem::field("changes", "these are no values of this plan")
            }
        })?;
    }
    let note = prose("note", &body.note, REASON_CHARS_MAX, false)?;
    Ok(ApprovalEdit { digest, slots, note })
}
