//! Values of a provider's answer; their number is bounded before any is made.

use super::piece::NoPiece;
use serde_json::Value;

/// Values of one event or document. Each is many times as long in memory as it was when it came.
const VALUES_MAX: usize = 65_536;

pub(super) fn parsed(data: &[u8]) -> Result<Value, NoPiece> {
    if values(data) > VALUES_MAX {
        return Err(NoPiece::Unreadable);
    }
    serde_json::from_slice(data).map_err(|_| NoPiece::Unreadable)
}

/// Never fewer than there are: one, and one more behind each mark that a value may follow.
fn values(data: &[u8]) -> usize {
    let (mut count, mut in_text, mut is_escaped) = (1_usize, false, false);
    for byte in data {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' | b',' if !in_text => count = count.saturating_add(1),
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_texts_are_one_each() {
        assert_eq!(values(b"7"), 1);
        assert_eq!(values(br#"{"a":[1,2,{"b":"x,[{\"\\"}],"c":"\\"}"#), 7);
        let talk = serde_json::json!({"text": ",".repeat(2 * VALUES_MAX)}).to_string();
        assert!(parsed(talk.as_bytes()).is_ok());
    }

    #[test]
    fn too_many_are_not_read() {
        let list = |count: usize| format!("[0{}]", ",0".repeat(count));
        assert!(parsed(list(VALUES_MAX / 2).as_bytes()).is_ok());
        assert_eq!(parsed(list(VALUES_MAX).as_bytes()), Err(NoPiece::Unreadable));
    }
}
