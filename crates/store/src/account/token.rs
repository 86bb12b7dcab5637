//! Tokens: 256 random bits, stored only as a hash.
//!
//! A browser's token is valid only as a cookie together with a page key: a second secret that its
//! pages send with every request. Cookies reach every port of a host, so a copied cookie alone
//! opens nothing.

use crate::{
    account::{
        login::Login,
        password::PasswordStamp,
        refused::AccountRefused,
        token_kind::{TokenKind, TokenScope},
        token_text::{PAGE_PREFIX, draw, draw_with, hash_of},
    },
    audit::Chain,
    database::{
        clock::now,
        column::{from_word, time, word},
        entity::{account, token},
        number::from_db,
        page::Page,
        statement::{Reads, Writes, execute, only, query, run},
    },
    error::{Share, StoreError},
    store::Store,
    writer::{boundary::AuditEntry, point::Point},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use secrecy::SecretString;
use serde_json::json;
use wiiiv_domain::{Timestamp, TokenId, UserId};

/// Tokens of one person, made by hand, that still let in.
pub const TOKENS_MAX: u64 = 100;
/// Log-ins of one person that still let in: the oldest makes room for one more.
pub const LOG_INS_MAX: u64 = 50;

/// How a log-in is shown with each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    Cookie,
    Bearer,
}

impl Carried {
    const fn kind(self) -> TokenKind {
        match self {
            Self::Cookie => TokenKind::Login,
            Self::Bearer => TokenKind::Client,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    pub id: TokenId,
    pub user: UserId,
    pub kind: TokenKind,
    pub scope: TokenScope,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// The texts are shown this once.
#[derive(Debug)]
pub struct IssuedToken {
    pub id: TokenId,
    pub text: SecretString,
    /// Of a browser's log-in.
    pub page_key: Option<SecretString>,
}

impl Store {
    pub async fn issue_token(
        &self,
        user: UserId,
        scope: TokenScope,
        expires_at: Option<Timestamp>,
    ) -> Result<IssuedToken, StoreError> {
        self.issue(TokenKind::Token, user, (scope, expires_at), None).await.map_err(unproven)
    }

    /// By a person who is logged in with this text: one that has ended meanwhile makes no other,
    /// else a request under way would outlive a log-out everywhere.
    pub async fn issue_token_by(
        &self,
        user: UserId,
        own_text: &str,
        (scope, expires_at): (TokenScope, Timestamp),
    ) -> Result<IssuedToken, AccountRefused> {
        let own = hash_of(own_text).ok_or(AccountRefused::Caller)?;
        let what = (scope, Some(expires_at));
        self.issue(TokenKind::Token, user, what, Some(Proof::Token(own))).await
    }

    /// What a log-in gives: while the password that fitted is still the one.
    pub async fn issue_login(
        &self,
        login: &Login,
        expires_at: Timestamp,
        carried: Carried,
    ) -> Result<IssuedToken, AccountRefused> {
        let what = (TokenScope::Full, Some(expires_at));
        self.issue(carried.kind(), login.user, what, Some(Proof::Password(login.stamp))).await
    }

    /// The first of a new account, and the demo's.
    pub async fn issue_first_login(
        &self,
        user: UserId,
        expires_at: Timestamp,
        carried: Carried,
    ) -> Result<IssuedToken, StoreError> {
        let what = (TokenScope::Full, Some(expires_at));
        self.issue(carried.kind(), user, what, None).await.map_err(unproven)
    }

    async fn issue(
        &self,
        kind: TokenKind,
        user: UserId,
        (scope, expires_at): (TokenScope, Option<Timestamp>),
        proof: Option<Proof>,
    ) -> Result<IssuedToken, AccountRefused> {
        let (text, sha256) = draw()?;
        let page = (kind == TokenKind::Login).then(|| draw_with(PAGE_PREFIX)).transpose()?;
        let (page_key, page_sha256) = page.unzip();
        let (id, at): (TokenId, _) = (crate::database::id::new_id(), now());
        let row = token::ActiveModel {
            id: Set(id.uuid()),
            account: Set(user.uuid()),
            sha256: Set(sha256),
            scope: Set(word(&scope)?),
            kind: Set(word(&kind)?),
            created_at: Set(at.unix_ms()),
            expires_at: Set(expires_at.map(Timestamp::unix_ms)),
            revoked_at: Set(None),
            page_sha256: Set(page_sha256),
        };
        let mut body = json!({
            "expiresAt": expires_at, "kind": kind, "scope": scope, "token": id, "user": user,
        });
        self.write::<_, AccountRefused, _>(Point::P, move |tx| {
            Box::pin(async move {
                match proof {
                    Some(Proof::Token(own)) => standing(&tx.db, user, &own, at).await?,
                    Some(Proof::Password(stamp)) => unchanged(&tx.db, user, stamp).await?,
                    None => {}
                }
                let ended = make_room(&tx.db, kind, user, at).await?;
                if let (1.., Some(body)) = (ended, body.as_object_mut()) {
                    body.insert("tokensEnded".to_owned(), ended.into());
                }
                let entry = AuditEntry::new("token.issued", body);
                run(&tx.db, &token::Entity::insert(row)).await?;
                Ok(tx.record(Chain::Server, at, entry).await?)
            })
        })
        .await?;
        let page_key = page_key.map(SecretString::from);
        Ok(IssuedToken { id, text: SecretString::from(text), page_key })
    }

    /// Newest first.
    pub async fn tokens(&self, user: UserId, page: Page) -> Result<Vec<TokenRow>, StoreError> {
        let mut query = token::Entity::find().filter(token::Column::Account.eq(user.uuid()));
        if let Some(before) = page.before {
            query = query.filter(token::Column::Id.lt(before));
        }
        let query = query.order_by_desc(token::Column::Id).limit(page.rows());
        query.all(self.reader()).await?.into_iter().map(TokenRow::read).collect()
    }

    /// The token that has this text.
    pub async fn token_id(&self, text: &str) -> Result<Option<TokenId>, StoreError> {
        let Some(hash) = hash_of(text) else { return Ok(None) };
        let known = token::Entity::find().filter(token::Column::Sha256.eq(hash));
        Ok(only(known, self.direct()).await?.map(|row| row.id.into()))
    }

    /// Ends a token that is known by its text alone.
    pub async fn revoke_token_text(&self, user: UserId, text: &str) -> Result<(), StoreError> {
        let id = self.token_id(text).await?;
        self.revoke_token(user, id.ok_or(StoreError::NotFound { what: "token" })?).await
    }

    pub async fn revoke_token(&self, user: UserId, id: TokenId) -> Result<(), StoreError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                let update = "UPDATE token SET revoked_at = $3 \
                              WHERE id = $1 AND account = $2 AND revoked_at IS NULL";
                let values = vec![id.uuid().into(), user.uuid().into(), at.unix_ms().into()];
                if execute(&tx.db, update, values).await? != 1 {
                    return Err(StoreError::NotFound { what: "token" });
                }
                let entry = AuditEntry::new("token.revoked", json!({ "token": id, "user": user }));
                tx.record(Chain::Server, at, entry).await.map(drop)
            })
        })
        .await
    }
}

/// What a new token was asked for with; looked at again in the transaction that makes it.
enum Proof {
    Token(Vec<u8>),
    Password(PasswordStamp),
}

fn unproven(refused: AccountRefused) -> StoreError {
    match refused {
        AccountRefused::Store(error) => error,
        // INVARIANT: nothing else is refused where nothing is to be proven.
        AccountRefused::NotFound
        | AccountRefused::Caller
        | AccountRefused::LastAdministrator
        | AccountRefused::WrongPassword
        | AccountRefused::SamePassword
        | AccountRefused::Account(_) => StoreError::given_up(),
    }
}

/// How many log-ins ended for it.
async fn make_room<C: Writes>(
    db: &C,
    kind: TokenKind,
    user: UserId,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let values = vec![user.uuid().into(), now.unix_ms().into()];
    match kind {
        TokenKind::Token => {
            let count = format!("SELECT COUNT(*) FROM token WHERE {STANDING} AND kind = 'token'");
            let row = query(db, &count, values).await?;
            let standing = row.map(|row| row.get(0)).transpose()?.unwrap_or(0);
            if from_db(standing) >= TOKENS_MAX {
                return Err(StoreError::TooMany { what: Share::Tokens, max: TOKENS_MAX });
            }
            Ok(0)
        }
        TokenKind::Login | TokenKind::Client => {
            let end = format!(
                "UPDATE token SET revoked_at = $2 WHERE id IN (SELECT id FROM token \
                 WHERE {STANDING} AND kind IN ('login', 'client') \
                 ORDER BY id DESC LIMIT {ROWS_MAX} OFFSET {})",
                LOG_INS_MAX - 1
            );
            execute(db, &end, values).await
        }
    }
}

/// Of the account `$1` at the time `$2`.
const STANDING: &str =
    "account = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
/// More log-ins than that never stand.
const ROWS_MAX: u64 = 1_000;

async fn unchanged<C: Reads>(
    db: &C,
    user: UserId,
    stamp: PasswordStamp,
) -> Result<(), AccountRefused> {
    let row = only(account::Entity::find_by_id(user.uuid()), db).await?;
    let row = row.filter(|row| row.disabled_at.is_none());
    let row = row.filter(|row| PasswordStamp::of(&row.password_hash) == stamp);
    row.map(drop).ok_or(AccountRefused::WrongPassword)
}

/// The token still opens its account: what goes on was let in by it.
pub(crate) async fn standing<C: Reads>(
    db: &C,
    user: UserId,
    sha256: &[u8],
    now: Timestamp,
) -> Result<(), AccountRefused> {
    let asked = "SELECT 1 FROM token JOIN account ON account.id = token.account \
                 WHERE token.sha256 = $1 AND token.account = $2 AND token.revoked_at IS NULL \
                 AND (token.expires_at IS NULL OR token.expires_at > $3) \
                 AND account.disabled_at IS NULL";
    let values = vec![sha256.to_vec().into(), user.uuid().into(), now.unix_ms().into()];
    query(db, asked, values).await?.map(drop).ok_or(AccountRefused::Caller)
}

/// All of this person's that still stand, but the one that is kept. How many comes back.
pub(crate) async fn end_all<C: Writes>(
    db: &C,
    user: UserId,
    kept: Option<Vec<u8>>,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let update = "UPDATE token SET revoked_at = $2 WHERE account = $1 AND revoked_at IS NULL \
                  AND (expires_at IS NULL OR expires_at > $2) \
                  AND ($3 IS NULL OR sha256 <> $3)";
    let values = vec![user.uuid().into(), now.unix_ms().into(), kept.into()];
    execute(db, update, values).await
}

impl TokenRow {
    fn read(row: token::Model) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.into(),
            user: row.account.into(),
            kind: from_word(&row.kind, "a token's kind")?,
            scope: from_word(&row.scope, "a token's scope")?,
            created_at: time(row.created_at),
            expires_at: row.expires_at.map(time),
            revoked_at: row.revoked_at.map(time),
        })
    }
}
