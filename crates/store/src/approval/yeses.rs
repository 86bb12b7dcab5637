//! The yeses to a question as they are shown: everybody's, the oldest first. Of a question that a run has used,
//! those count that the run's ruling counted, whatever became of the rights since.

use crate::{
    approval::{question::ApprovalRow, quorum::QuorumYes, state::ApprovalState},
    audit::{Chain, DECISION, Voucher},
    database::{
        record_seals::RecordSeals,
        statement::{Reads as _, Row, query_all},
    },
    error::StoreError,
    store::Store,
};
use serde_json::Value;
use std::collections::BTreeMap;
use wiiiv_domain::{ApprovalId, ExecutionId, ProjectId};
use wiiiv_gate::{CountedYes, DecisionRecord};

const RULINGS: &str = "SELECT execution.at_seq, record.line, record.seal FROM execution \
                       LEFT JOIN audit_record record \
                       ON record.chain = $1 AND record.seq = execution.at_seq \
                       WHERE execution.id IN";

impl Store {
    /// Of each of these questions; a person is named once. For views: nothing is decided by it.
    pub async fn yeses_to(
        &self,
        asked: &[&ApprovalRow],
    ) -> Result<BTreeMap<ApprovalId, Vec<QuorumYes>>, StoreError> {
        let several = || asked.iter().filter(|row| row.request.approvers > 1);
        let ids: Vec<ApprovalId> = several().map(|row| row.request.id).collect();
        let mut found = self.quorum_yeses(&ids).await?;
        let mut runs: BTreeMap<ProjectId, Vec<ExecutionId>> = BTreeMap::new();
        for row in several() {
            runs.entry(row.request.project).or_default().extend(row.consumed_by);
        }
        let counted = self.counted(runs).await?;
        for row in asked {
            let yeses = found.entry(row.request.id).or_default();
            yeses.extend(last_yes(row));
            // Where one person is asked, it is that person's.
            if row.consumed_by.is_some() && row.request.approvers > 1 {
                for yes in yeses.iter_mut() {
                    yes.counts = counted.iter().any(|one| {
                        (one.approval, one.approver, one.on_behalf_of)
                            == (row.request.id, yes.approver, yes.on_behalf_of)
                    });
                }
            }
            once(yeses);
        }
        Ok(found)
    }

    /// Those of the rulings by which these runs began. Of a ruling that cannot be read there are none, so that one
    /// does not keep a whole list from being shown.
    async fn counted(
        &self,
        runs: BTreeMap<ProjectId, Vec<ExecutionId>>,
    ) -> Result<Vec<CountedYes>, StoreError> {
        let mut counted = Vec::new();
        for (project, runs) in runs.into_iter().filter(|(_, runs)| !runs.is_empty()) {
            let chain = Chain::Project(project);
            // The first is the chain.
            let places: Vec<String> = (2..=runs.len() + 1).map(|nth| format!("${nth}")).collect();
            let sql = format!("{RULINGS} ({})", places.join(", "));
            let ids = runs.iter().map(|run| run.uuid().into());
            let values = std::iter::once(chain.to_string().into()).chain(ids).collect();
            for row in query_all(self.direct(), &sql, values).await? {
                match counted_in(&row, chain, self.direct().seals()) {
                    Ok(yeses) => counted.extend(yeses),
                    Err(StoreError::Tampered { .. } | StoreError::Corrupt { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(counted)
    }
}

fn counted_in(
    row: &Row,
    chain: Chain,
    seals: Option<&RecordSeals>,
) -> Result<Vec<CountedYes>, StoreError> {
    let place: (Chain, i64) = (chain, row.get(0)?);
    let ruling = Voucher::in_row((row, 1), place, DECISION, seals)?;
    let ruling: DecisionRecord = serde_json::from_value(Value::Object(ruling.body().clone()))?;
    Ok(ruling.yeses_counted())
}

/// The yes that stands with the question itself. One that was withdrawn with an answer had it, since a gate said no
/// behind it; so had one that expired with an answer, since nothing used it in time.
fn last_yes(row: &ApprovalRow) -> Option<QuorumYes> {
    let given = match row.state {
        ApprovalState::Approved
        | ApprovalState::Consumed
        | ApprovalState::Withdrawn
        | ApprovalState::Expired => true,
        ApprovalState::Pending | ApprovalState::Rejected | ApprovalState::Edited => false,
    };
    let (approver, at) = row.decided_by.zip(row.decided_at).filter(|_| given)?;
    Some(QuorumYes { approver, on_behalf_of: row.on_behalf_of, at, counts: true })
}

/// Whoever said the last one may have said one before that did not count then: the one that counts is told.
fn once(yeses: &mut Vec<QuorumYes>) {
    let Some(last) = yeses.pop() else { return };
    let is_theirs = |yes: &QuorumYes| yes.approver == last.approver;
    if last.counts || !yeses.iter().any(|yes| is_theirs(yes) && yes.counts) {
        yeses.retain(|yes| !is_theirs(yes));
        yeses.push(last);
    }
}
