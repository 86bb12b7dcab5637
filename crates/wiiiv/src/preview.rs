//! A plan as lines for a terminal, from the server's rendering of its canonical bytes.

use crate::connection::{items, number, text};
use crate::output::{Output, Tone, harmless};
use serde_json::Value;
use wiiiv_domain::Lang;

/// Lines of one file change; the rest is counted.
const CHANGE_LINES_MAX: usize = 40;

/// Title, then what each step does.
pub fn lines(preview: &Value, language: Lang, output: &Output) -> Vec<String> {
    let mut lines = vec![localized(preview, "title", language).to_owned()];
    for step in items(preview, "steps") {
        lines.extend(step_lines(step, language, output));
    }
    lines
}

fn step_lines(step: &Value, language: Lang, output: &Output) -> Vec<String> {
    let sentence = localized(step, "sentence", language);
    let mut lines = vec![format!("  {}. {sentence}", number(step, "number"))];
    if let Some(request) = step.get("request").filter(|request| request.is_object()) {
        lines.push(format!("     {} {}", text(request, "method"), text(request, "url")));
        let credential = request.get("credential").map(|of| localized(of, "text", language));
        let credential = credential.filter(|told| !told.is_empty());
        lines.extend(credential.map(|told| format!("     {told}")));
        let kind = text(request, "contentType");
        lines.extend((!kind.is_empty()).then(|| format!("     Content-Type: {kind}")));
        lines
            .extend(request.get("body").into_iter().flat_map(|b| value_lines(b, language, output)));
        let acts = !matches!(text(request, "method"), "GET" | "HEAD");
        let none = acts && request.get("body").is_none_or(Value::is_null);
        lines.extend(none.then(|| format!("     {}", no_body(language))));
    }
    let expr = text(step, "expr");
    if !expr.is_empty() {
        lines.push(format!("     jq: {expr}"));
    }
    let change = step.get("change").filter(|change| change.is_object());
    if let Some(change) = change {
        lines.push(format!("     [{}]", what(change, language)));
        lines.extend(change_lines(change, output));
    }
    // What a change tells line by line holds the value already.
    if change.is_none_or(|change| !change.get("lines").is_some_and(Value::is_array)) {
        let value = step.get("value").into_iter();
        lines.extend(value.flat_map(|value| value_lines(value, language, output)));
    }
    lines.extend(items(step, "marks").iter().map(|mark| mark_line(mark, language, output)));
    lines
}

/// What did not come from the user's words; a target stands out.
fn mark_line(mark: &Value, language: Lang, output: &Output) -> String {
    let told = localized(mark, "text", language);
    let is_target = mark.get("isTarget").and_then(Value::as_bool).unwrap_or(true);
    let (sign, tone) = if is_target { ("!", Tone::Bad) } else { ("·", Tone::Faint) };
    output.toned(tone, &format!("     {sign} {told}"))
}

const fn no_body(language: Lang) -> &'static str {
    match language {
        Lang::Ko => "본문 없이 보냅니다.",
        Lang::En => "No body is sent.",
    }
}

/// What becomes of the file, and how much of it is not shown.
fn what(change: &Value, language: Lang) -> String {
    let size = |field: &str| match (change.get(field).and_then(Value::as_u64), language) {
        (Some(bytes), Lang::Ko) => format!("{bytes}바이트"),
        (Some(bytes), Lang::En) => format!("{bytes} bytes"),
        (None, Lang::Ko) => "크기 모름".to_owned(),
        (None, Lang::En) => "size unknown".to_owned(),
    };
    let (old, new) = (size("oldBytes"), size("newBytes"));
    match (text(change, "kind"), language) {
        ("created", Lang::Ko) => "새 파일".to_owned(),
        ("created", Lang::En) => "new file".to_owned(),
        ("changed", Lang::Ko) => "있는 파일을 바꿈".to_owned(),
        ("changed", Lang::En) => "changes a file that is there".to_owned(),
        ("deleted", Lang::Ko) => "파일 삭제".to_owned(),
        ("deleted", Lang::En) => "deletes a file".to_owned(),
        ("nothing", Lang::Ko) => "바뀌는 것 없음".to_owned(),
        ("nothing", Lang::En) => "changes nothing".to_owned(),
        ("replaced", Lang::Ko) => {
            format!("있는 파일 전체를 바꿈: {old} → {new}, 지금 내용은 보이지 않음")
        }
        ("replaced", Lang::En) => {
            format!("replaces a whole file: {old} → {new}, what it holds is not shown")
        }
        ("deleted_unshown", Lang::Ko) => format!("파일 삭제: {old}, 내용은 보이지 않음"),
        ("deleted_unshown", Lang::En) => {
            format!("deletes a file: {old}, what it holds is not shown")
        }
        // A later server's word.
        (other, _) => other.to_owned(),
    }
}

fn value_lines(value: &Value, language: Lang, output: &Output) -> Vec<String> {
    let shown = value_text(value, language);
    let mut lines: Vec<String> =
        shown.lines().take(CHANGE_LINES_MAX).map(|line| format!("     {line}")).collect();
    let left_out = shown.lines().count().saturating_sub(CHANGE_LINES_MAX);
    lines.extend((left_out > 0).then(|| output.toned(Tone::Faint, &format!("     … +{left_out}"))));
    lines
}

fn value_text(value: &Value, language: Lang) -> String {
    match text(value, "kind") {
        "bound" => {
            let from = localized(value, "from", language);
            format!("{from}\n{}", harmless(text(value, "holds"))).trim_end().to_owned()
        }
        _ => text(value, "text").to_owned(),
    }
}

fn change_lines(change: &Value, output: &Output) -> Vec<String> {
    let all = items(change, "lines");
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
    let left_out =
        number(change, "linesLeftOut") + all.len().saturating_sub(CHANGE_LINES_MAX) as u64;
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
    fn a_target_from_elsewhere_is_marked() {
        let told = json!({ "ko": "호스트는 직접 말씀하신 것이 아닙니다.", "en": "The host is not yours." });
        let preview = json!({ "steps": [{
            "number": 1, "sentence": { "ko": "부름", "en": "calls" },
            "marks": [{ "place": "host", "isTarget": true, "text": told }],
        }]});
        let told = lines(&preview, Lang::En, &Output::new(true));
        assert_eq!(told.last().unwrap(), "     ! The host is not yours.");
        let told = lines(&preview, Lang::Ko, &Output::new(true));
        assert_eq!(told.last().unwrap(), "     ! 호스트는 직접 말씀하신 것이 아닙니다.");
    }

    #[test]
    fn a_plan_is_told_step_by_step() {
        let preview = json!({
            "title": { "ko": "두 단계", "en": "two steps" },
            "steps": [
                { "number": 1, "sentence": { "ko": "읽기", "en": "reads" },
                  "request": { "method": "GET", "url": "http://shop.test/items", "body": null,
                               "credential": { "kind": "none",
                                   "text": { "ko": "없음", "en": "No credential is sent." } } } },
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
            "     No credential is sent.",
            "  2. writes",
            "     [new file]",
            "     + 회의",
            "     … +3",
            "  3. saves",
            "     step 1",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_becomes_of_a_file_is_said_with_its_sizes_and_the_new_value() {
        let told = |change: serde_json::Value, language| {
            let value = json!({ "kind": "text", "text": "one\ntwo" });
            let step = json!({ "number": 1, "change": change, "value": value });
            let preview = json!({ "steps": [step] });
            lines(&preview, language, &Output::new(true)).split_off(2)
        };
        let replaced = json!({ "kind": "replaced", "oldBytes": 262_145, "newBytes": 7 });
        let head =
            "     [replaces a whole file: 262145 bytes → 7 bytes, what it holds is not shown]";
        assert_eq!(told(replaced, Lang::En), [head, "     one", "     two"]);
        let unknown = json!({ "kind": "replaced", "oldBytes": null, "newBytes": 7 });
        let head = "     [있는 파일 전체를 바꿈: 크기 모름 → 7바이트, 지금 내용은 보이지 않음]";
        assert_eq!(told(unknown, Lang::Ko), [head, "     one", "     two"]);
        let lines = json!([{ "change": "added", "text": "x" }]);
        for (kind, head) in [("created", "new file"), ("changed", "changes a file that is there")] {
            let change = json!({ "kind": kind, "lines": lines, "linesLeftOut": 0 });
            assert_eq!(told(change, Lang::En), [format!("     [{head}]"), "     + x".to_owned()]);
        }
    }

    #[test]
    fn a_plan_has_a_title_in_both_languages() {
        let preview = json!({ "title": { "ko": "두 단계", "en": "two steps" } });
        assert_eq!(lines(&preview, Lang::Ko, &Output::new(true)).first().unwrap(), "두 단계");
    }
}
