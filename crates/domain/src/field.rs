//! Fields of the rows that a registered operation answers with, and their labels.

use crate::{label, lang::Lang};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most named values of one field.
pub const VALUES_MAX: usize = 32;

/// A field of the rows that an operation answers with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    /// Its name in the JSON.
    pub name: String,
    /// Labels in any language: `가격`, `price`.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Values that have labels: `status` holds `배송중`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<FieldValue>,
}

/// One value of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldValue {
    /// The value in the rows.
    pub value: Scalar,
    /// Labels beside the value itself, in any language: `cancelled`, `취소된`.
    #[serde(default)]
    pub labels: Vec<String>,
}

/// A JSON scalar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A string.
    Text(String),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

impl Field {
    /// The first label in that language, if it differs from the name.
    #[must_use]
    pub fn label(&self, lang: Lang) -> Option<&str> {
        label::spoken(&self.labels, lang).filter(|label| *label != self.name)
    }

    pub(crate) fn check(&self) -> Result<(), label::SystemError> {
        label::label("fields", &self.name)?;
        label::labels(&self.labels)?;
        label::bounded("values", self.values.len(), VALUES_MAX)?;
        for FieldValue { value, labels } in &self.values {
            if let Scalar::Text(text) = value {
                label::label("values", text)?;
            }
            label::labels(labels)?;
        }
        Ok(())
    }
}
