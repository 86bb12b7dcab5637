//! Hits as OpenSearch answers them: `_source` with `text` or `chunk_text`, `file_name` or `original_filename`, and
//! `page_number`; beside it `_score`.

use super::hit::PassageHit;
use serde_json::Value;

/// A page that is no number, in Unicode scalar values.
const PAGE_CHARS_MAX: usize = 16;

/// Of a whole answer, of its `hits`, or of an array of hits; what has no text is none.
#[must_use]
pub fn open_search_hits(answer: &Value) -> Vec<PassageHit> {
    let inner = |value: &Value| value.get("hits").cloned();
    let hits = match answer {
        Value::Object(_) => inner(answer).map(|hits| inner(&hits).unwrap_or(hits)),
        Value::Array(_) => Some(answer.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    let hits = hits.as_ref().and_then(Value::as_array);
    hits.into_iter().flatten().filter_map(hit).collect()
}

fn hit(hit: &Value) -> Option<PassageHit> {
    let source = hit.get("_source")?;
    let first = |names: [&str; 2]| {
        let texts = names.into_iter().filter_map(|name| source.get(name)?.as_str());
        texts.map(str::to_owned).find(|text| !text.trim().is_empty())
    };
    Some(PassageHit {
        text: first(["text", "chunk_text"])?,
        file: first(["file_name", "original_filename"]),
        page: source.get("page_number").and_then(page),
        score: hit.get("_score").and_then(Value::as_f64),
        ..PassageHit::default()
    })
}

fn page(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => {
            let text: String = text.trim().chars().take(PAGE_CHARS_MAX).collect();
            (!text.is_empty()).then_some(text)
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_name_of_a_field_is_read() {
        let hits = json!([
            {"_score": 0.85, "_source": {"text": "a", "file_name": "휴가정책.md", "page_number": 2}},
            {"_score": null, "_source": {"chunk_text": "b", "original_filename": "복지.md", "page_number": "iv"}},
            {"_source": {"text": " ", "chunk_text": "c", "file_name": null, "page_number": null}},
            {"_source": {"file_name": "no text"}},
            {"_source": 7},
            "no hit",
        ]);
        let named = |text: &str, file: Option<&str>, page: Option<&str>, score| PassageHit {
            text: text.to_owned(),
            file: file.map(str::to_owned),
            page: page.map(str::to_owned),
            score,
            ..PassageHit::default()
        };
        let due = [
            named("a", Some("휴가정책.md"), Some("2"), Some(0.85)),
            named("b", Some("복지.md"), Some("iv"), None),
            named("c", None, None, None),
        ];
        let answer = json!({"took": 3, "hits": {"total": {"value": 3}, "hits": hits}});
        for answer in [&hits, &answer, &answer["hits"]] {
            assert_eq!(open_search_hits(answer), due);
        }
        for none in [json!(null), json!({"hits": 3}), json!({}), json!("x")] {
            assert!(open_search_hits(&none).is_empty());
        }
    }
}
