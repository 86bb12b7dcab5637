//! Reads the target file's current content when an append plan is drawn.

use crate::session::slot_refusal::of_target;
use std::collections::BTreeMap;
use wiiiv_domain::{ContentDigest, NotDrawn, PreImage, SlotName, Spec, TaskType, WorkspacePath};
use wiiiv_hlx::{COMPARED_LINES_MAX, appends};
use wiiiv_workspace::{Workspace, WorkspaceError};

/// Largest file that a plan appends to, in bytes: the plan contains it whole.
const HELD_BYTES_MAX: u64 = 256 * 1024;

pub enum AppendBase {
    /// The plan appends nothing.
    Unasked,
    NoFile,
    Text(String),
}

pub fn look(workspace: &Workspace, spec: &Spec) -> Result<AppendBase, Vec<NotDrawn>> {
    if spec.task_type != TaskType::FileWrite || !appends(spec).map_err(|reason| vec![reason])? {
        return Ok(AppendBase::Unasked);
    }
    let raw = spec.slots.get(SlotName::TARGET_PATH).unwrap_or_default();
    let path = WorkspacePath::parse(raw).map_err(|e| of_target(e.code()))?;
    match workspace.read(&path, HELD_BYTES_MAX) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| of_target("HELD_IS_NO_TEXT"))?;
            let added = spec.slots.get(SlotName::CONTENT).unwrap_or_default();
            // Larger texts have no line-by-line preview.
            if text.lines().count() + added.lines().count() > COMPARED_LINES_MAX {
                return Err(of_target("HELD_IS_TOO_LONG"));
            }
            Ok(AppendBase::Text(text))
        }
        Err(WorkspaceError::NotFound { .. }) => Ok(AppendBase::NoFile),
        Err(WorkspaceError::TooLarge { .. }) => Err(of_target("HELD_IS_TOO_LONG")),
        Err(error) => Err(of_target(error.code())),
    }
}

impl AppendBase {
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Unasked | Self::NoFile => None,
            Self::Text(text) => Some(text),
        }
    }

    /// The base is what the pre-image says, and did not change in between.
    pub fn unchanged(&self, pre_images: &BTreeMap<String, PreImage>) -> Result<(), Vec<NotDrawn>> {
        let expected = match self {
            Self::Unasked => return Ok(()),
            Self::NoFile => PreImage::Absent,
            Self::Text(text) => PreImage::Present(ContentDigest::of_bytes(text.as_bytes())),
        };
        let same = pre_images.values().all(|found| *found == expected);
        if same { Ok(()) } else { Err(of_target("CHANGED_MEANWHILE")) }
    }
}
