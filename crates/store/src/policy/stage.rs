//! A change of the stage: the version, its figures and the waiver that it uses are one commit.

use super::version::{entry, replace};
use crate::{
    audit::Chain,
    database::{number::to_db, sqlite::Sqlite, statement::query},
    error::StoreError,
    policy::version::PolicyRefused,
    rollout::{RolloutRefused, waiver},
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        point::Point,
    },
};
use uuid::Uuid;
use wiiiv_domain::{PolicyVersionId, ProjectId};
use wiiiv_gate::{PolicyVersion, Principal, Unrecorded};

/// What goes with a version that changes the stage.
#[derive(Debug, Clone)]
pub struct StageChange {
    /// `project.promoted` or `project.demoted`, with what it rests on.
    pub entry: AuditEntry,
    /// Promotions: the newest record that was judged. Refused where a divergence or a verdict came since.
    pub judged_to: Option<u64>,
    pub waiver: Option<Uuid>,
}

impl Store {
    /// The next version, if `expected` is still the current one.
    pub async fn record_stage(
        &self,
        who: &Principal,
        expected: PolicyVersionId,
        version: Unrecorded<PolicyVersion>,
        change: StageChange,
    ) -> Result<(), RolloutRefused> {
        let version = self.registrar().take(version).map_err(StoreError::from)?;
        let project = version.document().project;
        let evidence = serde_json::to_vec(&version).map_err(StoreError::from)?;
        let witness = entry(&version, &evidence)?;
        let StageChange { entry: AuditEntry { kind, body }, judged_to, waiver } = change;
        let boundary = Boundary::new(Point::E).by(who).entry(kind, body);
        self.apply_with(&Writer::Project(project), boundary, witness, move |db, at, now| {
            Box::pin(async move {
                let document = version.document();
                replace(db, expected, document, (at, evidence), now).await?;
                if let Some(judged_to) = judged_to {
                    nothing_newer(db, project, judged_to).await?;
                }
                if let Some(waiver) = waiver {
                    waiver::spend(db, (project, waiver), document.id, now).await?;
                }
                Ok(())
            })
        })
        .await
        .map(drop)
    }
}

impl From<PolicyRefused> for RolloutRefused {
    fn from(refused: PolicyRefused) -> Self {
        match refused {
            PolicyRefused::Stale { current } => Self::Stale { current },
            PolicyRefused::Store(error) => Self::Store(error),
        }
    }
}

/// Another request that the review lets through changes nothing that was judged.
async fn nothing_newer(
    db: &Sqlite,
    project: ProjectId,
    judged_to: u64,
) -> Result<(), RolloutRefused> {
    let newer = "SELECT 1 FROM audit_record WHERE chain = $1 AND seq > $2 \
                 AND kind = 'dacs.evaluated' AND line NOT LIKE '%\"consensus\":\"YES\"%' \
                 UNION ALL SELECT 1 FROM divergence_review WHERE project = $3 AND at_seq > $2 LIMIT 1";
    let chain = Chain::Project(project).to_string();
    let values = vec![chain.into(), to_db(judged_to)?.into(), project.uuid().into()];
    match query(db, newer, values).await? {
        None => Ok(()),
        Some(_) => Err(RolloutRefused::Moved),
    }
}
