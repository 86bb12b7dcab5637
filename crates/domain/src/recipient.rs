//! Members of a request's body that name whom or what it is for.

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

/// Recipients that are told apart; a body with more of them names none exactly.
pub const RECIPIENTS_MAX: usize = 64;
/// The longest value of one, in characters.
const VALUE_CHARS_MAX: usize = 500;

/// Whether a member of that name says whom or what it is for.
#[must_use]
pub fn is_recipient(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let plain = plain.to_lowercase();
    RECIPIENTS_WHOLE.contains(&plain.as_str()) || RECIPIENTS.iter().any(|end| plain.ends_with(end))
}

/// The values of such members at any depth, each by its place in the body (RFC 6901). `None`: the body
/// is no JSON, names more than can be told apart, or has one name twice, of which readers take either.
#[must_use]
pub fn recipients(body: &str) -> Option<BTreeMap<String, String>> {
    let value: Value = serde_json::from_str(body).ok()?;
    let (mut found, mut members_read) = (BTreeMap::new(), 0);
    let mut open = vec![(String::new(), &value, false)];
    while let Some((place, value, counts)) = open.pop() {
        let text = match value {
            Value::Object(members) => {
                members_read += members.len();
                open.extend(members.iter().map(|(name, value)| {
                    (below(&place, name), value, counts || is_recipient(name))
                }));
                continue;
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                open.extend(
                    items.map(|(nth, value)| (below(&place, &nth.to_string()), value, counts)),
                );
                continue;
            }
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(_) | Value::Null => value.to_string(),
        };
        if !counts {
            continue;
        }
        if found.len() >= RECIPIENTS_MAX || text.chars().count() > VALUE_CHARS_MAX {
            return None;
        }
        found.insert(place, text);
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

    fn told(body: &str) -> Option<Vec<(String, String)>> {
        recipients(body).map(|found| found.into_iter().collect())
    }

    #[test]
    fn who_a_body_is_for_is_found_at_any_depth() {
        let body =
            r#"{"to":["a@b.test","c@d.test"],"mail":{"note":"x"},"text":"to: e@f.test","n":1}"#;
        let pair = |place: &str, value: &str| (place.to_owned(), value.to_owned());
        let found = [pair("/mail/note", "x"), pair("/to/0", "a@b.test"), pair("/to/1", "c@d.test")];
        assert_eq!(told(body), Some(found.into()));
        assert_eq!(told(r#"{"a/b~":{"replyTo":1}}"#), Some(vec![]), "another name");
        assert_eq!(told(r#"{"a/b~":{"to":1}}"#), Some(vec![pair("/a~1b~0/to", "1")]));
        assert_eq!(told(r#"{"text":"hello"}"#), Some(vec![]));
    }

    #[test]
    fn what_cannot_be_told_apart_names_nobody() {
        assert_eq!(told("to=a"), None);
        assert_eq!(told(r#"{"to":"a","to":"b"}"#), None);
        assert_eq!(told(r#"{"to":"a\":\"b"}"#).map(|found| found.len()), Some(1));
        let many: Vec<String> = (0..=RECIPIENTS_MAX).map(|n| n.to_string()).collect();
        assert_eq!(told(&serde_json::json!({ "to": many }).to_string()), None);
        assert_eq!(told(&serde_json::json!({ "to": "x".repeat(501) }).to_string()), None);
    }
}
