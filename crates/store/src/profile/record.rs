//! The records of a profile: who changed which slots, and never a value. They stand here and not beside what writes
//! them, because the audit checks rows by them.

use super::row::{ProfileOwner, ProfileRow, written};
use crate::{error::StoreError, writer::boundary::AuditEntry};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ProfileDocument, ProfileName, UserId};
use wiiiv_vault::AuditKey;

pub(crate) const CHANGED: &str = "profile.changed";
/// Versions up to one were taken away by an erasure.
pub(crate) const ERASED: &str = "profile.erased";

/// HMAC-SHA-256, 64 hexadecimal digits, of the person too: that two people told the same is not seen.
pub(crate) fn document_hmac(
    key: &AuditKey,
    owner: &ProfileOwner,
    document: &ProfileDocument,
) -> Result<String, StoreError> {
    let person = owner.person.uuid();
    let bytes = [person.as_bytes().as_slice(), &written(document)?].concat();
    Ok(hex::encode(key.digest(&bytes)))
}

/// `slots`: those whose values are others than before.
pub(super) fn changed(
    row: &ProfileRow,
    slots: &[ProfileName],
    key: &AuditKey,
) -> Result<AuditEntry, StoreError> {
    let mut body = json!({
        "by": row.author, "documentHmac": document_hmac(key, &row.owner, &row.document)?,
        "holder": row.owner.person, "how": row.how, "schema": row.owner.schema, "slots": slots,
        "version": row.version, "waiting": row.document.pending.len(),
    });
    if let (Some(turn), Some(members)) = (row.turn, body.as_object_mut()) {
        members.insert("turn".to_owned(), json!(turn));
    }
    Ok(AuditEntry::new(CHANGED, body))
}

/// `up_to`: the newest version that went, of so many. `erasure`: of texts; `None`: its person's own.
pub(super) fn erased(
    owner: &ProfileOwner,
    (up_to, versions): (u64, u64),
    (by, erasure): (UserId, Option<Uuid>),
) -> AuditEntry {
    let body = json!({
        "by": by, "erasure": erasure, "holder": owner.person, "schema": owner.schema,
        "upTo": up_to, "versions": versions,
    });
    AuditEntry::new(ERASED, body)
}
