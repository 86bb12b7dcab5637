//! A recorded ruling on a plan, judged again under another policy. It makes no permit.

use crate::{
    base::policy::Policy,
    context::Mismatch,
    evaluate::{asks, evaluate},
    evidence::{ApprovalGiven, GrantGiven, Rights},
    facts::{ApprovalFacts, GateFacts, PlanFacts, SubjectFacts},
    findings::Findings,
    gates::approval::{Requirement, asked},
    keeper::GateKeeper,
    log::{
        audit_seq::AuditSeq,
        record::{DecisionRecord, Figure, GateBasis, RuledOn, WindowFigure},
        recorded::Recorded,
    },
    standing::{BudgetLine, BudgetView, Standing, StandingSeq},
    subject::{approval_facts, grant_facts, plan_facts},
};
use uuid::Uuid;
use wiiiv_domain::{
    Amount, ApprovalBy, ApprovalId, Asks, Blueprint, BudgetWindow, Consensus, Timestamp, UserId,
};

/// A ruling on a plan, with what it rested on, as far as that is kept.
#[derive(Debug, Clone, Copy)]
pub struct PastRuling<'a> {
    /// The ruling. Its figures are what the review's model, the budgets and the standing were.
    pub record: &'a DecisionRecord,
    /// The plan that it is about.
    pub plan: &'a Blueprint,
    /// Every yes to the plan that was ever recorded.
    pub approvals: &'a [Recorded<ApprovalGiven>],
    /// The grants that the ruling rests on, as it names them; others count for nothing.
    pub grants: &'a [Recorded<GrantGiven>],
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
    /// Whose yes the policy asks for; `Refused` where a gate denies whatever anybody answers.
    pub asks: Asks,
}

impl Replayed {
    /// Whether each gate answers as that record tells.
    #[must_use]
    pub fn is_as(&self, record: &DecisionRecord) -> bool {
        record.answers.iter().all(|told| told.answer == self.findings.answer(told.gate))
    }
}

impl GateKeeper {
    /// By the rule files of this build: whether they still say what they said then shows a replay
    /// under the policy that the ruling was made under ([`Replayed::is_as`]).
    ///
    /// Refuses a ruling on anything but this very plan, and a yes to another plan or of another
    /// opening.
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
        let findings = evaluate(&facts, policy, past.record.at);
        let SubjectFacts::Blueprint(plan) = &facts.subject else {
            return Err(Mismatch::OtherSubject);
        };
        let asks = asks(&findings, plan, facts.standing.tainted, policy);
        Ok(Replayed { findings, asks })
    }

    fn past_facts(
        &self,
        past: &PastRuling<'_>,
        policy: &Policy,
        supposed: Supposed,
    ) -> Result<GateFacts, Mismatch> {
        let PastRuling { record, plan, approvals, grants } = past;
        let RuledOn::Blueprint { blueprint, digest, execution, resumes, .. } = &record.subject
        else {
            return Err(Mismatch::OtherSubject);
        };
        if (*blueprint, record.project, record.session) != (plan.id, plan.project, plan.session) {
            return Err(Mismatch::OtherSubject);
        }
        let mut standing = standing(record);
        standing.halted &= !supposed.resumed;
        if supposed.cleared {
            standing.risk_score = 0;
        }
        let mut facts = plan_facts(self.seal().book(), plan, policy, &standing, None)?;
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
        let (risk_hold, project) = (self.risk_rules().holds(standing.risk_score), record.project);
        let budget = budget(record, &facts);
        let (version, subject) = (GateFacts::VERSION, SubjectFacts::Blueprint(Box::new(facts)));
        Ok(GateFacts { version, project, standing, risk_hold, budget, subject })
    }
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
