//! A receipt: the decision on one execution and its basis, tied to the chain by an own record and
//! an inclusion proof.

use super::{
    AuditFilter, Chain,
    call_rows::examine_call,
    line::{Hash, make_exact},
    merkle::{Span, Tree, siblings},
    proof::prove_chain,
};
use crate::{
    approval::{
        edit::EditedApproval, inbox::ApprovalFilter, question::ApprovalRow, quorum::QuorumYes,
    },
    database::{
        clock::now,
        column::{document, word},
        entity::{audit_checkpoint, audit_record, model_call},
        number::to_db,
        statement::{models, only},
    },
    error::StoreError,
    grant::{listed::GrantUse, row::USED},
    run::{attempt::AttemptRow, execution::ExecutionRow},
    store::Store,
    writer::{boundary::AuditEntry, point::Point},
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use wiiiv_domain::{ExecutionId, OnBehalfOf, StepOutcome, canonical};

/// Hashes read at a time for a proof.
const PAGE_HASHES: u64 = 10_000;

impl Store {
    /// Canonical JSON, as `docs/audit-export.md` has it. Asking for one is itself recorded. Refused
    /// where a row that it tells of is not as the audit does: nothing is signed for it.
    pub async fn receipt(&self, execution: ExecutionId) -> Result<Vec<u8>, StoreError> {
        self.examine_execution(execution).await?;
        let row = self.execution(execution).await?;
        let row = row.ok_or(StoreError::NotFound { what: "execution" })?;
        let chain = Chain::Project(row.project);
        let mut receipt = self.receipt_content(&row).await?;
        make_exact(&mut receipt);
        let digest = hex::encode(Sha256::digest(canonical(&receipt)?));
        let body = json!({ "execution": execution, "receipt_sha256": digest });
        let entry = AuditEntry::new("receipt.issued", body);
        let at = now();
        let seq = self
            .write(Point::P, move |tx| Box::pin(async move { tx.record(chain, at, entry).await }))
            .await?;
        let head = self.signed_head(chain).await?;
        prove_chain(self.reader(), self.signer(), chain, &head).await?;
        self.sealed_receipt(chain, receipt, seq, head.tree.size).await
    }

    async fn sealed_receipt(
        &self,
        chain: Chain,
        receipt: Value,
        seq: u64,
        size: u64,
    ) -> Result<Vec<u8>, StoreError> {
        let key = (chain.to_string(), to_db(seq)?);
        let record = only(audit_record::Entity::find_by_id(key), self.reader()).await?;
        let record = record.ok_or_else(|| StoreError::corrupt("an audit record"))?;
        let key = (chain.to_string(), to_db(size)?);
        let signed = only(audit_checkpoint::Entity::find_by_id(key), self.reader()).await?;
        let signed = signed.ok_or_else(|| StoreError::corrupt("a checkpoint"))?;
        let mut sealed: Map<String, Value> = document(&signed.line, "a checkpoint")?;
        let mut path: Vec<String> = Vec::new();
        for span in siblings(seq - 1, size) {
            path.push(hex::encode(self.root_of(chain, span).await?));
        }
        let proof =
            json!({ "index": (seq - 1).to_string(), "path": path, "size": size.to_string() });
        sealed.insert("proof".to_owned(), proof);
        sealed.insert("receipt".to_owned(), receipt);
        sealed.insert("record".to_owned(), document(&record.line, "an audit record")?);
        Ok(canonical(&sealed)?)
    }

    async fn root_of(&self, chain: Chain, span: Span) -> Result<Hash, StoreError> {
        use audit_record::Column;
        let mut tree = Tree::default();
        while tree.size < span.length {
            let rest = PAGE_HASHES.min(span.length - tree.size);
            let hashes: Vec<Vec<u8>> = audit_record::Entity::find()
                .select_only()
                .column(Column::Hash)
                .filter(Column::Chain.eq(chain.to_string()))
                .filter(Column::Seq.gt(to_db(span.start + tree.size)?))
                .order_by_asc(Column::Seq)
                .limit(rest)
                .into_tuple()
                .all(self.reader())
                .await?;
            if hashes.is_empty() {
                return Err(StoreError::corrupt("the audit chain"));
            }
            for hash in hashes {
                let hash = hash.try_into().map_err(|_| StoreError::corrupt("a record's hash"))?;
                tree.push(&hash);
            }
        }
        Ok(tree.root())
    }

    async fn receipt_content(&self, run: &ExecutionRow) -> Result<Value, StoreError> {
        let plan = self.blueprint_row(run.blueprint).await?;
        let plan = plan.ok_or_else(|| StoreError::corrupt("an execution's blueprint"))?;
        let attempts = self.attempts(run.id).await?;
        let filter = ApprovalFilter { session: Some(run.session), ..ApprovalFilter::default() };
        let approvals = self.approvals(&filter).await?;
        let approvals = approvals.iter().filter(|row| row.consumed_by == Some(run.id));
        let several = approvals.clone().filter(|row| row.request.approvers > 1);
        let yeses = self.yeses_to(&several.collect::<Vec<_>>()).await?;
        let approval = |row: &ApprovalRow| approval(row, yeses.get(&row.request.id));
        let edits = self.edits_of(run.session, plan.task).await?;
        let granted = self.grants_used_by(&[run.blueprint]).await?;
        let mut about = vec![run.id.uuid(), run.blueprint.uuid()];
        about.extend(edits.iter().map(|edit| edit.approval.uuid()));
        let calls = self.calls_of(plan.task.uuid()).await?;
        about.extend(calls.iter().map(|call| call.id));
        let mut told = json!({
            "approvals": approvals.map(approval).collect::<Vec<_>>(),
            "blueprint": run.blueprint,
            "blueprintDigest": run.digest,
            "calls": calls.iter().map(call).collect::<Result<Vec<_>, _>>()?,
            "decision": self.decision(run).await?,
            "effect": plan.effect,
            "execution": run.id,
            "finishedAt": run.finished_at,
            "project": run.project,
            "records": self.records_about(run, &about, &granted).await?,
            "requester": plan.requester,
            "session": run.session,
            "specDigest": plan.spec_digest,
            "startedAt": run.started_at,
            "state": run.state.as_str(),
            "steps": attempts.iter().map(step).collect::<Result<Vec<_>, _>>()?,
            "taskType": plan.task_type,
            "version": 1,
        });
        if let (false, Some(members)) = (edits.is_empty(), told.as_object_mut()) {
            members.insert("edits".to_owned(), edits.iter().map(edited).collect());
        }
        // A receipt of a run that rests on none is as it always was.
        if let (false, Some(members)) = (granted.is_empty(), told.as_object_mut()) {
            members.insert("grants".to_owned(), granted.iter().map(grant).collect());
        }
        Ok(told)
    }

    /// The four answers, with their figures.
    async fn decision(&self, run: &ExecutionRow) -> Result<Value, StoreError> {
        let filter = AuditFilter {
            before: Some(run.decision + 1),
            limit: Some(1),
            ..AuditFilter::default()
        };
        let rows = self.audit_search(Chain::Project(run.project), &filter).await?;
        rows.into_iter()
            .find(|row| row.seq == run.decision)
            .map(|row| row.body)
            .ok_or_else(|| StoreError::corrupt("an execution's decision"))
    }

    async fn calls_of(&self, task: Uuid) -> Result<Vec<model_call::Model>, StoreError> {
        let of = model_call::Entity::find().filter(model_call::Column::Task.eq(task));
        let rows = models(of.order_by_asc(model_call::Column::Id), self.direct()).await?;
        for row in &rows {
            examine_call(self.direct(), row).await?;
        }
        Ok(rows)
    }

    /// The other records that speak of it: opinions, prompt hashes, questions, steps, and its own uses of grants.
    async fn records_about(
        &self,
        run: &ExecutionRow,
        ids: &[Uuid],
        granted: &[GrantUse],
    ) -> Result<Vec<Value>, StoreError> {
        let (chain, own) = (Chain::Project(run.project), json!(run.id));
        let about = |id: &Uuid| AuditFilter { about: Some(*id), ..AuditFilter::default() };
        let uses =
            |of: &GrantUse| AuditFilter { kind: Some(USED.to_owned()), ..about(&of.grant.uuid()) };
        let filters = ids.iter().map(about).chain(granted.iter().map(uses));
        let mut records = Vec::new();
        for filter in filters {
            let rows = self.audit_search(chain, &filter).await?.into_iter();
            for row in
                rows.filter(|row| row.kind != USED || row.body.get("execution") == Some(&own))
            {
                let (seq, hash) = (row.seq.to_string(), hex::encode(row.hash));
                let record =
                    json!({ "body": row.body, "hash": hash, "kind": row.kind, "seq": seq });
                records.push((row.seq, record));
            }
        }
        records.sort_by_key(|(seq, _)| *seq);
        Ok(records.into_iter().map(|(_, record)| record).collect())
    }
}

/// `yeses`: everybody's, where several people have to say it. Told are those that the ruling counted.
fn approval(row: &ApprovalRow, yeses: Option<&Vec<QuorumYes>>) -> Value {
    let told = json!({
        "approval": row.request.id,
        "approver": row.decided_by,
        "at": row.decided_at,
        "digest": row.request.digest,
        "expiresAt": row.request.expires_at,
        "requester": row.request.requester,
    });
    let mut told = on_behalf(told, row.on_behalf_of);
    if let (Some(revoked), Some(members)) = (row.revoked, told.as_object_mut()) {
        members.insert("revokedAt".to_owned(), json!(revoked.at));
        members.insert("revokedBy".to_owned(), json!(revoked.by));
    }
    if let (Some(yeses), Some(members)) = (yeses, told.as_object_mut()) {
        let yes = |yes: &QuorumYes| {
            on_behalf(json!({ "approver": yes.approver, "at": yes.at }), yes.on_behalf_of)
        };
        let is_other = |yes: &&QuorumYes| yes.counts && Some(yes.approver) != row.decided_by;
        members.insert("others".to_owned(), yeses.iter().filter(is_other).map(yes).collect());
        members.insert("approvers".to_owned(), row.request.approvers.into());
    }
    told
}

/// What was proposed, and what was decided: what takes effect is the receipt's own plan.
fn edited(edit: &EditedApproval) -> Value {
    json!({
        "approval": edit.approval,
        "at": edit.at,
        "blueprint": edit.blueprint,
        "digest": edit.digest,
        "editor": edit.by,
        "from": edit.from,
        "to": edit.to,
    })
}

/// What was used of a yes that was said beforehand.
fn grant(used: &GrantUse) -> Value {
    json!({
        "at": used.at, "grant": used.grant, "granter": used.granter, "taken": used.taken,
    })
}

/// With whose right it was said in, where that is another person's.
fn on_behalf(mut yes: Value, of: Option<OnBehalfOf>) -> Value {
    if let (Some(lent), Some(members)) = (of, yes.as_object_mut()) {
        members.insert("delegation".to_owned(), json!(lent.delegation));
        members.insert("onBehalfOf".to_owned(), json!(lent.delegator));
    }
    yes
}

fn call(row: &model_call::Model) -> Result<Value, StoreError> {
    let read = |text: &Option<String>| {
        text.as_deref().map(|text| document::<Value>(text, "a call's usage")).transpose()
    };
    Ok(json!({
        "amount": read(&row.amount)?,
        "call": row.id,
        "model": row.model,
        "provider": row.provider,
        "usage": read(&row.usage)?,
    }))
}

/// Without the texts that a failure has for people.
fn step(row: &AttemptRow) -> Result<Value, StoreError> {
    let outcome = match &row.outcome {
        None => Value::Null,
        Some(StepOutcome::Success { output }) => json!({
            "kind": "success",
            "digest": output.digest,
            "sizeBytes": output.size_bytes.to_string(),
            "status": output.status,
        }),
        Some(StepOutcome::Failure { failure }) => json!({
            "kind": "failure",
            "category": failure.category,
            "code": failure.code,
            "effectUnknown": failure.effect_unknown,
        }),
        Some(StepOutcome::Cancelled { .. }) => json!({ "kind": "cancelled" }),
    };
    Ok(json!({
        "attempt": row.attempt,
        "finishedAt": row.finished_at,
        "outcome": outcome,
        "resolution": row.resolution.as_ref().map(word).transpose()?,
        "startedAt": row.started_at,
        "step": row.step,
    }))
}
