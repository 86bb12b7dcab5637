//! One table. Its columns are the fields of all rows, in the order of their first occurrence.

use crate::{
    bounded::Bounded,
    rows::read::{COLUMNS_MAX, RowsFault, rows, text},
};
use csv::{Terminator, WriterBuilder};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{collections::HashMap, fmt};

/// The column of rows that are no objects.
const VALUE: &str = "value";

/// A field that a row lacks and `null` are empty cells. Without any field there is no header row,
/// and the text is empty.
pub(crate) fn csv(json: &str, max_bytes: u64) -> Result<String, RowsFault> {
    let rows: Vec<Row<'_>> = rows(json)?.into_iter().map(Row::of).collect::<Result<_, _>>()?;
    let mut columns: Vec<&str> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (name, _) in rows.iter().flat_map(|row| &row.0) {
        places.entry(name.as_str()).or_insert_with(|| {
            columns.push(name.as_str());
            columns.len() - 1
        });
        if columns.len() > COLUMNS_MAX {
            return Err(RowsFault::Columns);
        }
    }
    let too_long = |_| RowsFault::TooLong(max_bytes);
    let mut writer =
        WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Bounded::new(max_bytes));
    if !columns.is_empty() {
        writer.write_record(&columns).map_err(too_long)?;
        for (at, row) in rows.iter().enumerate() {
            writer.write_record(cells(row, at + 1, &places)?).map_err(too_long)?;
        }
    }
    text(writer.into_inner().map_err(|_| RowsFault::TooLong(max_bytes))?)
}

/// Of a field that comes twice in a row the last counts, as for any reader of JSON.
fn cells(
    row: &Row<'_>,
    number: usize,
    places: &HashMap<&str, usize>,
) -> Result<Vec<String>, RowsFault> {
    let mut cells = vec![String::new(); places.len()];
    for (name, value) in &row.0 {
        let column = places.get(name.as_str()).copied().unwrap_or_default();
        let text =
            cell(value.get()).ok_or(RowsFault::Nested { row: number, column: column + 1 })?;
        if let Some(cell) = cells.get_mut(column) {
            *cell = text;
        }
    }
    Ok(cells)
}

/// `None`: an array or an object.
fn cell(json: &str) -> Option<String> {
    match json.as_bytes().first() {
        Some(b'[' | b'{') => None,
        Some(b'"') => serde_json::from_str(json).ok(),
        Some(b'n') | None => Some(String::new()),
        Some(_) => Some(json.to_owned()),
    }
}

struct Row<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Row<'a> {
    fn of(value: &'a RawValue) -> Result<Self, RowsFault> {
        if value.get().starts_with('{') {
            return serde_json::from_str(value.get()).map_err(|_| RowsFault::NotJson);
        }
        Ok(Self(vec![(VALUE.to_owned(), value)]))
    }
}

impl<'de> Deserialize<'de> for Row<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Row<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Row<'de>, M::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Row(fields))
    }
}
