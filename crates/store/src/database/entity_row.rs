//! Reads a row of an entity that a connection other than the ORM's has found.

use crate::error::StoreError;
use rusqlite::types::Value as Cell;
use sea_orm::{
    ActiveModelTrait as _, EntityTrait, Iterable as _, ModelTrait as _, TryIntoModel, Value,
    sea_query::ArrayType,
};
use uuid::Uuid;

/// `cells`: in the order of the entity's columns, as the ORM selects them.
pub(crate) fn model<'a, E: EntityTrait>(
    cells: impl Iterator<Item = &'a Cell>,
) -> Result<E::Model, StoreError>
where
    E::ActiveModel: TryIntoModel<E::Model>,
{
    let mut row = <E::ActiveModel as sea_orm::ActiveModelTrait>::default();
    for (column, cell) in E::Column::iter().zip(cells) {
        let value = value(E::Model::get_value_type(column), cell);
        let value = value.ok_or_else(|| StoreError::corrupt(format!("the column {column:?}")))?;
        row.try_set(column, value)?;
    }
    Ok(row.try_into_model()?)
}

/// `None`: the cell is of another type than the column.
fn value(of: ArrayType, cell: &Cell) -> Option<Value> {
    let is_null = matches!(cell, Cell::Null);
    Some(match (of, cell) {
        (ArrayType::Bool, Cell::Integer(number)) => (*number != 0).into(),
        (ArrayType::Int, Cell::Integer(number)) => i32::try_from(*number).ok()?.into(),
        (ArrayType::BigInt, Cell::Integer(number)) => (*number).into(),
        (ArrayType::Double, Cell::Real(number)) => (*number).into(),
        (ArrayType::String, Cell::Text(text)) => text.clone().into(),
        (ArrayType::Bytes, Cell::Blob(bytes)) => bytes.clone().into(),
        (ArrayType::Uuid, Cell::Blob(bytes)) => Uuid::from_slice(bytes).ok()?.into(),
        (ArrayType::Bool, _) if is_null => Value::Bool(None),
        (ArrayType::Int, _) if is_null => Value::Int(None),
        (ArrayType::BigInt, _) if is_null => Value::BigInt(None),
        (ArrayType::Double, _) if is_null => Value::Double(None),
        (ArrayType::String, _) if is_null => Value::String(None),
        (ArrayType::Bytes, _) if is_null => Value::Bytes(None),
        (ArrayType::Uuid, _) if is_null => Value::Uuid(None),
        _ => return None,
    })
}
