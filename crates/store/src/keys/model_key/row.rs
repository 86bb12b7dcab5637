//! A key's row in lists: all columns except the key.

use crate::{
    database::{
        column::time,
        entity::model_key,
        number::from_db,
        statement::{Reads, models, only},
    },
    error::StoreError,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use wiiiv_domain::{KeyHolder, KeyVerdict, ProviderName, Timestamp, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelKeyRow {
    pub holder: KeyHolder,
    pub provider: ProviderName,
    /// The only one that it is sent to.
    pub origin: String,
    /// `sk-****abcd`; a short one is masked whole.
    pub masked: String,
    /// Never the same twice for a holder.
    pub revision: u64,
    pub updated_by: UserId,
    pub updated_at: Timestamp,
    /// When the provider was last asked about it.
    pub checked: Option<(Timestamp, KeyVerdict)>,
}

impl ModelKeyRow {
    pub(super) fn read(row: &model_key::Model) -> Result<Self, StoreError> {
        let corrupt = || StoreError::corrupt("a key's row");
        let provider = ProviderName::ALL.into_iter().find(|name| name.as_str() == row.provider);
        let verdict = row.verdict.as_deref();
        let verdict =
            verdict.map(|text| KeyVerdict::parse(text).ok_or_else(corrupt)).transpose()?;
        Ok(Self {
            holder: row.holder.parse().map_err(|_| corrupt())?,
            provider: provider.ok_or_else(corrupt)?,
            origin: row.origin.clone(),
            masked: row.masked.clone(),
            revision: from_db(row.revision),
            updated_by: row.updated_by.into(),
            updated_at: time(row.updated_at),
            checked: row.checked_at.map(time).zip(verdict),
        })
    }
}

pub(super) async fn find<C: Reads>(
    db: &C,
    holder: KeyHolder,
    provider: ProviderName,
) -> Result<Option<ModelKeyRow>, StoreError> {
    let key = (holder.to_string(), provider.as_str().to_owned());
    let row = only(model_key::Entity::find_by_id(key), db).await?;
    row.as_ref().map(ModelKeyRow::read).transpose()
}

pub(super) async fn find_all<C: Reads>(
    db: &C,
    holder: KeyHolder,
) -> Result<Vec<ModelKeyRow>, StoreError> {
    let rows = model_key::Entity::find()
        .filter(model_key::Column::Holder.eq(holder.to_string()))
        .order_by_asc(model_key::Column::Provider);
    models(rows, db).await?.iter().map(ModelKeyRow::read).collect()
}
