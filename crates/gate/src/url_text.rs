//! Values as parts of a URL: what is sent, and what a rule is asked about, is the same text.

use std::fmt::Write as _;

/// Percent-encodes everything but the unreserved characters of RFC 3986.
pub(crate) fn encode(value: &str, text: &mut String) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            text.push(char::from(byte));
        } else {
            // A `String` takes whatever is written.
            let _ = write!(text, "%{byte:02X}");
        }
    }
}
