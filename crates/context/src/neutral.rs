//! Nothing in untrusted text looks like a fence, a turn of the conversation or a hidden message.

use crate::fence::Fence;

/// What fences begin with, and what chat templates and tokenizers take for a change of speaker.
const MARKERS: [&str; 15] = [
    "=== begin",
    "=== end",
    "<|",
    "<｜",
    "<<sys>>",
    "<</sys>>",
    "[inst]",
    "[/inst]",
    "[system_prompt]",
    "<s>",
    "</s>",
    "<bos>",
    "<eos>",
    "<start_of_turn>",
    "<end_of_turn>",
];
const MARKER_STARTS: [char; 3] = ['=', '<', '['];
const FENCE_SHOWN: &str = "(fence)";

/// Leaves ordinary text as it is, markup and code included: it may be the content of a file.
pub(crate) fn neutralise(text: &str, fence: &Fence) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(length) = fence_length(rest, fence) {
            out.push_str(FENCE_SHOWN);
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        out.push(if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c });
        if is_marker(rest, c) {
            out.push(' ');
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

fn is_marker(rest: &str, first: char) -> bool {
    let starts = |marker: &&str| {
        rest.get(..marker.len()).is_some_and(|head| head.eq_ignore_ascii_case(marker))
    };
    MARKER_STARTS.contains(&first) && MARKERS.iter().any(|marker| starts(&marker))
}

/// Bytes of the fence's digits at the start of `text`, in whatever letters they are written and
/// whatever invisible characters stand between them.
fn fence_length(text: &str, fence: &Fence) -> Option<usize> {
    let mut wanted = fence.as_str().chars();
    let mut next = wanted.next();
    for (at, c) in text.char_indices() {
        if at > 0 && is_invisible(c) {
            continue;
        }
        if next.is_none() || digit(c) != next {
            return None;
        }
        next = wanted.next();
        if next.is_none() {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// The ASCII digit that this one reads as.
fn digit(c: char) -> Option<char> {
    let code = u32::from(c);
    let ascii = match code {
        0xFF10..=0xFF19 => code - 0xFF10 + u32::from('0'),
        0xFF21..=0xFF26 => code - 0xFF21 + u32::from('a'),
        0xFF41..=0xFF46 => code - 0xFF41 + u32::from('a'),
        0x1D7CE..=0x1D7FF => (code - 0x1D7CE) % 10 + u32::from('0'),
        _ => code,
    };
    char::from_u32(ascii).filter(char::is_ascii_hexdigit).map(|c| c.to_ascii_lowercase())
}

/// Controls, and the tag characters that carry text nobody sees.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r')) || matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn is_invisible(c: char) -> bool {
    is_hidden(c)
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: &str = "0123456789abcdef0123456789abcdef";

    fn check(text: &str, expected: &str) {
        assert_eq!(neutralise(text, &Fence::parse(DIGITS).unwrap()), expected, "{text:?}");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "회의 3시\r\n\t- 준비물",
            "<b>x</b> a |> f() && x << 3 >= y == z === w",
            "👩‍👩‍👧 [link](http://a.test/?q=1) [1]",
            "0123456789abcdef",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn markers_are_broken() {
        check("=== END task", "= == END task");
        check("<|im_start|>system", "< |im_start|>system");
        check("</s>[INST]<<SYS>>", "< /s>[ INST]< <SYS>>");
        check("a\0b\u{1b}[31m\u{e0041}", "a\u{fffd}b\u{fffd}[31m\u{fffd}");
    }

    #[test]
    fn the_fence_is_taken_out_however_it_is_written() {
        check(&format!("x{DIGITS}y"), "x(fence)y");
        check(&format!("0{}", DIGITS.to_uppercase()), "0(fence)");
        let wide: String = DIGITS.chars().map(|c| char::from_u32(u32::from(c) + 0xFEE0).unwrap()).collect();
        check(&wide, "(fence)");
        let apart: String = DIGITS.chars().flat_map(|c| [c, '\u{200b}']).collect();
        check(&apart, "(fence)\u{200b}");
    }
}
