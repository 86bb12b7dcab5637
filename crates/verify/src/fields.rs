//! JSON objects with exactly the expected members.

use serde_json::{Map, Value};

use crate::canonical::canonical;
use crate::finding::Fault;

pub(crate) const HASH_BYTES: usize = 32;
const DECIMAL_DIGITS_MAX: usize = 19;

/// Parses bytes that must be byte-identical to their canonical form.
pub(crate) fn parse_canonical(bytes: &[u8]) -> Result<Map<String, Value>, Fault> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| Fault::NotJson { reason: error.to_string() })?;
    // Parsing drops a repeated member, so it is found here too.
    if canonical(&value)?.as_bytes() != bytes {
        return Err(Fault::NotCanonical);
    }
    match value {
        Value::Object(members) => Ok(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(Fault::NotAnObject)
        }
    }
}

/// Members by name, after a check that they are the expected ones.
pub(crate) struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(crate) fn exactly(
        object: &'a Map<String, Value>,
        names: &[&'static str],
    ) -> Result<Self, Fault> {
        if let Some(name) = names.iter().find(|name| !object.contains_key(**name)) {
            return Err(Fault::MissingMember { name });
        }
        if let Some(name) = object.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(Fault::UnknownMember { name: name.clone() });
        }
        Ok(Self(object))
    }

    fn get(&self, name: &'static str) -> Result<&'a Value, Fault> {
        self.0.get(name).ok_or(Fault::MissingMember { name })
    }

    pub(crate) fn text(&self, name: &'static str) -> Result<&'a str, Fault> {
        self.get(name)?.as_str().ok_or(Fault::BadMember { name, expected: "a string" })
    }

    pub(crate) fn object(&self, name: &'static str) -> Result<&'a Map<String, Value>, Fault> {
        self.get(name)?.as_object().ok_or(Fault::BadMember { name, expected: "an object" })
    }

    pub(crate) fn array(&self, name: &'static str) -> Result<&'a [Value], Fault> {
        let array = self.get(name)?.as_array().map(Vec::as_slice);
        array.ok_or(Fault::BadMember { name, expected: "an array" })
    }

    pub(crate) fn integer(&self, name: &'static str) -> Result<i64, Fault> {
        self.get(name)?.as_i64().ok_or(Fault::BadMember { name, expected: "an integer" })
    }

    /// A count as a decimal string without leading zeros.
    pub(crate) fn decimal(&self, name: &'static str) -> Result<u64, Fault> {
        let bad = Fault::BadMember { name, expected: "a decimal string without leading zeros" };
        let text = self.text(name)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let plain = text == "0" || !text.starts_with('0');
        if !digits || !plain || text.len() > DECIMAL_DIGITS_MAX {
            return Err(bad);
        }
        text.parse().map_err(|_| bad)
    }

    pub(crate) fn hash(&self, name: &'static str) -> Result<[u8; HASH_BYTES], Fault> {
        hash(name, self.text(name)?)
    }
}

/// 64 lower-case hex digits.
pub(crate) fn hash(name: &'static str, text: &str) -> Result<[u8; HASH_BYTES], Fault> {
    let bad = Fault::BadMember { name, expected: "`64` lower-case hex digits" };
    let mut bytes = [0; HASH_BYTES];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| bad.clone())?;
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) { Err(bad) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Fields, parse_canonical};
    use crate::finding::Fault;

    #[test]
    fn spaces_order_and_doubled_members_are_refused() {
        assert!(parse_canonical(br#"{"a":1,"b":2}"#).is_ok());
        for text in [r#"{"a": 1}"#, r#"{"b":2,"a":1}"#, r#"{"a":1,"a":1}"#, r#"{"a":"\u0041"}"#] {
            assert_eq!(parse_canonical(text.as_bytes()), Err(Fault::NotCanonical), "{text}");
        }
        assert_eq!(parse_canonical(b"[]"), Err(Fault::NotAnObject));
        assert!(matches!(parse_canonical(b"{\"a\":\"\xff\"}"), Err(Fault::NotJson { .. })));
    }

    #[test]
    fn decimals_have_one_spelling() {
        for (text, expected) in
            [("0", Some(0)), ("1", Some(1)), ("1234567890", Some(1_234_567_890))].into_iter().chain(
                ["", "01", "-1", "+1", " 1", "1.0", "99999999999999999999"].map(|t| (t, None)),
            )
        {
            let object = json!({"n": text});
            let fields = Fields::exactly(object.as_object().unwrap(), &["n"]).unwrap();
            assert_eq!(fields.decimal("n").ok(), expected, "{text}");
        }
    }

    #[test]
    fn hashes_have_one_spelling() {
        for (text, good) in
            [("ab".repeat(32), true), ("AB".repeat(32), false), ("ab".repeat(31), false)]
        {
            let object = json!({"h": text});
            let fields = Fields::exactly(object.as_object().unwrap(), &["h"]).unwrap();
            assert_eq!(fields.hash("h").is_ok(), good);
        }
    }
}
