//! `POST` that makes a row.

use super::plan::About;
use super::rows::{ROWS_MAX, Tables};
use serde_json::{Map, Value};

const QUANTITY_MAX: u64 = 1_000;

/// A new row without its `id`.
pub type Row = Map<String, Value>;

/// `POST path`: the body checked and completed, then shown by every later list.
pub struct Create {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
    pub row: fn(&Tables, &Body<'_>) -> Result<Row, CreateError>,
}

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

impl Create {
    pub fn perform(&self, tables: &mut Tables, body: &Value) -> Result<Value, CreateError> {
        if tables.table(self.table).len() >= ROWS_MAX {
            return Err(CreateError::Full);
        }
        let body = Body(body.as_object().ok_or(CreateError::NotAnObject)?);
        let mut row = (self.row)(tables, &body)?;
        row.insert("id".to_owned(), tables.next_id(self.table).into());
        let row = Value::Object(row);
        tables.add(self.table, row.clone());
        Ok(row)
    }
}

/// What the caller wants.
pub struct Body<'a>(&'a Map<String, Value>);

impl Body<'_> {
    pub fn only(&self, known: &[&str]) -> Result<(), CreateError> {
        let odd = self.0.keys().find(|name| !known.contains(&name.as_str()));
        odd.map_or(Ok(()), |name| Err(CreateError::Unknown(name.chars().take(64).collect())))
    }
    pub fn quantity(&self) -> Result<u64, CreateError> {
        let quantity = self.number("quantity")?;
        if (1..=QUANTITY_MAX).contains(&quantity) {
            Ok(quantity)
        } else {
            Err(CreateError::Quantity)
        }
    }
    /// The id of a row that is there.
    pub fn row_of(
        &self,
        field: &'static str,
        tables: &Tables,
        table: &str,
        key: &str,
    ) -> Result<(u64, Value), CreateError> {
        let id = self.number(field)?;
        let here = |row: &&Value| row.get(key).and_then(Value::as_u64) == Some(id);
        let row = tables.table(table).iter().find(here);
        row.map(|row| (id, row.clone())).ok_or(CreateError::NoRow { field, id })
    }
    /// Empty where it is absent.
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
