//! The body of a `POST` that creates a row, and what is wrong with it.

use super::rows::Tables;
use serde_json::{Map, Value};

const QUANTITY_MAX: u64 = 1_000;

/// A new row without its `id`.
pub type Row = Map<String, Value>;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateError {
    #[error("the body is a JSON object")]
    NotAnObject,
    #[error("`{0}` is missing or of another type")]
    Field(&'static str),
    #[error("`{0}` is no field of this body")]
    Unknown(String),
    #[error("`{field}` names no row: `{id}`")]
    NoRow { field: &'static str, id: u64 },
    #[error("`quantity` is from 1 to `{QUANTITY_MAX}`")]
    Quantity,
    #[error("the table is full")]
    Full,
}

pub struct CreateBody<'a>(&'a Map<String, Value>);

impl<'a> CreateBody<'a> {
    pub fn of(body: &'a Value) -> Result<Self, CreateError> {
        body.as_object().map(Self).ok_or(CreateError::NotAnObject)
    }
    pub fn only(&self, known: &[&str]) -> Result<(), CreateError> {
        let unknown = self.0.keys().find(|name| !known.contains(&name.as_str()));
        unknown.map_or(Ok(()), |name| Err(CreateError::Unknown(name.chars().take(64).collect())))
    }
    pub fn quantity(&self) -> Result<u64, CreateError> {
        let quantity = self.number("quantity")?;
        if (1..=QUANTITY_MAX).contains(&quantity) {
            Ok(quantity)
        } else {
            Err(CreateError::Quantity)
        }
    }
    /// The id in `field`, and the row that has it as `key`.
    pub fn row_of(
        &self,
        field: &'static str,
        tables: &Tables,
        table: &str,
        key: &str,
    ) -> Result<(u64, Value), CreateError> {
        let id = self.number(field)?;
        let matches = |row: &&Value| row.get(key).and_then(Value::as_u64) == Some(id);
        let row = tables.table(table).iter().find(matches);
        row.map(|row| (id, row.clone())).ok_or(CreateError::NoRow { field, id })
    }
    /// Empty if the field is absent.
    pub fn text(&self, field: &'static str) -> Result<String, CreateError> {
        match self.0.get(field) {
            None => Ok(String::new()),
            Some(value) => value.as_str().map(str::to_owned).ok_or(CreateError::Field(field)),
        }
    }
    fn number(&self, field: &'static str) -> Result<u64, CreateError> {
        self.0.get(field).and_then(Value::as_u64).ok_or(CreateError::Field(field))
    }
}
