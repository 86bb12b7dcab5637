//! A number or a quotation in a reply stands in a step's output or in the conversation.

use super::evidence::Evidence;
use crate::verdict::Violated;
use serde_json::{Value, json};

pub(super) const UNFOUNDED_REPLY: &str = "unfounded_reply";

pub(super) fn unfounded(evidence: &Evidence) -> Option<Violated> {
    let mut known = String::new();
    for run in &evidence.runs {
        run.outputs.values().for_each(|bytes| add(&mut known, &String::from_utf8_lossy(bytes)));
        // Sizes, codes and messages that code tells of a step.
        run.attempts.iter().for_each(|attempt| add(&mut known, &attempt.to_string()));
    }
    let text = |event: &Value, name: &str| {
        event.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    for event in &evidence.events {
        let said = text(event, "text");
        let by_model = matches!(text(event, "reply").as_str(), "model" | "facts");
        if text(event, "event") == "reply" && by_model {
            let own: Vec<&str> = said.lines().filter(|line| !known.contains(line.trim())).collect();
            let claims = own.iter().flat_map(|line| claims(line));
            if let Some(claim) = claims.into_iter().find(|claim| !known.contains(claim.as_str())) {
                let expected = "stands in a step's output or in the conversation";
                return Some(Violated::new(UNFOUNDED_REPLY, expected, json!({ "claim": claim })));
            }
        }
        add(&mut known, &said);
    }
    None
}

fn add(known: &mut String, text: &str) {
    known.push_str(text);
    known.push('\n');
}

/// Numbers and quoted texts, as they stand. On purpose none of the product's own code, which checks
/// the model's words by the same rule: a mistake in one is seen by the other.
fn claims(text: &str) -> Vec<String> {
    let mut claims = Vec::new();
    let (mut number_ends, mut quote_closes) = (0, None);
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        if c.is_ascii_digit() && at >= number_ends {
            let length = rest.find(|c| !is_of_number(c)).unwrap_or(rest.len());
            let number = rest.get(..length).unwrap_or_default();
            claims.push(number.trim_end_matches(['.', ',']).to_owned());
            number_ends = at + length;
        }
        if quote_closes == Some(at) {
            continue;
        }
        let behind = rest.get(c.len_utf8()..).zip(closing(c));
        if let Some((inside, _)) = behind.and_then(|(behind, close)| behind.split_once(close)) {
            claims.push(inside.to_owned());
            quote_closes = Some(at + c.len_utf8() + inside.len());
        }
    }
    claims
}

const fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | ',')
}

/// Of a quotation that begins so.
const fn closing(open: char) -> Option<char> {
    match open {
        '“' => Some('”'),
        '‘' => Some('’'),
        '「' => Some('」'),
        '"' | '`' => Some(open),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::claims;

    #[test]
    fn numbers_and_quotations_are_claims() {
        assert_eq!(claims("총 1,290 원, 항목 3개"), ["1,290", "3"]);
        assert_eq!(claims("It says \"sold out\" and ‘품절’."), ["sold out", "품절"]);
        assert_eq!(claims("\"a\" and \"b\", `c`"), ["a", "b", "c"]);
        assert_eq!(claims("v.5, 1.2.3; 「둘, 2」"), ["5", "1.2.3", "둘, 2", "2"]);
        assert!(claims("끝났습니다. All done.").is_empty());
    }
}
