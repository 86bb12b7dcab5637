//! A plan as lines for a terminal, from the data that the server renders from its canonical bytes.

use crate::connection::text;
use crate::output::{Output, Tone};
use serde_json::Value;
use wiiiv_domain::Lang;

/// Lines of one file change; the rest is counted.
const CHANGE_LINES_MAX: usize = 40;

/// Title, then what each step does.
pub fn lines(preview: &Value, language: Lang, output: &Output) -> Vec<String> {
    let mut lines = vec![localized(preview, "title", language).to_owned()];
    let steps = preview.get("steps").and_then(Value::as_array);
    for step in steps.into_iter().flatten() {
        lines.extend(step_lines(step, language, output));
    }
    lines
}

fn step_lines(step: &Value, language: Lang, output: &Output) -> Vec<String> {
    let number = step.get("number").and_then(Value::as_u64).unwrap_or_default();
    let mut lines = vec![format!("  {number}. {}", localized(step, "sentence", language))];
    if let Some(request) = step.get("request").filter(|request| request.is_object()) {
        lines.push(format!("     {} {}", text(request, "method"), text(request, "url")));
        let body = request.get("body").map(|body| value_text(body, language));
        lines.extend(body.filter(|body| !body.is_empty()).map(|body| format!("     {body}")));
    }
    let expr = text(step, "expr");
    if !expr.is_empty() {
        lines.push(format!("     jq: {expr}"));
    }
    if let Some(change) = step.get("change").filter(|change| change.is_object()) {
        lines.extend(change_lines(change, output));
    } else if let Some(value) = step.get("value") {
        let shown = value_text(value, language);
        lines.extend((!shown.is_empty()).then(|| format!("     {shown}")));
    }
    lines
}

fn value_text(value: &Value, language: Lang) -> String {
    match text(value, "kind") {
        "bound" => localized(value, "from", language).to_owned(),
        _ => text(value, "text").to_owned(),
    }
}

fn change_lines(change: &Value, output: &Output) -> Vec<String> {
    let all = change.get("lines").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let shown = all.iter().take(CHANGE_LINES_MAX).map(|line| {
        let (mark, tone) = match text(line, "change") {
            "added" => ("+", Tone::Good),
            "removed" => ("-", Tone::Bad),
            "gap" => ("…", Tone::Faint),
            _ => (" ", Tone::Plain),
        };
        output.toned(tone, &format!("     {mark} {}", text(line, "text")))
    });
    let mut lines: Vec<String> = shown.collect();
    let left_out = change.get("linesLeftOut").and_then(Value::as_u64).unwrap_or_default();
    let left_out = left_out + all.len().saturating_sub(CHANGE_LINES_MAX) as u64;
    if left_out > 0 {
        lines.push(output.toned(Tone::Faint, &format!("     … +{left_out}")));
    }
    lines
}

fn localized<'a>(value: &'a Value, field: &str, language: Lang) -> &'a str {
    value.get(field).map(|both| text(both, language.as_str())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::lines;
    use crate::output::Output;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn a_plan_is_told_step_by_step() {
        let preview = json!({
            "title": { "ko": "두 단계", "en": "two steps" },
            "steps": [
                { "number": 1, "sentence": { "ko": "읽기", "en": "reads" },
                  "request": { "method": "GET", "url": "http://shop.test/items", "body": null } },
                { "number": 2, "sentence": { "ko": "쓰기", "en": "writes" }, "request": null,
                  "change": { "kind": "created", "linesLeftOut": 3,
                              "lines": [{ "change": "added", "text": "회의" }] } },
                { "number": 3, "sentence": { "ko": "저장", "en": "saves" }, "change": null,
                  "value": { "kind": "bound", "from": { "ko": "1단계", "en": "step 1" } } },
            ],
        });
        let told = lines(&preview, Lang::En, &Output::new(true));
        let expected = [
            "two steps",
            "  1. reads",
            "     GET http://shop.test/items",
            "  2. writes",
            "     + 회의",
            "     … +3",
            "  3. saves",
            "     step 1",
        ];
        assert_eq!(told, expected);
        assert_eq!(lines(&preview, Lang::Ko, &Output::new(true)).first().unwrap(), "두 단계");
    }
}
