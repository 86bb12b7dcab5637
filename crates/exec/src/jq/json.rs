//! Checks that bytes are one JSON text that every reader here accepts.

use serde::de::IgnoredAny;

/// Readers recurse: a deeper text could exhaust a stack.
const DEPTH_MAX: usize = 128;

/// RFC 8259, UTF-8, not too deep.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    is_shallow(bytes)
        && std::str::from_utf8(bytes)
            .is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

fn is_shallow(bytes: &[u8]) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX {
            return false;
        }
    }
    true
}
