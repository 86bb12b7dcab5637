//! Untrusted text, so that a model cannot take it for a fence, a role or a control sequence.

/// Openings of the special tokens that chat templates know. The first character is replaced.
const SPECIAL: [&str; 15] = [
    "<<<",
    ">>>",
    "<|",
    "|>",
    "<<SYS",
    "<</SYS",
    "[INST",
    "[/INST",
    "<s>",
    "</s>",
    "<start_of_turn",
    "<end_of_turn",
    "<bos",
    "<eos",
    "<tool_call",
];
/// A line that begins so speaks for somebody else.
const ROLES: [&str; 3] = ["system:", "assistant:", "developer:"];

/// The same text without what could be mistaken. Words and layout stay.
pub(crate) fn neutral(text: &str, fence: &str) -> String {
    let visible: String = text.chars().filter_map(visible).collect();
    let mut safe = String::with_capacity(visible.len());
    for (at, line) in visible.split('\n').enumerate() {
        if at > 0 {
            safe.push('\n');
        }
        add_line(&mut safe, line);
    }
    without_fence(safe, fence)
}

/// Controls and direction marks become U+FFFD; what has no width goes. Joiners stay: scripts and
/// emoji need them.
fn visible(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => Some(c),
        '\r' | '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => None,
        '\u{e0000}'..='\u{e007f}' => None,
        '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{b}' | '\u{c}' => Some('\n'),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some('\u{fffd}')
        }
        c if c.is_control() => Some('\u{fffd}'),
        c => Some(c),
    }
}

fn add_line(safe: &mut String, line: &str) {
    let bare = line.trim_start_matches(|c: char| c.is_whitespace() || "#*>-".contains(c));
    let begins =
        |role: &&&str| bare.get(..role.len()).is_some_and(|start| start.eq_ignore_ascii_case(role));
    let role_end = ROLES.iter().find(begins).map(|role| line.len() - bare.len() + role.len() - 1);
    for (at, c) in line.char_indices() {
        let rest = line.get(at..).unwrap_or_default();
        let opens = |special: &&str| {
            rest.get(..special.len()).is_some_and(|start| start.eq_ignore_ascii_case(special))
        };
        safe.push(match c {
            ':' if role_end == Some(at) => '：',
            '<' | '>' | '|' | '[' if SPECIAL.iter().any(opens) => look_alike(c),
            c => c,
        });
    }
}

const fn look_alike(c: char) -> char {
    match c {
        '<' => '‹',
        '>' => '›',
        '|' => '¦',
        _ => '［',
    }
}

/// INVARIANT: the fence of this request does not occur in what it fences, in any case of letters.
fn without_fence(text: String, fence: &str) -> String {
    let lower = text.to_ascii_lowercase();
    if !lower.contains(fence) {
        return text;
    }
    let mut safe = String::with_capacity(text.len());
    let mut at = 0;
    for (found, _) in lower.match_indices(fence) {
        safe.push_str(text.get(at..found).unwrap_or_default());
        safe.push_str("[fence]");
        at = found + fence.len();
    }
    safe.push_str(text.get(at..).unwrap_or_default());
    safe
}
