//! Policy versions, as evidence, and the version in force.

use crate::{
    audit::{Chain, EVIDENCE, Voucher},
    database::{
        entity::{policy_head, policy_version},
        number::{from_db, to_db},
        page::PAGE_ROWS_MAX,
        record_seals::RecordSeals,
        statement::{Reads, Row, Writes, execute, only, query, query_all, run},
    },
    error::StoreError,
    policy::stamp::PolicyStamp,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        point::Point,
        write_transaction::WriteTransaction,
    },
};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use serde_json::{Value, json};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, PolicyDocument, PolicyVersionId, ProjectId, Timestamp};
use wiiiv_gate::{AuditSeq, PolicyVersion, Recorded, Registrar, Unrecorded};

const KIND: &str = "policy.recorded";

#[derive(Debug, Clone, thiserror::Error)]
pub enum PolicyRefused {
    /// Somebody was faster (412).
    #[error("the policy has changed meanwhile: version `{current}` is the current one")]
    Stale { current: PolicyVersionId },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// The version that the project is under.
    pub async fn policy(&self, project: ProjectId) -> Result<Recorded<PolicyVersion>, StoreError> {
        examine_in_force(self.direct(), self.registrar(), project).await
    }

    /// Far cheaper to read than the policy. `None`: there is no such project.
    pub async fn policy_stamp(
        &self,
        project: ProjectId,
    ) -> Result<Option<PolicyStamp>, StoreError> {
        let read = || PolicyStamp::read(self.direct(), project);
        self.cached().policies.get(project.uuid(), read).await
    }

    /// Of that project.
    pub async fn policy_version(
        &self,
        project: ProjectId,
        id: PolicyVersionId,
    ) -> Result<Option<Recorded<PolicyVersion>>, StoreError> {
        let sql = format!("{VERSIONS} WHERE kept.project = $2 AND kept.id = $3");
        Ok(self.versions(project, &sql, vec![id.uuid().into()]).await?.pop())
    }

    /// Newest first; at most a page of them before version `before`.
    pub async fn policy_versions(
        &self,
        project: ProjectId,
        before: Option<u32>,
    ) -> Result<Vec<PolicyDocument>, StoreError> {
        let sql = format!(
            "{VERSIONS} WHERE kept.project = $2 AND kept.number < $3 \
             ORDER BY kept.number DESC LIMIT {PAGE_ROWS_MAX}"
        );
        let before = before.map_or(i64::MAX, i64::from);
        let versions = self.versions(project, &sql, vec![before.into()]).await?;
        Ok(versions.iter().map(|version| version.body().document().clone()).collect())
    }

    /// The project's version of that number.
    pub async fn policy_numbered(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<PolicyDocument>, StoreError> {
        let sql = format!("{VERSIONS} WHERE kept.project = $2 AND kept.number = $3");
        let found = self.versions(project, &sql, vec![i64::from(number).into()]).await?.pop();
        Ok(found.map(|version| version.body().document().clone()))
    }

    /// The next version, if `expected` is still the current one.
    pub async fn record_policy(
        &self,
        expected: PolicyVersionId,
        version: Unrecorded<PolicyVersion>,
    ) -> Result<Recorded<PolicyVersion>, PolicyRefused> {
        let version = self.registrar().take(version).map_err(StoreError::from)?;
        let project = version.document().project;
        let bytes = serde_json::to_vec(&version).map_err(StoreError::from)?;
        let evidence = bytes.clone();
        let writer = Writer::Project(project);
        let entry = entry(&version, &bytes)?;
        let at = self
            .apply_with(&writer, Boundary::new(Point::E), entry, move |db, at, now| {
                Box::pin(async move {
                    replace(db, expected, version.document(), (at, evidence), now).await
                })
            })
            .await?
            .at;
        let digest = ContentDigest::of_bytes(&bytes);
        Ok(self.registrar().restore(at, &bytes, digest).map_err(StoreError::from)?)
    }

    /// Each with the record that vouches for it.
    async fn versions(
        &self,
        project: ProjectId,
        sql: &str,
        more: Vec<sea_orm::Value>,
    ) -> Result<Vec<Recorded<PolicyVersion>>, StoreError> {
        let chain = Chain::Project(project);
        let mut values = vec![chain.to_string().into(), project.uuid().into()];
        values.extend(more);
        let rows = query_all(self.direct(), sql, values).await?;
        let by = (self.registrar(), self.direct().seals());
        rows.iter().map(|row| restored(by, chain, row)).collect()
    }
}

/// `$1`: the project's chain, `$2`: the project.
const VERSIONS: &str = "SELECT kept.id, kept.number, kept.at_seq, kept.evidence, record.line, record.seal \
                        FROM policy_version kept LEFT JOIN audit_record record \
                        ON record.chain = $1 AND record.seq = kept.at_seq";

/// The version that a project is under: the newest, whatever the head names.
pub(crate) async fn examine_in_force<C: Reads>(
    db: &C,
    registrar: &Registrar,
    project: ProjectId,
) -> Result<Recorded<PolicyVersion>, StoreError> {
    let chain = Chain::Project(project);
    let sql = format!(
        "{VERSIONS} JOIN policy_head head ON head.version = kept.id AND head.project = kept.project \
         WHERE kept.project = $2 AND NOT EXISTS (SELECT 1 FROM policy_version newer \
         WHERE newer.project = kept.project AND newer.number > kept.number)"
    );
    let values = vec![chain.to_string().into(), project.uuid().into()];
    let Some(row) = query(db, &sql, values).await? else {
        let head = "SELECT 1 FROM policy_head WHERE project = $1";
        return Err(match query(db, head, vec![project.uuid().into()]).await? {
            Some(_) => StoreError::tampered(format!(
                "the policy in force of `{project}` is not its newest"
            )),
            None => StoreError::NotFound { what: "project" },
        });
    };
    restored((registrar, db.seals()), chain, &row)
}

/// All of a project's, as `doctor` asks for them.
pub(crate) async fn examine<C: Reads>(
    db: &C,
    registrar: &Registrar,
    project: ProjectId,
) -> Result<(), StoreError> {
    let chain = Chain::Project(project);
    let sql = format!("{VERSIONS} WHERE kept.project = $2");
    let values = vec![chain.to_string().into(), project.uuid().into()];
    let rows = query_all(db, &sql, values).await?;
    rows.iter().try_for_each(|row| restored((registrar, db.seals()), chain, row).map(drop))?;
    let recorded =
        "SELECT CAST(COUNT(*) AS BIGINT) FROM audit_record WHERE chain = $1 AND kind = $2";
    let recorded = query(db, recorded, vec![chain.to_string().into(), KIND.into()]).await?;
    let recorded: i64 = recorded.ok_or_else(StoreError::given_up)?.get(0)?;
    let moved = "SELECT kept.number FROM policy_version kept JOIN audit_record record \
                 ON record.chain = $1 AND record.seq = kept.at_seq \
                 WHERE kept.project = $2 AND kept.created_at <> record.at LIMIT 1";
    let values = vec![chain.to_string().into(), project.uuid().into()];
    if let Some(row) = query(db, moved, values).await? {
        let number: i32 = row.get(0)?;
        let what = format!("version `{number}` of the policy of `{project}` has another time");
        return Err(StoreError::tampered(what));
    }
    if from_db(recorded) == rows.len() as u64 {
        return Ok(());
    }
    let what = format!("`{recorded}` versions of the policy of `{project}` are recorded");
    Err(StoreError::tampered(format!("{what}, and `{}` are there", rows.len())))
}

fn restored(
    (registrar, seals): (&Registrar, Option<&RecordSeals>),
    chain: Chain,
    row: &Row,
) -> Result<Recorded<PolicyVersion>, StoreError> {
    let version = read((registrar, seals), chain, row);
    version.map_err(|error| error.within(|| format!("the policy of the project `{chain}`")))
}

fn read(
    (registrar, seals): (&Registrar, Option<&RecordSeals>),
    chain: Chain,
    row: &Row,
) -> Result<Recorded<PolicyVersion>, StoreError> {
    let evidence: Vec<u8> = row.get(3)?;
    let voucher = Voucher::in_row((row, 4), (chain, row.get(2)?), KIND, seals)?;
    let named = voucher.digest()?;
    let digest = named.unwrap_or_else(|| ContentDigest::of_bytes(&evidence));
    let version: Recorded<PolicyVersion> = registrar.restore(voucher.at, &evidence, digest)?;
    let document = version.body().document();
    let same = document.id.uuid() == row.get::<Uuid>(0)?
        && i64::from(document.number) == i64::from(row.get::<i32>(1)?)
        && Chain::Project(document.project) == chain
        // Of a record that is older than the digest: it names all that the document holds.
        && (named.is_some() || body(version.body())?.as_object() == Some(voucher.body()));
    same.then_some(version).ok_or_else(|| voucher.changed())
}

/// The reason is a person's text: it stays out of the audit.
pub(super) fn entry(version: &PolicyVersion, evidence: &[u8]) -> Result<AuditEntry, StoreError> {
    let mut body = body(version)?;
    if let Some(members) = body.as_object_mut() {
        members.insert(EVIDENCE.to_owned(), json!(ContentDigest::of_bytes(evidence)));
    }
    Ok(AuditEntry::new(KIND, body))
}

fn body(version: &PolicyVersion) -> Result<Value, StoreError> {
    let document = version.document();
    Ok(json!({
        "author": document.author,
        "digest": wiiiv_gate::policy::digest(document)?,
        "event": version.event().map(|at| at.to_string()),
        "number": document.number,
        "policy": document.id,
    }))
}

/// The next version with its record, if `expected` is still the current one.
pub(super) async fn put_in_force(
    tx: &mut WriteTransaction,
    version: &PolicyVersion,
    expected: PolicyVersionId,
    now: Timestamp,
) -> Result<(), PolicyRefused> {
    let document = version.document();
    let evidence = serde_json::to_vec(version).map_err(StoreError::from)?;
    let entry = entry(version, &evidence)?;
    let at = tx.record(Chain::Project(document.project), now, entry).await?;
    replace(&tx.db, expected, document, (at, evidence), now).await
}

/// The rows of a recorded version, which follows `expected` if that is still the current one.
pub(super) async fn replace<C: Writes>(
    db: &C,
    expected: PolicyVersionId,
    document: &PolicyDocument,
    recorded: (u64, Vec<u8>),
    now: Timestamp,
) -> Result<(), PolicyRefused> {
    still_current(db, document, expected).await?;
    insert(db, document, recorded, now).await?;
    advance(db, document, expected).await
}

async fn insert<C: Writes>(
    db: &C,
    document: &PolicyDocument,
    (at, evidence): (u64, Vec<u8>),
    now: Timestamp,
) -> Result<(), StoreError> {
    let number = i32::try_from(document.number)
        .map_err(|_| StoreError::TooLarge { what: "a version number", max: i32::MAX as u64 })?;
    let row = policy_version::ActiveModel {
        id: Set(document.id.uuid()),
        project: Set(document.project.uuid()),
        number: Set(number),
        at_seq: Set(to_db(at)?),
        evidence: Set(evidence),
        created_at: Set(now.unix_ms()),
    };
    run(db, &policy_version::Entity::insert(row)).await?;
    Ok(())
}

async fn advance<C: Writes>(
    db: &C,
    document: &PolicyDocument,
    expected: PolicyVersionId,
) -> Result<(), PolicyRefused> {
    let update = "UPDATE policy_head SET version = $2 WHERE project = $1 AND version = $3";
    let project = document.project.uuid();
    let values = vec![project.into(), document.id.uuid().into(), expected.uuid().into()];
    match execute(db, update, values).await? {
        1 => Ok(()),
        _ => still_current(db, document, expected).await,
    }
}

/// Asked first: of two versions that follow the same one, the second has its number, too.
async fn still_current<C: Reads>(
    db: &C,
    document: &PolicyDocument,
    expected: PolicyVersionId,
) -> Result<(), PolicyRefused> {
    let head = only(policy_head::Entity::find_by_id(document.project.uuid()), db).await?;
    let head = head.ok_or(StoreError::NotFound { what: "project" })?;
    match head.version.into() {
        current if current == expected => Ok(()),
        current => Err(PolicyRefused::Stale { current }),
    }
}

/// With a new project.
pub(crate) async fn begin(
    tx: &mut WriteTransaction,
    version: &PolicyVersion,
    now: Timestamp,
) -> Result<AuditSeq, StoreError> {
    let document = version.document();
    let evidence = serde_json::to_vec(version)?;
    let entry = entry(version, &evidence)?;
    let at = tx.record(Chain::Project(document.project), now, entry).await?;
    insert(&tx.db, document, (at, evidence), now).await?;
    let head = policy_head::ActiveModel {
        project: Set(document.project.uuid()),
        version: Set(document.id.uuid()),
        halted: Set(false),
    };
    run(&tx.db, &policy_head::Entity::insert(head)).await?;
    Ok(AuditSeq::new(at))
}
