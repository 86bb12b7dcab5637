//! Whether anybody has an account yet: then there are sealed keys, and whatever of them is missing was
//! taken away.

use crate::{
    database::statement::{Reads, query},
    error::StoreError,
};

pub(crate) async fn has_accounts<C: Reads>(db: &C) -> Result<bool, StoreError> {
    Ok(query(db, "SELECT 1 FROM account LIMIT 1", Vec::new()).await?.is_some())
}
