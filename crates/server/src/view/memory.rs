//! What one version of a memory changed against the version before it.

use crate::{
    dto::{
        memory::{MemoryChangeKind, MemoryChangeView},
        policy::LineKind,
    },
    policy,
};
use wiiiv_domain::MemoryText;
use wiiiv_store::MemoryRow;

/// Beside each of these versions, newest first, what it changed. `None`: the version before it is not among them.
pub(crate) fn with_changes(
    rows: Vec<MemoryRow>,
) -> Vec<(MemoryRow, Option<Vec<MemoryChangeView>>)> {
    let older = rows.iter().skip(1).map(|row| Some(row.text.clone())).chain([None]);
    // Before the first version there was nothing.
    let first = |row: &MemoryRow| (row.version == 1).then(MemoryText::empty);
    let found = rows.iter().zip(older).map(|(row, older)| {
        let older = older.or_else(|| first(row))?;
        Some(changes(&older, &row.text))
    });
    let found: Vec<_> = found.collect();
    rows.into_iter().zip(found).collect()
}

fn changes(from: &MemoryText, to: &MemoryText) -> Vec<MemoryChangeView> {
    let [from, to] = [from, to].map(ended);
    let change = |kind, line| Some(MemoryChangeView { kind, line });
    let changed = policy::lines(&from, &to).into_iter().filter_map(|line| match line.kind {
        LineKind::Same => None,
        LineKind::Added => change(MemoryChangeKind::Added, line.text),
        LineKind::Removed => change(MemoryChangeKind::Removed, line.text),
    });
    changed.collect()
}

/// With a line end: a last line without one would differ from the same line further up.
fn ended(text: &MemoryText) -> String {
    if text.is_empty() { String::new() } else { format!("{}\n", text.as_str()) }
}

#[cfg(test)]
mod tests {
    use super::{MemoryChangeKind, changes};
    use wiiiv_domain::MemoryText;

    fn found(from: &str, to: &str) -> Vec<(MemoryChangeKind, String)> {
        let [from, to] = [from, to].map(|text| MemoryText::parse(text).expect("a memory"));
        changes(&from, &to).into_iter().map(|change| (change.kind, change.line)).collect()
    }

    #[test]
    fn a_line_that_stays_is_no_change_wherever_the_text_ends() {
        use MemoryChangeKind::{Added, Removed};
        let line = |kind, text: &str| (kind, text.to_owned());
        assert_eq!(found("", "- 하나"), [line(Added, "- 하나")]);
        assert_eq!(found("- 하나", "- 하나\n- 둘"), [line(Added, "- 둘")]);
        assert_eq!(found("- 하나\n- 둘", "- 하나"), [line(Removed, "- 둘")]);
        assert_eq!(found("a\nb\nc", "a\nx\nc"), [line(Removed, "b"), line(Added, "x")]);
        assert!(found("a", "a").is_empty());
    }
}
