//! Finds the part of an unfinished answer that may be shown: the message, after `action` and
//! `taskType` have shown that it is talk. One pass, character by character.

/// A key or a code that is kept is no longer than this.
const KEPT_CHARS_MAX: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Key,
    Value,
    /// Anywhere deeper.
    Inner,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    Begun,
    /// Digits of `\uXXXX` so far, and how many.
    Unicode(u32, u8),
}

#[derive(Debug, Default)]
pub(crate) struct StreamFilter {
    depth: usize,
    after_colon: bool,
    /// Inside a string.
    text: Option<Text>,
    escape: Escape,
    high_surrogate: Option<u32>,
    key: String,
    value: String,
    action: Option<String>,
    task_type: Option<String>,
    twice: bool,
}

impl StreamFilter {
    /// Talk that may be shown already.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        let mut shown = String::new();
        for c in piece.chars() {
            match self.text {
                Some(text) => self.in_text(text, c, &mut shown),
                None => self.between(c),
            }
        }
        shown
    }

    /// A code that is named twice would be shown as one thing and taken as another.
    pub(crate) const fn names_twice(&self) -> bool {
        self.twice
    }

    fn between(&mut self, c: char) {
        match c {
            '{' | '[' => self.depth = self.depth.saturating_add(1),
            '}' | ']' => self.depth = self.depth.saturating_sub(1),
            ':' if self.depth == 1 => self.after_colon = true,
            ',' if self.depth == 1 => self.after_colon = false,
            '"' => {
                let text = match (self.depth, self.after_colon) {
                    (1, false) => Text::Key,
                    (1, true) => Text::Value,
                    _ => Text::Inner,
                };
                match text {
                    Text::Key => self.key.clear(),
                    Text::Value => self.value.clear(),
                    Text::Inner => {}
                }
                self.text = Some(text);
            }
            _ => {}
        }
    }

    fn in_text(&mut self, text: Text, c: char, shown: &mut String) {
        match self.escape {
            Escape::None if c == '"' => self.close(text),
            Escape::None if c == '\\' => self.escape = Escape::Begun,
            Escape::None => self.say(text, c, shown),
            Escape::Begun if c == 'u' => self.escape = Escape::Unicode(0, 0),
            Escape::Begun => {
                self.escape = Escape::None;
                self.say(text, unescaped(c), shown);
            }
            Escape::Unicode(code, count) => {
                let code = code * 16 + c.to_digit(16).unwrap_or(0);
                if count < 3 {
                    self.escape = Escape::Unicode(code, count + 1);
                    return;
                }
                self.escape = Escape::None;
                if let Some(c) = self.joined(code) {
                    self.say(text, c, shown);
                }
            }
        }
    }

    /// Surrogates come in pairs.
    fn joined(&mut self, code: u32) -> Option<char> {
        match (self.high_surrogate.take(), code) {
            (_, 0xd800..0xdc00) => {
                self.high_surrogate = Some(code);
                None
            }
            (Some(high), 0xdc00..0xe000) => {
                char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (code - 0xdc00))
            }
            (_, code) => Some(char::from_u32(code).unwrap_or('\u{fffd}')),
        }
    }

    fn say(&mut self, text: Text, c: char, shown: &mut String) {
        let kept = match text {
            Text::Key => &mut self.key,
            Text::Value if self.key == "message" => {
                if self.is_talk() {
                    shown.push(c);
                }
                return;
            }
            Text::Value => &mut self.value,
            Text::Inner => return,
        };
        if kept.chars().count() < KEPT_CHARS_MAX {
            kept.push(c);
        }
    }

    fn close(&mut self, text: Text) {
        self.text = None;
        if text != Text::Value {
            return;
        }
        let code = match self.key.as_str() {
            "action" => &mut self.action,
            "taskType" => &mut self.task_type,
            _ => return,
        };
        self.twice |= code.is_some();
        *code = Some(std::mem::take(&mut self.value));
    }

    fn is_talk(&self) -> bool {
        let talk = matches!(self.task_type.as_deref(), Some("CONVERSATION" | "INFORMATION"));
        self.action.as_deref() == Some("REPLY") && talk && !self.twice
    }
}

const fn unescaped(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, piece: usize) -> String {
        let mut shown = StreamFilter::default();
        let chars: Vec<char> = text.chars().collect();
        chars.chunks(piece).map(|piece| shown.push(&piece.iter().collect::<String>())).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        for piece in [1, 2, 5, 1000] {
            assert_eq!(shown(text, piece), expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn talk_is_shown_as_it_comes() {
        let talk = r#"{"action":"REPLY","taskType":"CONVERSATION","message":"안녕 \"너\" \ud83d\ude00\n끝","slots":{}}"#;
        check(talk, "안녕 \"너\" 😀\n끝");
        check(&talk.replace("CONVERSATION", "INFORMATION"), "안녕 \"너\" 😀\n끝");
    }

    #[test]
    fn anything_else_waits_for_the_flow() {
        for text in [
            r#"{"action":"EXECUTE","taskType":"CONVERSATION","message":"done"}"#,
            r#"{"action":"REPLY","taskType":"FILE_WRITE","message":"done"}"#,
            r#"{"message":"first","action":"REPLY","taskType":"CONVERSATION"}"#,
            r#"{"slots":{"action":"REPLY","taskType":"CONVERSATION","message":"in"},"message":"x"}"#,
            r#"{"action":"EXECUTE","action":"REPLY","taskType":"CONVERSATION","message":"x"}"#,
            r#"[{"action":"REPLY","taskType":"CONVERSATION","message":"x"}]"#,
            "Sure! I have done it.",
        ] {
            check(text, "");
        }
    }

    proptest! {
        #[test]
        fn any_text_in_any_pieces_is_the_same(text in "\\PC{0,200}", piece in 1_usize..9) {
            prop_assert_eq!(shown(&text, piece), shown(&text, 1));
        }

        #[test]
        fn a_message_is_shown_as_it_is_meant(message in any::<String>()) {
            let text = format!(
                r#"{{"action":"REPLY","taskType":"CONVERSATION","message":{}}}"#,
                serde_json::Value::from(message.clone())
            );
            prop_assert_eq!(shown(&text, 7), message);
        }
    }
}
