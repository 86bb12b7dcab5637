//! JSON merge patches (RFC 7396), and comparison of a document with a part of it.

use serde_json::{Map, Value};

/// Applies the patch to the document; `null` removes a member.
pub(crate) fn patch(document: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        document.clone_from(patch);
        return;
    };
    if !document.is_object() {
        *document = Value::Object(Map::new());
    }
    let Value::Object(members) = document else { return };
    for (name, change) in changes {
        if change.is_null() {
            members.remove(name);
        } else {
            self::patch(members.entry(name.clone()).or_insert(Value::Null), change);
        }
    }
}

/// Makes the first patch do what both do in sequence.
pub(crate) fn both(first: &mut Map<String, Value>, then: &Map<String, Value>) {
    for (name, change) in then {
        match (first.get_mut(name), change) {
            (Some(Value::Object(inner)), Value::Object(change)) => both(inner, change),
            (Some(member), _) => member.clone_from(change),
            (None, _) => {
                first.insert(name.clone(), change.clone());
            }
        }
    }
}

/// Whether `whole` contains `part`: objects may have further members, everything else is equal. Numbers
/// are equal by value: `1` is `1.0`.
pub(crate) fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(name, part)| whole.get(name).is_some_and(|whole| holds(whole, part)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len() && whole.iter().zip(part).all(|(w, p)| holds(w, p))
        }
        _ => same(whole, part),
    }
}

/// Equal in any order of members, and numbers by value.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, a)| other.get(name).is_some_and(|b| same(a, b)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same(a, b))
        }
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_examples_of_rfc_7396() {
        let cases = [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ];
        for (mut document, change, expected) in cases {
            patch(&mut document, &change);
            assert_eq!(document, expected, "{change}");
        }
    }

    #[test]
    fn two_patches_in_one_still_remove() {
        let object = |value: Value| value.as_object().unwrap().clone();
        let mut first = object(json!({"a": {"x": 1}, "b": 2}));
        both(&mut first, &object(json!({"a": {"x": null, "y": 3}, "c": null})));
        assert_eq!(Value::Object(first), json!({"a": {"x": null, "y": 3}, "b": 2, "c": null}));
    }

    #[test]
    fn a_part_is_held_and_a_difference_is_not() {
        let whole = json!({"a": {"b": 1, "c": [1, {"d": 2}]}, "e": null});
        for part in [json!({}), json!({"a": {"b": 1.0}}), json!({"a": {"c": [1, {}]}, "e": null})] {
            assert!(holds(&whole, &part), "{part}");
        }
        let not =
            [json!([]), json!({"x": null}), json!({"a": {"c": [1]}}), json!({"a": {"b": "1"}})];
        for part in not {
            assert!(!holds(&whole, &part), "{part}");
        }
        assert!(!same(&whole, &json!({"e": null})));
    }
}
