//! The records of a memory: who changed it, and never its text. They stand here and not beside what writes
//! them, because the audit checks rows by them.

use super::row::MemoryRow;
use crate::{audit::Chain, writer::boundary::AuditEntry};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{MemoryOwner, MemoryText, UserId};
use wiiiv_vault::AuditKey;

pub(crate) const CHANGED: &str = "memory.changed";
/// Versions up to one were taken away by an erasure.
pub(crate) const ERASED: &str = "memory.erased";

/// A person's memory is of no project.
pub(crate) const fn chain_of(owner: MemoryOwner) -> Chain {
    match owner {
        MemoryOwner::User(_) => Chain::Server,
        MemoryOwner::Project(project) => Chain::Project(project),
    }
}

/// HMAC-SHA-256, 64 hexadecimal digits. `key`: the audit key of the project; of people there is one for all, so
/// that the person is hashed too.
pub(crate) fn text_hmac(key: &AuditKey, owner: MemoryOwner, text: &MemoryText) -> String {
    let text = text.as_str().as_bytes();
    hex::encode(match owner {
        MemoryOwner::User(user) => key.digest(&[user.uuid().as_bytes().as_slice(), text].concat()),
        MemoryOwner::Project(_) => key.digest(text),
    })
}

/// `before`: characters of the version that it takes the place of.
pub(super) fn changed(row: &MemoryRow, before: usize, key: &AuditKey) -> AuditEntry {
    let mut body = json!({
        "beforeChars": before, "by": row.author, "chars": row.text.chars(), "holder": row.owner.uuid(),
        "scope": row.owner.scope(), "soleAuthor": row.sole_author,
        "textHmac": text_hmac(key, row.owner, &row.text), "version": row.version,
    });
    if let (Some(turn), Some(members)) = (row.turn, body.as_object_mut()) {
        members.insert("turn".to_owned(), json!(turn));
    }
    AuditEntry::new(CHANGED, body)
}

/// `up_to`: the newest version that went, of so many.
pub(super) fn erased(
    owner: MemoryOwner,
    (up_to, versions): (u64, u64),
    (by, erasure): (UserId, Uuid),
) -> AuditEntry {
    let body = json!({
        "by": by, "erasure": erasure, "holder": owner.uuid(), "scope": owner.scope(), "upTo": up_to,
        "versions": versions,
    });
    AuditEntry::new(ERASED, body)
}
