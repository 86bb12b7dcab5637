//! Passages: what a citation opens. Each read asks for the scope beside the document, so that a mistake above finds
//! nothing.

use super::{
    embedding::is_shared,
    row::{COLUMNS, DocumentRow, read},
};
use crate::{
    database::{
        column::digest,
        number::to_db,
        statement::{INSERT_ROWS_MAX, Row, Writes, execute, query_all, rows},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::Value;
use std::collections::BTreeMap;
use wiiiv_domain::{ContentDigest, DocumentId, Scope};

/// Passages of one list.
pub const PASSAGES_LISTED_MAX: u64 = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPassage {
    pub headings: Vec<String>,
    pub page: Option<u32>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageRow {
    pub document: DocumentId,
    /// From 0, in the document's order.
    pub number: u32,
    pub headings: Vec<String>,
    pub page: Option<u32>,
    pub text: String,
    /// What is searched for it.
    pub chunks: Vec<PassageChunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageChunk {
    /// From 0, in the document's order.
    pub number: u32,
    pub hash: ContentDigest,
    pub text: String,
    /// Models that it has a vector of, by name.
    pub embedders: Vec<String>,
}

/// What a search ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundKey {
    pub document: DocumentId,
    /// That the search took it for.
    pub scope: Scope,
    /// Number in the document.
    pub passage: u32,
    /// Likewise: the chunk that it was ranked by.
    pub chunk: u32,
    pub hash: ContentDigest,
}

/// A passage that a search found, with its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRow {
    pub document: DocumentRow,
    pub number: u32,
    pub headings: Vec<String>,
    pub page: Option<u32>,
    pub text: String,
}

/// What a passage is called: the title and the file of its document, and where it stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageName {
    pub document: DocumentId,
    pub number: u32,
    pub title: String,
    pub file_name: String,
    pub headings: Vec<String>,
    pub page: Option<u32>,
}

/// As its columns have them: headings, page and text.
pub(super) type Columns = (String, Option<i32>, String);

pub(super) fn columns(passage: &NewPassage) -> Result<Columns, StoreError> {
    let page = passage.page.map(place).transpose()?;
    Ok((serde_json::to_string(&passage.headings)?, page, passage.text.clone()))
}

/// A number of a row.
pub(super) fn place(number: u32) -> Result<i32, StoreError> {
    let fits = i32::try_from(number);
    fits.map_err(|_| StoreError::TooLarge { what: "a number in a document", max: i32::MAX as u64 })
}

pub(super) fn number(place: i32) -> u32 {
    u32::try_from(place).unwrap_or(0)
}

pub(super) async fn insert<C: Writes>(
    db: &C,
    (document, scope): (DocumentId, Scope),
    passages: &[Columns],
) -> Result<(), StoreError> {
    let scope = scope.to_string();
    let mut at = 0;
    for part in passages.chunks(INSERT_ROWS_MAX) {
        let sql = format!(
            "INSERT INTO document_passage (document, number, scope, headings, page, text) VALUES {}",
            rows(part.len(), 6)
        );
        let mut values: Vec<Value> = Vec::with_capacity(part.len() * 6);
        for (headings, page, text) in part {
            let cells: [Value; 6] = [
                document.uuid().into(),
                place(at)?.into(),
                scope.clone().into(),
                headings.clone().into(),
                (*page).into(),
                text.clone().into(),
            ];
            values.extend(cells);
            at += 1;
        }
        execute(db, &sql, values).await?;
    }
    Ok(())
}

impl Store {
    /// In the document's order, behind the passage of that number; at most [`PASSAGES_LISTED_MAX`].
    pub async fn passages(
        &self,
        (document, scope): (DocumentId, Scope),
        after: Option<u32>,
        limit: u64,
    ) -> Result<Vec<PassageRow>, StoreError> {
        // Behind the last number that a row can have there is none.
        let from = after.map_or(Ok(0), |after| i32::try_from(u64::from(after) + 1));
        let Ok(from) = from else { return Ok(Vec::new()) };
        self.passages_from((document, scope), from, limit.min(PASSAGES_LISTED_MAX)).await
    }

    pub async fn passage(
        &self,
        (document, scope): (DocumentId, Scope),
        number: u32,
    ) -> Result<Option<PassageRow>, StoreError> {
        let Ok(at) = i32::try_from(number) else { return Ok(None) };
        let found = self.passages_from((document, scope), at, 1).await?;
        Ok(found.into_iter().find(|passage| passage.number == number))
    }

    async fn passages_from(
        &self,
        (document, scope): (DocumentId, Scope),
        from: i32,
        limit: u64,
    ) -> Result<Vec<PassageRow>, StoreError> {
        let sql = "SELECT number, headings, page, text FROM document_passage \
                   WHERE document = $1 AND scope = $2 AND number >= $3 ORDER BY number LIMIT $4";
        let values = vec![
            document.uuid().into(),
            scope.to_string().into(),
            from.into(),
            to_db(limit)?.into(),
        ];
        let mut passages = Vec::new();
        for row in query_all(self.reader(), sql, values).await? {
            passages.push(PassageRow {
                document,
                number: number(row.get(0)?),
                headings: serde_json::from_str(&row.get::<String>(1)?)?,
                page: row.get::<Option<i32>>(2)?.map(number),
                text: row.get(3)?,
                chunks: Vec::new(),
            });
        }
        let Some(last) = passages.last().map(|last| last.number) else { return Ok(passages) };
        let mut chunks = self.chunks_between((document, scope), (from, place(last)?)).await?;
        for passage in &mut passages {
            passage.chunks = chunks.remove(&passage.number).unwrap_or_default();
        }
        Ok(passages)
    }

    /// Of these passages, by their number.
    async fn chunks_between(
        &self,
        (document, scope): (DocumentId, Scope),
        (first, last): (i32, i32),
    ) -> Result<BTreeMap<u32, Vec<PassageChunk>>, StoreError> {
        let sql = "SELECT own.passage, own.number, own.hash, chunk.text, \
                   (SELECT GROUP_CONCAT(embedder) FROM chunk_vector WHERE chunk_vector.hash = own.hash) \
                   FROM document_chunk own JOIN chunk ON chunk.hash = own.hash \
                   WHERE own.document = $1 AND own.scope = $2 AND own.passage BETWEEN $3 AND $4 \
                   ORDER BY own.number";
        let values =
            vec![document.uuid().into(), scope.to_string().into(), first.into(), last.into()];
        let is_embedded_now = self.documents_embedded_now().await?.contains(&document);
        let hidden = |name: &str| name.is_empty() || (is_embedded_now && is_shared(name));
        let shown = |name: &&str| !hidden(name);
        let mut chunks = BTreeMap::<u32, Vec<PassageChunk>>::new();
        for row in query_all(self.reader(), sql, values).await? {
            let embedders: Option<String> = row.get(4)?;
            let embedders = embedders.unwrap_or_default();
            let named = embedders.split(',').filter(shown);
            chunks.entry(number(row.get(0)?)).or_default().push(PassageChunk {
                number: number(row.get(1)?),
                hash: digest(row.get(2)?, ContentDigest::from_bytes, "the hash of a chunk")?,
                text: row.get(3)?,
                embedders: named.map(str::to_owned).collect(),
            });
        }
        Ok(chunks)
    }

    /// By document, scope and number: one that is gone by now, or is of another scope, is left out.
    pub async fn passage_names(
        &self,
        of: Vec<(DocumentId, Scope, u32)>,
    ) -> Result<Vec<PassageName>, StoreError> {
        let sql = "SELECT document.title, document.file_name, passage.headings, passage.page \
                   FROM document_passage passage \
                   JOIN document ON document.id = passage.document AND document.scope = passage.scope \
                   WHERE passage.document = $1 AND passage.number = $2 AND passage.scope = $3";
        self.beside(move |db| {
            let mut names = Vec::with_capacity(of.len());
            for (document, scope, passage) in of {
                let at = place(passage)?;
                let values: [Value; 3] =
                    [document.uuid().into(), at.into(), scope.to_string().into()];
                let Some(row) = db.rows(sql, &values)?.pop() else { continue };
                names.push(PassageName {
                    document,
                    number: passage,
                    title: row.get(0)?,
                    file_name: row.get(1)?,
                    headings: serde_json::from_str(&row.get::<String>(2)?)?,
                    page: row.get::<Option<i32>>(3)?.map(number),
                });
            }
            Ok(names)
        })
        .await
    }

    /// What a search found: one that is gone by now, is of another scope, or has another text than was ranked is left
    /// out.
    pub async fn found_passages(&self, found: &[FoundKey]) -> Result<Vec<FoundRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, passage.headings, passage.page, passage.text FROM document_passage passage \
             JOIN document ON document.id = passage.document AND document.scope = passage.scope \
             JOIN document_chunk own ON own.document = passage.document AND own.passage = passage.number \
             WHERE passage.document = $1 AND passage.number = $2 AND passage.scope = $3 \
             AND own.number = $4 AND own.hash = $5"
        );
        let mut rows = Vec::with_capacity(found.len());
        for FoundKey { document, scope, passage, chunk, hash } in found {
            let values = vec![
                document.uuid().into(),
                place(*passage)?.into(),
                scope.to_string().into(),
                place(*chunk)?.into(),
                hash.bytes().to_vec().into(),
            ];
            for row in query_all(self.direct(), &sql, values).await? {
                rows.push(found_row(&row, *passage)?);
            }
        }
        Ok(rows)
    }
}

/// Columns of the passage behind those of its document.
fn found_row(row: &Row, number: u32) -> Result<FoundRow, StoreError> {
    let (document, _) = read(row)?;
    Ok(FoundRow {
        document,
        number,
        headings: serde_json::from_str(&row.get::<String>(18)?)?,
        page: row.get::<Option<i32>>(19)?.map(self::number),
        text: row.get(20)?,
    })
}
