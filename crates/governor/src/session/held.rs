//! What stands in the file that something is to be added to, when its plan is drawn.

use crate::session::draw::unusable;
use std::collections::BTreeMap;
use wiiiv_domain::{ContentDigest, NotDrawn, PreImage, SlotName, Spec, TaskType, WorkspacePath};
use wiiiv_hlx::{COMPARED_LINES_MAX, appends};
use wiiiv_workspace::{Workspace, WorkspaceError};

/// The plan holds the file whole.
const HELD_BYTES_MAX: u64 = 256 * 1024;

pub(super) enum Held {
    /// Nothing is added to anything.
    Unasked,
    Nothing,
    Text(String),
}

pub(super) fn look(workspace: &Workspace, spec: &Spec) -> Result<Held, Vec<NotDrawn>> {
    if spec.task_type != TaskType::FileWrite || !appends(spec).map_err(|reason| vec![reason])? {
        return Ok(Held::Unasked);
    }
    let raw = spec.slots.get(SlotName::TARGET_PATH).unwrap_or_default();
    let path = WorkspacePath::parse(raw).map_err(|e| unusable(e.code()))?;
    match workspace.read(&path, HELD_BYTES_MAX) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| unusable("HELD_IS_NO_TEXT"))?;
            let added = spec.slots.get(SlotName::CONTENT).unwrap_or_default();
            // The preview has to show what is added, and nothing else as changed.
            if text.lines().count() + added.lines().count() > COMPARED_LINES_MAX {
                return Err(unusable("HELD_IS_TOO_LONG"));
            }
            Ok(Held::Text(text))
        }
        Err(WorkspaceError::NotFound { .. }) => Ok(Held::Nothing),
        Err(WorkspaceError::TooLarge { .. }) => Err(unusable("HELD_IS_TOO_LONG")),
        Err(error) => Err(unusable(error.code())),
    }
}

impl Held {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Unasked | Self::Nothing => None,
            Self::Text(text) => Some(text),
        }
    }

    /// The plan adds to what its pre-image says, and to nothing that came in between.
    pub(super) fn unchanged(
        &self,
        pre_images: &BTreeMap<String, PreImage>,
    ) -> Result<(), Vec<NotDrawn>> {
        let expected = match self {
            Self::Unasked => return Ok(()),
            Self::Nothing => PreImage::Absent,
            Self::Text(text) => PreImage::Present(ContentDigest::of_bytes(text.as_bytes())),
        };
        let same = pre_images.values().all(|found| *found == expected);
        if same { Ok(()) } else { Err(unusable("CHANGED_MEANWHILE")) }
    }
}
