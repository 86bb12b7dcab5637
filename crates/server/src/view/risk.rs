//! The risk of conversations as a person sees it, with whether that person may clear it.

use crate::{
    access::caller::Caller,
    dto::{
        localized::LocalizedText,
        risk::{ClearedView, RiskView, SignalView},
    },
    problem::{Problem, ProblemCode},
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{SessionId, SignalCount, UserId};
use wiiiv_gate::RiskRules;
use wiiiv_store::SessionRisk;

pub(crate) async fn risk_of(caller: &Caller, session: SessionId) -> Result<RiskView, Problem> {
    let risk = caller.state.store().session_risk(session).await?;
    risk_view(caller, risk.ok_or(ProblemCode::NotFound)?).await
}

pub(crate) async fn risk_view(caller: &Caller, risk: SessionRisk) -> Result<RiskView, Problem> {
    risk_views(caller, vec![risk]).await?.pop().ok_or_else(|| ProblemCode::Internal.into())
}

pub(crate) async fn risk_views(
    caller: &Caller,
    risks: Vec<SessionRisk>,
) -> Result<Vec<RiskView>, Problem> {
    let state = &caller.state;
    let clearers = risks.iter().filter_map(|risk| Some(risk.history.cleared.as_ref()?.by));
    let people = risks.iter().map(|risk| risk.owner).chain(clearers);
    let names = state.names().of(state.store(), people).await?;
    let mut views = Vec::with_capacity(risks.len());
    for risk in risks {
        let rights = caller.rights_in(risk.project).await?;
        let may_clear = rights.may_approve() && risk.owner != caller.user();
        views.push(view(state.governor().risks().rules(), risk, &names, may_clear));
    }
    Ok(views)
}

type Names = BTreeMap<UserId, Arc<str>>;

fn view(rules: &RiskRules, risk: SessionRisk, names: &Names, may_clear: bool) -> RiskView {
    let name = |user: &UserId| names.get(user).map(ToString::to_string);
    let held = rules.holds(risk.score);
    let cleared = risk.history.cleared.map(|cleared| ClearedView {
        by: cleared.by.uuid(),
        by_name: name(&cleared.by),
        score: cleared.score,
        at: cleared.at.to_string(),
    });
    RiskView {
        session: risk.session.uuid(),
        project: risk.project.uuid(),
        owner: risk.owner.uuid(),
        owner_name: name(&risk.owner),
        score: risk.score,
        risky_from: rules.risky_from(),
        hold_from: rules.hold_from(),
        held,
        signals: risk.history.signals.iter().map(|count| signal(rules, count)).collect(),
        cleared,
        may_clear: held && may_clear,
        version: risk.seq.to_string(),
    }
}

/// A code of rules that are not in force any more is its own text.
fn signal(rules: &RiskRules, count: &SignalCount) -> SignalView {
    let text = match rules.signal_reason(&count.code) {
        Some(reason) => LocalizedText { ko: reason.ko.clone(), en: reason.en.clone() },
        None => LocalizedText::same(&count.code),
    };
    SignalView {
        code: count.code.clone(),
        found_in: count.source.into(),
        count: count.count,
        at: count.at.to_string(),
        text,
    }
}
