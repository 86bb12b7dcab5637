//! T1: rules on a plan and commits the claim; the permit follows from the commit.

use crate::{
    clock,
    config::COMMIT_ATTEMPTS_MAX,
    qualification::judged,
    runtime::Runtime,
    session::{Case, Journal, Session, SessionFault, Stepped, Verdict, granted, question},
};
use std::sync::Arc;
use wiiiv_domain::{
    Blueprint, BlueprintDigest, BlueprintId, DenyCode, ExecutionId, FlowInput, Grounds,
    RulingOutcome, TurnId,
};
use wiiiv_gate::{Denied, EvidenceSet, PolicySnapshot, Purpose, RunPermit};
use wiiiv_store::{AuditEntry, Moved, Point};

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

/// The flow's step is part of the ruling's boundary, so a later cancel finds the run begun.
pub async fn authorize(
    session: &mut Session,
    turn: TurnId,
    blueprint: BlueprintId,
    digest: BlueprintDigest,
) -> Result<Vec<FlowInput>, SessionFault> {
    let plan = session.work.plan(&session.journal.records, blueprint, digest).await?;
    let kept = session.work.plans.get_mut(&digest);
    let (is_new, unasked) = kept
        .map_or((false, false), |kept| (std::mem::take(&mut kept.is_new), kept.approval.is_none()));
    let started = match is_new {
        true => Ok(None),
        false => session.runtime.deps.store.execution_of(plan.id).await,
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
            ruled(session, plan.as_ref().clone(), (execution, on_record), tells).await?
        }
        Err(error) => Authorization::Unavailable(error.into()),
    };
    let ruling = match authorization {
        Authorization::Permitted(permit) => {
            let execution = permit.execution();
            session.work.permit = Some(permit);
            RulingOutcome::Allow { execution }
        }
        Authorization::Denied(codes, under) => {
            // The approval of a denied plan cannot be used any more.
            question::withdraw(session, digest);
            RulingOutcome::Deny { codes, under }
        }
        Authorization::Unavailable(fault) => {
            let (session, why) = (session.journal.row.id, fault.told());
            tracing::warn!(%session, why, "nothing was decided");
            let ruling = RulingOutcome::Unavailable;
            return Ok(vec![FlowInput::Ruling { digest, ruling }]);
        }
    };
    let input = FlowInput::Ruling { digest, ruling };
    session.work.conduct.note(&input);
    let stepped = session.stepped(input);
    session.flow = stepped.next;
    session.perform_all(turn, stepped.effects).await
}

/// permits.md 3: gather, rule, commit, seal; again where the commit found a change.
pub async fn ruled(
    session: &mut Session,
    mut plan: Blueprint,
    (execution, on_record): (ExecutionId, OnRecord),
    tells: Tells,
) -> Result<Authorization, SessionFault> {
    for _ in 0..COMMIT_ATTEMPTS_MAX {
        let (policy, evidence, purpose) =
            match gathered(&session.runtime, &session.journal, &plan, (execution, on_record)).await
            {
                Ok(gathered) => gathered,
                Err(fault) => return Ok(Authorization::Unavailable(fault)),
            };
        let (blueprint, holds) = (plan.id, !evidence.grants.is_empty());
        let rules = session.runtime.deps.keeper.dacs_rules();
        // A NO of the review carries its grounds.
        let grounds = Grounds { rules, policy: policy.version() };
        let under = |codes: &[DenyCode]| codes.contains(&DenyCode::DacsNo).then_some(grounds);
        let case = Case { purpose, subject: plan, policy, evidence, at: clock::now() };
        let (runtime, flow, span) = (&session.runtime, &session.flow, session.work.span());
        let note = |denied: Option<&Denied>| {
            let codes = denied.map(Denied::codes);
            let denial = |codes: Vec<_>| RulingOutcome::Deny { under: under(&codes), codes };
            let ruling = codes.map_or(RulingOutcome::Allow { execution }, denial);
            tells.map(|(turn, digest)| {
                let input = FlowInput::Ruling { digest, ruling };
                (turn, Stepped::of(runtime, flow, input).event)
            })
        };
        plan = match session.journal.rule((runtime, span), Point::T1, case, note).await? {
            Verdict::Permitted(permit) => {
                if let (true, Some((turn, _))) = (holds, tells) {
                    granted::tell(session, turn, blueprint).await;
                }
                return Ok(Authorization::Permitted(permit.begin()));
            }
            Verdict::Denied(codes) => {
                let under = under(&codes);
                return Ok(Authorization::Denied(codes, under));
            }
            Verdict::Moved(moved, plan) => match final_of(moved) {
                Some(finding) => return denied_by_code(session, finding, tells).await,
                None => plan,
            },
            Verdict::Mismatched(why) => {
                tracing::warn!(%why, "evidence of another subject");
                let finding = (DenyCode::EvidenceMismatch, "ruling.mismatch");
                return denied_by_code(session, finding, tells).await;
            }
        };
    }
    Ok(Authorization::Unavailable(SessionFault::other("the world moved each time")))
}

/// Denied without a ruling, and on record.
async fn denied_by_code(
    session: &mut Session,
    (code, kind): (DenyCode, &str),
    tells: Tells,
) -> Result<Authorization, SessionFault> {
    let codes = vec![code];
    let ruling = RulingOutcome::Deny { codes: codes.clone(), under: None };
    if let Some((turn, digest)) = tells {
        let stepped = session.stepped(FlowInput::Ruling { digest, ruling });
        session.journal.event(turn, stepped.event);
    }
    session.journal.audit(AuditEntry::new(kind, serde_json::json!({"codes": codes})));
    session.flush(Point::T1).await?;
    Ok(Authorization::Denied(codes, None))
}

async fn gathered(
    runtime: &Runtime,
    journal: &Journal,
    plan: &Blueprint,
    (execution, on_record): (ExecutionId, OnRecord),
) -> Result<(Arc<PolicySnapshot>, EvidenceSet, Purpose), SessionFault> {
    let (store, policy) = (&runtime.deps.store, journal.records.policy().await?);
    let mut evidence = match on_record {
        OnRecord::Nothing => store.evidence_unasked(plan, clock::now()).await?,
        OnRecord::Questions | OnRecord::Start => store.evidence(plan, clock::now()).await?,
    };
    if on_record != OnRecord::Start {
        // A run that began under the requirement may end.
        let task = plan.spec_snapshot.spec.task_type;
        let of = (plan.project, evidence.standing, task);
        evidence.standing = judged(&runtime.deps, of, policy.verifying(task)).await?;
    }
    if on_record != OnRecord::Start {
        return Ok((policy, evidence, Purpose::Start(execution)));
    }
    let missing = || SessionFault::other(format!("`{execution}` never started"));
    let start = store.execution_started(execution).await?.ok_or_else(missing)?;
    Ok((policy, evidence, Purpose::Resume(start)))
}

/// The code and record of a change that another ruling would not mend: the requester lost the right, or a
/// system is not the one that was shown. What would be sent to it now takes a new question.
const fn final_of(moved: Moved) -> Option<(DenyCode, &'static str)> {
    match moved {
        Moved::AuthorityGone => Some((DenyCode::RequesterNotAllowed, "ruling.requester_gone")),
        Moved::SystemChanged => Some((DenyCode::SystemChanged, "ruling.system_changed")),
        Moved::PolicyChanged
        | Moved::ApprovalGone
        | Moved::GrantGone
        | Moved::BudgetShort
        | Moved::Halted
        | Moved::StandingChanged
        | Moved::LedgerChanged
        | Moved::AlreadyStarted => None,
    }
}
