//! The result of a run, one sentence for each step: what was written, deleted or returned.

use crate::{output_text, step_result::StepResult};
use serde_json::{Number, Value};
use wiiiv_domain::{Lang, StepOutcome};
use wiiiv_hlx::{LISTING, neutralise};
use wiiiv_messages::Messages;

/// As a selection calls what it reckons.
const FIGURES: [&str; 3] = ["sum", "average", "count"];
const FIGURE_CELLS_MAX: usize = 2;

/// Empty where there is nothing to tell.
pub fn result(texts: &Messages, lang: Lang, ended: &[StepResult]) -> String {
    let told = |key: &str, values: &[(&str, String)]| texts.told(lang, key, values);
    let succeeded = ended.iter().filter_map(|row| match &row.outcome {
        Some(StepOutcome::Success { output }) => Some((row, output)),
        Some(StepOutcome::Failure { .. } | StepOutcome::Cancelled { .. }) | None => None,
    });
    let (mut changed, mut last) = (Vec::new(), String::new());
    for (row, output) in succeeded {
        let Some(bytes) = row.bytes.as_deref() else { continue };
        if !output.foreign {
            changed.extend(Report::read(bytes).map(|report| report.sentence(&told)));
        } else if row.last {
            last = match output_text::rows(bytes).filter(|_| row.step.as_str() == LISTING) {
                Some(count) => told("result.files", &[("count", grouped(&count.to_string()))]),
                None => came_back(&told, bytes, output.status),
            };
        }
    }
    if changed.is_empty() { last } else { changed.join(" ") }
}

/// Of the last step, whose output stands below the sentence.
fn came_back(
    told: &impl Fn(&str, &[(&str, String)]) -> String,
    bytes: &[u8],
    status: Option<u16>,
) -> String {
    let value = serde_json::from_slice::<Value>(bytes);
    let number =
        |number: &Number| told("result.number", &[("value", grouped(&number.to_string()))]);
    if let Some(rows) = output_text::rows(bytes) {
        let figure = value.as_ref().ok().and_then(figure);
        if let Some(figure) = figure {
            return number(figure);
        }
        return match rows {
            0 => told("result.no_rows", &[]),
            1 => told("result.one_row", &[]),
            _ => told("result.rows", &[("count", grouped(&rows.to_string()))]),
        };
    }
    match value {
        Ok(Value::Number(figure)) => number(&figure),
        _ => match status {
            Some(status) => told("result.answered", &[("status", status.to_string())]),
            None => told("result.content", &[]),
        },
    }
}

/// Of one row that is nothing but it, or the name of a group and it.
fn figure(rows: &Value) -> Option<&Number> {
    let [Value::Object(cells)] = rows.as_array()?.as_slice() else { return None };
    let mut figures = FIGURES.iter().filter_map(|name| cells.get(*name));
    match (figures.next()?, figures.next()) {
        (Value::Number(figure), None) if cells.len() <= FIGURE_CELLS_MAX => Some(figure),
        _ => None,
    }
}

/// What a step of ours says of the file that it changed.
struct Report {
    path: String,
    deleted: bool,
    rows: Option<u64>,
}

impl Report {
    fn read(bytes: &[u8]) -> Option<Self> {
        let report: Value = serde_json::from_slice(bytes).ok()?;
        let path = neutralise(report.get("path")?.as_str()?);
        let deleted = report.get("deleted").and_then(Value::as_bool).unwrap_or_default();
        Some(Self { path, deleted, rows: report.get("rows").and_then(Value::as_u64) })
    }

    fn sentence(self, told: &impl Fn(&str, &[(&str, String)]) -> String) -> String {
        let path = ("path", self.path);
        match (self.deleted, self.rows) {
            (true, _) => told("result.deleted", &[path]),
            (false, None) => told("result.saved", &[path]),
            (false, Some(1)) => told("result.saved_one_row", &[path]),
            (false, Some(rows)) => {
                told("result.saved_rows", &[("count", grouped(&rows.to_string())), path])
            }
        }
    }
}

/// `1240000.5` as `1,240,000.5`.
pub fn grouped(number: &str) -> String {
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let whole = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let mut text = if unsigned.len() < number.len() { "-".to_owned() } else { String::new() };
    for (at, c) in unsigned.chars().enumerate() {
        if (1..whole).contains(&at) && (whole - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{slice, sync::Arc};
    use wiiiv_domain::{ContentDigest, StepId, StepOutput};

    fn step(name: &str, bytes: &str, foreign: bool, last: bool) -> StepResult {
        let output = StepOutput {
            digest: ContentDigest::of_bytes(bytes.as_bytes()),
            size_bytes: bytes.len() as u64,
            media_type: "application/json".to_owned(),
            foreign,
            status: None,
        };
        let outcome = Some(StepOutcome::Success { output });
        let bytes = Some(Arc::new(bytes.as_bytes().to_vec()));
        StepResult { step: StepId::parse(name).unwrap(), outcome, bytes, last }
    }

    #[test]
    fn the_answer_is_what_was_written_or_what_came_back() {
        let texts = Messages::embedded().unwrap();
        let of = |lang, steps: &[StepResult]| result(&texts, lang, steps);
        let call = || step("call", r#"[{"a":1},{"a":2}]"#, true, false);
        let save = r#"{"path":"cheap.csv","sizeBytes":12,"rows":15}"#;
        let saved = [call(), step("save", save, false, true)];
        assert_eq!(of(Lang::En, &saved), "Saved 15 rows to cheap.csv.");
        assert_eq!(of(Lang::Ko, &saved), "cheap.csv에 15행을 저장했습니다.");
        let written = [step("write", r#"{"path":"a.txt","sizeBytes":5}"#, false, true)];
        assert_eq!(of(Lang::En, &written), "Saved a.txt.");
        let deleted = [step("delete", r#"{"path":"a.txt","deleted":true}"#, false, true)];
        assert_eq!(of(Lang::Ko, &deleted), "a.txt 파일을 삭제했습니다.");
        assert_eq!(of(Lang::En, &[step("call", "[1,2]", true, true)]), "2 rows.");
        assert_eq!(of(Lang::En, &[step("sum", "1240000", true, true)]), "The result is 1,240,000.");
        let sum = r#"[{"category":"books","sum":1240000}]"#;
        assert_eq!(of(Lang::En, &[step("sum", sum, true, true)]), "The result is 1,240,000.");
        let row = r#"[{"name":"Kim","age":30}]"#;
        assert_eq!(of(Lang::En, &[step("call", row, true, true)]), "One row.");
        assert_eq!(of(Lang::En, &[]), "");
    }

    #[test]
    fn every_result_has_a_sentence_in_both_languages() {
        let texts = Messages::embedded().unwrap();
        let one = r#"{"path":"a.csv","rows":1}"#;
        let page = r#"{"url":"u","title":"t","text":"x"}"#;
        let mut sent = step("call", "{}", true, true);
        if let Some(StepOutcome::Success { output }) = &mut sent.outcome {
            output.status = Some(201);
        }
        let steps = [
            step("save", one, false, true),
            step("call", "[]", true, true),
            step("call", "[1]", true, true),
            step("read", page, true, true),
            sent,
        ];
        let said = |lang| steps.each_ref().map(|step| result(&texts, lang, slice::from_ref(step)));
        assert_eq!(
            said(Lang::En),
            [
                "Saved one row to a.csv.",
                "No rows.",
                "One row.",
                "This is what it says:",
                "The system answered with HTTP 201."
            ]
        );
        assert!(said(Lang::Ko).iter().all(|text| text.contains(['다', '건'])));
    }

    #[test]
    fn a_long_number_is_written_in_groups() {
        let shown = ["0", "-1234", "1240000.5", "999", "1000", "1234567", "1e30"].map(grouped);
        assert_eq!(shown, ["0", "-1,234", "1,240,000.5", "999", "1,000", "1,234,567", "1e30"]);
    }
}
