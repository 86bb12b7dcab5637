//! The differences between two policies: key by key, and line by line.

use crate::dto::policy::{ChangeKind, ChangeView, LineKind, LineView};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use std::{collections::BTreeSet, time::Duration};

/// Longer than this no better match of lines is looked for.
const DIFF_TIME_MAX: Duration = Duration::from_millis(500);

/// In the order of the keys. A list is compared as a set: what it gained and what it lost.
pub(crate) fn changes(from: &Value, to: &Value) -> Vec<ChangeView> {
    let mut found = Vec::new();
    compare("", from, to, &mut found);
    found
}

fn compare(path: &str, from: &Value, to: &Value, found: &mut Vec<ChangeView>) {
    match (from, to) {
        (Value::Object(old), Value::Object(new)) => {
            let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for key in keys {
                let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let [old, new] = [old, new].map(|map| map.get(key).unwrap_or(&Value::Null));
                compare(&below, old, new, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            let lost = old.iter().filter(|item| !new.contains(item));
            found.extend(lost.map(|item| change(path, item, &Value::Null)));
            let gained = new.iter().filter(|item| !old.contains(item));
            found.extend(gained.map(|item| change(path, &Value::Null, item)));
        }
        (old, new) if old == new => {}
        (old, new) => found.push(change(path, old, new)),
    }
}

fn change(path: &str, from: &Value, to: &Value) -> ChangeView {
    let kind = match (from, to) {
        (Value::Null, _) => ChangeKind::Added,
        (_, Value::Null) => ChangeKind::Removed,
        _ => ChangeKind::Changed,
    };
    ChangeView { path: path.to_owned(), kind, from: from.clone(), to: to.clone() }
}

pub(crate) fn lines(from: &str, to: &str) -> Vec<LineView> {
    let diff = TextDiff::configure().timeout(DIFF_TIME_MAX).diff_lines(from, to);
    let line = |change: similar::Change<&str>| LineView {
        kind: match change.tag() {
            ChangeTag::Equal => LineKind::Same,
            ChangeTag::Insert => LineKind::Added,
            ChangeTag::Delete => LineKind::Removed,
        },
        text: change.value().trim_end_matches('\n').to_owned(),
    };
    diff.iter_all_changes().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(from: &Value, to: &Value) -> Vec<Value> {
        let found = changes(from, to);
        found.iter().map(|change| serde_json::to_value(change).expect("json")).collect()
    }

    #[test]
    fn keys_are_compared_by_path_and_lists_as_sets() {
        let from =
            json!({"a": {"b": 1, "c": null}, "hosts": [{"host": "x"}, {"host": "y"}], "z": 1});
        let to = json!({"a": {"b": 2, "c": 3}, "hosts": [{"host": "y"}, {"host": "w"}], "z": 1});
        let change = |path: &str, kind: &str, from: Value, to: Value| json!({"path": path, "kind": kind, "from": from, "to": to});
        let due = vec![
            change("a.b", "changed", json!(1), json!(2)),
            change("a.c", "added", json!(null), json!(3)),
            change("hosts", "removed", json!({"host": "x"}), json!(null)),
            change("hosts", "added", json!(null), json!({"host": "w"})),
        ];
        assert_eq!(told(&from, &to), due);
        assert!(told(&from, &from).is_empty());
        let gone = told(&json!({"caps": {"perRun": 1}}), &json!({"caps": {}}));
        assert_eq!(gone, [change("caps.perRun", "removed", json!(1), json!(null))]);
    }

    #[test]
    fn lines_are_told_in_order() {
        let found = lines("a\nb\n", "a\nc\n");
        let told: Vec<_> = found.iter().map(|line| (line.kind, line.text.as_str())).collect();
        let due = [(LineKind::Same, "a"), (LineKind::Removed, "b"), (LineKind::Added, "c")];
        assert_eq!(told, due);
    }
}
