//! Opinions of models; they are recorded before they count.

use crate::{
    audit::{Chain, EVIDENCE, Voucher},
    database::{
        entity::opinion,
        number::to_db,
        statement::{Reads as _, query, run},
    },
    error::StoreError,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::Placed,
    },
};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use serde_json::{Value, json};
use wiiiv_domain::{ContentDigest, ProjectId, Spec, SpecDigest};
use wiiiv_gate::{Deliberation, Recorded};

const KIND: &str = "dacs.opinions";

impl Store {
    /// In the session's project; with the number of the boundary's last event.
    pub async fn record_opinions(
        &self,
        writer: &Writer,
        boundary: Boundary,
        opinions: Deliberation,
    ) -> Result<(Recorded<Deliberation>, Option<u64>), StoreError> {
        let project = writer.lease("opinions")?.project;
        let bytes = serde_json::to_vec(&opinions)?;
        let digest = ContentDigest::of_bytes(&bytes);
        let entry = self.opinions_entry(project, &opinions, digest).await?;
        let (spec, evidence) = (opinions.spec(), bytes.clone());
        let Placed { at, last_event } = self
            .apply_with(writer, boundary, entry, move |db, at, _| {
                Box::pin(async move {
                    let row = opinion::ActiveModel {
                        project: Set(project.uuid()),
                        spec_digest: Set(spec.bytes().to_vec()),
                        at_seq: Set(to_db(at)?),
                        evidence: Set(evidence),
                    };
                    run(db, &opinion::Entity::insert(row)).await?;
                    Ok::<(), StoreError>(())
                })
            })
            .await?;
        Ok((self.registrar().restore(at, &bytes, digest)?, last_event))
    }

    /// Reasons are a model's words: the audit has their keyed hash.
    async fn opinions_entry(
        &self,
        project: ProjectId,
        opinions: &Deliberation,
        digest: ContentDigest,
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
        let body = json!({
            EVIDENCE: digest, "by": opinions.model(), "opinions": votes, "spec": opinions.spec(),
        });
        Ok(AuditEntry::new(KIND, body))
    }

    /// The newest of this spec, in a project that has any: others are not asked for theirs.
    pub async fn opinions_on(
        &self,
        project: ProjectId,
        spec: &Spec,
    ) -> Result<Option<Recorded<Deliberation>>, StoreError> {
        let any = || async {
            let any = "SELECT EXISTS (SELECT 1 FROM opinion WHERE project = $1)";
            let row = query(self.direct(), any, vec![project.uuid().into()]).await?;
            row.ok_or_else(StoreError::given_up)?.get(0)
        };
        match self.cached().deliberating.get(project.uuid(), any).await? {
            true => self.opinions(project, spec.digest()?).await,
            false => Ok(None),
        }
    }

    /// The newest of this spec. Those that no record vouches for are as if they were not there: they
    /// are asked for again.
    async fn opinions(
        &self,
        project: ProjectId,
        spec: SpecDigest,
    ) -> Result<Option<Recorded<Deliberation>>, StoreError> {
        let newest = "SELECT opinion.at_seq, opinion.evidence, record.line, record.seal FROM opinion \
                      LEFT JOIN audit_record record \
                      ON record.chain = $3 AND record.seq = opinion.at_seq \
                      WHERE opinion.project = $1 AND opinion.spec_digest = $2 \
                      ORDER BY opinion.at_seq DESC LIMIT 1";
        let chain = Chain::Project(project);
        let values =
            vec![project.uuid().into(), spec.bytes().to_vec().into(), chain.to_string().into()];
        let Some(row) = query(self.direct(), newest, values).await? else { return Ok(None) };
        let (evidence, seals): (Vec<u8>, _) = (row.get(1)?, self.direct().seals());
        let voucher = Voucher::in_row((&row, 2), (chain, row.get(0)?), KIND, seals)?;
        let Some(digest) = voucher.digest()? else { return Ok(None) };
        let opinions: Recorded<Deliberation> =
            self.registrar().restore(voucher.at, &evidence, digest)?;
        let same = opinions.body().spec() == spec;
        same.then_some(Some(opinions)).ok_or_else(|| voucher.changed())
    }
}
