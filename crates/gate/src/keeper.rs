//! The keeper gathers evidence, rules on it, and forecasts rulings.

use crate::{
    base::{
        policy::{Policy, PolicyError},
        policy_snapshot::PolicySnapshot,
    },
    case::Case,
    context::{EvidenceMismatch, GateContext, Judged, Mismatch, Purpose},
    evaluate::{asks, evaluate},
    evidence::{Deliberation, EvidenceSet, GrantUses, PolicyVersion, Principal},
    facts::{GateFacts, SubjectFacts},
    findings::Findings,
    gates::dacs::{asks_models, binds},
    log::recorded::Recorded,
    permit::{
        claim::Claim,
        ruled::{Ruled, decide},
        seal::Seal,
        start::Start,
    },
    rules::{Reason, RiskFacts, RiskRules, Scene, consensus},
    standing::{BudgetView, Standing},
    subject::{
        grant_facts, plan_facts,
        sealed::{Given, Key, Subject},
    },
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{
    Asks, Blueprint, ContentDigest, DacsResult, DacsSource, ExecutorId, ExecutorMeta, ModelReview,
    OverrideId, PriceTable, RulesHash, RulingId, Spec, SpecDigest, StepType, TaskType, Timestamp,
};

/// What is known of a plan before anybody is asked.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The session's standing.
    pub standing: &'a Standing,
    /// Opinions of the model personas, if they were asked.
    pub opinions: Option<&'a Recorded<Deliberation>>,
    /// Grants that its requester holds.
    pub grants: &'a [GrantUses],
}

impl<'a> From<&'a Standing> for Known<'a> {
    fn from(standing: &'a Standing) -> Self {
        Self { standing, opinions: None, grants: &[] }
    }
}

/// Cheap to clone: all clones belong to one opening.
#[derive(Debug, Clone)]
pub struct GateKeeper {
    seal: Seal,
}

impl GateKeeper {
    pub(crate) fn of(seal: Seal) -> Self {
        Self { seal }
    }

    pub(crate) const fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Whether this opening authenticated this person; nobody else's answers count here.
    #[must_use]
    pub fn knows(&self, who: &Principal) -> bool {
        who.is_of(&self.seal)
    }

    /// Compiles a recorded version; fails for one of another opening.
    pub fn compile(
        &self,
        version: &Recorded<PolicyVersion>,
    ) -> Result<PolicySnapshot, PolicyError> {
        if !version.is_of(&self.seal) {
            return Err(PolicyError::Foreign);
        }
        let document = version.body().document();
        let prices = &self.seal.book().prices;
        let policy = Policy::compile(document.policy.clone(), prices)?;
        let of = (document.project, document.id, document.number);
        let Some(temporary) = document.temporary() else {
            return Ok(PolicySnapshot::new(self.seal.clone(), of, policy));
        };
        let before = Policy::compile(temporary.before.as_ref().clone(), prices)?;
        let before = PolicySnapshot::new(self.seal.clone(), of, before);
        Ok(before.overridden(temporary, policy))
    }

    /// Refuses evidence of another subject or keeper. Digests are computed here, never passed in;
    /// rule personas are counted here.
    pub fn gather<T: Subject>(
        &self,
        id: RulingId,
        why: Purpose,
        subject: T,
        policy: Arc<PolicySnapshot>,
        evidence: EvidenceSet,
    ) -> Result<GateContext<T>, EvidenceMismatch<T>> {
        match self.judged(&why, &subject, &policy, &evidence) {
            Ok((judged, former, start)) => Ok(GateContext {
                seal: self.seal.clone(),
                ruling: id,
                subject,
                policy,
                judged,
                former,
                start,
            }),
            Err(why) => Err(EvidenceMismatch { why, subject: Box::new(subject) }),
        }
    }

    /// By the rules that hold for this subject; of a plan that may take an override of one request,
    /// by the rules before it as well.
    fn judged<T: Subject>(
        &self,
        purpose: &Purpose,
        subject: &T,
        policy: &PolicySnapshot,
        evidence: &EvidenceSet,
    ) -> Result<(Judged, Option<Judged>, Start), Mismatch> {
        self.check_seals(purpose, policy, evidence)?;
        if policy.project() != subject.project() {
            return Err(Mismatch::OtherProject);
        }
        if evidence.standing.session != subject.session() {
            return Err(Mismatch::OtherSession);
        }
        let by = match (purpose, subject.task_type()) {
            (Purpose::Call, _) | (Purpose::Start(_) | Purpose::Resume(_), None) => policy.of_call(),
            (Purpose::Start(_), Some(task)) => policy.of_plan(task),
            (Purpose::Resume(started), Some(task)) => policy.of_run(task, started.body().took()),
        };
        let (judged, start) = self.facts(purpose, subject, (policy, by), evidence)?;
        let begins = matches!(purpose, Purpose::Start(_));
        let former = match by.filter(|_| begins && policy.is_for_one()) {
            Some(_) => Some(self.facts(purpose, subject, (policy, None), evidence)?.0),
            None => None,
        };
        Ok((judged, former, start))
    }

    fn facts<T: Subject>(
        &self,
        purpose: &Purpose,
        subject: &T,
        (policy, by): (&PolicySnapshot, Option<OverrideId>),
        evidence: &EvidenceSet,
    ) -> Result<(Judged, Start), Mismatch> {
        let given = Given { seal: &self.seal, purpose, policy: policy.rules(by), evidence };
        let (subject, start) = subject.facts(Key::new(), &given)?;
        let facts = self.gate_facts(subject, policy, evidence.budget.clone(), evidence.standing);
        let digest = ContentDigest::of(&facts).map_err(|_| Mismatch::Undigestible)?;
        Ok((Judged { facts, digest, by }, start))
    }

    fn check_seals(
        &self,
        purpose: &Purpose,
        policy: &PolicySnapshot,
        evidence: &EvidenceSet,
    ) -> Result<(), Mismatch> {
        let seal = &self.seal;
        let resumed = match purpose {
            Purpose::Start(_) | Purpose::Call => true,
            Purpose::Resume(started) => started.is_of(seal),
        };
        let own = policy.is_of(seal)
            && resumed
            && evidence.deliberation.as_ref().is_none_or(|d| d.is_of(seal))
            && evidence.approvals.iter().all(|a| a.is_of(seal))
            && evidence.grants.iter().all(|grant| grant.given.is_of(seal));
        if own { Ok(()) } else { Err(Mismatch::Foreign) }
    }

    fn gate_facts(
        &self,
        subject: SubjectFacts,
        policy: &PolicySnapshot,
        budget: BudgetView,
        standing: Standing,
    ) -> GateFacts {
        GateFacts {
            version: GateFacts::VERSION,
            project: policy.project(),
            risk_hold: self.risk_rules().holds(standing.risk_score),
            standing,
            budget,
            subject,
        }
    }

    /// Pure; permits nothing before its claim is committed.
    pub fn rule<T: Subject>(&self, cx: GateContext<T>, now: Timestamp) -> (Claim, Ruled<T>) {
        // An override of one request is taken by the first plan that the rules before it deny.
        let (judged, start) = match cx.former {
            None => (cx.judged, cx.start),
            Some(former) if evaluate(&former.facts, cx.policy.rules(None), now).allowed() => {
                (former, cx.start)
            }
            Some(_) => {
                let by = cx.judged.by;
                (cx.judged, cx.start.taking(by))
            }
        };
        let case = Case {
            // The context's own: ruled by another keeper, it stays of the opening that gathered it.
            seal: &cx.seal,
            ruling: cx.ruling,
            policy: &cx.policy,
            judged,
            start,
        };
        decide(case, cx.subject, now)
    }

    /// The findings that a ruling would have before any question and any cost.
    pub fn forecast<'a>(
        &self,
        plan: &Blueprint,
        policy: &PolicySnapshot,
        known: impl Into<Known<'a>>,
        now: Timestamp,
    ) -> Result<Findings, Mismatch> {
        let facts = self.forecast_facts(plan, policy, known.into())?;
        Ok(evaluate(&facts, policy.policy_for(plan.spec_snapshot.spec.task_type), now))
    }

    /// Whose yes policy asks for, nobody's where grants cover the plan; `Refused` if a gate would deny after
    /// any yes.
    #[must_use]
    pub fn asks<'a>(
        &self,
        plan: &Blueprint,
        policy: &PolicySnapshot,
        known: impl Into<Known<'a>>,
    ) -> Asks {
        let known: Known<'_> = known.into();
        let standing = known.standing;
        let Ok(facts) = self.forecast_facts(plan, policy, known) else { return Asks::Refused };
        let SubjectFacts::Blueprint(of_plan) = &facts.subject else { return Asks::Refused };
        let rules = policy.policy_for(of_plan.task_type);
        // Nothing is spent or approved yet; a grant has to count when the plan is drawn.
        let findings = evaluate(&facts, rules, plan.spec_snapshot.at);
        asks(&findings, of_plan, standing.tainted, rules)
    }

    /// How many different people's yes policy asks for: 1 also where it asks for none.
    #[must_use]
    pub fn approvers(&self, plan: &Blueprint, policy: &PolicySnapshot, standing: &Standing) -> u8 {
        let policy = policy.policy_for(plan.spec_snapshot.spec.task_type);
        let rules = policy.project_policy().approval;
        match plan_facts(self.seal.book(), plan, policy, standing, None) {
            Ok(facts) => rules.rule(facts.risk.risky).approvers,
            Err(_) => rules.rule(true).approvers,
        }
    }

    fn forecast_facts(
        &self,
        plan: &Blueprint,
        policy: &PolicySnapshot,
        Known { standing, opinions, grants }: Known<'_>,
    ) -> Result<GateFacts, Mismatch> {
        let own = policy.is_of(&self.seal)
            && opinions.is_none_or(|heard| heard.is_of(&self.seal))
            && grants.iter().all(|grant| grant.given.is_of(&self.seal));
        if !own {
            return Err(Mismatch::Foreign);
        }
        if policy.project() != plan.project {
            return Err(Mismatch::OtherProject);
        }
        if standing.session != plan.session {
            return Err(Mismatch::OtherSession);
        }
        let opinions = opinions.map(Recorded::body);
        let rules = policy.policy_for(plan.spec_snapshot.spec.task_type);
        let mut facts = plan_facts(self.seal.book(), plan, rules, standing, opinions)?;
        facts.grants = grant_facts(plan, grants.iter().map(|of| (&of.given, of.left())))?;
        let subject = SubjectFacts::Blueprint(Box::new(facts));
        Ok(self.gate_facts(subject, policy, BudgetView::default(), *standing))
    }

    /// The rule personas' review of the whole spec, once for each EXECUTE.
    #[must_use]
    pub fn deliberate(
        &self,
        spec: &Spec,
        policy: &PolicySnapshot,
        standing: &Standing,
    ) -> DacsResult {
        self.reviewed(spec, policy.policy_for(spec.task_type), standing)
    }

    pub(crate) fn reviewed(&self, spec: &Spec, policy: &Policy, standing: &Standing) -> DacsResult {
        let scene = Scene::of_spec(spec, policy, standing);
        let book = self.seal.book();
        let opinions = book.dacs.opinions(&scene);
        DacsResult {
            version: DacsResult::VERSION,
            rules: book.dacs.hash(),
            source: DacsSource::RulesOnly,
            risky: book.risk.judge(&scene).risky,
            consensus: consensus(opinions.iter().map(|o| o.vote)),
            opinions,
            model: None,
        }
    }

    /// Whether model personas are to be asked beside these rule personas.
    #[must_use]
    pub fn asks_models(
        &self,
        rules: &DacsResult,
        (task, policy): (TaskType, &PolicySnapshot),
    ) -> bool {
        asks_models(policy.policy_for(task), rules.risky, rules.consensus)
    }

    /// The review of both: the recorded opinions of the model personas are counted here, and the more
    /// severe result holds. Refuses opinions on another spec or of another opening.
    pub fn joined(
        &self,
        rules: DacsResult,
        spec: SpecDigest,
        heard: &Recorded<Deliberation>,
    ) -> Result<DacsResult, Mismatch> {
        if !heard.is_of(&self.seal) {
            return Err(Mismatch::Foreign);
        }
        if heard.body().spec() != spec {
            return Err(Mismatch::OtherSubject);
        }
        let opinions = heard.body().opinions().to_vec();
        let counted = consensus(opinions.iter().map(|o| o.vote));
        let model = Some(ModelReview { by: heard.body().model().cloned(), opinions });
        let consensus = rules.consensus.max(counted);
        Ok(DacsResult { source: DacsSource::RulesAndModel, model, consensus, ..rules })
    }

    /// Whether the verdict binds, or is only recorded. No override changes the stage.
    #[must_use]
    pub fn binds(&self, result: &DacsResult, policy: &PolicySnapshot) -> bool {
        binds(policy.project_policy().dacs_stage, result.risky)
    }

    /// Whether the spec is risky at this standing, and by which rules.
    #[must_use]
    pub fn risk(&self, spec: &Spec, policy: &PolicySnapshot, standing: &Standing) -> RiskFacts {
        let rules = policy.policy_for(spec.task_type);
        self.risk_rules().judge(&Scene::of_spec(spec, rules, standing))
    }
    /// Whether any rule of risk matches.
    #[must_use]
    pub fn is_risky(&self, spec: &Spec, policy: &PolicySnapshot, standing: &Standing) -> bool {
        self.risk(spec, policy, standing).risky
    }
    /// The rules for signals in a text and for a session's score.
    #[must_use]
    pub fn risk_rules(&self) -> &RiskRules {
        &self.seal.book().risk
    }
    /// Digest of the review's rules.
    #[must_use]
    pub fn dacs_rules(&self) -> RulesHash {
        self.seal.book().dacs.hash()
    }
    /// The text for people behind a code of a concern or a risk.
    #[must_use]
    pub fn reason(&self, code: &str) -> Option<&Reason> {
        let book = self.seal.book();
        book.dacs.reason(code).or_else(|| book.risk.reason(code))
    }
    /// Current contract versions of all executors, for a new plan.
    #[must_use]
    pub fn contracts(&self) -> BTreeMap<ExecutorId, u32> {
        let executors = self.seal.book().executors.iter();
        executors.map(|e| (e.id.clone(), e.contract_version)).collect()
    }
    /// The executor of that step type; `None` if this build has none.
    #[must_use]
    pub fn executor_for(&self, step: StepType) -> Option<&ExecutorMeta> {
        self.seal.book().executor_for(step)
    }
    /// The server's prices; a policy's replace them.
    #[must_use]
    pub fn prices(&self) -> &PriceTable {
        &self.seal.book().prices
    }
}
