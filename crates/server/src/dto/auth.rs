//! Wire forms of setup, log-in and tokens.

use super::mirror::mirror;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_store::{TokenKind, TokenRow, TokenScope};

/// A secret of a body: read once, never shown.
pub(crate) struct SecretField(pub SecretString);

impl<'de> Deserialize<'de> for SecretField {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d).map(|text| Self(SecretString::from(text)))
    }
}

impl fmt::Debug for SecretField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretField(..)")
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetUp {
    /// Printed by the server at its first start.
    #[schema(value_type = String, format = Password)]
    pub token: SecretField,
    pub name: String,
    #[schema(value_type = String, format = Password, min_length = 10)]
    pub password: SecretField,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogIn {
    pub name: String,
    #[schema(value_type = String, format = Password)]
    pub password: SecretField,
    /// For a browser: the token goes into an `HttpOnly` cookie, which is no bearer token, and the
    /// answer holds a page key instead.
    #[serde(default)]
    pub cookie: bool,
    /// The `device` that an earlier log-in of this person answered here: other people's wrong guesses
    /// do not hold this one back.
    #[serde(default)]
    pub device: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnterDemo {
    /// What stands behind `#demo=` in the link that the demo printed.
    #[schema(value_type = String, format = Password)]
    pub link: SecretField,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DemoLinkView {
    /// To be opened as `/#demo=LINK`, once; it voids the one before.
    pub link: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LoggedIn {
    pub user: Uuid,
    pub name: String,
    pub admin: bool,
    /// The person's own project.
    pub personal_project: Option<Uuid>,
    pub token_id: Uuid,
    /// `null` where it went into a cookie.
    pub token: Option<String>,
    /// Where it went into a cookie: to be sent as `X-Page-Key` with every request. The cookie alone
    /// opens nothing.
    pub page_key: Option<String>,
    /// To be kept, and given as `device` at the next log-in here. It opens nothing.
    pub device: Option<String>,
    pub expires_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    pub user: Uuid,
    pub name: String,
    pub admin: bool,
    pub personal_project: Option<Uuid>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ScopeName {
    /// All that its owner may.
    #[default]
    Full,
    /// Only look.
    Read,
}

mirror!(ScopeName <=> TokenScope: Full, Read);

/// What a token was made by.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KindName {
    /// A browser's log-in.
    Login,
    /// The log-in of a program, such as the command line.
    Client,
    /// By hand, for a program; so say log-ins that are older than this distinction.
    Token,
}

mirror!(TokenKind => KindName: Login, Client, Token);

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    #[serde(default)]
    pub scope: ScopeName,
    /// Days that it lives, 1 to 366; 30 by default.
    #[schema(minimum = 1, maximum = 366)]
    pub days: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedToken {
    pub id: Uuid,
    pub scope: ScopeName,
    /// Shown this once: `null` where the request is sent again with its `Idempotency-Key`.
    pub token: Option<String>,
    pub expires_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenView {
    pub id: Uuid,
    /// The one that asks.
    pub current: bool,
    pub kind: KindName,
    pub scope: ScopeName,
    pub created_at: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
}

impl From<TokenRow> for TokenView {
    fn from(row: TokenRow) -> Self {
        Self {
            id: row.id.uuid(),
            current: false,
            kind: row.kind.into(),
            scope: row.scope.into(),
            created_at: row.created_at.to_string(),
            expires_at: row.expires_at.map(|at| at.to_string()),
            revoked_at: row.revoked_at.map(|at| at.to_string()),
        }
    }
}
