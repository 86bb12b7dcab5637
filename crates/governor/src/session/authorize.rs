//! T1: rules on a plan and commits the claim; the permit follows from the commit.

use crate::{
    clock,
    config::COMMIT_ATTEMPTS_MAX,
    qualification::has_unverified,
    session::{Case, Plan, Session, SessionFault, Verdict},
};
use std::sync::Arc;
use wiiiv_domain::{
    Blueprint, BlueprintDigest, BlueprintId, DenyCode, EventBody, ExecutionId, FlowInput, Grounds,
    RulingOutcome, TurnId,
};
use wiiiv_gate::{Denied, EvidenceSet, PolicySnapshot, Purpose, RunPermit};
use wiiiv_store::{ApprovalFilter, AuditEntry, Moved, Point};

/// What a ruling on a plan came to.
#[expect(clippy::large_enum_variant, reason = "one at a time, moved once")]
pub enum Authorization {
    Permitted(RunPermit),
    /// With the grounds, if the review's NO was among the reasons.
    Denied(Vec<DenyCode>, Option<Grounds>),
    /// Nothing was decided, and nothing written.
    Unavailable(SessionFault),
}

/// The turn and digest of the flow's ruling input; `None` on a resume.
pub type Tells = Option<(TurnId, BlueprintDigest)>;

/// What may be on record of a plan that is ruled on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnRecord {
    /// It was drawn just now.
    Nothing,
    Questions,
    /// Its execution was authorized before.
    Start,
}

impl Session {
    pub async fn plan(
        &mut self,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<Arc<Blueprint>, SessionFault> {
        if let Some(plan) = self.work.plans.get(&digest) {
            return Ok(plan.blueprint.clone());
        }
        let missing = || SessionFault::other(format!("blueprint `{blueprint}` is missing"));
        let stored = self.journal.records.blueprint(blueprint).await?.ok_or_else(missing)?;
        // INVARIANT: the plan that was judged, shown and approved is the one that is read.
        if stored.blueprint.digest().ok() != Some(digest) {
            let why = format!("blueprint `{blueprint}` is not as it was drawn");
            return Err(SessionFault::other(why));
        }
        let session = Some(self.journal.row.id);
        let asked =
            ApprovalFilter { session, blueprint: Some(blueprint), ..ApprovalFilter::default() };
        let rows = self.runtime.deps.store.approvals(&asked).await?;
        let blueprint = Arc::new(stored.blueprint);
        let row = rows.into_iter().find(|row| row.request.digest == digest);
        let approval = row.map(|row| row.request.id);
        let plan = Plan { blueprint: blueprint.clone(), approval, is_new: false };
        self.work.keep_plan(digest, plan);
        Ok(blueprint)
    }

    /// The flow's step is part of the ruling's boundary, so a later cancel finds the run begun.
    pub async fn authorize(
        &mut self,
        turn: TurnId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<Vec<FlowInput>, SessionFault> {
        let plan = self.plan(blueprint, digest).await?;
        let kept = self.work.plans.get_mut(&digest);
        let (is_new, unasked) = kept.map_or((false, false), |kept| {
            (std::mem::take(&mut kept.is_new), kept.approval.is_none())
        });
        let started = match is_new {
            true => Ok(None),
            false => self.runtime.deps.store.execution_of(plan.id).await,
        };
        let authorization = match started {
            Ok(row) => {
                let on_record = match &row {
                    Some(_) => OnRecord::Start,
                    None if is_new && unasked => OnRecord::Nothing,
                    None => OnRecord::Questions,
                };
                let execution = row.map_or_else(clock::fresh, |row| row.id);
                let tells = Some((turn, digest));
                self.ruled(plan.as_ref().clone(), (execution, on_record), tells).await?
            }
            Err(error) => Authorization::Unavailable(error.into()),
        };
        let ruling = match authorization {
            Authorization::Permitted(permit) => {
                let execution = permit.execution();
                self.work.permit = Some(permit);
                RulingOutcome::Allow { execution }
            }
            Authorization::Denied(codes, under) => {
                // The approval of a denied plan cannot be used any more.
                self.withdraw(digest);
                RulingOutcome::Deny { codes, under }
            }
            Authorization::Unavailable(fault) => {
                let (session, why) = (self.journal.row.id, fault.told());
                tracing::warn!(%session, why, "nothing was decided");
                let ruling = RulingOutcome::Unavailable;
                return Ok(vec![FlowInput::Ruling { digest, ruling }]);
            }
        };
        let stepped = self.stepped(FlowInput::Ruling { digest, ruling });
        self.flow = stepped.next;
        let mut inputs = Vec::new();
        for effect in stepped.effects {
            inputs.extend(Box::pin(self.perform(turn, effect)).await?);
        }
        Ok(inputs)
    }

    /// permits.md 3: gather, rule, commit, seal; again where the commit found a change.
    pub async fn ruled(
        &mut self,
        mut plan: Blueprint,
        (execution, on_record): (ExecutionId, OnRecord),
        tells: Tells,
    ) -> Result<Authorization, SessionFault> {
        for _ in 0..COMMIT_ATTEMPTS_MAX {
            let (policy, evidence, purpose) =
                match self.gathered(&plan, (execution, on_record)).await {
                    Ok(gathered) => gathered,
                    Err(fault) => return Ok(Authorization::Unavailable(fault)),
                };
            let rules = self.runtime.deps.keeper.dacs_rules();
            let under = Grounds { rules, policy: policy.version() };
            let case = Case { purpose, subject: plan, policy, evidence, at: clock::now() };
            let note = |session: &Self, denied: Option<&Denied>| {
                let ruling = match denied {
                    None => RulingOutcome::Allow { execution },
                    Some(denied) => denial(denied.codes(), under),
                };
                session.tells(tells, ruling)
            };
            plan = match self.rule(Point::T1, case, note).await? {
                Verdict::Permitted(permit) => return Ok(Authorization::Permitted(permit.begin())),
                Verdict::Denied(codes) => {
                    let under = codes.contains(&DenyCode::DacsNo).then_some(under);
                    return Ok(Authorization::Denied(codes, under));
                }
                Verdict::Moved(moved, plan) => match final_of(moved) {
                    Some(finding) => return self.denied_by_code(finding, tells).await,
                    None => plan,
                },
                Verdict::Mismatched(why) => {
                    tracing::warn!(%why, "evidence of another subject");
                    let finding = (DenyCode::EvidenceMismatch, "ruling.mismatch");
                    return self.denied_by_code(finding, tells).await;
                }
            };
        }
        Ok(Authorization::Unavailable(SessionFault::other("the world moved each time")))
    }

    fn tells(&self, tells: Tells, ruling: RulingOutcome) -> Option<(TurnId, EventBody)> {
        let (turn, digest) = tells?;
        Some((turn, self.stepped(FlowInput::Ruling { digest, ruling }).event))
    }

    /// Denied without a ruling, and on record.
    async fn denied_by_code(
        &mut self,
        (code, kind): (DenyCode, &str),
        tells: Tells,
    ) -> Result<Authorization, SessionFault> {
        let codes = vec![code];
        let ruling = RulingOutcome::Deny { codes: codes.clone(), under: None };
        if let Some((turn, body)) = self.tells(tells, ruling) {
            self.journal.event(turn, body);
        }
        self.journal.audit(AuditEntry::new(kind, serde_json::json!({"codes": codes})));
        self.flush(Point::T1).await?;
        Ok(Authorization::Denied(codes, None))
    }

    async fn gathered(
        &self,
        plan: &Blueprint,
        (execution, on_record): (ExecutionId, OnRecord),
    ) -> Result<(Arc<PolicySnapshot>, EvidenceSet, Purpose), SessionFault> {
        let (store, policy) = (&self.runtime.deps.store, self.policy().await?);
        let mut evidence = match on_record {
            OnRecord::Nothing => store.evidence_unasked(plan, clock::now()).await?,
            OnRecord::Questions | OnRecord::Start => store.evidence(plan, clock::now()).await?,
        };
        let rules = policy.project_policy();
        evidence.standing.unverified =
            has_unverified(&self.runtime.deps, (plan.project, plan.session), rules).await?;
        if on_record != OnRecord::Start {
            return Ok((policy, evidence, Purpose::Start(execution)));
        }
        let missing = || SessionFault::other(format!("`{execution}` never started"));
        let start = store.execution_started(execution).await?.ok_or_else(missing)?;
        Ok((policy, evidence, Purpose::Resume(start)))
    }
}

/// The code and record of a change that another ruling would not mend: the requester lost the right, or a
/// system is not the one that was shown. What would be sent to it now takes a new question.
const fn final_of(moved: Moved) -> Option<(DenyCode, &'static str)> {
    match moved {
        Moved::AuthorityGone => Some((DenyCode::RequesterNotAllowed, "ruling.requester_gone")),
        Moved::SystemChanged => Some((DenyCode::SystemChanged, "ruling.system_changed")),
        Moved::PolicyChanged
        | Moved::ApprovalGone
        | Moved::BudgetShort
        | Moved::Halted
        | Moved::StandingChanged
        | Moved::AlreadyStarted => None,
    }
}

/// A NO of the review carries its grounds.
fn denial(codes: Vec<DenyCode>, under: Grounds) -> RulingOutcome {
    let under = codes.contains(&DenyCode::DacsNo).then_some(under);
    RulingOutcome::Deny { codes, under }
}
