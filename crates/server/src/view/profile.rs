//! What one version of a profile changed against the version before it.

use crate::dto::profile::{ProfileChangeKind, ProfileChangeView};
use wiiiv_domain::{ProfileDocument, ProfileEntry, ProfileName, SlotContent};
use wiiiv_store::ProfileRow;

/// Beside each of these versions, newest first, what it changed. `None`: the version before it is not among them.
pub(crate) fn with_changes(
    rows: Vec<ProfileRow>,
) -> Vec<(ProfileRow, Option<Vec<ProfileChangeView>>)> {
    let first = ProfileDocument::default();
    let found: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(nth, row)| {
            let older = rows.get(nth + 1).map(|older| &older.document);
            // Before the first version there was nothing.
            let older = older.or_else(|| (row.version == 1).then_some(&first))?;
            Some(changes(older, &row.document))
        })
        .collect();
    rows.into_iter().zip(found).collect()
}

fn changes(from: &ProfileDocument, to: &ProfileDocument) -> Vec<ProfileChangeView> {
    let of_slot = |slot: ProfileName| {
        let (from, to) = (from.content(&slot), to.content(&slot));
        let lacking = |other: &SlotContent, entry: &ProfileEntry| {
            !other.entries().iter().any(|kept| is_same(kept, entry))
        };
        let removed = from.entries().iter().filter(|entry| lacking(&to, entry));
        let removed = removed.map(|entry| view(&slot, ProfileChangeKind::Removed, entry));
        let added = to.entries().iter().filter(|entry| lacking(&from, entry));
        let added = added.map(|entry| view(&slot, ProfileChangeKind::Added, entry));
        removed.chain(added).collect::<Vec<_>>()
    };
    from.differing(to).into_iter().flat_map(of_slot).collect()
}

/// Told again on another day it is another value only where the day counts.
fn is_same(one: &ProfileEntry, other: &ProfileEntry) -> bool {
    one.text == other.text && one.day() == other.day() && one.until == other.until
}

fn view(slot: &ProfileName, kind: ProfileChangeKind, entry: &ProfileEntry) -> ProfileChangeView {
    ProfileChangeView {
        slot: slot.to_string(),
        kind,
        value: entry.text.as_str().to_owned(),
        from: entry.from.as_ref().map(|day| day.as_str().to_owned()),
        until: entry.until.as_ref().map(|day| day.as_str().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{ProfileChangeKind, changes};
    use wiiiv_domain::{
        ProfileDay, ProfileDocument, ProfileEntry, ProfileName, ProfileText, SlotContent, Timestamp,
    };

    fn document(entries: Vec<ProfileEntry>) -> ProfileDocument {
        let mut document = ProfileDocument::default();
        let name = ProfileName::parse("medications").expect("a name");
        document.slots.insert(name, SlotContent::of(entries));
        document
    }

    fn entry(text: &str, until: Option<&str>) -> ProfileEntry {
        let until = until.map(|day| ProfileDay::parse(day).expect("a day"));
        let text = ProfileText::parse(text).expect("a value");
        ProfileEntry { text, at: Timestamp::from_unix_ms(0), turn: None, from: None, until }
    }

    #[test]
    fn what_stays_is_no_change_and_an_end_is_one() {
        let kinds = |from: Vec<ProfileEntry>, to: Vec<ProfileEntry>| {
            let found = changes(&document(from), &document(to));
            found.into_iter().map(|change| (change.kind, change.value)).collect::<Vec<_>>()
        };
        let (added, removed) = (ProfileChangeKind::Added, ProfileChangeKind::Removed);
        let [a, b] = [entry("a", None), entry("b", None)];
        assert!(kinds(vec![a.clone()], vec![a.clone()]).is_empty());
        assert_eq!(kinds(vec![a.clone()], vec![a.clone(), b]), [(added, "b".to_owned())]);
        let over = entry("a", Some("2026-01-01"));
        let due = [(removed, "a".to_owned()), (added, "a".to_owned())];
        assert_eq!(kinds(vec![a], vec![over]), due);
    }
}
