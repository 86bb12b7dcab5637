//! Returns a yes that was used for a run in which nothing began. After that run it counts again for
//! the same plan, when that is drawn again.

use crate::{
    approval::{
        error::ApprovalError,
        question::{self, GIVEN},
    },
    audit::{Chain, Put, attempts_at_end, is_given_back, question_told},
    database::{
        column::document,
        entity::step_attempt,
        number::to_db,
        statement::{Reads, Writes, execute, query},
    },
    error::StoreError,
    store::Store,
    writer::boundary::{AuditEntry, Boundary, Writer},
};
use serde_json::json;
use std::{collections::BTreeSet, sync::LazyLock};
use uuid::Uuid;
use wiiiv_domain::{
    ApprovalId, Blueprint, BlueprintDigest, BlueprintId, ContentDigest, Effect, ExecutionId,
    ProjectId, SessionId, StepOutcome, Timestamp,
};
use wiiiv_gate::{ApprovalGiven, Recorded, approval as gate};

const RELEASED: &str = "approval.released";
const TAKEN_UP: &str = "approval.taken_up";
const PASSED_ON: &str = "approval.passed_on";

/// The yes that a failed run used, where its steps that act were none of them begun, so that no effect of
/// them can have happened. What is on record decides: an attempt whose end is not known was begun. Where
/// several people said yes, or one took it back, they are asked once more.
// INVARIANT: with the end of the run, in its boundary; a run that is over is never gone on with.
pub(crate) async fn release<C: Writes>(
    db: &C,
    run: ExecutionId,
    now: Timestamp,
) -> Result<Option<AuditEntry>, StoreError> {
    let used = "SELECT approval.id, approval.digest, approval.project FROM approval \
                JOIN execution ON execution.blueprint = approval.blueprint \
                WHERE execution.id = $1 AND approval.consumed_by = $1 \
                AND approval.state = 'consumed' AND approval.expires_at > $2 \
                AND approval.approvers = 1 AND approval.revoked_at IS NULL";
    let values = vec![run.uuid().into(), now.unix_ms().into()];
    let Some(row) = query(db, used, values).await? else { return Ok(None) };
    let (id, digest): (Uuid, Vec<u8>) = (row.get(0)?, row.get(1)?);
    let project: Uuid = row.get(2)?;
    if has_acted(db, project.into(), (run, now)).await? {
        return Ok(None);
    }
    let update = "UPDATE approval SET state = 'approved', consumed_by = NULL \
                  WHERE id = $1 AND consumed_by = $2 AND state = 'consumed'";
    if execute(db, update, vec![id.into(), run.uuid().into()]).await? != 1 {
        return Err(StoreError::corrupt("the approval of a run"));
    }
    // By another name than `execution`: the record is about the approval.
    let body = json!({ "approval": id, "digest": hex::encode(digest), "run": run });
    Ok(Some(AuditEntry::new(RELEASED, body)))
}

/// A step that acts was begun, or may have been: also where an attempt or the plan is not as the audit tells.
async fn has_acted<C: Reads>(
    db: &C,
    project: ProjectId,
    (run, now): (ExecutionId, Timestamp),
) -> Result<bool, StoreError> {
    let (digest, tried) = match attempts_at_end(db, project, (run, now)).await {
        Err(StoreError::Tampered { .. } | StoreError::Corrupt { .. }) => return Ok(true),
        told => told?,
    };
    let begun = tried.iter().map(begun).collect::<Result<BTreeSet<_>, _>>()?;
    if begun.iter().flatten().next().is_none() {
        return Ok(false);
    }
    let plan = "SELECT blueprint_text.canonical FROM blueprint_text \
                JOIN execution ON execution.blueprint = blueprint_text.blueprint \
                WHERE execution.id = $1";
    let Some(row) = query(db, plan, vec![run.uuid().into()]).await? else { return Ok(true) };
    let plan: Vec<u8> = row.get(0)?;
    let plan: Option<Blueprint> = serde_json::from_slice(&plan).ok();
    let is_told =
        |plan: &Blueprint| plan.digest().is_ok_and(|of| hex::encode(of.bytes()) == digest);
    let Some(plan) = plan.filter(is_told) else { return Ok(true) };
    let reads: BTreeSet<&str> = plan
        .nodes
        .iter()
        .filter(|node| node.effect == Effect::Read)
        .map(|node| node.id.as_str())
        .collect();
    Ok(begun.iter().flatten().any(|step| !reads.contains(step.as_str())))
}

/// The step, unless its executor has reported that nothing of it was begun.
fn begun(row: &step_attempt::Model) -> Result<Option<&String>, StoreError> {
    let outcome = row.outcome.as_deref().map(|text| document(text, "an outcome"));
    let outcome: Option<StepOutcome> = outcome.transpose()?;
    let not_started = outcome.is_some_and(|outcome| outcome.is_not_started());
    Ok((!not_started).then_some(&row.step))
}

/// Behind the yes nobody has said no to another question about the same, nor taken a yes to one back, nor dropped
/// one: whoever did is asked once more.
const NO_LATER_NO: &str = "NOT EXISTS (SELECT 1 FROM approval later \
    WHERE later.session = approval.session AND later.digest = approval.digest \
    AND later.id <> approval.id AND (later.revoked_at >= approval.decided_at \
    OR (later.state IN ('rejected', 'withdrawn') AND later.decided_at >= approval.decided_at)))";

static GIVEN_BACK: LazyLock<String> = LazyLock::new(|| {
    let stands = question::approver_stands("$4");
    format!(
        "SELECT approval.id, approval.at_seq, approval.evidence, record.line, record.seal \
         FROM approval LEFT JOIN audit_record record \
         ON record.chain = $1 AND record.seq = approval.at_seq \
         WHERE approval.session = $2 AND approval.digest = $3 AND approval.state = 'approved' \
         AND approval.expires_at > $4 AND {stands} AND {NO_LATER_NO} \
         AND EXISTS (SELECT 1 FROM execution \
         WHERE execution.blueprint = approval.blueprint) ORDER BY approval.id DESC LIMIT 1"
    )
});

/// It stands with the run that it was used for first.
static PASS_ON: LazyLock<String> = LazyLock::new(|| {
    let stands = question::approver_stands("$2");
    format!(
        "UPDATE approval SET state = 'consumed', consumed_by = (SELECT execution.id FROM execution \
         WHERE execution.blueprint = approval.blueprint) WHERE id = $1 AND state = 'approved' \
         AND consumed_by IS NULL AND expires_at > $2 AND {stands} AND {NO_LATER_NO} AND EXISTS \
         (SELECT 1 FROM execution WHERE execution.blueprint = approval.blueprint)"
    )
});

/// A yes that was given back.
#[derive(Debug)]
pub struct ReleasedApproval {
    pub given: Recorded<ApprovalGiven>,
    /// What was shown with its question.
    pub preview: Option<String>,
    /// Whose yes counts, as the word that records have.
    asked_of: String,
}

/// Another drawing of a plan, which an approval that was given back is taken up for.
#[derive(Debug, Clone, Copy)]
pub struct DrawnAgain {
    /// Id that the approval has from then on.
    pub approval: ApprovalId,
    pub blueprint: BlueprintId,
    /// Of the text that the conversation is shown.
    pub words: ContentDigest,
}

impl Store {
    /// The session's newest to exactly this plan, by somebody who still may give it.
    pub async fn released_approval(
        &self,
        (project, session): (ProjectId, SessionId),
        digest: BlueprintDigest,
        now: Timestamp,
    ) -> Result<Option<ReleasedApproval>, StoreError> {
        let chain = Chain::Project(project);
        let values = vec![
            chain.to_string().into(),
            session.uuid().into(),
            digest.bytes().to_vec().into(),
            now.unix_ms().into(),
        ];
        let Some(row) = query(self.direct(), &GIVEN_BACK, values).await? else { return Ok(None) };
        let by = (self.registrar(), self.direct().seals());
        let Some(given) = question::restored(by, (chain, GIVEN), &row)? else {
            return Ok(None);
        };
        let put = question_told(self.direct(), (project, given.body().id()), true).await?;
        let Some(Put { row, preview }) = put else { return Ok(None) };
        is_given_back(self.direct(), &row).await?;
        Ok(Some(ReleasedApproval { given, preview, asked_of: row.asked_of }))
    }

    /// It counts for this drawing of its plan from now on, and for the one that it was given for no more.
    /// The number of the boundary's last event comes back too, if it has any.
    pub async fn take_up_approval(
        &self,
        writer: &Writer,
        mut boundary: Boundary,
        released: &ReleasedApproval,
        again: DrawnAgain,
    ) -> Result<(Recorded<ApprovalGiven>, Option<u64>), ApprovalError> {
        let given = &released.given;
        if !self.registrar().recorded(given) {
            return Err(StoreError::Foreign { what: "evidence" }.into());
        }
        let from = given.body().id();
        let taken = self.registrar().take(gate::taken_up(given, (again.approval, again.blueprint)));
        let taken = taken.map_err(StoreError::from)?;
        let bytes = serde_json::to_vec(&taken).map_err(StoreError::from)?;
        let (evidence, digest) = (bytes.clone(), ContentDigest::of_bytes(&bytes));
        boundary.audit.extend(told(released, &taken, again.words));
        let entry = AuditEntry::new(GIVEN, question::body(&taken, digest));
        let placed = self
            .apply_with(writer, boundary, entry, move |db, at, now| {
                Box::pin(async move { exchange(db, from, &taken, (at, evidence), now).await })
            })
            .await?;
        let taken =
            self.registrar().restore(placed.at, &bytes, digest).map_err(StoreError::from)?;
        Ok((taken, placed.last_event))
    }
}

fn told(
    released: &ReleasedApproval,
    taken: &ApprovalGiven,
    words: ContentDigest,
) -> [AuditEntry; 2] {
    let (from, by) = (released.given.body().id(), &released.asked_of);
    let shown = released.preview.as_ref();
    let shown = shown.map(|preview| ContentDigest::of_bytes(preview.as_bytes()));
    let over = json!({ "approval": from, "digest": taken.digest(), "to": taken.id() });
    let again = json!({
        "approval": taken.id(), "blueprint": taken.blueprint(), "by": by, "digest": taken.digest(),
        "expiresAt": taken.expires_at(), "of": from, "preview": shown,
        "requester": taken.requester(), "words": words,
    });
    [AuditEntry::new(PASSED_ON, over), AuditEntry::new(TAKEN_UP, again)]
}

async fn exchange<C: Writes>(
    db: &C,
    from: ApprovalId,
    taken: &ApprovalGiven,
    (at, evidence): (u64, Vec<u8>),
    now: Timestamp,
) -> Result<(), ApprovalError> {
    // Both in one boundary: of the two one counts, whatever comes in between.
    if execute(db, &PASS_ON, vec![from.uuid().into(), now.unix_ms().into()]).await? != 1 {
        return Err(ApprovalError::Expired);
    }
    let insert = "INSERT INTO approval (id, project, session, blueprint, digest, requester, \
                  asked_of, state, asked_at, expires_at, decided_by, decided_at, at_seq, evidence, \
                  preview, delegation, on_behalf_of) SELECT $1, project, session, $2, digest, \
                  requester, asked_of, 'approved', $3, expires_at, decided_by, $3, $4, $5, preview, \
                  delegation, on_behalf_of FROM approval \
                  WHERE id = $6 AND digest = $7 AND requester = $8 AND decided_by = $9";
    let values = vec![
        taken.id().uuid().into(),
        taken.blueprint().uuid().into(),
        now.unix_ms().into(),
        to_db(at)?.into(),
        evidence.into(),
        from.uuid().into(),
        taken.digest().bytes().to_vec().into(),
        taken.requester().uuid().into(),
        taken.approver().uuid().into(),
    ];
    match execute(db, insert, values).await? {
        1 => Ok(()),
        _ => Err(StoreError::corrupt("an approval that is taken up").into()),
    }
}
