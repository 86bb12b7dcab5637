//! People's verdicts on divergences. Each is a row of its own; a later one leaves the earlier ones.

use super::{RolloutRefused, SALT_BYTES, digest, verdict::DivergenceVerdict};
use crate::{
    account::authority::Authority,
    audit::{Chain, note_told},
    database::{
        clock::now,
        column::time,
        entity::divergence_review as row,
        id::new_id,
        number::{from_db, to_db},
        statement::{models, run},
    },
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ProjectId, Timestamp, UserId};
use wiiiv_gate::{Principal, rollout::RolloutFigures};
use wiiiv_vault::random_bytes;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DivergenceReview {
    pub id: Uuid,
    pub evaluation: u64,
    pub verdict: DivergenceVerdict,
    /// A person's own words; may be empty.
    pub note: String,
    pub by: UserId,
    pub at: Timestamp,
}

/// What is to be written.
#[derive(Debug, Clone)]
pub struct NewReview {
    pub project: ProjectId,
    /// The record of the evaluation.
    pub evaluation: u64,
    pub verdict: DivergenceVerdict,
    pub note: String,
    /// The figures with it, where they go over the bound in a project that enforces.
    pub alarm: Option<RolloutFigures>,
}

impl Store {
    pub async fn review_divergence(
        &self,
        who: &Principal,
        new: NewReview,
    ) -> Result<DivergenceReview, RolloutRefused> {
        let (by, user) = (Authority::of(who), who.user());
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                if !by.stands(&tx.db, Some(new.project), at).await? {
                    return Err(StoreError::AuthorityGone.into());
                }
                new.write(tx, user, at).await
            })
        })
        .await
    }

    /// With their notes, newest first: of these records, as they were written.
    pub async fn divergence_notes(
        &self,
        project: ProjectId,
        evaluations: &[u64],
    ) -> Result<Vec<DivergenceReview>, StoreError> {
        if evaluations.is_empty() {
            return Ok(Vec::new());
        }
        let of: Result<Vec<i64>, _> = evaluations.iter().map(|seq| to_db(*seq)).collect();
        let of = row::Entity::find()
            .filter(row::Column::Project.eq(project.uuid()))
            .filter(row::Column::Evaluation.is_in(of?))
            .order_by_desc(row::Column::AtSeq);
        let mut notes = Vec::new();
        for row in models(of, self.direct()).await? {
            note_told(self.direct(), &row).await?;
            notes.push(DivergenceReview::read(row));
        }
        Ok(notes)
    }
}

impl NewReview {
    async fn write(
        self,
        tx: &mut WriteTransaction,
        user: UserId,
        at: Timestamp,
    ) -> Result<DivergenceReview, RolloutRefused> {
        let (id, salt): (Uuid, [u8; SALT_BYTES]) =
            (new_id(), *random_bytes().map_err(StoreError::from)?);
        let chain = Chain::Project(self.project);
        let body = json!({
            "by": user, "evaluation": self.evaluation, "note": digest(&salt, &self.note)?,
            "review": id, "verdict": self.verdict,
        });
        let seq = tx.record(chain, at, AuditEntry::new(super::log::REVIEWED, body)).await?;
        if let Some(figures) = self.alarm {
            let body = json!({
                "boundPpm": figures.bound_ppm(), "figures": figures, "review": id,
            });
            tx.record(chain, at, AuditEntry::new("project.bound_exceeded", body)).await?;
        }
        let row = row::ActiveModel {
            id: Set(id),
            project: Set(self.project.uuid()),
            evaluation: Set(to_db(self.evaluation)?),
            verdict: Set(self.verdict),
            note: Set(self.note.clone()),
            salt: Set(salt.to_vec()),
            reviewed_by: Set(user.uuid()),
            at_seq: Set(to_db(seq)?),
            reviewed_at: Set(at.unix_ms()),
        };
        run(&tx.db, &row::Entity::insert(row)).await?;
        let Self { evaluation, verdict, note, .. } = self;
        Ok(DivergenceReview { id, evaluation, verdict, note, by: user, at })
    }
}

impl DivergenceReview {
    fn read(row: row::Model) -> Self {
        Self {
            id: row.id,
            evaluation: from_db(row.evaluation),
            verdict: row.verdict,
            note: row.note,
            by: row.reviewed_by.into(),
            at: time(row.reviewed_at),
        }
    }
}
