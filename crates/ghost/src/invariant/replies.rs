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

/// Numbers and quoted texts, as they stand.
fn claims(text: &str) -> Vec<String> {
    let numbers = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','));
    let numbers = numbers.map(|number| number.trim_matches(['.', ',']).to_owned());
    let mut claims: Vec<String> =
        numbers.filter(|number| number.contains(|c: char| c.is_ascii_digit())).collect();
    for (open, close) in [('"', '"'), ('`', '`'), ('“', '”'), ('‘', '’'), ('「', '」')] {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inside, behind)) = after.split_once(close) else { break };
            claims.push(inside.to_owned());
            rest = behind;
        }
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::claims;

    #[test]
    fn numbers_and_quotations_are_claims() {
        assert_eq!(claims("총 1,290 원, 항목 3개"), ["1,290", "3"]);
        assert_eq!(claims("It says \"sold out\" and ‘품절’."), ["sold out", "품절"]);
        assert!(claims("끝났습니다. All done.").is_empty());
    }
}
