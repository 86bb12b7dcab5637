//! The owner of a request's token, and their rights.

use crate::{
    account::{
        presented::Presented,
        role::Role,
        token_kind::{TokenKind, TokenScope},
    },
    database::{column::from_word, statement::Row},
    error::StoreError,
};
use sea_orm::ActiveEnum as _;
use uuid::Uuid;
use wiiiv_domain::{Timestamp, UserId};
use wiiiv_gate::Rights;

/// A row a role, one row where there is none: every request asks this, so it is one statement.
pub(crate) const BEARER: &str = "SELECT token.scope, token.expires_at, token.revoked_at, account.id, \
    account.name, account.admin, account.disabled_at, project.id, member.role, token.id, \
    token.kind, token.page_sha256 \
    FROM token JOIN account ON account.id = token.account \
    LEFT JOIN project ON project.id = $2 \
    LEFT JOIN member ON member.project = project.id AND member.account = account.id \
    WHERE token.sha256 = $1";
const ROLE: usize = 8;
const TOKEN: usize = 9;
const KIND: usize = 10;
const PAGE: usize = 11;

#[derive(Debug)]
pub(crate) struct Bearer {
    pub(crate) user: UserId,
    pub(crate) token: Uuid,
    pub(crate) name: String,
    pub(crate) admin: bool,
    pub(crate) scope: TokenScope,
    /// The project that was asked about.
    pub(crate) is_there: bool,
    /// As a member; an administrator's right is not among it.
    pub(crate) rights: Rights,
    kind: TokenKind,
    page_sha256: Option<Vec<u8>>,
    expires_at: Option<i64>,
    /// The token is revoked, or its account is closed.
    ended: bool,
}

impl Bearer {
    /// `None`: there is no such token.
    pub(crate) fn read(rows: &[Row]) -> Result<Option<Self>, StoreError> {
        let Some(row) = rows.first() else { return Ok(None) };
        let kind: String = row.get(KIND)?;
        let scope: String = row.get(0)?;
        let revoked_at: Option<i64> = row.get(2)?;
        let disabled_at: Option<i64> = row.get(6)?;
        let mut rights = Rights::default();
        for row in rows {
            if let Some(role) = row.get::<Option<String>>(ROLE)? {
                add(&mut rights, Role::try_from_value(&role)?);
            }
        }
        Ok(Some(Self {
            user: row.get::<Uuid>(3)?.into(),
            token: row.get(TOKEN)?,
            name: row.get(4)?,
            admin: row.get(5)?,
            scope: from_word(&scope, "a token's scope")?,
            is_there: row.get::<Option<Uuid>>(7)?.is_some(),
            rights,
            kind: from_word(&kind, "a token's kind")?,
            page_sha256: row.get(PAGE)?,
            expires_at: row.get(1)?,
            ended: revoked_at.is_some() || disabled_at.is_some(),
        }))
    }

    /// Not expired, not revoked, its account open, and shown in the way that is its own.
    pub(crate) fn opens(&self, shown: Presented<'_>, now: Timestamp) -> bool {
        let in_time = self.expires_at.is_none_or(|at| at > now.unix_ms());
        in_time && !self.ended && shown.fits(self.kind, self.page_sha256.as_deref())
    }
}

fn add(rights: &mut Rights, role: Role) {
    match role {
        Role::Owner => rights.owner = true,
        Role::Editor => rights.editor = true,
        Role::Approver => rights.approver = true,
        Role::Viewer => rights.viewer = true,
    }
}
