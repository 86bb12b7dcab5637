//! JSON Lines: one JSON text on each line.

use crate::{
    bounded::Bounded,
    rows::read::{RowsFault, rows, text},
};
use std::io::Write as _;

/// Each line ends with `\n`, the last one too.
pub(crate) fn json_lines(json: &str, max_bytes: u64) -> Result<String, RowsFault> {
    let mut lines = Bounded::new(max_bytes);
    let too_long = |_| RowsFault::TooLong(max_bytes);
    for row in rows(json)? {
        lines.write_all(one_line(row.get()).as_bytes()).map_err(too_long)?;
        lines.write_all(b"\n").map_err(too_long)?;
    }
    text(lines)
}

/// Without the white space between its tokens: a text of JSON holds no line break of its own.
fn one_line(json: &str) -> String {
    let (mut in_text, mut escaped) = (false, false);
    json.chars()
        .filter(|c| {
            let kept = in_text || !matches!(c, ' ' | '\t' | '\n' | '\r');
            match c {
                _ if escaped => escaped = false,
                '\\' if in_text => escaped = true,
                '"' => in_text = !in_text,
                _ => {}
            }
            kept
        })
        .collect()
}
