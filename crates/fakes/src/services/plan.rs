//! The description of a service: its rows, its lists, what can be created.

use super::{
    create_body::{CreateBody, CreateError, Row},
    filter::Filter,
    rows::Tables,
};

pub struct Plan {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// The rows at the start: an object of tables.
    pub rows: &'static str,
    pub lists: &'static [List],
    /// Single rows by `id`, below the list's own path.
    pub singles: &'static [Single],
    pub searches: &'static [Search],
    pub creates: &'static [Create],
    /// The columns of each table, by the table's name.
    pub columns: &'static [(&'static str, &'static [Column])],
}

/// A field of a row, and the words that people have for it and for its values.
pub struct Column {
    pub name: &'static str,
    pub labels: &'static [&'static str],
    pub values: &'static [NamedValue],
}

/// A value, and further words for it.
pub struct NamedValue {
    pub value: CellValue,
    pub labels: &'static [&'static str],
}

#[derive(Debug, Clone, Copy)]
pub enum CellValue {
    Bool(bool),
    Number(i64),
    Text(&'static str),
}

/// `GET path` with filters in the query.
pub struct List {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
    pub filters: &'static [Filter],
}

/// `GET path/{id}`.
pub struct Single {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
}

/// `POST path` with filters in the body. It only reads.
pub struct Search {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
    pub filters: &'static [Filter],
}

/// `POST path`: the body is checked and completed, and later lists contain the new row.
pub struct Create {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
    pub row: fn(&Tables, &CreateBody<'_>) -> Result<Row, CreateError>,
}

/// The id and labels of an operation in the service's registration.
pub struct About {
    pub id: &'static str,
    pub labels: &'static [&'static str],
}

pub const fn column(name: &'static str, labels: &'static [&'static str]) -> Column {
    Column { name, labels, values: &[] }
}

pub const fn named(value: &'static str, labels: &'static [&'static str]) -> NamedValue {
    NamedValue { value: CellValue::Text(value), labels }
}

impl Column {
    pub const fn with_values(self, values: &'static [NamedValue]) -> Self {
        Self { values, ..self }
    }
}
