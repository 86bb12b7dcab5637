//! Puts a question before a person, again, or withdraws it.

use crate::{
    audit, clock, reply,
    session::{Session, SessionFault},
};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, Blueprint, BlueprintDigest, BlueprintId, ContentDigest, EventBody,
    FlowEffect, ReplyCode, TurnId,
};
use wiiiv_flow::{FlowState, StateName};
use wiiiv_gate::{ApprovalRequest, PolicySnapshot};
use wiiiv_store::{AuditEntry, Escalates, Write};

/// T1: one question a digest, with a preview rendered from the plan.
pub async fn ask_person(
    session: &mut Session,
    turn: TurnId,
    blueprint: BlueprintId,
    digest: BlueprintDigest,
    by: ApprovalBy,
) -> Result<(), SessionFault> {
    let plan = session.work.plan(&session.journal.records, blueprint, digest).await?;
    let policy = session.journal.records.policy().await?;
    let rules = policy.policy_for(plan.spec_snapshot.spec.task_type).project_policy().approval;
    let rule = rules.rule(plan.spec_snapshot.deliberation.risky);
    let approvers = approvers(session, &plan, &policy).await?;
    let now = clock::now();
    let escalates = rules.escalation.map(|escalation| {
        let at = now.plus_seconds(escalation.after_seconds(rule.ttl_seconds));
        Escalates { at, to: escalation.to }
    });
    let request = ApprovalRequest {
        id: clock::fresh::<ApprovalId>(),
        blueprint,
        digest,
        requester: plan.spec_snapshot.requester,
        project: session.journal.row.project,
        by,
        approvers,
        editors: plan.spec_snapshot.editors(),
        expires_at: now.plus_seconds(i64::from(rule.ttl_seconds)),
    };
    let (text, preview) = reply::preview(session, &plan, digest, Some(by)).await?;
    let approval = request.id;
    session.work.set_approval(digest, Some(approval));
    let mut body = serde_json::json!({
        "approval": approval, "blueprint": blueprint, "digest": digest, "by": by,
        "expiresAt": request.expires_at, "requester": request.requester,
        "preview": ContentDigest::of_bytes(preview.as_bytes()),
        "words": session.journal.row.salt.digest_of(&text),
    });
    if let (2.., Some(members)) = (approvers, body.as_object_mut()) {
        members.insert("approvers".to_owned(), approvers.into());
    }
    if let (false, Some(members)) = (request.editors.is_empty(), body.as_object_mut()) {
        members.insert("editors".to_owned(), serde_json::json!(request.editors));
    }
    if let (Some(due), Some(members)) = (escalates, body.as_object_mut()) {
        members.insert("escalatesAt".to_owned(), serde_json::json!(due.at));
        members.insert("escalatesTo".to_owned(), serde_json::json!(due.to));
    }
    session.journal.audit(AuditEntry::new("approval.asked", body));
    session.journal.write(Write::AskApproval { request, preview, escalates });
    session.work.set_outcome("pending");
    session.tell(turn, EventBody::Previewed { approval, blueprint, digest, text });
    Ok(())
}

/// How many people the gate will ask for. Nothing is read where every rule asks one.
pub async fn approvers(
    session: &Session,
    plan: &Blueprint,
    policy: &PolicySnapshot,
) -> Result<u8, SessionFault> {
    let rules = policy.policy_for(plan.spec_snapshot.spec.task_type).project_policy().approval;
    if rules.rule(true).approvers <= 1 {
        return Ok(1);
    }
    let standing = session.journal.records.standing().await?;
    Ok(session.runtime.deps.keeper.approvers(plan, policy, &standing))
}

/// Nobody can approve it any more.
pub fn withdraw(session: &mut Session, digest: BlueprintDigest) {
    let asked = session.work.approval(digest);
    if let Some(id) = asked.filter(|id| !session.journal.pending.closes(*id)) {
        session.journal.audit(audit::approval("withdrawn", id, digest, None));
        session.journal.write(Write::WithdrawApproval { id });
    }
    session.conversation.hide(digest);
}

/// For an answer sent before its question was put, and after a crash before it was put.
/// `false`: no question.
pub async fn put_again(session: &mut Session, turn: TurnId) -> Result<bool, SessionFault> {
    let Some(effect) = question(&session.flow) else { return Ok(false) };
    session.perform(turn, effect).await?;
    Ok(true)
}

fn question(flow: &FlowState) -> Option<FlowEffect> {
    let task = flow.active()?;
    match task.state {
        StateName::Interviewing => {
            let (task_type, missing) = (task.task_type, task.missing);
            Some(FlowEffect::Ask { task_type, missing, message: String::new() })
        }
        StateName::ConfirmingWorkOrder => {
            Some(FlowEffect::ConfirmWorkOrder { task: task.id, spec: flow.spec()? })
        }
        StateName::Confirming | StateName::AwaitingApproval => {
            let digest = task.question?.digest;
            Some(FlowEffect::Reply { reply: ReplyCode::Waiting { digest } })
        }
        StateName::Listening
        | StateName::Proposing
        | StateName::Deliberating
        | StateName::Drawing
        | StateName::Authorizing
        | StateName::Running
        | StateName::Queued => None,
    }
}
