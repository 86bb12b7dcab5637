//! RFC 8785 canonical JSON: the bytes that are digested and signed.

use serde::Serialize;
use serde_json::Value;

/// The greatest integer that every JSON reader takes exactly.
pub const INTEGER_MAX: u64 = (1 << 53) - 1;

/// The document has no canonical form: a key is not text. No document of ours has a float; one that is not
/// finite would read `null`.
#[derive(Debug, thiserror::Error)]
#[error("not representable as canonical JSON: {0}")]
pub struct CanonicalError(String);

/// RFC 8785 bytes of a document. Numbers past 2^53 must already be strings.
pub fn canonical<T: Serialize + ?Sized>(document: &T) -> Result<Vec<u8>, CanonicalError> {
    canonical_value(&serde_json::to_value(document).map_err(of)?)
}

/// The same of a document that is a value already.
pub fn canonical_value(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    if !is_plain(value) {
        return serde_json_canonicalizer::to_vec(value).map_err(of);
    }
    let mut bytes = Vec::new();
    write(value, &mut bytes)?;
    Ok(bytes)
}

/// The same value, the members of each object in the order of their names: for a file that is committed, and
/// for whatever else is compared byte by byte without being digested.
#[must_use]
pub fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members.into_iter().collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            members.into_iter().map(|(name, member)| (name, sorted(member))).collect()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}

fn of(error: impl std::fmt::Display) -> CanonicalError {
    CanonicalError(error.to_string())
}

/// Whether its keys are ASCII, and its numbers are integers that every reader takes exactly: then its usual
/// text, its members sorted, is the canonical one.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            size.is_some_and(|size| size <= INTEGER_MAX)
        }
        Value::Array(items) => items.iter().all(is_plain),
        Value::Object(members) => {
            members.iter().all(|(name, member)| name.is_ascii() && is_plain(member))
        }
    }
}

/// A map keeps its members in the order in which they were put in, or sorted: another crate of the build
/// decides about it. So they are sorted here.
fn write(value: &Value, bytes: &mut Vec<u8>) -> Result<(), CanonicalError> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Number(_) => {
            serde_json::to_writer(bytes, value).map_err(of)
        }
        Value::Array(items) => {
            bytes.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    bytes.push(b',');
                }
                write(item, bytes)?;
            }
            bytes.push(b']');
            Ok(())
        }
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            // In ASCII, the order of bytes is the one of UTF-16.
            members.sort_unstable_by_key(|(name, _)| *name);
            bytes.push(b'{');
            for (at, (name, member)) in members.into_iter().enumerate() {
                if at > 0 {
                    bytes.push(b',');
                }
                serde_json::to_writer(&mut *bytes, name).map_err(of)?;
                bytes.push(b':');
                write(member, bytes)?;
            }
            bytes.push(b'}');
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn keys_are_sorted_and_text_is_kept() -> Result<(), CanonicalError> {
        let bytes = canonical(&json!({"나": 1, "a": [true, null], "A": "é\n"}))?;
        assert_eq!(String::from_utf8_lossy(&bytes), r#"{"A":"é\n","a":[true,null],"나":1}"#);
        Ok(())
    }

    fn values() -> impl Strategy<Value = Value> {
        let text = || {
            prop_oneof![any::<String>(), "[ -~\\x00-\\x1f]{0,8}", Just("\u{7f}\u{2028}".to_owned())]
        };
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-4_i64..4).prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            text().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((text(), inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_short_way_leads_to_the_same_bytes(value in values()) {
            let long = serde_json_canonicalizer::to_vec(&value).unwrap();
            prop_assert_eq!(canonical_value(&value).unwrap(), long.clone());
            prop_assert_eq!(canonical(&value).unwrap(), long);
        }
    }
}
