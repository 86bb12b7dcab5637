//! Hits as OpenSearch answers them: `_source` with `text` or `chunk_text`, `file_name` or `original_filename`, and
//! `page_number`; beside it `_score`.

use super::hit::PassageHit;
use serde_json::Value;

/// A page that is no number, in Unicode scalar values.
const PAGE_CHARS_MAX: usize = 16;

/// Why a document has no hits to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OpenSearchFault {
    #[error("no answer of OpenSearch, no `hits` of one and no array of hits")]
    NoHits,
    #[error("none of the hits has a text: `text` or `chunk_text` of `_source`")]
    NoText,
}

/// Of a whole answer, of its `hits`, or of an array of hits; a hit that has no text is left out.
pub fn open_search_hits(answer: &Value) -> Result<Vec<PassageHit>, OpenSearchFault> {
    let inner = answer.get("hits").unwrap_or(answer);
    let hits = inner.get("hits").unwrap_or(inner).as_array().ok_or(OpenSearchFault::NoHits)?;
    let found: Vec<PassageHit> = hits.iter().filter_map(hit).collect();
    match found.is_empty() && !hits.is_empty() {
        true => Err(OpenSearchFault::NoText),
        false => Ok(found),
    }
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
            assert_eq!(open_search_hits(answer).as_deref(), Ok(&due[..]));
        }
        for none in [json!([]), json!({"hits": []}), json!({"hits": {"hits": []}})] {
            assert_eq!(open_search_hits(&none), Ok(Vec::new()), "{none}");
        }
        for no_hits in [json!(null), json!({"hits": 3}), json!({}), json!("x"), json!(7)] {
            assert_eq!(open_search_hits(&no_hits), Err(OpenSearchFault::NoHits), "{no_hits}");
        }
        for no_text in [json!([7]), json!([{"_source": {"title": "x"}}, {"text": "y"}])] {
            assert_eq!(open_search_hits(&no_text), Err(OpenSearchFault::NoText), "{no_text}");
        }
    }
}
