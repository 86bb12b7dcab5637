//! Checks where projects' requests are told of, and what became of each delivery, against the records of it.

use super::{
    Chain,
    named_records::{NamedRecord, about, differs, lacking},
};
use crate::{
    database::{
        entity::audit_record,
        statement::{Reads, models, query, query_all},
    },
    error::StoreError,
    keys::{
        hmac,
        rotation::Ring,
        secret::{self, Purpose},
    },
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::ProjectId;

const SET: &str = "webhook.set";
const REMOVED: &str = "webhook.removed";
const GIVEN_UP: &str = "webhook.given_up";
const WHAT: &str = "webhook of the project";

/// The address in force is the one that was set last, and its secret is there.
pub(super) async fn examine_webhooks<C: Reads>(db: &C, ring: &Ring) -> Result<(), StoreError> {
    let mut told = last_words(db).await?;
    for row in query_all(db, "SELECT project, url, set_by, set_at FROM webhook", Vec::new()).await?
    {
        let project = ProjectId::from(row.get::<Uuid>(0)?);
        let (url, by, at): (String, Uuid, i64) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let chain = Chain::Project(project);
        let record = told.remove(&chain.to_string());
        let url = hmac::of(db, ring, project, url.as_bytes()).await?;
        let same = record.as_ref().is_some_and(|record| {
            record.kind == SET
                && record.is("by", by)
                && record.lacks_or_is("urlHmac", url)
                && record.at.unix_ms() == at
        });
        let signs = secret::sealed(db, chain, Purpose::Webhook).await?.is_some();
        if !(same && signs) {
            return Err(differs(WHAT, project.uuid(), record.as_slice()));
        }
    }
    let gone = told.into_iter().find(|(_, record)| record.kind == SET);
    gone.map_or(Ok(()), |(chain, record)| Err(lacking(&chain, record.seq)))
}

/// Of each chain.
async fn last_words<C: Reads>(db: &C) -> Result<BTreeMap<String, NamedRecord>, StoreError> {
    use audit_record::Column;
    let records = audit_record::Entity::find()
        .filter(Column::Kind.is_in([SET, REMOVED]))
        .order_by_asc(Column::Seq);
    let mut told = BTreeMap::new();
    for row in models(records, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        told.insert(row.chain, record);
    }
    Ok(told)
}

/// What was given up is on record, and what is on record was given up.
pub(super) async fn examine_deliveries<C: Reads>(db: &C) -> Result<(), StoreError> {
    let given_up = "SELECT approval, event, project, code, done_at FROM webhook_delivery \
                    WHERE state = 'given_up'";
    for row in query_all(db, given_up, Vec::new()).await? {
        let (approval, event, project): (Uuid, String, Uuid) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        let (code, done): (Option<String>, Option<i64>) = (row.get(3)?, row.get(4)?);
        let records = about(db, project.into(), approval).await?;
        let told = records.iter().any(|record| {
            record.kind == GIVEN_UP
                && record.is("event", &event)
                && record.is("code", &code)
                && Some(record.at.unix_ms()) == done
        });
        if !told {
            return Err(differs("delivery about the approval", approval, &records));
        }
    }
    let missing = "SELECT record.chain, record.seq FROM audit_record record \
         WHERE record.kind = 'webhook.given_up' AND NOT EXISTS (SELECT 1 FROM webhook_delivery told \
         WHERE told.approval = record.about AND told.state = 'given_up' \
         AND record.line LIKE '%\"event\":\"' || told.event || '\"%') LIMIT 1";
    match query(db, missing, Vec::new()).await? {
        Some(row) => Err(lacking(&row.get::<String>(0)?, row.get(1)?)),
        None => Ok(()),
    }
}
