//! Binds the ORM's values to a statement of SQLite, as its own driver binds them.

use rusqlite::{
    Error, Statement,
    types::{ToSqlOutput, ValueRef},
};
use sea_orm::Value;

/// `$3`, wherever and however often it stands, is the third value; `?` is the next one.
pub(crate) fn bind(statement: &mut Statement<'_>, values: &[Value]) -> rusqlite::Result<()> {
    for place in 1..=statement.parameter_count() {
        let numbered = statement.parameter_name(place).and_then(|name| name.get(1..)?.parse().ok());
        let number: usize = numbered.unwrap_or(place);
        let value = number.checked_sub(1).and_then(|nth| values.get(nth));
        let value = value.ok_or(Error::InvalidParameterCount(values.len(), number))?;
        statement.raw_bind_parameter(place, cell(value)?)?;
    }
    Ok(())
}

fn cell(value: &Value) -> rusqlite::Result<ToSqlOutput<'_>> {
    let integer = |value: i64| ToSqlOutput::from(value);
    let known = match value {
        Value::Bool(value) => value.map(|value| integer(value.into())),
        Value::TinyInt(value) => value.map(|value| integer(value.into())),
        Value::SmallInt(value) => value.map(|value| integer(value.into())),
        Value::Int(value) => value.map(|value| integer(value.into())),
        Value::BigInt(value) => value.map(integer),
        Value::TinyUnsigned(value) => value.map(|value| integer(value.into())),
        Value::SmallUnsigned(value) => value.map(|value| integer(value.into())),
        Value::Unsigned(value) => value.map(|value| integer(value.into())),
        // How many rows a selection gives.
        Value::BigUnsigned(value) => match value.map(i64::try_from).transpose() {
            Ok(value) => value.map(integer),
            Err(error) => return Err(Error::ToSqlConversionFailure(error.into())),
        },
        Value::Double(value) => value.map(ToSqlOutput::from),
        Value::String(value) => value.as_deref().map(ToSqlOutput::from),
        Value::Bytes(value) => value.as_deref().map(ToSqlOutput::from),
        Value::Uuid(value) => {
            value.as_ref().map(|id| ToSqlOutput::Borrowed(ValueRef::Blob(id.as_bytes())))
        }
        other => {
            let what = format!("a value that no column of this store has: {other:?}");
            return Err(Error::ToSqlConversionFailure(what.into()));
        }
    };
    Ok(known.unwrap_or(ToSqlOutput::Borrowed(ValueRef::Null)))
}
