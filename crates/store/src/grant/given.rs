//! A grant: what a person said, and the yes beforehand that it proves, in one transaction.

use crate::{
    account::authority::{Authority, REQUESTERS, has_role},
    audit::{Chain, EVIDENCE},
    database::{
        clock::now,
        number::{from_db, to_db},
        statement::{Reads, execute, query},
    },
    error::StoreError,
    grant::{
        refused::GrantRefused,
        row::{GRANTED, GRANTS_HELD_MAX, STANDS, TAKEN},
    },
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::acted,
        point::Point,
        write_transaction::WriteTransaction,
    },
};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use wiiiv_domain::{ApprovalId, Blueprint, ContentDigest, GrantTerms, StepId, Timestamp};
use wiiiv_gate::{
    AuditSeq, GrantGiven, PolicySnapshot, Principal, Recorded, Registrar, Unrecorded, UserEvent,
    grant as gate,
};

/// What a grant is made from.
#[derive(Debug)]
pub struct NewGrant {
    /// The plan that was shown.
    pub plan: Blueprint,
    /// Its step whose target the yes is to; `None`: its steps as a whole.
    pub step: Option<StepId>,
    pub terms: GrantTerms,
    /// The policy in force.
    pub policy: Arc<PolicySnapshot>,
}

static HELD: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT CAST(COUNT(*) AS BIGINT) FROM approval_grant WHERE project = $1 AND holder = $2 \
         AND expires_at > $3 AND {STANDS} AND {TAKEN} < uses"
    )
});

/// The yes that a grant is made from has been said and was not taken back: in the same commit, so that none is given
/// behind a revocation.
const YES: &str = "EXISTS (SELECT 1 FROM approval WHERE approval.id = $5 \
    AND approval.state IN ('approved', 'consumed') AND approval.revoked_at IS NULL)";

static INSERT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "INSERT INTO approval_grant (id, project, granter, holder, made_from, uses, given_at, \
         expires_at, at_seq, evidence, not_before) \
         SELECT $1, project.id, $3, $4, $5, $6, $7, $8, $9, $10, $11 \
         FROM project WHERE project.id = $2 AND {YES} AND {}",
        has_role("$4", "$2", REQUESTERS)
    )
});

impl Store {
    /// A person's yes to plans that are not drawn yet. Of one that does not count nothing is written.
    pub async fn record_grant(
        &self,
        who: &Principal,
        said: Unrecorded<UserEvent>,
        new: NewGrant,
    ) -> Result<Recorded<GrantGiven>, GrantRefused> {
        let said = self.registrar().take(said).map_err(StoreError::from)?;
        let boundary = Boundary::new(Point::E).by(who);
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        let (registrar, writer) = (self.registrar_for_writer(), Writer::Project(new.terms.project));
        let (at, bytes) = self
            .write(boundary.point, move |tx| {
                Box::pin(async move {
                    let now = now();
                    let (said, _) =
                        acted(tx, (&writer, &boundary), (&registrar, &said), now).await?;
                    let given = proven(&registrar, &said, new)?;
                    give(tx, writer.chain(), given, now).await
                })
            })
            .await?;
        let digest = ContentDigest::of_bytes(&bytes);
        Ok(self.registrar().restore(at, &bytes, digest).map_err(StoreError::from)?)
    }
}

/// Of an act of the same transaction.
fn proven(
    registrar: &Registrar,
    said: &Recorded<UserEvent>,
    new: NewGrant,
) -> Result<GrantGiven, GrantRefused> {
    let NewGrant { plan, step, terms, policy } = new;
    let given = gate::given(said, (&plan, step.as_ref()), terms, &policy)?;
    Ok(registrar.take(given).map_err(StoreError::from)?)
}

/// Behind the act that it names. Its place and its bytes come back.
async fn give(
    tx: &mut WriteTransaction,
    chain: Chain,
    given: GrantGiven,
    now: Timestamp,
) -> Result<(AuditSeq, Vec<u8>), GrantRefused> {
    let (project, holder) = (given.project().uuid(), given.holder().uuid());
    let values = vec![project.into(), holder.into(), now.unix_ms().into()];
    let held = query(&tx.db, &HELD, values).await?.ok_or_else(StoreError::given_up)?;
    if from_db(held.get(0)?) >= GRANTS_HELD_MAX {
        return Err(GrantRefused::TooMany);
    }
    let bytes = serde_json::to_vec(&given).map_err(StoreError::from)?;
    let entry = AuditEntry::new(GRANTED, body(&given, ContentDigest::of_bytes(&bytes)));
    let at = tx.record(chain, now, entry).await?;
    let values = vec![
        given.id().uuid().into(),
        project.into(),
        given.granter().uuid().into(),
        holder.into(),
        given.made_from().uuid().into(),
        i64::from(given.uses()).into(),
        now.unix_ms().into(),
        given.expires_at().unix_ms().into(),
        to_db(at)?.into(),
        bytes.clone().into(),
        given.not_before().map(Timestamp::unix_ms).into(),
    ];
    match execute(&tx.db, &INSERT, values).await? {
        1 => Ok((AuditSeq::new(at), bytes)),
        _ => Err(why_not(&tx.db, given.made_from()).await?),
    }
}

/// The condition that its row did not meet.
async fn why_not<C: Reads>(db: &C, made_from: ApprovalId) -> Result<GrantRefused, StoreError> {
    let yes = "SELECT 1 FROM approval WHERE id = $1 AND state IN ('approved', 'consumed') \
               AND revoked_at IS NULL";
    let found = query(db, yes, vec![made_from.uuid().into()]).await?;
    Ok(if found.is_some() { GrantRefused::Holder } else { GrantRefused::NoYes })
}

/// Without its target, which is text: the evidence has it, with a salt.
fn body(given: &GrantGiven, evidence: ContentDigest) -> Value {
    let mut body = json!({
        EVIDENCE: evidence,
        "event": given.event().to_string(),
        "expiresAt": given.expires_at(),
        "grant": given.id(),
        "granter": given.granter(),
        "holder": given.holder(),
        // By another name than `approval`: the record is about the grant.
        "madeFrom": given.made_from(),
        "uses": given.uses(),
    });
    if let (Some(from), Some(members)) = (given.not_before(), body.as_object_mut()) {
        members.insert("notBefore".to_owned(), json!(from));
    }
    body
}
