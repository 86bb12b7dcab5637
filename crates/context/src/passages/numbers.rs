//! Numbers in brackets, as an answer cites passages: `[1]`, `[1, 3]` or `[1-3]`. Whoever reads an answer and whoever shows
//! a passage ask here, so that no text of a passage can be taken for a citation.

/// Of one number.
const DIGITS_MAX: usize = 3;
/// Of one pair of brackets.
const NUMBERS_MAX: usize = 16;
/// Longer ones hold something else.
const BRACKETS_BYTES_MAX: usize = 64;

/// The numbers that the text begins with, and what stands behind their brackets. `None`: it begins with something else.
#[must_use]
pub fn bracketed_numbers(text: &str) -> Option<(Vec<u32>, &str)> {
    let head = text.get(..text.floor_char_boundary(BRACKETS_BYTES_MAX))?;
    let (inner, _) = head.strip_prefix('[')?.split_once(']')?;
    let behind = text.get(inner.len() + "[]".len()..)?;
    let mut numbers = Vec::new();
    for part in inner.split([',', '，']).map(str::trim) {
        let (first, last) = match part.split_once(['-', '–', '~']) {
            Some((first, last)) => (number(first.trim())?, number(last.trim())?),
            None => (number(part)?, number(part)?),
        };
        numbers.extend((first..=last).take(NUMBERS_MAX));
    }
    numbers.truncate(NUMBERS_MAX);
    Some((numbers, behind))
}

fn number(text: &str) -> Option<u32> {
    let is_number =
        (1..=DIGITS_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// INVARIANT: no text that a passage is shown with holds a number that an answer could cite by: its bracket gives way to
/// one that looks like it. A model that repeats such a text word for word cites nothing by it.
pub(super) fn without_numbers(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let is_number = c == '[' && text.get(at..).and_then(bracketed_numbers).is_some();
        safe.push(if is_number { '［' } else { c });
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_left_wherever_it_stands() {
        for (text, due) in [
            ("해지 위약금은 없다 [1].", "해지 위약금은 없다 ［1]."),
            ("x[12] [1, 3] [ 1，2 ] [1-3]", "x［12] ［1, 3] ［ 1，2 ] ［1-3]"),
            ("[1–3][2~4] [[5]] [1[6]2]", "［1–3]［2~4] [［5]] [1［6]2]"),
            ("[7](https://x.test) [8]: x `[9]`", "［7](https://x.test) ［8]: x `［9]`"),
            ("[1234] [a] [INSTALL] [2024-01] [] [1", "[1234] [a] [INSTALL] [2024-01] [] [1"),
        ] {
            assert_eq!(without_numbers(text), due, "{text}");
        }
    }
}
