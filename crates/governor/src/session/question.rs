//! Puts a question before a person, again, or withdraws it.

use crate::{
    audit, clock, reply,
    session::{Session, SessionFault},
};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, BlueprintId, ContentDigest, EventBody, FlowEffect,
    ReplyCode, TurnId,
};
use wiiiv_flow::StateName;
use wiiiv_gate::ApprovalRequest;
use wiiiv_store::{AuditEntry, Write};

impl Session {
    /// T1: one question a digest, with a preview rendered from the plan.
    pub async fn ask_person(
        &mut self,
        turn: TurnId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
        by: ApprovalBy,
    ) -> Result<(), SessionFault> {
        let plan = self.plan(blueprint, digest).await?;
        let policy = self.policy().await?;
        let rules = policy.project_policy().approval;
        let risky = plan.spec_snapshot.deliberation.risky;
        let ttl_seconds = if risky { rules.risky.ttl_seconds } else { rules.normal.ttl_seconds };
        let request = ApprovalRequest {
            id: clock::fresh::<ApprovalId>(),
            blueprint,
            digest,
            requester: plan.spec_snapshot.requester,
            project: self.journal.row.project,
            by,
            expires_at: clock::now().plus_seconds(i64::from(ttl_seconds)),
        };
        let (text, preview) = reply::preview(self, &plan, digest, Some(by)).await?;
        let approval = request.id;
        if let Some(kept) = self.work.plans.get_mut(&digest) {
            kept.approval = Some(approval);
        }
        let body = serde_json::json!({
            "approval": approval, "blueprint": blueprint, "digest": digest, "by": by,
            "expiresAt": request.expires_at, "requester": request.requester,
            "preview": ContentDigest::of_bytes(preview.as_bytes()),
            "words": self.journal.row.salt.digest_of(&text),
        });
        self.journal.audit(AuditEntry::new("approval.asked", body));
        self.journal.write(Write::AskApproval { request, preview });
        self.work.set_outcome("pending");
        self.tell(turn, EventBody::Previewed { approval, blueprint, digest, text });
        Ok(())
    }

    /// Nobody can approve it any more.
    pub fn withdraw(&mut self, digest: BlueprintDigest) {
        let asked = self.work.approval(digest);
        if let Some(id) = asked.filter(|id| !self.journal.pending.closes(*id)) {
            self.journal.audit(audit::approval("withdrawn", id, digest, None));
            self.journal.write(Write::WithdrawApproval { id });
        }
        self.conversation.hide(digest);
    }

    /// For an answer sent before its question was put, and after a crash before it was put.
    /// `false`: no question.
    pub async fn put_again(&mut self, turn: TurnId) -> Result<bool, SessionFault> {
        let Some(effect) = self.question() else { return Ok(false) };
        self.perform(turn, effect).await?;
        Ok(true)
    }

    fn question(&self) -> Option<FlowEffect> {
        let task = self.flow.active()?;
        match task.state {
            StateName::Interviewing => {
                let (task_type, missing) = (task.task_type, task.missing);
                Some(FlowEffect::Ask { task_type, missing, message: String::new() })
            }
            StateName::ConfirmingWorkOrder => {
                Some(FlowEffect::ConfirmWorkOrder { task: task.id, spec: self.flow.spec()? })
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
}
