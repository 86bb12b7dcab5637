//! Why an account or a token was not changed.

use crate::{
    account::{password::Busy, user::AccountError},
    error::StoreError,
};

#[derive(Debug, Clone, thiserror::Error)]
pub enum AccountRefused {
    #[error("there is no such account")]
    NotFound,
    #[error("the account that asks for it is closed, or its token has ended")]
    Caller,
    #[error("a server keeps at least one open administrator: make or open another one first")]
    LastAdministrator,
    #[error("the old password is wrong")]
    WrongPassword,
    #[error("the new password is the old one: choose another")]
    SamePassword,
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Busy> for AccountRefused {
    fn from(busy: Busy) -> Self {
        Self::Account(busy.into())
    }
}
