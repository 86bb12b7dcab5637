//! Invariant: every number and every quotation in a model's reply occurs in a step's output, in a document that the
//! person finds, or in the person's own words.

use super::{catalogue, evidence::Evidence, quotation::quotations};
use crate::{
    harness::DELTA,
    verdict::{Violated, text_of},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const UNFOUNDED_REPLY: &str = "unfounded_reply";
/// A shorter line could be a number that occurs in an output by chance.
const EXCERPT_CHARS_MIN: usize = 40;
/// Passages that a prompt shows at most: a reply cites them by their numbers.
const PASSAGES_SHOWN_MAX: usize = 7;

/// Questions, previews and earlier replies prove nothing, because they may hold what a model made up. If
/// the built-in understanding answers, only the values of its sentences are claims.
pub(super) fn unfounded(evidence: &Evidence) -> Option<Violated> {
    let (mut sources, mut degraded) = (Sources::default(), BTreeSet::new());
    evidence.runs.iter().for_each(|run| {
        run.outputs.values().for_each(|bytes| sources.add_output(&String::from_utf8_lossy(bytes)));
        run.attempts.iter().for_each(|attempt| sources.add_attempt(attempt));
    });
    evidence.documents.iter().for_each(|text| sources.add_document(text));
    for event in &evidence.events {
        let text = text_of(event, "text");
        let by_model = match text_of(event, "event") {
            "accepted" => {
                sources.add_text(text);
                None
            }
            "reply" => match text_of(event, "reply") {
                "degraded" => {
                    degraded.insert(text_of(event, "turn"));
                    None
                }
                "model" if evidence.is_built_in || degraded.contains(text_of(event, "turn")) => {
                    Some(catalogue::values(&unmarked(text)))
                }
                "model" | "facts" => Some(unmarked(text)),
                _ => None,
            },
            // A part of a reply counts as soon as a client has read it.
            kind => (kind == DELTA).then(|| unmarked(text)),
        };
        if let Some(claim) = by_model.and_then(|words| sources.unfounded(&words)) {
            let expected = "stands in a step's output, in a document or in the person's words";
            return Some(Violated::new(UNFOUNDED_REPLY, expected, json!({ "claim": claim })));
        }
    }
    None
}

/// What a reply may repeat.
#[derive(Default)]
struct Sources {
    numbers: BTreeSet<String>,
    texts: String,
    /// The lines of outputs.
    lines: Vec<String>,
}

impl Sources {
    fn add_text(&mut self, text: &str) {
        for number in numbers(text) {
            // `[1,290]` holds two numbers and `1,290` one: a reply may use either reading.
            self.numbers.extend(number.split(',').map(plain));
            self.numbers.insert(number.to_owned());
            if is_grouped(number) {
                self.numbers.insert(plain(&number.replace(',', "")));
            }
        }
        self.texts.push_str(text);
        self.texts.push('\n');
    }

    fn add_output(&mut self, output: &str) {
        self.add_text(output);
        // The code counts the rows of an output.
        if let Ok(Value::Array(rows)) = serde_json::from_str(output) {
            self.numbers.insert(rows.len().to_string());
        }
        self.lines.extend(output.lines().map(|line| line.trim().to_owned()));
    }

    fn add_document(&mut self, text: &str) {
        self.add_output(text);
        self.numbers.extend((1..=PASSAGES_SHOWN_MAX).map(|number| number.to_string()));
    }

    /// What the code's own replies contain of a step: no ids, digests and times.
    fn add_attempt(&mut self, attempt: &Value) {
        for name in ["step", "code", "message"] {
            self.add_text(text_of(attempt, name));
        }
        for pointer in ["/output/size_bytes", "/output/status"] {
            self.numbers.extend(attempt.pointer(pointer).map(ToString::to_string));
        }
    }

    /// The first claim without a source.
    fn unfounded(&self, text: &str) -> Option<String> {
        let mut own = Vec::new();
        let mut before_is_copied = false;
        for line in text.lines().map(str::trim) {
            before_is_copied = self.is_copied(line, before_is_copied);
            if !before_is_copied {
                own.push(line);
            }
        }
        let number =
            own.iter().flat_map(|line| numbers(line)).find(|number| !self.has_number(number));
        let quoted = || own.iter().flat_map(|line| quotations(line));
        number.or_else(|| quoted().find(|text| !self.texts.contains(text))).map(str::to_owned)
    }

    fn has_number(&self, number: &str) -> bool {
        if self.numbers.contains(number) {
            return true;
        }
        if is_grouped(number) {
            return self.numbers.contains(&plain(&number.replace(',', "")));
        }
        number.split(',').all(|part| self.numbers.contains(&plain(part)))
    }

    /// Whether the line is copied from an output. The last line of an excerpt may be cut.
    fn is_copied(&self, line: &str, after_another: bool) -> bool {
        let long = line.chars().count() >= EXCERPT_CHARS_MIN;
        let cut = |own: &String| (after_another || long) && own.starts_with(line);
        !line.is_empty() && self.lines.iter().any(|own| own == line || cut(own))
    }
}

/// Written independently of the product's own check of the same rule, so that each finds a mistake of
/// the other.
fn numbers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let from = rest.get(start..).unwrap_or_default();
        let length = from.find(|c| !is_of_number(c)).unwrap_or(from.len());
        let (number, behind) = from.split_at(length);
        found.push(number.trim_end_matches(['.', ',']));
        rest = behind;
    }
    found
}

const fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | ',')
}

/// Removes the marks of invisible characters: `⟨U+000D⟩` claims no number.
fn unmarked(text: &str) -> String {
    let mut parts = text.split("⟨U+");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain.push_str(part.split_once('⟩').map_or(part, |(_, rest)| rest)));
    plain
}

/// Whether it is written with thousands separators.
fn is_grouped(number: &str) -> bool {
    let whole = number.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3)
}

/// One spelling of each number: `3.50` is `3.5`, `007` is `7`. `1.2.3` is no number and stays.
fn plain(number: &str) -> String {
    let number = number.trim_matches('.');
    if number.matches('.').count() > 1 {
        return number.to_owned();
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::{Sources, numbers, quotations, unmarked};
    use serde_json::json;

    #[test]
    fn numbers_and_quotations_are_claims() {
        assert_eq!(numbers("총 1,290 원, 항목 3개"), ["1,290", "3"]);
        assert_eq!(numbers("v.5, 1.2.3; 둘, 2."), ["5", "1.2.3", "2"]);
        assert_eq!(quotations("It says \"sold out\" and ‘품절’."), ["sold out", "품절"]);
        assert_eq!(quotations("\"a\" and \"b\", `c`"), ["a", "b", "c"]);
        assert_eq!(numbers(&unmarked("a⟨U+000D⟩7⟨U+200B⟩, ⟨U+77")), ["7", "77"]);
        assert!(numbers("끝났습니다.").is_empty() && quotations("All done.").is_empty());
    }

    #[test]
    fn a_number_is_founded_as_a_whole_and_by_what_was_shown() {
        let mut sources = Sources::default();
        sources.add_output("[{\"price\":7500,\"ids\":[12,345],\"rate\":3.50}]");
        sources.add_text("상위 25개만, 2,000원 이하");
        sources.add_attempt(&json!({
            "step": "call-8", "attempt": 9, "started_at": "2026-11-21T03:44:42.123Z",
            "output": { "size_bytes": 3456, "status": 200, "digest": "77aa31" },
        }));
        for founded in [
            "7500",
            "7,500원",
            "12",
            "345",
            "3.5",
            "25",
            "2000",
            "3456 B",
            "status 200",
            "call-8",
            "[12,345]",
        ] {
            assert_eq!(sources.unfounded(founded), None, "{founded}");
        }
        for unfounded in [
            "75", "50", "500", "5", "9", "21", "44", "123", "77", "31", "90", "1234", "7.5",
            "345,012",
        ] {
            assert_eq!(sources.unfounded(unfounded).as_deref(), Some(unfounded), "{unfounded}");
        }
        assert_eq!(sources.unfounded("모두 「품절」"), Some("품절".to_owned()));
    }

    #[test]
    fn an_excerpt_of_an_output_is_no_claim_of_its_own() {
        let mut sources = Sources::default();
        sources.add_output(
            "[\n  10250,\n  20300\n]\n{\"name\":\"노트북\",\"price\":1290000,\"stock\":17,\"on\":1}\n",
        );
        assert_eq!(sources.unfounded("결과:\n[\n10250,\n203"), None, "cut behind a whole line");
        assert_eq!(
            sources.unfounded("{\"name\":\"노트북\",\"price\":1290000,\"stock\":17,\"on"),
            None
        );
        assert_eq!(sources.unfounded("203").as_deref(), Some("203"));
    }
}
