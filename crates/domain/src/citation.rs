//! What an answer rests on: passages of documents that its model was shown, by the numbers that the answer has them by.

use crate::{id::DocumentId, scope::Scope};
use serde::{Deserialize, Serialize};

/// One passage that an answer cites as `[n]`. Kept with the answer, in the session store alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Citation {
    /// `n`, as the answer has it.
    pub number: u32,
    /// The document.
    pub document: DocumentId,
    /// Number of the passage in it, which opens the passage.
    pub passage: u32,
    /// The document's version at that time: another one may say something else there. `None` in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The document's title at that time.
    pub title: String,
    /// Name of its file.
    pub file_name: String,
    /// Page of the passage; `None` where the file has no pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The innermost heading over the passage; `None` where there is none but the title, and in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Its file was gone from the folder then: the passage is what it held the last time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// Whose document it is: why its reader may read it.
    pub scope: Scope,
}

#[cfg(test)]
mod tests {
    use crate::{event::EventBody, flow::ReplyCode};
    use serde_json::json;

    /// A journal from before citations reads as it did, and a reply without one keeps its bytes.
    #[test]
    fn a_reply_has_them_only_where_it_cites() {
        let plain = EventBody::replied(ReplyCode::Cancelled, "So be it.".to_owned());
        let text = serde_json::to_value(&plain).unwrap();
        assert_eq!(text.get("citations"), None);
        assert_eq!(serde_json::from_value::<EventBody>(text.clone()).unwrap(), plain);
        let id = uuid::Uuid::nil();
        let cited = json!([{
            "number": 1, "document": id, "passage": 0, "title": "Leave", "fileName": "leave.md",
            "scope": {"kind": "project", "id": id},
        }]);
        let mut with = text;
        with["citations"] = cited.clone();
        let read: EventBody = serde_json::from_value(with.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap()["citations"], cited);
        with["citations"][0]["version"] = json!(2);
        with["citations"][0]["heading"] = json!("Days");
        with["citations"][0]["stale"] = json!(true);
        let read: EventBody = serde_json::from_value(with.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), with);
    }
}
