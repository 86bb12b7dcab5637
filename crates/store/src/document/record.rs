//! The records of a document: who changed it, how large it is, and keyed hashes of its texts. They stand here and not
//! beside what writes them, because the audit checks rows by them.

use super::row::DocumentRow;
use crate::{audit::Chain, error::StoreError, writer::boundary::AuditEntry};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DocumentId, Scope, UserId};
use wiiiv_vault::AuditKey;

pub(crate) const INGESTED: &str = "document.ingested";
/// Another file of its name took its place.
pub(crate) const REPLACED: &str = "document.replaced";
pub(crate) const RENAMED: &str = "document.renamed";
pub(crate) const REMOVED: &str = "document.removed";
/// It was taken away by an erasure of texts.
pub(crate) const ERASED: &str = "document.erased";
pub(crate) const KINDS: [&str; 5] = [INGESTED, REPLACED, RENAMED, REMOVED, ERASED];

/// What is everybody's or a person's is of no project.
pub(crate) const fn chain_of(scope: Scope) -> Chain {
    match scope {
        Scope::Global | Scope::User(_) => Chain::Server,
        Scope::Project(project) => Chain::Project(project),
    }
}

/// HMAC-SHA-256, 64 hexadecimal digits: of which document, and of all its texts. `key`: the audit key of the project;
/// there is one for all that is of no project.
pub(crate) fn document_hmac(key: &AuditKey, row: &DocumentRow) -> Result<String, StoreError> {
    let texts = serde_json::to_vec(&(&row.file_name, &row.title, &row.media_type))?;
    let id = row.id.uuid();
    let parts: [&[u8]; 4] = [id.as_bytes(), row.digest.bytes(), row.content.bytes(), &texts];
    Ok(hex::encode(key.digest(&parts.concat())))
}

/// SHA-256 of passages, each as its columns have it: headings, page and text.
pub(crate) fn content_of<'a>(
    passages: impl Iterator<Item = (&'a str, Option<i32>, &'a str)>,
) -> ContentDigest {
    let mut hash = Sha256::new();
    for (headings, page, text) in passages {
        let page = page.map(|page| page.to_string()).unwrap_or_default();
        let parts: [&str; 3] = [headings, &page, text];
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part.as_bytes());
        }
    }
    ContentDigest::from_bytes(hash.finalize().into())
}

/// `kind`: [`INGESTED`], [`REPLACED`] or [`RENAMED`].
pub(super) fn changed(
    kind: &str,
    row: &DocumentRow,
    key: &AuditKey,
) -> Result<AuditEntry, StoreError> {
    let body = json!({
        "by": row.author, "bytes": row.bytes, "chunks": row.chunks, "document": row.id,
        "documentHmac": document_hmac(key, row)?, "origin": row.origin.as_str(),
        "passages": row.passages, "scope": row.scope.to_string(), "version": row.version,
    });
    Ok(AuditEntry::new(kind, body))
}

/// `erasure`: of texts; `None`: somebody removed it.
pub(super) fn gone(
    (document, scope): (DocumentId, Scope),
    by: Option<UserId>,
    erasure: Option<Uuid>,
) -> AuditEntry {
    let mut body = json!({ "by": by, "document": document, "scope": scope.to_string() });
    if let (Some(erasure), Some(members)) = (erasure, body.as_object_mut()) {
        members.insert("erasure".to_owned(), Value::from(erasure.to_string()));
    }
    AuditEntry::new(if erasure.is_some() { ERASED } else { REMOVED }, body)
}
