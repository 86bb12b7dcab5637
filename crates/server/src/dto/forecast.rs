//! The gates' forecast for a plan that waits for approval.

use super::mirror::mirror;
use serde::Serialize;
use utoipa::ToSchema;
use wiiiv_domain::{Currency, DenyCode, GateName};
use wiiiv_gate::{Answer, Findings};
use wiiiv_governor::Outlook;
use wiiiv_store::ApprovalState;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GateLabel {
    Dacs,
    UserApproval,
    Permission,
    Cost,
}

mirror!(GateName => GateLabel: Dacs, UserApproval, Permission, Cost);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Expected {
    Allow,
    Deny,
    /// It waits for the very answer that is asked for.
    Pending,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ForecastGate {
    pub gate: GateLabel,
    pub answer: Expected,
    /// Why not, the reported one first; of what is pending, why a person is asked.
    pub codes: Vec<&'static str>,
}

/// Worst case of the plan's model steps.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EstimateView {
    pub tokens: Option<u64>,
    /// Micro-units of the currency; `null` where a model has no price.
    pub money_micros: Option<u64>,
    pub currency: Option<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Forecast {
    /// All four, in the order of the record.
    pub gates: Vec<ForecastGate>,
    pub estimate: EstimateView,
}

impl Forecast {
    pub(crate) fn of(outlook: &Outlook, state: ApprovalState) -> Self {
        let Outlook { findings, currency } = outlook;
        let estimate = findings.cost.estimate;
        let currency = currency.filter(|_| estimate.micros.is_some()).map(Currency::as_str);
        Self {
            gates: GateName::ALL.map(|gate| expected(gate, findings, state)).into(),
            estimate: EstimateView {
                tokens: Some(estimate.tokens),
                money_micros: estimate.micros,
                currency,
            },
        }
    }
}

fn expected(gate: GateName, findings: &Findings, state: ApprovalState) -> ForecastGate {
    let answer = match gate {
        GateName::UserApproval => of_person(findings.approval.answer, state),
        GateName::Dacs | GateName::Permission | GateName::Cost => match findings.answer(gate) {
            Answer::Allow | Answer::NotAsked => (Expected::Allow, Vec::new()),
            Answer::Deny(code) => (Expected::Deny, vec![code]),
        },
    };
    let (answer, mut codes) = answer;
    if gate == GateName::Permission {
        codes.extend(findings.permission.refusals.iter().map(|refusal| refusal.code));
    }
    let mut told: Vec<&'static str> = Vec::new();
    for code in codes {
        if !told.contains(&code.as_str()) {
            told.push(code.as_str());
        }
    }
    ForecastGate { gate: gate.into(), answer, codes: told }
}

/// A forecast knows of no answer: the question's own state does.
fn of_person(answer: Answer, state: ApprovalState) -> (Expected, Vec<DenyCode>) {
    let why = answer.denial();
    match state {
        _ if why.is_none() => (Expected::Allow, Vec::new()),
        ApprovalState::Approved | ApprovalState::Consumed => (Expected::Allow, Vec::new()),
        ApprovalState::Pending => (Expected::Pending, why.into_iter().collect()),
        ApprovalState::Expired => (Expected::Deny, vec![DenyCode::ApprovalExpired]),
        ApprovalState::Rejected | ApprovalState::Withdrawn | ApprovalState::Edited => {
            (Expected::Deny, vec![DenyCode::ApprovalMissing])
        }
    }
}
