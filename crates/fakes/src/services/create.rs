//! Creates a row from the body of a `POST`.

use super::{
    create_body::{CreateBody, CreateError},
    plan::Create,
    rows::{ROWS_MAX, Tables},
};
use serde_json::Value;

pub fn create(create: &Create, tables: &mut Tables, body: &Value) -> Result<Value, CreateError> {
    if tables.table(create.table).len() >= ROWS_MAX {
        return Err(CreateError::Full);
    }
    let mut row = (create.row)(tables, &CreateBody::of(body)?)?;
    row.insert("id".to_owned(), tables.next_id(create.table).into());
    let row = Value::Object(row);
    tables.add(create.table, row.clone());
    Ok(row)
}
