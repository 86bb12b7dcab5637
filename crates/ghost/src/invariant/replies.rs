//! What a model says stands in a step's output or in the person's own words: every number as a
//! whole, every quotation as it is.

use super::{catalogue, evidence::Evidence};
use crate::{
    player::DELTA,
    verdict::{Violated, said},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const UNFOUNDED_REPLY: &str = "unfounded_reply";
/// A line of so many characters is no number that happens to stand in an output.
const EXCERPT_CHARS_MIN: usize = 40;

/// Questions, previews and earlier replies found nothing: they hold what a model made up as well. Where
/// the built-in understanding answers, the fixed words of its sentences claim nothing; their values do.
pub(super) fn unfounded(evidence: &Evidence) -> Option<Violated> {
    let (mut known, mut degraded) = (Known::default(), BTreeSet::new());
    evidence.runs.iter().for_each(|run| {
        run.outputs.values().for_each(|bytes| known.shown(&String::from_utf8_lossy(bytes)));
        run.attempts.iter().for_each(|attempt| known.told_of(attempt));
    });
    for event in &evidence.events {
        let text = said(event, "text");
        let by_model = match said(event, "event") {
            "accepted" => {
                known.heard(text);
                None
            }
            "reply" => match said(event, "reply") {
                "degraded" => {
                    degraded.insert(said(event, "turn"));
                    None
                }
                "model" if evidence.is_built_in || degraded.contains(said(event, "turn")) => {
                    Some(catalogue::values(&unmarked(text)))
                }
                "model" | "facts" => Some(unmarked(text)),
                _ => None,
            },
            // Words of a reply as they are written: what a client has read is said.
            kind => (kind == DELTA).then(|| unmarked(text)),
        };
        if let Some(claim) = by_model.and_then(|words| known.unfounded(&words)) {
            let expected = "stands in a step's output or in the person's words";
            return Some(Violated::new(UNFOUNDED_REPLY, expected, json!({ "claim": claim })));
        }
    }
    None
}

#[derive(Default)]
struct Known {
    numbers: BTreeSet<String>,
    texts: String,
    /// Of outputs.
    lines: Vec<String>,
}

impl Known {
    fn heard(&mut self, text: &str) {
        for number in numbers(text) {
            // `[1,290]` are two numbers, `1,290` is one: either may be said of it as it stands.
            self.numbers.extend(number.split(',').map(plain));
            self.numbers.insert(number.to_owned());
            if is_grouped(number) {
                self.numbers.insert(plain(&number.replace(',', "")));
            }
        }
        self.texts.push_str(text);
        self.texts.push('\n');
    }

    fn shown(&mut self, output: &str) {
        self.heard(output);
        // How many rows there are is for code to count.
        if let Ok(Value::Array(rows)) = serde_json::from_str(output) {
            self.numbers.insert(rows.len().to_string());
        }
        self.lines.extend(output.lines().map(|line| line.trim().to_owned()));
    }

    /// What code tells of a step; its ids, digests and times are told to nobody.
    fn told_of(&mut self, attempt: &Value) {
        for name in ["step", "code", "message"] {
            self.heard(said(attempt, name));
        }
        for of_output in ["/output/size_bytes", "/output/status"] {
            self.numbers.extend(attempt.pointer(of_output).map(ToString::to_string));
        }
    }

    /// The first claim that nothing stands behind.
    fn unfounded(&self, text: &str) -> Option<String> {
        let mut own = Vec::new();
        let mut before_stands = false;
        for line in text.lines().map(str::trim) {
            before_stands = self.stands(line, before_stands);
            if !before_stands {
                own.push(line);
            }
        }
        let number = own.iter().flat_map(|line| numbers(line)).find(|number| !self.counts(number));
        let quoted = || own.iter().flat_map(|line| quotations(line));
        number.or_else(|| quoted().find(|text| !self.texts.contains(text))).map(str::to_owned)
    }

    fn counts(&self, number: &str) -> bool {
        if self.numbers.contains(number) {
            return true;
        }
        if is_grouped(number) {
            return self.numbers.contains(&plain(&number.replace(',', "")));
        }
        number.split(',').all(|part| self.numbers.contains(&plain(part)))
    }

    /// A line of an output as it is. The last line of an excerpt may be cut.
    fn stands(&self, line: &str, behind_another: bool) -> bool {
        let long = line.chars().count() >= EXCERPT_CHARS_MIN;
        let cut = |own: &String| (behind_another || long) && own.starts_with(line);
        !line.is_empty() && self.lines.iter().any(|own| own == line || cut(own))
    }
}

/// On purpose none of the product's own code, which checks the model's words by the same rule: a
/// mistake in one is seen by the other.
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

/// Without the marks that stand for signs which are not shown: `⟨U+000D⟩` claims no number.
fn unmarked(text: &str) -> String {
    let mut parts = text.split("⟨U+");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain.push_str(part.split_once('⟩').map_or(part, |(_, rest)| rest)));
    plain
}

/// Groups of three behind the first, as thousands are written.
fn is_grouped(number: &str) -> bool {
    let whole = number.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3)
}

/// `3.50` and `3.5`, `007` and `7` are one number; `1.2.3` is none and stays.
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

fn quotations(text: &str) -> Vec<&str> {
    let (mut found, mut closed_at) = (Vec::new(), None);
    for (at, c) in text.char_indices() {
        let Some(close) = closing(c).filter(|_| closed_at != Some(at)) else { continue };
        let behind = at + c.len_utf8();
        if let Some((inside, _)) = text.get(behind..).and_then(|rest| rest.split_once(close)) {
            found.push(inside);
            closed_at = Some(behind + inside.len());
        }
    }
    found
}

/// Of a quotation that begins so.
pub(super) const fn closing(open: char) -> Option<char> {
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
    use super::{Known, numbers, quotations, unmarked};
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
        let mut known = Known::default();
        known.shown("[{\"price\":7500,\"ids\":[12,345],\"rate\":3.50}]");
        known.heard("상위 25개만, 2,000원 이하");
        known.told_of(&json!({
            "step": "call-8", "attempt": 9, "started_at": "2026-11-21T03:44:42.123Z",
            "output": { "size_bytes": 3456, "status": 200, "digest": "77aa31" },
        }));
        for told in [
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
            assert_eq!(known.unfounded(told), None, "{told}");
        }
        for lie in [
            "75", "50", "500", "5", "9", "21", "44", "123", "77", "31", "90", "1234", "7.5",
            "345,012",
        ] {
            assert_eq!(known.unfounded(lie).as_deref(), Some(lie), "{lie}");
        }
        assert_eq!(known.unfounded("모두 「품절」"), Some("품절".to_owned()));
    }

    #[test]
    fn an_excerpt_of_an_output_is_no_claim_of_its_own() {
        let mut known = Known::default();
        known.shown(
            "[\n  10250,\n  20300\n]\n{\"name\":\"노트북\",\"price\":1290000,\"stock\":17,\"on\":1}\n",
        );
        assert_eq!(known.unfounded("결과:\n[\n10250,\n203"), None, "cut behind a whole line");
        assert_eq!(
            known.unfounded("{\"name\":\"노트북\",\"price\":1290000,\"stock\":17,\"on"),
            None
        );
        assert_eq!(known.unfounded("203").as_deref(), Some("203"));
    }
}
