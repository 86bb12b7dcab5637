//! The rows of a service, and the selection of rows by filters.

use super::filter::{Filter, Test};
use serde_json::Value;
use std::{collections::BTreeMap, io};

/// Rows of one table; more are refused.
pub const ROWS_MAX: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    #[error("no filter is called `{0}`")]
    Unknown(String),
    #[error("`{name}` is compared with a whole number, not with `{value}`")]
    NotANumber { name: String, value: String },
}

/// Tables by name, rows in the order of their creation.
#[derive(Debug, Clone)]
pub struct Tables(BTreeMap<String, Vec<Value>>);

impl Tables {
    pub fn parse(text: &str) -> io::Result<Self> {
        Ok(Self(serde_json::from_str(text)?))
    }
    pub fn table(&self, name: &str) -> &[Value] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
    pub fn one(&self, table: &str, id: &str) -> Option<&Value> {
        self.table(table).iter().find(|row| row.get("id").is_some_and(|own| equals(own, id)))
    }
    pub fn next_id(&self, table: &str) -> u64 {
        let ids = self.table(table).iter().filter_map(|row| row.get("id")?.as_u64());
        ids.max().map_or(1, |id| id + 1)
    }
    pub fn add(&mut self, table: &str, row: Value) {
        if let Some(rows) = self.0.get_mut(table) {
            rows.push(row);
        }
    }
    /// The rows that pass all `given` filters.
    pub fn select<'a>(
        &self,
        table: &str,
        filters: &[Filter],
        given: impl IntoIterator<Item = (&'a str, String)>,
    ) -> Result<Vec<Value>, FilterError> {
        let mut rows: Vec<&Value> = self.table(table).iter().collect();
        for (name, value) in given {
            let filter = filters.iter().find(|filter| filter.name == name);
            let filter = filter.ok_or_else(|| FilterError::Unknown(name.to_owned()))?;
            let condition = Condition::of(filter, &value)?;
            rows.retain(|row| condition.holds_for(row));
        }
        Ok(rows.into_iter().cloned().collect())
    }
}

/// A filter with its parsed value.
enum Condition<'a> {
    Equals(&'a [&'a str], &'a str),
    Contains(&'a [&'a str], String),
    AtLeast(&'a str, i64),
    AtMost(&'a str, i64),
    Under(&'a str, i64),
}

impl<'a> Condition<'a> {
    fn of(filter: &'a Filter, value: &'a str) -> Result<Self, FilterError> {
        let number = || {
            let refused = |_| FilterError::NotANumber {
                name: filter.name.to_owned(),
                value: value.chars().take(32).collect(),
            };
            value.trim().parse::<i64>().map_err(refused)
        };
        Ok(match filter.test {
            Test::Equals(fields) => Self::Equals(fields, value),
            Test::Contains(fields) => Self::Contains(fields, value.to_lowercase()),
            Test::AtLeast(field) => Self::AtLeast(field, number()?),
            Test::AtMost(field) => Self::AtMost(field, number()?),
            Test::Under(field) => Self::Under(field, number()?),
        })
    }
    fn holds_for(&self, row: &Value) -> bool {
        let number = |field: &str| row.get(field).and_then(Value::as_i64);
        match self {
            Self::Equals(fields, value) => {
                fields.iter().filter_map(|field| row.get(field)).any(|own| equals(own, value))
            }
            Self::Contains(fields, part) => {
                let texts = fields.iter().filter_map(|field| row.get(field)?.as_str());
                texts.map(str::to_lowercase).any(|text| text.contains(part))
            }
            Self::AtLeast(field, least) => number(field).is_some_and(|own| own >= *least),
            Self::AtMost(field, most) => number(field).is_some_and(|own| own <= *most),
            Self::Under(field, bound) => number(field).is_some_and(|own| own < *bound),
        }
    }
}

fn equals(own: &Value, text: &str) -> bool {
    plain(own).is_some_and(|own| own == text.trim())
}

/// A text, number or boolean as a query carries it.
pub fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
