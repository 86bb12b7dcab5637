//! Checks what a conversation's row says of its risk against the records of what raised it and who cleared it.

use super::named_records::{NamedRecord, differs, lacking};
use crate::{
    audit::Chain,
    database::{
        column::document,
        entity::audit_record,
        statement::{Reads, models, query_all},
    },
    error::StoreError,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::RiskHistory;

const RAISED: &str = "session.risk";
const CLEARED: &str = "session.risk_cleared";

/// What the records of one conversation come to. Builds before the history named none in them.
#[derive(Default)]
struct RiskRecord {
    score: u64,
    /// By whom, and the score before.
    cleared: Option<(Value, Value)>,
    /// Since then: how often each code was found in which kind of text.
    signals: BTreeMap<(String, String), u64>,
    last: Option<NamedRecord>,
}

/// Each conversation's score, who cleared it last, and what raised it since.
pub(super) async fn examine_risks<C: Reads>(db: &C) -> Result<(), StoreError> {
    let mut told = all_told(db).await?;
    let sql = "SELECT id, project, risk_score, risk_history, erased_at FROM session";
    for row in query_all(db, sql, Vec::new()).await? {
        let (id, project, score): (Uuid, Uuid, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (history, erased): (Option<String>, Option<i64>) = (row.get(3)?, row.get(4)?);
        let history = history.map(|text| document(&text, "a session's risk")).transpose()?;
        let chain = Chain::Project(project.into()).to_string();
        let told = told.remove(&(chain, id)).unwrap_or_default();
        if !told.is(score, history.as_ref(), erased.is_some()) {
            return Err(differs("risk of the conversation", id, told.last.as_slice()));
        }
    }
    let gone = told.into_iter().find_map(|((chain, _), told)| Some((chain, told.last?.seq)));
    gone.map_or(Ok(()), |(chain, seq)| Err(lacking(&chain, seq)))
}

async fn all_told<C: Reads>(db: &C) -> Result<BTreeMap<(String, Uuid), RiskRecord>, StoreError> {
    use audit_record::Column;
    let records = audit_record::Entity::find()
        .filter(Column::Kind.is_in([RAISED, CLEARED]))
        .order_by_asc(Column::Chain)
        .order_by_asc(Column::Seq);
    let mut told = BTreeMap::<_, RiskRecord>::new();
    for row in models(records, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        let session = record.body.get("session").and_then(Value::as_str);
        let Some(session) = session.and_then(|id| Uuid::parse_str(id).ok()) else { continue };
        told.entry((row.chain, session)).or_default().take(record);
    }
    Ok(told)
}

impl RiskRecord {
    fn take(&mut self, record: NamedRecord) {
        let member = |name: &str| record.body.get(name).cloned().unwrap_or_default();
        if record.kind == CLEARED {
            self.score = 0;
            self.cleared = Some((member("by"), member("score")));
            self.signals.clear();
        } else {
            self.score = member("score").as_u64().unwrap_or_default();
            let source = member("source").as_str().unwrap_or_default().to_owned();
            let codes = member("signals");
            for code in codes.as_array().into_iter().flatten().filter_map(Value::as_str) {
                *self.signals.entry((code.to_owned(), source.clone())).or_default() += 1;
            }
        }
        self.last = Some(record);
    }

    /// An erasure takes the history with the texts, and leaves the score.
    fn is(&self, score: i64, history: Option<&RiskHistory>, erased: bool) -> bool {
        let Some(history) = history else {
            return match self.last {
                Some(_) => erased && self.is_score(score),
                None => true,
            };
        };
        let cleared = history.cleared.as_ref().map(|of| (json!(of.by), json!(of.score)));
        let signals: BTreeMap<(String, String), u64> = history
            .signals
            .iter()
            .map(|of| ((of.code.clone(), of.source.to_string()), u64::from(of.count)))
            .collect();
        // What an earlier build wrote of the score names no conversation.
        (self.last.is_none() || self.is_score(score))
            && cleared == self.cleared
            && signals == self.signals
    }

    fn is_score(&self, score: i64) -> bool {
        u64::try_from(score) == Ok(self.score)
    }
}
