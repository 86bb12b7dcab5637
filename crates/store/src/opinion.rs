//! Opinions of models, recorded before they are counted.

use crate::{
    boundary::{AuditEntry, Boundary, Writer},
    entity::opinion,
    error::StoreError,
    number::{from_db, to_db},
    statement::query,
    store::Store,
};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use serde_json::{Value, json};
use wiiiv_domain::{ProjectId, SpecDigest};
use wiiiv_gate::{AuditSeq, Deliberation, Recorded};

impl Store {
    /// In the session's project.
    pub async fn record_opinions(
        &self,
        writer: &Writer,
        boundary: Boundary,
        opinions: Deliberation,
    ) -> Result<Recorded<Deliberation>, StoreError> {
        let project = writer.lease("opinions")?.project;
        let bytes = serde_json::to_vec(&opinions)?;
        let entry = self.opinions_entry(project, &opinions).await?;
        let (spec, evidence) = (opinions.spec(), bytes.clone());
        let at = self
            .apply_with(writer, boundary, entry, move |db, at, _| {
                Box::pin(async move {
                    let row = opinion::ActiveModel {
                        project: Set(project.uuid()),
                        spec_digest: Set(spec.bytes().to_vec()),
                        at_seq: Set(to_db(at)?),
                        evidence: Set(evidence),
                    };
                    opinion::Entity::insert(row).exec_without_returning(db).await?;
                    Ok::<(), StoreError>(())
                })
            })
            .await?;
        Ok(self.registrar().restore(at, &bytes)?)
    }

    /// Reasons are a model's words: the audit has their keyed hash.
    async fn opinions_entry(
        &self,
        project: ProjectId,
        opinions: &Deliberation,
    ) -> Result<AuditEntry, StoreError> {
        let mut votes: Vec<Value> = Vec::new();
        for opinion in opinions.opinions() {
            votes.push(json!({
                "concerns": opinion.concerns,
                "persona": opinion.persona,
                "reasonHmac": self.hmac(project, opinion.reason.as_bytes()).await?,
                "vote": opinion.vote,
            }));
        }
        let body = json!({ "opinions": votes, "spec": opinions.spec() });
        Ok(AuditEntry::new("dacs.opinions", body))
    }

    /// The newest of this spec.
    pub(crate) async fn opinions(
        &self,
        project: ProjectId,
        spec: SpecDigest,
    ) -> Result<Option<Recorded<Deliberation>>, StoreError> {
        let newest = "SELECT at_seq, evidence FROM opinion \
                      WHERE project = $1 AND spec_digest = $2 ORDER BY at_seq DESC LIMIT 1";
        let values = vec![project.uuid().into(), spec.bytes().to_vec().into()];
        let Some(row) = query(self.reader(), newest, values).await? else { return Ok(None) };
        let (at, evidence): (i64, Vec<u8>) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok(Some(self.registrar().restore(AuditSeq::new(from_db(at)), &evidence)?))
    }
}
