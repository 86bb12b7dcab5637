//! A person's rights, checked again at the moment of use: a right that was withdrawn after log-in
//! no longer counts.

use crate::{
    database::statement::{Reads, Row, query},
    error::StoreError,
};
use sea_orm::Value;
use std::sync::LazyLock;
use uuid::Uuid;
use wiiiv_domain::{ProjectId, Timestamp, UserId};
use wiiiv_gate::{Opening, Principal, Registrar, Rights};

/// Who a boundary is written for, and what they could do when they were let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    opening: Opening,
    user: UserId,
    token: Uuid,
    rights: Rights,
}

const OWNER: i64 = 1;
const EDITOR: i64 = 2;
const APPROVER: i64 = 4;
const VIEWER: i64 = 8;
const ADMIN: i64 = 16;

impl Authority {
    #[must_use]
    pub fn of(who: &Principal) -> Self {
        let opening = who.opening();
        Self { opening, user: who.user(), token: who.token(), rights: who.rights() }
    }

    /// It is this person's.
    #[must_use]
    pub fn is_of(&self, user: UserId) -> bool {
        self.user == user
    }

    /// Of whoever was let in somewhere else nothing is written here.
    pub(crate) fn check(by: Option<&Self>, registrar: &Registrar) -> Result<(), StoreError> {
        match by {
            Some(by) if !registrar.opened(&by.opening) => {
                Err(StoreError::Foreign { what: "a person" })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// In the order of the numbers that [`bits`] is given.
    pub(crate) fn values(by: Option<&Self>, now: Timestamp) -> [Value; 3] {
        let (user, token) = (by.map(|by| by.user.uuid()), by.map(|by| by.token));
        [user.into(), token.into(), now.unix_ms().into()]
    }

    /// `bits`: what the statement found, nothing where the account or the token is closed.
    pub(crate) fn still(by: Option<&Self>, bits: Option<i64>) -> bool {
        let Some(by) = by else { return true };
        let Some(now) = bits.map(rights_of) else { return false };
        let kept = |had: bool, has: bool| !had || has;
        kept(by.rights.may_see(), now.may_see())
            && kept(by.rights.may_request(), now.may_request())
            && kept(by.rights.may_approve(), now.may_approve())
            && kept(by.rights.may_edit_policy(), now.may_edit_policy())
    }
}

impl Authority {
    /// Asked by a statement of its own, where no guard of a session's boundary carries it.
    pub(crate) async fn stands<C: Reads>(
        &self,
        db: &C,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut values = Self::values(Some(self), now).to_vec();
        values.push(project.map(|project| project.uuid()).into());
        let row = query(db, &STANDS, values).await?;
        let bits = row.map(|row| bits_in(&row, 0)).transpose()?.flatten();
        Ok(Self::still(Some(self), bits))
    }
}

static STANDS: LazyLock<String> = LazyLock::new(|| format!("SELECT {}", bits(1, 2, 3, 4)));

const fn rights_of(bits: i64) -> Rights {
    Rights {
        admin: bits & ADMIN != 0,
        owner: bits & OWNER != 0,
        editor: bits & EDITOR != 0,
        approver: bits & APPROVER != 0,
        viewer: bits & VIEWER != 0,
    }
}

/// A sub-select for the statement that guards a boundary anyway: the rights of the account `$user` in
/// the project `$project`, let in by the token `$token`, at the time `$now`. A `$user` of NULL: NULL.
pub(crate) fn bits(user: u8, token: u8, now: u8, project: u8) -> String {
    format!(
        "(SELECT CASE WHEN account.admin THEN {ADMIN} ELSE 0 END + COALESCE((SELECT \
          CAST(SUM(CASE member.role WHEN 'owner' THEN {OWNER} WHEN 'editor' THEN {EDITOR} \
          WHEN 'approver' THEN {APPROVER} ELSE {VIEWER} END) AS BIGINT) FROM member \
          WHERE member.account = account.id AND member.project = ${project}), 0) \
          FROM account JOIN token ON token.account = account.id \
          WHERE account.id = ${user} AND token.id = ${token} AND account.disabled_at IS NULL \
          AND token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > ${now}))"
    )
}

/// Whether the account `person` may do what one of these roles may, in the project `project`.
pub(crate) fn may(person: &str, project: &str, roles: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM account WHERE account.id = {person} AND account.disabled_at IS NULL \
         AND (account.admin OR EXISTS (SELECT 1 FROM member WHERE member.account = account.id \
         AND member.project = {project} AND member.role IN ({roles}))))"
    )
}

/// The same by a role in the project alone: an administrator has none by being one.
pub(crate) fn has_role(person: &str, project: &str, roles: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM account JOIN member ON member.account = account.id \
         WHERE account.id = {person} AND account.disabled_at IS NULL \
         AND member.project = {project} AND member.role IN ({roles}))"
    )
}

/// The roles that may set things in motion, those that may say yes to somebody else's, and all.
pub(crate) const REQUESTERS: &str = "'owner', 'editor'";
pub(crate) const APPROVERS: &str = "'owner', 'approver'";
pub(crate) const MEMBERS: &str = "'owner', 'editor', 'approver', 'viewer'";

pub(crate) fn bits_in(row: &Row, column: usize) -> Result<Option<i64>, StoreError> {
    row.get(column)
}
