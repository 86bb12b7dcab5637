//! What a person may do has one version, which every change of it raises in its own transaction.

use crate::{error::StoreError, statement::execute};
use sea_orm::ConnectionTrait;
use wiiiv_domain::UserId;

pub(crate) async fn raise<C: ConnectionTrait>(db: &C, user: UserId) -> Result<(), StoreError> {
    let update = "UPDATE account SET authority = authority + 1 WHERE id = $1";
    execute(db, update, vec![user.uuid().into()]).await.map(drop)
}
