//! Questions for approval. One answer counts, and it is used once.

use crate::{
    account::authority,
    approval::{
        delegation::in_force::{Use, lends, stands},
        edit_row,
        error::ApprovalError,
        escalation_row::{Escalates, EscalationRow},
        quorum::{self, JOINED},
        revocation::Revocation,
        state::ApprovalState,
    },
    audit::{Chain, EVIDENCE, Put, Voucher, question_told},
    database::{
        clock::now,
        column::{digest, from_word, time, word},
        entity::approval,
        number::to_db,
        record_seals::RecordSeals,
        statement::{Reads, Row, Writes, execute, models, only, query_all},
    },
    error::StoreError,
    session::lease::Lease,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde_json::json;
use std::{collections::BTreeMap, sync::LazyLock};
use uuid::Uuid;
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, BlueprintId, ContentDigest, ExecutionId, OnBehalfOf, ProjectId,
    SessionId, Timestamp, UserId,
};
use wiiiv_gate::{ApprovalGiven, ApprovalRequest, PendingQuestion, Recorded, Registrar};

pub(crate) const GIVEN: &str = "approval.given";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRow {
    pub request: ApprovalRequest,
    pub session: SessionId,
    pub state: ApprovalState,
    pub asked_at: Timestamp,
    pub decided_by: Option<UserId>,
    pub decided_at: Option<Timestamp>,
    pub consumed_by: Option<ExecutionId>,
    pub escalation: Option<EscalationRow>,
    /// Whose right it was answered in, where that is another person's.
    pub on_behalf_of: Option<OnBehalfOf>,
    /// Of one that was used: a yes to it was taken back while the run went on.
    pub revoked: Option<Revocation>,
}

impl Store {
    /// To find it and to list it. An answer is to [`Store::question`].
    pub async fn approval(&self, id: ApprovalId) -> Result<Option<ApprovalRow>, StoreError> {
        let row = only(approval::Entity::find_by_id(id.uuid()), self.direct()).await?;
        row.map(ApprovalRow::read).transpose()
    }

    /// A question as it was put, which alone can be answered: its row is compared with its record.
    pub async fn question(
        &self,
        project: ProjectId,
        id: ApprovalId,
    ) -> Result<Option<PendingQuestion>, StoreError> {
        let put = question_told(self.direct(), (project, id), false).await?;
        let Some(Put { row, .. }) = put else { return Ok(None) };
        Ok(Some(self.registrar().asked(request(&row)?)))
    }

    /// What was shown with the question, as its record tells. `None` in data of a build that kept
    /// none.
    pub async fn shown_preview(
        &self,
        project: ProjectId,
        id: ApprovalId,
    ) -> Result<Option<String>, StoreError> {
        let put = question_told(self.direct(), (project, id), true).await?;
        Ok(put.and_then(|put| put.preview))
    }

    /// The approvals that these runs used, also where they were given back: none of those that needed
    /// none. There is an index by plan, and none by run; a plan runs once.
    pub async fn approvals_used_by(
        &self,
        runs: &[(BlueprintId, ExecutionId)],
    ) -> Result<BTreeMap<ExecutionId, ApprovalRow>, StoreError> {
        use approval::Column;
        let plans = runs.iter().map(|(plan, _)| plan.uuid());
        let given = approval::Entity::find()
            .filter(Column::Blueprint.is_in(plans))
            .filter(Column::Evidence.is_not_null());
        let rows = read_all(given.all(self.reader()).await?)?;
        let by_plan: BTreeMap<BlueprintId, ExecutionId> = runs.iter().copied().collect();
        let of_run = |row: ApprovalRow| {
            let run = *by_plan.get(&row.request.blueprint)?;
            row.consumed_by.is_none_or(|by| by == run).then_some((run, row))
        };
        Ok(rows.into_iter().filter_map(of_run).collect())
    }

    /// Questions whose time is over, open or answered and not used, the longest overdue first.
    pub async fn approvals_due(
        &self,
        now: Timestamp,
        rows_max: u64,
    ) -> Result<Vec<ApprovalRow>, StoreError> {
        use approval::Column;
        let query = approval::Entity::find()
            .filter(Column::State.is_in([ApprovalState::Pending, ApprovalState::Approved]))
            .filter(Column::ExpiresAt.lte(now.unix_ms()))
            .order_by_asc(Column::ExpiresAt)
            .limit(rows_max);
        read_all(query.all(self.reader()).await?)
    }

    /// Of one blueprint: given and not yet used, by somebody who still may; and whether one was given by a delegation
    /// that stands no more. One that is older than the digest in its record counts no more: its question is put again.
    pub(crate) async fn approvals_given(
        &self,
        project: ProjectId,
        blueprint: BlueprintId,
    ) -> Result<(Vec<Recorded<ApprovalGiven>>, bool), StoreError> {
        self.given(project, blueprint, (&GIVEN_AND_UNUSED, Some(now()))).await
    }

    /// Of one blueprint: every yes, also one that was used or no longer counts. For looking back: the
    /// commit of a plan takes an approval that stands.
    pub async fn approvals_ever_given(
        &self,
        project: ProjectId,
        blueprint: BlueprintId,
    ) -> Result<Vec<Recorded<ApprovalGiven>>, StoreError> {
        Ok(self.given(project, blueprint, (&EVER_GIVEN, None)).await?.0)
    }

    async fn given(
        &self,
        project: ProjectId,
        blueprint: BlueprintId,
        (sql, at): (&str, Option<Timestamp>),
    ) -> Result<(Vec<Recorded<ApprovalGiven>>, bool), StoreError> {
        let chain = Chain::Project(project);
        let mut values = vec![chain.to_string().into(), blueprint.uuid().into()];
        values.extend(at.map(|at| at.unix_ms().into()));
        let rows = query_all(self.direct(), sql, values).await?;
        let by = (self.registrar(), self.direct().seals());
        let (mut given, mut is_over) = (Vec::new(), false);
        for row in &rows {
            let (kind, stands): (String, i64) = (row.get(5)?, row.get(6)?);
            if stands == 1 {
                given.extend(restored(by, (chain, &kind), row)?);
            } else {
                is_over = true;
            }
        }
        Ok((given, is_over))
    }
}

static EVER_GIVEN: LazyLock<String> = LazyLock::new(|| yeses("TRUE", ("TRUE", "TRUE")));

static GIVEN_AND_UNUSED: LazyLock<String> = LazyLock::new(|| {
    let stand = (approver_stands("$3"), quorum::yes_stands("$3"));
    yeses("approval.state = 'approved'", (&stand.0, &stand.1))
});

/// The one that stands with a question, and those of several people before it, as far as each stands; one by a
/// delegation also where it does not, which the last column tells.
fn yeses(of: &str, (last, joined): (&str, &str)) -> String {
    format!(
        "SELECT approval.id, approval.at_seq, approval.evidence, record.line, record.seal, '{GIVEN}', \
         CASE WHEN {last} THEN 1 ELSE 0 END FROM approval LEFT JOIN audit_record record \
         ON record.chain = $1 AND record.seq = approval.at_seq \
         WHERE approval.blueprint = $2 AND approval.evidence IS NOT NULL AND {of} \
         AND (approval.delegation IS NOT NULL OR {last}) \
         UNION ALL \
         SELECT approval.id, yes.at_seq, yes.evidence, record.line, record.seal, '{JOINED}', \
         CASE WHEN {joined} THEN 1 ELSE 0 END \
         FROM approval JOIN approval_yes yes ON yes.approval = approval.id \
         LEFT JOIN audit_record record ON record.chain = $1 AND record.seq = yes.at_seq \
         WHERE approval.blueprint = $2 AND {of} AND (yes.delegation IS NOT NULL OR {joined})"
    )
}

/// Of a row of `approval`, at the time `now`: a yes to one's own is of who may ask, any other of who may
/// approve, or stands in for somebody who may.
pub(crate) fn approver_stands(now: &str) -> String {
    let (person, project) = ("approval.decided_by", "approval.project");
    let approver = authority::has_role(person, project, authority::APPROVERS);
    let own = authority::has_role(person, project, authority::REQUESTERS);
    let (whose, requester) = ("approval.on_behalf_of", "approval.requester");
    let lent = lends("approval.delegation", &Use { person, whose, requester, project }, now);
    format!(
        "(CASE WHEN approval.delegation IS NULL THEN \
         ({approver} OR (approval.decided_by = approval.requester AND {own})) ELSE {lent} END)"
    )
}

/// Of columns id, at_seq, evidence, line and seal, in this order.
pub(crate) fn restored(
    (registrar, seals): (&Registrar, Option<&RecordSeals>),
    (chain, kind): (Chain, &str),
    row: &Row,
) -> Result<Option<Recorded<ApprovalGiven>>, StoreError> {
    let (at, evidence): (Option<i64>, Option<Vec<u8>>) = (row.get(1)?, row.get(2)?);
    let (at, evidence) = (at.unwrap_or_default(), evidence.unwrap_or_default());
    let voucher = Voucher::in_row((row, 3), (chain, at), kind, seals)?;
    let Some(digest) = voucher.digest()? else { return Ok(None) };
    let given: Recorded<ApprovalGiven> = registrar.restore(voucher.at, &evidence, digest)?;
    let same = given.body().id().uuid() == row.get::<Uuid>(0)?;
    same.then_some(Some(given)).ok_or_else(|| voucher.changed())
}

pub(crate) fn body(given: &ApprovalGiven, evidence: ContentDigest) -> serde_json::Value {
    let mut body = json!({
        EVIDENCE: evidence,
        "approval": given.id(),
        "approver": given.approver(),
        "blueprint": given.blueprint(),
        "digest": given.digest(),
        "event": given.event().to_string(),
        "expiresAt": given.expires_at(),
        "requester": given.requester(),
    });
    if let (Some(lent), Some(members)) = (given.on_behalf_of(), body.as_object_mut()) {
        members.insert("delegation".to_owned(), json!(lent.delegation));
        members.insert("onBehalfOf".to_owned(), json!(lent.delegator));
    }
    body
}

/// As the last of those who have to say yes; nearly always as the only one.
static DECIDE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "UPDATE approval SET state = 'approved', decided_by = $2, decided_at = $3, \
         at_seq = $4, evidence = $5, delegation = $9, on_behalf_of = $10 \
         WHERE id = $1 AND state = 'pending' \
         AND expires_at > $3 AND blueprint = $6 AND digest = $7 AND requester = $8 \
         AND (approvers = 1 OR approvers <= 1 + {})",
        quorum::others(("$2", "COALESCE($10, $2)"), "$3")
    )
});

pub(super) async fn decide<C: Writes>(
    db: &C,
    given: &ApprovalGiven,
    (at, evidence): (u64, Vec<u8>),
    now: Timestamp,
) -> Result<(), ApprovalError> {
    let values = vec![
        given.id().uuid().into(),
        given.approver().uuid().into(),
        now.unix_ms().into(),
        to_db(at)?.into(),
        evidence.into(),
        given.blueprint().uuid().into(),
        given.digest().bytes().to_vec().into(),
        given.requester().uuid().into(),
        given.on_behalf_of().map(|lent| lent.delegation.uuid()).into(),
        given.on_behalf_of().map(|lent| lent.delegator.uuid()).into(),
    ];
    if execute(db, &DECIDE, values).await? == 1 {
        return Ok(());
    }
    Err(why_not(db, given, now).await?)
}

/// A yes that others have to join, and that does not close the question.
pub(super) async fn join<C: Writes>(
    db: &C,
    given: &ApprovalGiven,
    of: (u64, Vec<u8>),
    now: Timestamp,
) -> Result<(), ApprovalError> {
    if quorum::join(db, given, of, now).await? {
        return Ok(());
    }
    Err(why_not(db, given, now).await?)
}

async fn why_not<C: Reads>(
    db: &C,
    given: &ApprovalGiven,
    now: Timestamp,
) -> Result<ApprovalError, StoreError> {
    let Some(row) = only(approval::Entity::find_by_id(given.id().uuid()), db).await? else {
        return Ok(ApprovalError::Unknown);
    };
    let asked = request(&row)?;
    let same = (asked.blueprint, asked.digest, asked.requester)
        == (given.blueprint(), given.digest(), given.requester());
    Ok(match edit_row::state(&row) {
        ApprovalState::Expired => ApprovalError::Expired,
        ApprovalState::Pending if row.expires_at <= now.unix_ms() => ApprovalError::Expired,
        ApprovalState::Pending if same => quorum::why_not(db, given).await?,
        // It names another blueprint, digest or requester than the row.
        ApprovalState::Pending => ApprovalError::Unknown,
        state @ (ApprovalState::Approved
        | ApprovalState::Rejected
        | ApprovalState::Withdrawn
        | ApprovalState::Edited
        | ApprovalState::Consumed) => ApprovalError::AlreadyDecided { state },
    })
}

async fn state_of<C: Reads>(db: &C, id: ApprovalId) -> Result<Option<ApprovalState>, StoreError> {
    let row = only(approval::Entity::find_by_id(id.uuid()), db).await?;
    Ok(row.map(|row| edit_row::state(&row)))
}

pub(crate) async fn ask<C: Writes>(
    db: &C,
    lease: &Lease,
    (request, preview, escalates): (&ApprovalRequest, &str, Option<Escalates>),
    now: Timestamp,
) -> Result<(), StoreError> {
    let insert = "INSERT INTO approval (id, project, session, blueprint, digest, requester, \
                  asked_of, state, asked_at, expires_at, preview, approvers, escalates_at, \
                  escalates_to, editors) VALUES \
                  ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $10, $11, $12, $13, $14)";
    let values = vec![
        request.id.uuid().into(),
        lease.project.uuid().into(),
        lease.session.uuid().into(),
        request.blueprint.uuid().into(),
        request.digest.bytes().to_vec().into(),
        request.requester.uuid().into(),
        word(&request.by)?.into(),
        now.unix_ms().into(),
        request.expires_at.unix_ms().into(),
        preview.into(),
        i64::from(request.approvers).into(),
        escalates.map(|due| due.at.unix_ms()).into(),
        escalates.map(|due| word(&due.to)).transpose()?.into(),
        edit_row::editors_text(&request.editors)?.into(),
    ];
    execute(db, insert, values).await.map(drop)
}

/// On behalf of somebody, only while their delegation stands.
pub(crate) async fn reject<C: Writes>(
    db: &C,
    id: ApprovalId,
    (by, on_behalf_of): (UserId, Option<OnBehalfOf>),
    now: Timestamp,
) -> Result<(), StoreError> {
    if let Some(lent) = on_behalf_of {
        let row = only(approval::Entity::find_by_id(id.uuid()), db).await?;
        let row = row.ok_or(StoreError::NotFound { what: "approval" })?;
        let of = ((row.project.into(), lent.delegation), (by, row.requester.into()));
        if !stands(db, of.0, of.1, now).await? {
            return Err(StoreError::DelegationOver);
        }
    }
    let update = "UPDATE approval SET state = 'rejected', decided_by = $2, decided_at = $3, \
                  delegation = $4, on_behalf_of = $5 \
                  WHERE id = $1 AND state IN ('pending', 'approved')";
    let values = vec![
        id.uuid().into(),
        by.uuid().into(),
        now.unix_ms().into(),
        on_behalf_of.map(|lent| lent.delegation.uuid()).into(),
        on_behalf_of.map(|lent| lent.delegator.uuid()).into(),
    ];
    changed_one(db, id, execute(db, update, values).await?).await
}

pub(crate) async fn expire<C: Writes>(
    db: &C,
    id: ApprovalId,
    now: Timestamp,
) -> Result<(), StoreError> {
    close(db, id, ApprovalState::Expired, now).await
}

pub(crate) async fn withdraw<C: Writes>(
    db: &C,
    id: ApprovalId,
    now: Timestamp,
) -> Result<(), StoreError> {
    match close(db, id, ApprovalState::Withdrawn, now).await {
        // It went with its requester's account, of which the conversation may know nothing yet.
        Err(StoreError::NotPending { state: ApprovalState::Withdrawn }) => Ok(()),
        done => done,
    }
}

/// A question that went with the account of whoever had asked it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawnApproval {
    pub approval: ApprovalId,
    pub project: ProjectId,
    pub session: SessionId,
    pub digest: BlueprintDigest,
}

/// Everything that this person asked for and nobody has used yet, answered or not.
pub(crate) async fn withdraw_all_of<C: Writes>(
    db: &C,
    requester: UserId,
    now: Timestamp,
) -> Result<Vec<WithdrawnApproval>, StoreError> {
    use approval::Column;
    let open = approval::Entity::find()
        .filter(Column::Requester.eq(requester.uuid()))
        .filter(Column::State.is_in([ApprovalState::Pending, ApprovalState::Approved]));
    let rows = models(open, db).await?;
    let mut withdrawn = Vec::with_capacity(rows.len());
    for row in rows {
        close(db, row.id.into(), ApprovalState::Withdrawn, now).await?;
        withdrawn.push(WithdrawnApproval {
            approval: row.id.into(),
            project: row.project.into(),
            session: row.session.into(),
            digest: digest(row.digest, BlueprintDigest::from_bytes, "an approval's digest")?,
        });
    }
    Ok(withdrawn)
}

/// Whatever was not used yet can still be closed.
async fn close<C: Writes>(
    db: &C,
    id: ApprovalId,
    state: ApprovalState,
    now: Timestamp,
) -> Result<(), StoreError> {
    let update = "UPDATE approval SET state = $2, decided_at = $3 \
                  WHERE id = $1 AND state IN ('pending', 'approved')";
    let values = vec![id.uuid().into(), state.into(), now.unix_ms().into()];
    changed_one(db, id, execute(db, update, values).await?).await
}

pub(super) async fn changed_one<C: Reads>(
    db: &C,
    id: ApprovalId,
    changed: u64,
) -> Result<(), StoreError> {
    if changed == 1 {
        return Ok(());
    }
    let state = state_of(db, id).await?.ok_or(StoreError::NotFound { what: "approval" })?;
    Err(StoreError::NotPending { state })
}

impl ApprovalRow {
    pub(super) fn read(row: approval::Model) -> Result<Self, StoreError> {
        Ok(Self {
            request: request(&row)?,
            session: row.session.into(),
            state: edit_row::state(&row),
            asked_at: time(row.asked_at),
            decided_by: row.decided_by.map(Into::into),
            decided_at: row.decided_at.map(time),
            consumed_by: row.consumed_by.map(Into::into),
            escalation: EscalationRow::read(&row)?,
            on_behalf_of: quorum::on_behalf_of((row.delegation, row.on_behalf_of)),
            revoked: Revocation::read(&row),
        })
    }
}

pub(super) fn read_all(rows: Vec<approval::Model>) -> Result<Vec<ApprovalRow>, StoreError> {
    rows.into_iter().map(ApprovalRow::read).collect()
}

fn request(row: &approval::Model) -> Result<ApprovalRequest, StoreError> {
    let of_plan = digest(row.digest.clone(), BlueprintDigest::from_bytes, "an approval's digest")?;
    Ok(ApprovalRequest {
        id: row.id.into(),
        blueprint: row.blueprint.into(),
        digest: of_plan,
        requester: row.requester.into(),
        project: row.project.into(),
        by: from_word(&row.asked_of, "an approval's rule")?,
        approvers: u8::try_from(row.approvers)
            .map_err(|_| StoreError::corrupt("an approval's number of people"))?,
        editors: edit_row::editors(row)?,
        expires_at: time(row.expires_at),
    })
}
