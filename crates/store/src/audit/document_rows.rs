//! Checks documents against the records of who changed them: each is as its last record tells, its passages are those
//! that the record hashes, and each text of a chunk is counted as often as documents have it.

use super::{
    Chain,
    named_records::{NamedRecord, differs, lacking},
    settle::kept_signer,
};
use crate::{
    database::{
        entity::audit_record,
        statement::{Reads, models, query, query_all},
    },
    document::{
        COLUMNS, DocumentRow, ERASED, KINDS, REMOVED, chain_of, content_of, document_hmac,
        read_document,
    },
    error::StoreError,
    keys::{hmac, rotation::Ring},
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use std::{collections::BTreeMap, sync::Arc};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DocumentId, Scope};
use wiiiv_vault::AuditKey;

const WHAT: &str = "document";

/// The last record of each document that is there.
type LastRecords = BTreeMap<DocumentId, (String, NamedRecord)>;

/// All of them.
pub(super) async fn examine_documents<C: Reads>(db: &C, ring: &Ring) -> Result<(), StoreError> {
    let mut last = last_records(db).await?;
    let sql = format!("SELECT {COLUMNS} FROM document ORDER BY id");
    for found in query_all(db, &sql, Vec::new()).await? {
        let (row, seq) = read_document(&found)?;
        let record = last.remove(&row.id);
        let key = key_of(db, ring, row.scope).await?;
        let content = content(db, &row).await?;
        let same = record.as_ref().is_some_and(|(chain, record)| {
            *chain == chain_of(row.scope).to_string()
                && record.seq == seq
                && content == row.content
                && is_of(record, &row, &key)
        });
        if !same {
            let record = record.map(|(_, record)| record);
            return Err(differs(WHAT, row.id.uuid(), record.as_slice()));
        }
    }
    if let Some((chain, record)) = last.into_values().next() {
        return Err(lacking(&chain, record.seq));
    }
    counted(db).await
}

async fn last_records<C: Reads>(db: &C) -> Result<LastRecords, StoreError> {
    use audit_record::Column;
    // A document stays in one chain.
    let records =
        audit_record::Entity::find().filter(Column::Kind.is_in(KINDS)).order_by_asc(Column::Seq);
    let mut last = LastRecords::new();
    for row in models(records, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        let id = record.text("document").and_then(|id| Uuid::parse_str(id).ok());
        let id: DocumentId =
            id.ok_or_else(|| StoreError::corrupt("a record of a document"))?.into();
        if [REMOVED, ERASED].contains(&record.kind.as_str()) {
            last.remove(&id);
        } else {
            last.insert(id, (row.chain.clone(), record));
        }
    }
    Ok(last)
}

fn is_of(record: &NamedRecord, row: &DocumentRow, key: &AuditKey) -> bool {
    record.is("by", row.author)
        && record.is("bytes", row.bytes)
        && record.is("chunks", row.chunks)
        && record.is("passages", row.passages)
        && record.is("origin", row.origin.as_str())
        && record.is("scope", row.scope.to_string())
        && record.is("version", row.version)
        && document_hmac(key, row).is_ok_and(|hmac| record.is("documentHmac", hmac))
        && record.at == row.updated_at
}

/// SHA-256 of the passages that are there. Refused where there are others in number, of them or of chunks.
async fn content<C: Reads>(db: &C, row: &DocumentRow) -> Result<ContentDigest, StoreError> {
    let sql = "SELECT headings, page, text FROM document_passage \
               WHERE document = $1 AND scope = $2 ORDER BY number";
    let of = || vec![row.id.uuid().into(), row.scope.to_string().into()];
    let mut passages: Vec<(String, Option<i32>, String)> = Vec::new();
    for found in query_all(db, sql, of()).await? {
        passages.push((found.get(0)?, found.get(1)?, found.get(2)?));
    }
    let chunks = "SELECT COUNT(*) FROM document_chunk own JOIN chunk ON chunk.hash = own.hash \
                  WHERE own.document = $1 AND own.scope = $2";
    let chunks = query(db, chunks, of()).await?.ok_or_else(StoreError::given_up)?;
    let counted = (passages.len() as u64, chunks.get::<i64>(0)?);
    if (counted.0, i64::try_from(row.chunks).ok()) != (row.passages, Some(counted.1)) {
        return Err(differs(WHAT, row.id.uuid(), &[]));
    }
    let texts = passages.iter();
    Ok(content_of(texts.map(|(headings, page, text)| (headings.as_str(), *page, text.as_str()))))
}

/// No text is kept that no document has, and none goes as long as one has it.
async fn counted<C: Reads>(db: &C) -> Result<(), StoreError> {
    let sql = "SELECT hex(chunk.hash) FROM chunk WHERE chunk.uses < 1 OR chunk.uses <> \
               (SELECT COUNT(*) FROM document_chunk own WHERE own.hash = chunk.hash) LIMIT 1";
    if let Some(row) = query(db, sql, Vec::new()).await? {
        let hash: String = row.get(0)?;
        return Err(StoreError::tampered(format!(
            "the text of the chunk `{hash}` is counted otherwise than documents have it"
        )));
    }
    let sql = "SELECT own.document FROM document_chunk own WHERE NOT EXISTS (SELECT 1 FROM document \
               WHERE document.id = own.document AND document.scope = own.scope) LIMIT 1";
    match query(db, sql, Vec::new()).await? {
        Some(row) => Err(differs(WHAT, row.get(0)?, &[])),
        None => Ok(()),
    }
}

/// What its texts are hashed with.
async fn key_of<C: Reads>(db: &C, ring: &Ring, scope: Scope) -> Result<Arc<AuditKey>, StoreError> {
    let key = match scope {
        Scope::Global | Scope::User(_) => {
            kept_signer(db, ring).await?.map(|signer| Arc::clone(signer.documents()))
        }
        Scope::Project(project) => hmac::kept(db, ring, project).await?.map(Arc::new),
    };
    let chain: Chain = chain_of(scope);
    key.ok_or_else(|| {
        StoreError::tampered(format!("the key of the documents of the chain `{chain}` is gone"))
    })
}
