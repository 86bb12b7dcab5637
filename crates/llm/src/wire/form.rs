//! How a model is made to answer by a schema: by that of the answer, or of the one tool that it must
//! call.

use serde::Deserialize;
use serde_json::value::RawValue;

/// How a model is made to answer by a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// The provider takes the schema of an answer.
    Schema,
    /// The schema is that of one tool, which the model has to call.
    Tool,
    /// Without the fields that not every server or model takes, the schema among them.
    Plain,
}

impl Form {
    pub(super) const fn is_plain(self) -> bool {
        matches!(self, Self::Plain)
    }
}

/// A document of ours around the schema, which goes word for word: its order, `action` first, is part
/// of what it says.
pub(super) fn around(
    before: &str,
    schema: &str,
    after: &str,
) -> Result<Box<RawValue>, serde_json::Error> {
    RawValue::from_string([before, schema, after].concat())
}
