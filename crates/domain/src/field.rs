//! What a row of a registered operation holds, and what people call it.

use crate::{label, lang::Lang};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Values of one field that people call by a name.
pub const VALUES_MAX: usize = 32;

/// A field of the rows that an operation answers with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    /// As the JSON has it.
    pub name: String,
    /// What people call it, in any language: `가격`, `price`.
    #[serde(default)]
    pub labels: Vec<String>,
    /// What it may hold, as far as people call it by a name: `status` holds `배송중`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<FieldValue>,
}

/// One value of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldValue {
    /// The value in the rows.
    pub value: Scalar,
    /// What people call it beside itself, in any language: `cancelled`, `취소된`.
    #[serde(default)]
    pub labels: Vec<String>,
}

/// As JSON has it.
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
    /// What people call it in that language.
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
