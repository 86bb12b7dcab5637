//! Checks what people told of themselves against the records of who changed it.

use super::{
    Chain,
    named_records::{NamedRecord, differs, lacking},
    version_rows::{KeptVersion, VersionsOf, VersionsTold, all_told, examine_versions},
};
use crate::{
    database::statement::Reads,
    error::StoreError,
    keys::{hmac, rotation::Ring},
    profile::{
        CHANGED, ERASED, PROFILE_VERSIONS_MAX, ProfileOwner, ProfileRow, ProfileScope,
        document_hmac, owners, versions,
    },
};
use uuid::Uuid;
use wiiiv_domain::ProfileName;
use wiiiv_vault::AuditKey;

const WHAT: &str = "profile of the person";

/// All of them, one person's in one project after the other.
pub(super) async fn examine_profiles<C: Reads>(db: &C, ring: &Ring) -> Result<(), StoreError> {
    let mut told = all_told(db, ("profile", CHANGED, ERASED), holder).await?;
    for owner in owners(db, ProfileScope::All).await? {
        let record = told.remove(&owner).unwrap_or_default();
        examine(db, ring, &owner, &record).await?;
    }
    match told.into_iter().next() {
        Some((owner, record)) => {
            Err(lacking(&Chain::Project(owner.project).to_string(), record.seq))
        }
        None => Ok(()),
    }
}

fn holder(record: &NamedRecord, chain: &str) -> Option<ProfileOwner> {
    let person = Uuid::parse_str(record.text("holder")?).ok()?;
    let schema = ProfileName::parse(record.text("schema")?).ok()?;
    match chain.parse::<Chain>().ok()? {
        Chain::Project(project) => Some(ProfileOwner { person: person.into(), project, schema }),
        Chain::Server => None,
    }
}

async fn examine<C: Reads>(
    db: &C,
    ring: &Ring,
    owner: &ProfileOwner,
    told: &VersionsTold,
) -> Result<(), StoreError> {
    let (person, project) = (owner.person.uuid(), owner.project);
    let key = hmac::kept(db, ring, project).await?;
    let key = key.ok_or_else(|| {
        StoreError::tampered(format!("the key of the profiles of the project `{project}` is gone"))
    })?;
    let (mut kept, vault) = (Vec::new(), ring.vault());
    // One more than there may be: that it is there is found.
    for model in versions(db, owner, None, PROFILE_VERSIONS_MAX + 1).await? {
        let row = ProfileRow::opened(&model, &vault).map_err(|_| differs(WHAT, person, &[]))?;
        kept.push(KeptVersion { version: row.version, at_seq: model.at_seq, row });
    }
    let (chain, max) = (Chain::Project(project), PROFILE_VERSIONS_MAX);
    let of = VersionsOf { what: WHAT, holder: person, chain, max };
    let is_of = |record: &NamedRecord, row: &ProfileRow| is_of(record, row, &key);
    examine_versions(db, &of, told, (kept.as_slice(), is_of)).await
}

fn is_of(record: &NamedRecord, row: &ProfileRow, key: &AuditKey) -> bool {
    let hmac = document_hmac(key, &row.owner, &row.document);
    record.kind == CHANGED
        && record.is("holder", row.owner.person)
        && record.is("schema", &row.owner.schema)
        && record.is("version", row.version)
        && record.is("how", row.how)
        && record.is("by", row.author)
        && hmac.is_ok_and(|hmac| record.is("documentHmac", hmac))
        && row.turn.map_or_else(|| !record.has("turn"), |turn| record.is("turn", turn))
        && record.at == row.at
}
