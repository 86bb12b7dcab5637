//! Closes accounts, reopens them, and replaces passwords. Each is one transaction, which also ends
//! what the account could still do.

use crate::{
    account::{refused::AccountRefused, token, token_text::hash_of, user::check_password},
    approval::question::{self, WithdrawnApproval},
    audit::Chain,
    database::{
        clock::now,
        column::time,
        entity::account,
        statement::{Reads, Writes, execute, only, query},
    },
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use sea_orm::EntityTrait as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use wiiiv_domain::{Timestamp, UserId};
use wiiiv_gate::Principal;

/// Of a withdrawn question's audit record.
const CLOSED: &str = "account_closed";

/// What a closed account has lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedAccount {
    pub at: Timestamp,
    pub tokens_ended: u64,
    /// Questions that it had asked and that nobody had used an answer to.
    pub withdrawn: Vec<WithdrawnApproval>,
}

/// A person's own change of password.
#[derive(Debug)]
pub struct PasswordChange {
    pub old: SecretString,
    pub new: SecretString,
    /// The person's other tokens stay.
    pub keeps_others: bool,
}

impl Store {
    /// Ends all of this person's tokens and withdraws what they asked for. Memberships stay, and so
    /// does what waits for them as one of several who may answer. A closed account stays as it is.
    pub async fn disable_user(
        &self,
        user: UserId,
        by: UserId,
    ) -> Result<ClosedAccount, AccountRefused> {
        self.write(Point::P, move |tx| Box::pin(async move { close(tx, user, by).await })).await
    }

    /// The person may log in again. What ended with the account stays so.
    pub async fn enable_user(&self, user: UserId, by: UserId) -> Result<(), AccountRefused> {
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                acting(&tx.db, by).await?;
                let row = row_of(&tx.db, user).await?.ok_or(AccountRefused::NotFound)?;
                if row.disabled_at.is_none() {
                    return Ok(());
                }
                let update = "UPDATE account SET disabled_at = NULL WHERE id = $1";
                execute(&tx.db, update, vec![user.uuid().into()]).await?;
                let entry = AuditEntry::new("user.enabled", json!({ "by": by, "user": user }));
                Ok(tx.record(Chain::Server, now(), entry).await.map(drop)?)
            })
        })
        .await
    }

    /// `token_text`: what the person is logged in with; it stays. How many others ended comes back.
    pub async fn change_password(
        &self,
        user: UserId,
        token_text: &str,
        change: PasswordChange,
    ) -> Result<u64, AccountRefused> {
        let PasswordChange { old, new, keeps_others } = change;
        check_password(&new)?;
        let row = row_of(self.reader(), user).await?.ok_or(AccountRefused::NotFound)?;
        let kept = row.password_hash;
        let is_same = old.expose_secret() == new.expose_secret();
        if !self.passwords().verify(old, Some(kept.clone())).await? {
            return Err(AccountRefused::WrongPassword);
        }
        if is_same {
            return Err(AccountRefused::SamePassword);
        }
        let hash = self.passwords().hash(new).await?;
        let own = hash_of(token_text).ok_or(AccountRefused::Caller)?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                token::standing(&tx.db, user, &own, now()).await?;
                // Of two changes at once the second has given a password that is no longer the old one.
                if !set_password(&tx.db, user, Some(kept), hash).await? {
                    return Err(AccountRefused::WrongPassword);
                }
                let ended = match keeps_others {
                    true => 0,
                    false => token::end_all(&tx.db, user, Some(own), now()).await?,
                };
                changed(tx, "user.password_changed", (user, user), ended).await
            })
        })
        .await
    }

    /// By an administrator, who must still be one when it is written: all of the person's tokens end.
    pub async fn reset_password(
        &self,
        user: UserId,
        new: SecretString,
        by: &Principal,
    ) -> Result<u64, AccountRefused> {
        check_password(&new)?;
        let authority = self.authority(by)?;
        let by = by.user();
        let hash = self.passwords().hash(new).await?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                // The password was hashed for longer than a right may last.
                if !authority.stands(&tx.db, None, now()).await? {
                    return Err(AccountRefused::Caller);
                }
                if !set_password(&tx.db, user, None, hash).await? {
                    return Err(AccountRefused::NotFound);
                }
                let ended = token::end_all(&tx.db, user, None, now()).await?;
                changed(tx, "user.password_reset", (user, by), ended).await
            })
        })
        .await
    }

    /// Logs the person out everywhere but where they ask from. Of two that ask it at once the
    /// second has been logged out by the first.
    pub async fn end_other_tokens(
        &self,
        user: UserId,
        token_text: &str,
    ) -> Result<u64, AccountRefused> {
        let own = hash_of(token_text).ok_or(AccountRefused::Caller)?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                token::standing(&tx.db, user, &own, now()).await?;
                let ended = token::end_all(&tx.db, user, Some(own), now()).await?;
                changed(tx, "token.others_revoked", (user, user), ended).await
            })
        })
        .await
    }
}

async fn row_of<C: Reads>(db: &C, user: UserId) -> Result<Option<account::Model>, StoreError> {
    only(account::Entity::find_by_id(user.uuid()), db).await
}

/// Whoever asks was authenticated before the transaction: of two who close each other one does.
async fn acting<C: Reads>(db: &C, by: UserId) -> Result<(), AccountRefused> {
    let row = row_of(db, by).await?.filter(|row| row.disabled_at.is_none());
    row.map(drop).ok_or(AccountRefused::Caller)
}

async fn close(
    tx: &mut WriteTransaction,
    user: UserId,
    by: UserId,
) -> Result<ClosedAccount, AccountRefused> {
    acting(&tx.db, by).await?;
    let row = row_of(&tx.db, user).await?.ok_or(AccountRefused::NotFound)?;
    if let Some(at) = row.disabled_at {
        return Ok(ClosedAccount { at: time(at), tokens_ended: 0, withdrawn: Vec::new() });
    }
    let at = now();
    let update = "UPDATE account SET disabled_at = $2 WHERE id = $1";
    execute(&tx.db, update, vec![user.uuid().into(), at.unix_ms().into()]).await?;
    let other = "SELECT 1 FROM account WHERE admin AND disabled_at IS NULL LIMIT 1";
    if row.admin && query(&tx.db, other, Vec::new()).await?.is_none() {
        return Err(AccountRefused::LastAdministrator);
    }
    let tokens_ended = token::end_all(&tx.db, user, None, at).await?;
    let withdrawn = question::withdraw_all_of(&tx.db, user, at).await?;
    for gone in &withdrawn {
        let body = json!({
            "approval": gone.approval, "by": by, "digest": gone.digest, "reason": CLOSED,
        });
        let entry = AuditEntry::new("approval.withdrawn", body);
        tx.record(Chain::Project(gone.project), at, entry).await?;
    }
    let body = json!({
        "approvalsWithdrawn": withdrawn.len(), "by": by, "tokensEnded": tokens_ended, "user": user,
    });
    tx.record(Chain::Server, at, AuditEntry::new("user.disabled", body)).await?;
    Ok(ClosedAccount { at, tokens_ended, withdrawn })
}

/// `kept`: only where that is still the one. Whether it was set.
async fn set_password<C: Writes>(
    db: &C,
    user: UserId,
    kept: Option<String>,
    hash: String,
) -> Result<bool, StoreError> {
    let update = "UPDATE account SET password_hash = $2 \
                  WHERE id = $1 AND ($3 IS NULL OR password_hash = $3)";
    let values = vec![user.uuid().into(), hash.into(), kept.into()];
    Ok(execute(db, update, values).await? == 1)
}

/// On record, and its owner's authority raised.
async fn changed(
    tx: &mut WriteTransaction,
    kind: &str,
    (user, by): (UserId, UserId),
    ended: u64,
) -> Result<u64, AccountRefused> {
    let body = json!({ "by": by, "tokensEnded": ended, "user": user });
    tx.record(Chain::Server, now(), AuditEntry::new(kind, body)).await?;
    Ok(ended)
}
