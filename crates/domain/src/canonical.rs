//! RFC 8785 canonical JSON: the bytes that are digested and signed.

use serde::Serialize;

/// The document has no canonical form: a float that is not finite, or a key that is not text.
#[derive(Debug, thiserror::Error)]
#[error("not representable as canonical JSON: {0}")]
pub struct CanonicalError(String);

/// RFC 8785 bytes of a document. Numbers past 2^53 must already be strings.
pub fn canonical<T: Serialize + ?Sized>(document: &T) -> Result<Vec<u8>, CanonicalError> {
    serde_json_canonicalizer::to_vec(&document).map_err(|e| CanonicalError(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_sorted_and_text_is_kept() -> Result<(), CanonicalError> {
        let bytes = canonical(&json!({"나": 1, "a": [true, null], "A": "é\n"}))?;
        assert_eq!(String::from_utf8_lossy(&bytes), r#"{"A":"é\n","a":[true,null],"나":1}"#);
        Ok(())
    }
}
