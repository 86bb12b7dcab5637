//! RFC 8785 canonical JSON over integers, written separately from the store's.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

/// The greatest integer that every JSON reader keeps exactly.
const INTEGER_MAX: i64 = (1 << 53) - 1;

/// A number that the canonical form does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the number `{number}` is not an integer that every JSON reader keeps exactly")]
pub struct NotCanonical {
    /// The number as it was written.
    pub number: String,
}

/// The canonical form; a number that is not an integer within ±(2^53 − 1) is refused.
pub fn canonical(value: &Value) -> Result<String, NotCanonical> {
    let mut out = String::new();
    write_value(&mut out, value)?;
    Ok(out)
}

pub(crate) fn canonical_object(object: &Map<String, Value>) -> Result<String, NotCanonical> {
    let mut out = String::new();
    write_object(&mut out, object.iter())?;
    Ok(out)
}

/// The canonical form of an object without one of its members.
pub(crate) fn canonical_without(
    object: &Map<String, Value>,
    left_out: &str,
) -> Result<String, NotCanonical> {
    let mut out = String::new();
    write_object(&mut out, object.iter().filter(|(name, _)| *name != left_out))?;
    Ok(out)
}

// The depth is bounded by the parser's, 128.
fn write_value(out: &mut String, value: &Value) -> Result<(), NotCanonical> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_integer(out, number)?,
        Value::String(text) => write_string(out, text),
        Value::Array(items) => write_array(out, items)?,
        Value::Object(members) => write_object(out, members.iter())?,
    }
    Ok(())
}

fn write_integer(out: &mut String, number: &Number) -> Result<(), NotCanonical> {
    let integer = number
        .as_i64()
        .filter(|integer| (-INTEGER_MAX..=INTEGER_MAX).contains(integer))
        .ok_or_else(|| NotCanonical { number: number.to_string() })?;
    out.push_str(&integer.to_string());
    Ok(())
}

fn write_array(out: &mut String, items: &[Value]) -> Result<(), NotCanonical> {
    out.push('[');
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_value(out, item)?;
    }
    out.push(']');
    Ok(())
}

fn write_object<'a>(
    out: &mut String,
    members: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Result<(), NotCanonical> {
    let mut members: Vec<_> = members.collect();
    // Not the order of UTF-8: U+FF5E comes before U+1F600 in bytes, after it in UTF-16.
    members.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
    out.push('{');
    for (position, (name, value)) in members.into_iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_string(out, name);
        out.push(':');
        write_value(out, value)?;
    }
    out.push('}');
    Ok(())
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
    use serde_json::{Value, json};

    use super::{INTEGER_MAX, canonical};

    #[test]
    fn keys_are_sorted_by_utf_16_units() {
        let value = json!({
            "\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7,
        });
        assert_eq!(
            canonical(&value).unwrap(),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\
             \"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
        );
    }

    #[test]
    fn only_exact_integers_have_a_form() {
        for text in ["0", "-1", "9007199254740991", "-9007199254740991"] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(canonical(&value).unwrap(), text);
        }
        for text in ["1.0", "0.5", "-0", "1e2", "9007199254740992", "18446744073709551615"] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(canonical(&json!({"a": [value]})).is_err(), "{text}");
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-INTEGER_MAX..=INTEGER_MAX).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                proptest::collection::hash_map(any::<String>(), inner, 0..8)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn agrees_with_the_other_implementation(value in values()) {
            let other = serde_json_canonicalizer::to_string(&value).unwrap();
            prop_assert_eq!(canonical(&value).unwrap(), other);
        }

        #[test]
        fn reads_back_as_the_same_value(value in values()) {
            let text = canonical(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }
}
