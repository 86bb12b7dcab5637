//! The change of a file, line by line.

use super::neutral::neutralise;
use crate::preview::pre_image::PathContent;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use std::borrow::Cow;

/// Lines of one change that are shown.
pub const DIFF_LINES_MAX: usize = 2000;
/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;
/// Comparing takes lines times changes: longer files are said by their sizes alone.
pub const COMPARED_LINES_MAX: usize = 5000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum FileChange {
    /// Nothing is there yet.
    Created {
        lines: Vec<DiffLine>,
        lines_left_out: usize,
    },
    Changed {
        lines: Vec<DiffLine>,
        lines_left_out: usize,
    },
    Deleted {
        lines: Vec<DiffLine>,
        lines_left_out: usize,
    },
    /// It holds these bytes already, or is not there any more.
    Nothing,
    /// What is there goes, and is not shown: too long, no text, or not to be read. A size that is
    /// not known is null.
    Replaced {
        old_bytes: Option<u64>,
        new_bytes: Option<u64>,
    },
    /// The same for a file that is taken away.
    DeletedUnshown {
        old_bytes: Option<u64>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffLine {
    pub change: LineChange,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineChange {
    Kept,
    Added,
    Removed,
    /// Unchanged lines were left out here.
    Gap,
}

pub(super) fn written(held: &PathContent, new: &str) -> FileChange {
    let new_bytes = Some(new.len() as u64);
    match held {
        PathContent::Nothing => {
            let (lines, lines_left_out) = all(LineChange::Added, new);
            FileChange::Created { lines, lines_left_out }
        }
        PathContent::Content(old) if old == new.as_bytes() => FileChange::Nothing,
        PathContent::Content(old) => match std::str::from_utf8(old) {
            Ok(text) if is_comparable(text) && is_comparable(new) => compared(text, new),
            Ok(_) | Err(_) => FileChange::Replaced { old_bytes: Some(old.len() as u64), new_bytes },
        },
        PathContent::Unshown { bytes } => FileChange::Replaced { old_bytes: *bytes, new_bytes },
    }
}

/// By bytes that are not known yet; `None` where nothing is there to be lost.
pub(super) fn overwritten(held: &PathContent) -> Option<FileChange> {
    match held {
        PathContent::Nothing => None,
        PathContent::Content(old) => {
            Some(FileChange::Replaced { old_bytes: Some(old.len() as u64), new_bytes: None })
        }
        PathContent::Unshown { bytes } => {
            Some(FileChange::Replaced { old_bytes: *bytes, new_bytes: None })
        }
    }
}

pub(super) fn removed(held: &PathContent) -> FileChange {
    match held {
        PathContent::Nothing => FileChange::Nothing,
        PathContent::Content(old) => match std::str::from_utf8(old) {
            Ok(text) => {
                let (lines, lines_left_out) = all(LineChange::Removed, text);
                FileChange::Deleted { lines, lines_left_out }
            }
            Err(_) => FileChange::DeletedUnshown { old_bytes: Some(old.len() as u64) },
        },
        PathContent::Unshown { bytes } => FileChange::DeletedUnshown { old_bytes: *bytes },
    }
}

fn is_comparable(text: &str) -> bool {
    text.lines().nth(COMPARED_LINES_MAX).is_none()
}

fn compared(old: &str, new: &str) -> FileChange {
    // A last line that had no end is the same line where others follow it.
    let follows = |rest: &str| rest.starts_with('\n') && rest.len() > 1;
    let goes_on = !old.ends_with('\n') && new.strip_prefix(old).is_some_and(follows);
    let old = if goes_on { Cow::Owned(format!("{old}\n")) } else { Cow::Borrowed(old) };
    let diff = TextDiff::from_lines(old.as_ref(), new);
    let mut lines = Vec::new();
    for (at, group) in diff.grouped_ops(CONTEXT_LINES).iter().enumerate() {
        if at > 0 {
            lines.push(DiffLine { change: LineChange::Gap, text: String::new() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let kind = match change.tag() {
                ChangeTag::Equal => LineChange::Kept,
                ChangeTag::Insert => LineChange::Added,
                ChangeTag::Delete => LineChange::Removed,
            };
            lines.push(line(kind, change.value()));
        }
    }
    let lines_left_out = lines.len().saturating_sub(DIFF_LINES_MAX);
    lines.truncate(DIFF_LINES_MAX);
    FileChange::Changed { lines, lines_left_out }
}

fn all(change: LineChange, text: &str) -> (Vec<DiffLine>, usize) {
    let lines = text.lines().take(DIFF_LINES_MAX).map(|text| line(change, text)).collect();
    (lines, text.lines().count().saturating_sub(DIFF_LINES_MAX))
}

/// A carriage return at the end of a line is a change to be seen; the line feed is not.
fn line(change: LineChange, text: &str) -> DiffLine {
    DiffLine { change, text: neutralise(text.strip_suffix('\n').unwrap_or(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &str, new: &str) -> Vec<(LineChange, String)> {
        match compared(old, new) {
            FileChange::Changed { lines, .. } => {
                lines.into_iter().map(|line| (line.change, line.text)).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_added_behind_a_last_line_without_an_end_is_added_alone() {
        let (kept, added) = (LineChange::Kept, LineChange::Added);
        let both = vec![(kept, "one".to_owned()), (added, "two".to_owned())];
        assert_eq!(told("one", "one\ntwo"), both);
        assert_eq!(told("one\n", "one\ntwo\n"), both);
        // An end of the line alone, and another last line, are changes of it.
        let removed = (LineChange::Removed, "one".to_owned());
        assert_eq!(told("one", "one\n").first(), Some(&removed));
        assert_eq!(told("one", "one more\ntwo").first(), Some(&removed));
    }
}
