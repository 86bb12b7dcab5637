//! Clears a hold: the act of a person with the role, in one commit. The flow is told nothing.

use crate::{
    audit, clock,
    message::ClearError,
    session::{ClearRisk, Session, SessionFault},
    telemetry,
};
use wiiiv_domain::{EventBody, RiskCleared, RiskHistory};
use wiiiv_gate::Principal;
use wiiiv_store::{Authority, Point, SessionRisk};

/// Answered when it is durable.
pub async fn clear(session: &mut Session, ask: ClearRisk) -> Result<(), SessionFault> {
    session.work.touch();
    let ClearRisk { who, reason, seen, answer } = ask;
    let standing = session.journal.records.standing().await?;
    let rules = session.runtime.deps.keeper.risk_rules();
    let refused = if !rules.holds(standing.risk_score) {
        Some(ClearError::NotHeld)
    } else if seen.is_some_and(|seen| seen != standing.seq) {
        Some(ClearError::Changed { current: standing.seq })
    } else {
        None
    };
    if let Some(refused) = refused {
        let _ = answer.send(Err(refused));
        return Ok(());
    }
    let done = write(session, &who, reason, standing.risk_score).await;
    let _ = answer.send(done.as_ref().cloned().map_err(ClearError::from));
    done.map(drop)
}

async fn write(
    session: &mut Session,
    who: &Principal,
    reason: String,
    score: u32,
) -> Result<SessionRisk, SessionFault> {
    let (by, at) = (who.user(), clock::now());
    let (store, project) = (session.runtime.deps.store.clone(), session.journal.row.project);
    let id = session.journal.row.id;
    let hmac = store.hmac(project, reason.as_bytes()).await?;
    let journal = &mut session.journal;
    let tainted = match journal.pending.standing() {
        Some((_, tainted)) => tainted,
        None => journal.records.standing().await?.tainted,
    };
    journal.risk = RiskHistory {
        at: Some(at),
        cleared: Some(RiskCleared { by, score, at }),
        ..RiskHistory::default()
    };
    let cleared = journal.standing(0, tainted);
    journal.write(cleared);
    journal.audit(audit::risk_cleared(id, by, score, &hmac));
    journal.event(clock::fresh(), EventBody::RiskCleared { by, score, reason });
    // Whose act it is still has the right at the commit; then the turn is its beginner's again.
    let turns = journal.by.replace(Authority::of(who));
    let written = session.flush(Point::E).await;
    session.journal.by = turns;
    written?;
    session.work.conduct.forget_attempts();
    telemetry::risk_cleared();
    let cleared = store.session_risk(id).await?;
    cleared.ok_or_else(|| SessionFault::other("the session is missing"))
}
