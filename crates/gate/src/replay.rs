//! A recorded ruling on a plan or on a step of one, judged again under another policy, and a request that came to
//! no plan. It makes no permit.

use crate::{
    base::policy::Policy,
    context::Mismatch,
    evaluate::{asks, evaluate},
    evidence::{ApprovalGiven, GrantGiven, Rights},
    facts::{ApprovalFacts, GateFacts, PlanFacts, StepFacts, SubjectFacts},
    findings::Findings,
    gates::{
        approval::{Requirement, asked},
        dacs::{asks_models, binds},
    },
    keeper::GateKeeper,
    log::{
        audit_seq::AuditSeq,
        record::{DecisionRecord, Figure, GateBasis, RuledOn, WindowFigure},
        recorded::Recorded,
    },
    permit::run::complete,
    standing::{BudgetLine, BudgetView, Standing, StandingSeq},
    subject::{Resolved, approval_facts, grant_facts, plan_facts, step_facts},
};
use uuid::Uuid;
use wiiiv_domain::{
    Amount, ApprovalBy, ApprovalId, Asks, Blueprint, BudgetWindow, Consensus, DacsResult, Spec,
    Timestamp, UserId,
};

/// A ruling on a plan or on a step of it, with what it rested on, as far as that is kept.
#[derive(Debug, Clone, Copy)]
pub struct PastRuling<'a> {
    /// The ruling. Its figures are what the review's model, the budgets and the standing were.
    pub record: &'a DecisionRecord,
    /// The plan that it is about, or whose step.
    pub plan: &'a Blueprint,
    /// Every yes to the plan that was ever recorded.
    pub approvals: &'a [Recorded<ApprovalGiven>],
    /// The grants that the ruling rests on, as it names them; others count for nothing.
    pub grants: &'a [Recorded<GrantGiven>],
    /// The texts of a step's arguments; `None` where the ruling is on the whole plan.
    pub inputs: Option<&'a Resolved>,
}

/// What is taken for granted beside the record, to learn what would have been enough. It is plain data and no
/// evidence: nothing is permitted by it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Supposed {
    /// Whoever the policy asks, and as many of them, have said yes to this very plan, in time.
    pub approved: bool,
    /// Neither the session nor its project nor the server is halted.
    pub resumed: bool,
    /// The session's risk was cleared.
    pub cleared: bool,
}

/// What a recorded ruling would be under a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// The four answers.
    pub findings: Findings,
    /// Whose yes the policy asks for, nobody's to a step; `Refused` where a gate denies whatever anybody
    /// answers.
    pub asks: Asks,
}

impl Replayed {
    /// Whether each gate answers as that record tells.
    #[must_use]
    pub fn is_as(&self, record: &DecisionRecord) -> bool {
        record.answers.iter().all(|told| told.answer == self.findings.answer(told.gate))
    }
}

/// What the rule personas say of a spec under a policy that need not be in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedAgain {
    /// Their review.
    pub result: DacsResult,
    /// Whether its verdict binds at the policy's stage.
    pub binds: bool,
    /// Whether the policy asks model personas beside them.
    pub asks_models: bool,
}

impl GateKeeper {
    /// By the rule files of this build: whether they still say what they said then shows a replay
    /// under the policy that the ruling was made under ([`Replayed::is_as`]).
    ///
    /// Refuses a ruling on anything but this very plan or a step of it on these very values, and a yes to
    /// another plan or of another opening.
    pub fn replay(&self, past: &PastRuling<'_>, policy: &Policy) -> Result<Replayed, Mismatch> {
        self.replay_supposing(past, policy, Supposed::default())
    }

    /// The same with something taken for granted: it shows what would have been enough.
    pub fn replay_supposing(
        &self,
        past: &PastRuling<'_>,
        policy: &Policy,
        supposed: Supposed,
    ) -> Result<Replayed, Mismatch> {
        let mut facts = self.past_facts(past, policy, supposed)?;
        let tainted = facts.standing.tainted;
        if let (true, SubjectFacts::Blueprint(plan)) = (supposed.approved, &mut facts.subject) {
            let yeses = supposed_yeses(plan, asked(plan, tainted, policy), past.record.at);
            plan.approvals.extend(yeses);
        }
        Ok(judged(&facts, policy, past.record.at))
    }

    /// The review of a request, as it is made before a plan is drawn. `before` is a ruling in the same
    /// conversation, and the standing is the one that it tells.
    #[must_use]
    pub fn review_again(
        &self,
        spec: &Spec,
        policy: &Policy,
        before: &DecisionRecord,
    ) -> ReviewedAgain {
        let result = self.reviewed(spec, policy, &standing(before));
        ReviewedAgain {
            binds: binds(policy.project_policy().dacs_stage, result.risky),
            asks_models: asks_models(policy, result.risky, result.consensus),
            result,
        }
    }

    /// What the gates say of a plan when it is drawn, before anybody is asked; no grant is known. Refuses a
    /// ruling in another conversation.
    pub fn forecast_again(
        &self,
        plan: &Blueprint,
        policy: &Policy,
        before: &DecisionRecord,
    ) -> Result<Replayed, Mismatch> {
        if (before.project, before.session) != (plan.project, plan.session) {
            return Err(Mismatch::OtherSubject);
        }
        let standing = standing(before);
        let of_plan = plan_facts(self.seal().book(), plan, policy, &standing, None)?;
        let facts = GateFacts {
            version: GateFacts::VERSION,
            project: plan.project,
            standing,
            risk_hold: self.risk_rules().holds(standing.risk_score),
            budget: BudgetView::default(),
            subject: SubjectFacts::Blueprint(Box::new(of_plan)),
        };
        Ok(judged(&facts, policy, plan.spec_snapshot.at))
    }

    fn past_facts(
        &self,
        past: &PastRuling<'_>,
        policy: &Policy,
        supposed: Supposed,
    ) -> Result<GateFacts, Mismatch> {
        let PastRuling { record, plan, .. } = past;
        if (record.project, record.session) != (plan.project, plan.session) {
            return Err(Mismatch::OtherSubject);
        }
        let mut standing = standing(record);
        standing.halted &= !supposed.resumed;
        if supposed.cleared {
            standing.risk_score = 0;
        }
        let (subject, budget) = match &record.subject {
            RuledOn::Blueprint { .. } => {
                let facts = self.past_plan(past, policy, &standing)?;
                let budget = budget(record, &facts);
                (SubjectFacts::Blueprint(Box::new(facts)), budget)
            }
            RuledOn::Step { .. } => {
                let facts = self.past_step(past, policy)?;
                (SubjectFacts::Step(Box::new(facts)), BudgetView::default())
            }
            // Its record has what it may cost, and not the counts of tokens that this comes from.
            RuledOn::ModelCall { .. } => return Err(Mismatch::OtherSubject),
        };
        let (version, project) = (GateFacts::VERSION, record.project);
        let risk_hold = self.risk_rules().holds(standing.risk_score);
        Ok(GateFacts { version, project, standing, risk_hold, budget, subject })
    }

    fn past_plan(
        &self,
        past: &PastRuling<'_>,
        policy: &Policy,
        standing: &Standing,
    ) -> Result<PlanFacts, Mismatch> {
        let PastRuling { record, plan, approvals, grants, inputs: _ } = past;
        let RuledOn::Blueprint { blueprint, digest, execution, resumes, .. } = &record.subject
        else {
            return Err(Mismatch::OtherSubject);
        };
        if *blueprint != plan.id {
            return Err(Mismatch::OtherSubject);
        }
        let mut facts = plan_facts(self.seal().book(), plan, policy, standing, None)?;
        if facts.digest != *digest {
            return Err(Mismatch::OtherSubject);
        }
        facts.dacs.model = models_said(record);
        for given in approvals.iter().filter(|given| given.body().at() <= record.at) {
            if !given.is_of(self.seal()) {
                return Err(Mismatch::Foreign);
            }
            facts.approvals.push(approval_facts(plan, given)?);
        }
        facts.approvals.sort_by_key(|given| (given.id, given.approver));
        if grants.iter().any(|given| !given.is_of(self.seal())) {
            return Err(Mismatch::Foreign);
        }
        let used = record.grants_used();
        let of = |id| used.iter().find(|used| used.grant == id).map(|used| used.taken);
        let used = grants.iter().filter_map(|given| Some((given, of(given.body().id())?)));
        facts.grants = grant_facts(plan, used)?;
        facts.resumes = execution.filter(|_| *resumes).map(|run| (run, facts.digest));
        Ok(facts)
    }

    fn past_step(&self, past: &PastRuling<'_>, policy: &Policy) -> Result<StepFacts, Mismatch> {
        let (plan, subject) = (past.plan, &past.record.subject);
        let RuledOn::Step { execution, blueprint, step, attempt, values } = subject else {
            return Err(Mismatch::OtherSubject);
        };
        let node = plan.node(step).filter(|_| *blueprint == plan.id);
        let (Some(node), Some(inputs)) = (node, past.inputs) else {
            return Err(Mismatch::OtherSubject);
        };
        let inputs = complete(node, inputs).map_err(|_| Mismatch::OtherSubject)?;
        let rules = (self.seal().book(), policy);
        let facts = step_facts(rules, (plan, node), (*execution, *attempt), &inputs)
            .map_err(|_| Mismatch::Undigestible)?;
        // On other values it was not ruled.
        if facts.values == *values { Ok(facts) } else { Err(Mismatch::OtherSubject) }
    }
}

fn judged(facts: &GateFacts, policy: &Policy, at: Timestamp) -> Replayed {
    let findings = evaluate(facts, policy, at);
    let asks = match &facts.subject {
        SubjectFacts::Blueprint(plan) => asks(&findings, plan, facts.standing.tainted, policy),
        SubjectFacts::Step(_) if findings.allowed() => Asks::Nothing,
        SubjectFacts::Step(_) | SubjectFacts::ModelCall(_) => Asks::Refused,
    };
    Replayed { findings, asks }
}

/// A yes of everybody who is asked, as far as the evaluator sees one; none where nobody is.
fn supposed_yeses(plan: &PlanFacts, asked: Requirement, at: Timestamp) -> Vec<ApprovalFacts> {
    let (approvers, rights) = match asked {
        Requirement::Nobody(_) => return Vec::new(),
        Requirement::Somebody { by: ApprovalBy::Requester, .. } => {
            (vec![plan.requester], Rights { editor: true, ..Rights::default() })
        }
        Requirement::Somebody { by: ApprovalBy::AnotherPerson, approvers, .. } => {
            let anybody = (0..).map(|nth| UserId::from_uuid(Uuid::from_u128(nth)));
            let others = anybody
                .filter(|person| *person != plan.requester && !plan.editors.contains(person));
            let rights = Rights { approver: true, ..Rights::default() };
            (others.take(usize::from(approvers)).collect(), rights)
        }
    };
    let yes = |approver| ApprovalFacts {
        id: ApprovalId::from_uuid(Uuid::nil()),
        digest: plan.digest,
        approver,
        rights,
        at,
        expires_at: at.plus_seconds(1),
        recorded_at: AuditSeq::new(0),
        on_behalf: None,
    };
    approvers.into_iter().map(yes).collect()
}

fn standing(record: &DecisionRecord) -> Standing {
    let judged = record.standing;
    Standing {
        session: record.session,
        seq: StandingSeq::new(judged.seq),
        risk_score: judged.risk_score,
        halted: judged.halted,
        tainted: judged.tainted,
        unverified: judged.unverified,
        ledger: judged.ledger,
    }
}

fn models_said(record: &DecisionRecord) -> Option<Consensus> {
    record.answers.iter().find_map(|told| match &told.figures {
        GateBasis::Dacs { model, .. } => *model,
        _ => None,
    })
}

/// Of the windows that the ruling counted in.
fn budget(record: &DecisionRecord, plan: &PlanFacts) -> BudgetView {
    let told = record.answers.iter().find_map(|told| match &told.figures {
        GateBasis::Cost { windows, .. } => Some(windows.as_slice()),
        _ => None,
    });
    let lines = told.unwrap_or_default().iter();
    BudgetView { lines: lines.filter_map(|figure| line(record, plan, figure)).collect() }
}

fn line(record: &DecisionRecord, plan: &PlanFacts, told: &WindowFigure) -> Option<BudgetLine> {
    let (day, month) = (
        BudgetWindow::day(record.project, record.at),
        BudgetWindow::month(record.project, record.at),
    );
    let window = match told.window.as_str() {
        "run" => BudgetWindow::run(record.project, plan.task),
        "day" => day,
        "month" => month,
        "user_day" => day.of_user(plan.requester),
        "user_month" => month.of_user(plan.requester),
        _ => return None,
    };
    Some(BudgetLine { window, settled: amount(&told.used), held: Amount::ZERO })
}

fn amount(figure: &Figure) -> Amount {
    let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
    Amount { tokens: number(&figure.tokens).unwrap_or(0), micros: number(&figure.micros) }
}
