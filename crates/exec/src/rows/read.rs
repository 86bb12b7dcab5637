//! Reads rows from JSON, within the bounds of an output.

use crate::{bounded::Bounded, fault::contract, jq::is_json};
use serde_json::{Deserializer, value::RawValue};
use wiiiv_domain::StepFailure;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RowsFault {
    #[error("the source is no JSON: save it as a text file")]
    NotJson,
    /// Both from 1; no name of a foreign field is repeated.
    #[error("row `{row}`, column `{column}` holds several values, which one cell of CSV cannot")]
    Nested { row: usize, column: usize },
    #[error("the rows have more than `{max}` different fields", max = COLUMNS_MAX)]
    Columns,
    #[error("the rows are longer than their bound, `{0}` bytes")]
    TooLong(u64),
}

impl RowsFault {
    const fn code(self) -> &'static str {
        match self {
            Self::NotJson => "NOT_JSON",
            Self::Nested { .. } => "CSV_NESTED",
            Self::Columns => "CSV_COLUMNS",
            Self::TooLong(_) => "BOUND_EXCEEDED",
        }
    }
}

/// The elements of one array; else each JSON text is a row, one or several of them.
pub(super) fn rows(json: &str) -> Result<Vec<&RawValue>, RowsFault> {
    let texts = Deserializer::from_str(json).into_iter::<&RawValue>();
    let texts: Vec<&RawValue> = texts.collect::<Result<_, _>>().map_err(|_| RowsFault::NotJson)?;
    if texts.iter().any(|text| !is_json(text.get().as_bytes())) {
        return Err(RowsFault::NotJson);
    }
    match texts.as_slice() {
        [only] if only.get().starts_with('[') => {
            serde_json::from_str(only.get()).map_err(|_| RowsFault::NotJson)
        }
        _ => Ok(texts),
    }
}

/// What was written, as text.
pub(super) fn text(written: Bounded) -> Result<String, RowsFault> {
    String::from_utf8(written.bytes).map_err(|_| RowsFault::NotJson)
}

/// Different fields of all rows.
pub(super) const COLUMNS_MAX: usize = 1_000;

impl From<RowsFault> for StepFailure {
    fn from(fault: RowsFault) -> Self {
        contract(fault.code(), fault.to_string())
    }
}
