//! Members of a request's body: which name whom or what it is for, and which are texts.

use serde_json::Value;
use std::collections::BTreeMap;

/// Compared by their ends, without punctuation and letter case.
const RECIPIENTS: [&str; 21] = [
    "recipient",
    "recipients",
    "email",
    "mail",
    "phone",
    "address",
    "account",
    "iban",
    "webhook",
    "callback",
    "url",
    "uri",
    "host",
    "path",
    "수신자",
    "수신인",
    "받는사람",
    "이메일",
    "주소",
    "계좌",
    "전화번호",
];
/// The same as whole names, being ends of many others.
const RECIPIENTS_WHOLE: [&str; 4] = ["to", "cc", "bcc", "전화"];
/// Whole names of members that are texts for people, and decide nothing of where a request goes.
const TEXTS: [&str; 18] = [
    "text",
    "message",
    "content",
    "body",
    "title",
    "subject",
    "note",
    "memo",
    "comment",
    "description",
    "내용",
    "본문",
    "제목",
    "메시지",
    "메모",
    "댓글",
    "설명",
    "비고",
];

/// Members that are told apart; a body with more of them says nothing exactly.
const TOLD_MAX: usize = 64;
/// The longest value of one, in characters.
const VALUE_CHARS_MAX: usize = 500;

/// Whether a member of that name says whom or what it is for.
#[must_use]
pub fn is_recipient(name: &str) -> bool {
    let plain = plain(name);
    RECIPIENTS_WHOLE.contains(&plain.as_str()) || RECIPIENTS.iter().any(|end| plain.ends_with(end))
}

fn plain(name: &str) -> String {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    plain.to_lowercase()
}

/// What the names above a value say of it.
#[derive(Debug, Clone, Copy, Default)]
struct Named {
    /// One of them is of a recipient.
    recipient: bool,
    /// The nearest is of a text.
    text: bool,
}

impl Named {
    fn below(self, name: &str) -> Self {
        let recipient = self.recipient || is_recipient(name);
        Self { recipient, text: TEXTS.contains(&plain(name).as_str()) }
    }
}

/// Stands for a text that may be any other.
pub const ANY_TEXT: &str = "*";

/// All that a body says, each value as JSON by its place (RFC 6901), but that a text for people is [`ANY_TEXT`]: what
/// the body does, for whom and how much of it. What is not known to be such a text stands as it is, and so does a
/// text of a recipient. `None`: the body is no JSON object, says more than can be told apart, or has one name twice,
/// of which readers take either.
#[must_use]
pub fn exact_members(body: &str) -> Option<BTreeMap<String, String>> {
    let value: Value = serde_json::from_str(body).ok()?;
    let value = value.is_object().then_some(&value)?;
    let (mut found, mut members_read) = (BTreeMap::new(), 0);
    let mut open = vec![(String::new(), value, Named::default())];
    while let Some((place, value, named)) = open.pop() {
        let told = match value {
            Value::Object(members) if !members.is_empty() => {
                members_read += members.len();
                for (name, value) in members {
                    open.push((below(&place, name), value, named.below(name)));
                }
                continue;
            }
            Value::Array(items) if !items.is_empty() => {
                for (nth, value) in items.iter().enumerate() {
                    open.push((below(&place, &nth.to_string()), value, named));
                }
                continue;
            }
            Value::String(_) if named.text && !named.recipient => ANY_TEXT.to_owned(),
            value => value.to_string(),
        };
        if found.len() >= TOLD_MAX || told.chars().count() > VALUE_CHARS_MAX {
            return None;
        }
        found.insert(place, told);
    }
    (members_read == members_written(body)).then_some(found)
}

/// Of a text that is JSON: each member has one colon outside of texts.
fn members_written(body: &str) -> usize {
    let (mut count, mut in_text, mut escaped) = (0, false, false);
    for c in body.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = in_text,
            '"' => in_text = !in_text,
            ':' if !in_text => count += 1,
            _ => {}
        }
    }
    count
}

fn below(place: &str, name: &str) -> String {
    format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_whether_it_is_of_a_recipient() {
        for name in ["to", "Reply-Email", "mail", "webhook_url", "받는사람"] {
            assert!(is_recipient(name), "{name}");
        }
        for name in ["replyTo", "text", "toto", "n"] {
            assert!(!is_recipient(name), "{name}");
        }
    }

    #[test]
    fn what_is_not_known_to_be_a_text_is_told_as_it_is() {
        let body = r#"{"message":{"chatId":7,"text":"hi"},"to":{"text":"kim"},"amounts":[1,"1"],
            "emails":["a@b.test"],"제목":"t","content":["c",3],"note":null,"memo":[]}"#;
        let pair = |place: &str, value: &str| (place.to_owned(), value.to_owned());
        let told = [
            pair("/amounts/0", "1"),
            pair("/amounts/1", "\"1\""),
            pair("/content/0", ANY_TEXT),
            pair("/content/1", "3"),
            pair("/emails/0", "\"a@b.test\""),
            pair("/memo", "[]"),
            pair("/message/chatId", "7"),
            pair("/message/text", ANY_TEXT),
            pair("/note", "null"),
            pair("/to/text", "\"kim\""),
            pair("/제목", ANY_TEXT),
        ];
        assert_eq!(exact_members(body), Some(told.into()));
        for body in [r#"["kim@shop.test"]"#, "12345", "to=a", r#"{"a":1,"a":1}"#] {
            assert_eq!(exact_members(body), None, "{body}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_told_of_nothing() {
        let told = |body: &str| exact_members(body).map(|found| found.len());
        assert_eq!(told(r#"{"to":"a","to":"b"}"#), None);
        assert_eq!(told(r#"{"to":"a\":\"b"}"#), Some(1));
        assert_eq!(told(r#"{"a/b~":{"n":1}}"#), Some(1));
        let many: Vec<String> = (0..=TOLD_MAX).map(|n| n.to_string()).collect();
        assert_eq!(told(&serde_json::json!({ "to": many }).to_string()), None);
        assert_eq!(told(&serde_json::json!({ "to": "x".repeat(501) }).to_string()), None);
        assert_eq!(told(&serde_json::json!({ "text": "x".repeat(501) }).to_string()), Some(1));
    }
}
