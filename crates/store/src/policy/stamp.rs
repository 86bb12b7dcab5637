//! What tells the rules that a project is under from those before.

use crate::{
    database::statement::{Reads, query},
    error::StoreError,
};
use uuid::Uuid;
use wiiiv_domain::{PolicyVersionId, ProjectId};

/// No version comes into force twice, and what was taken stays so: no stamp comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PolicyStamp {
    version: PolicyVersionId,
    /// It is an override of one request whose run has begun.
    is_taken: bool,
}

impl PolicyStamp {
    pub(super) async fn read<C: Reads>(
        db: &C,
        project: ProjectId,
    ) -> Result<Option<Self>, StoreError> {
        let stamp = "SELECT head.version, own.used_by FROM policy_head head \
                     LEFT JOIN policy_override own \
                     ON own.project = head.project AND own.version = head.version \
                     WHERE head.project = $1";
        let Some(row) = query(db, stamp, vec![project.uuid().into()]).await? else {
            return Ok(None);
        };
        let is_taken = row.get::<Option<Uuid>>(1)?.is_some();
        Ok(Some(Self { version: row.get::<Uuid>(0)?.into(), is_taken }))
    }
}
