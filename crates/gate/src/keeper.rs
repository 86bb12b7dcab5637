//! The keeper gathers evidence, rules on it, and forecasts rulings.

use crate::{
    base::{
        policy::{Policy, PolicyError},
        policy_snapshot::PolicySnapshot,
    },
    case::Case,
    context::{EvidenceMismatch, GateContext, Mismatch, Purpose},
    evaluate::{asks, evaluate},
    evidence::{Deliberation, EvidenceSet, PolicyVersion, Principal},
    facts::{GateFacts, SubjectFacts},
    findings::Findings,
    gates::dacs::{asks_models, binds},
    log::recorded::Recorded,
    permit::{
        claim::Claim,
        ruled::{Ruled, decide},
        seal::Seal,
    },
    rules::{Reason, RiskFacts, RiskRules, Scene, consensus},
    standing::{BudgetView, Standing},
    subject::{
        plan_facts,
        sealed::{Given, Key, Subject},
    },
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{
    Asks, Blueprint, ContentDigest, DacsResult, DacsSource, ExecutorId, ExecutorMeta, ModelReview,
    PriceTable, RulesHash, RulingId, Spec, SpecDigest, StepType, Timestamp,
};

/// What is known of a plan before anybody is asked.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The session's standing.
    pub standing: &'a Standing,
    /// Opinions of the model personas, if they were asked.
    pub opinions: Option<&'a Recorded<Deliberation>>,
}

impl<'a> From<&'a Standing> for Known<'a> {
    fn from(standing: &'a Standing) -> Self {
        Self { standing, opinions: None }
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
        let policy = Policy::compile(document.policy.clone(), &self.seal.book().prices)?;
        let of = (document.project, document.id, document.number);
        Ok(PolicySnapshot::new(self.seal.clone(), of, policy))
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
        match self.facts(&why, &subject, &policy, &evidence) {
            Ok((facts, facts_digest, start)) => Ok(GateContext {
                seal: self.seal.clone(),
                ruling: id,
                subject,
                policy,
                facts,
                facts_digest,
                start,
            }),
            Err(why) => Err(EvidenceMismatch { why, subject: Box::new(subject) }),
        }
    }

    fn facts<T: Subject>(
        &self,
        purpose: &Purpose,
        subject: &T,
        policy: &PolicySnapshot,
        evidence: &EvidenceSet,
    ) -> Result<(GateFacts, ContentDigest, crate::permit::start::Start), Mismatch> {
        self.check_seals(purpose, policy, evidence)?;
        if policy.project() != subject.project() {
            return Err(Mismatch::OtherProject);
        }
        if evidence.standing.session != subject.session() {
            return Err(Mismatch::OtherSession);
        }
        let given = Given { seal: &self.seal, purpose, policy, evidence };
        let (subject, start) = subject.facts(Key::new(), &given)?;
        let facts = self.gate_facts(subject, policy, evidence.budget.clone(), evidence.standing);
        let digest = ContentDigest::of(&facts).map_err(|_| Mismatch::Undigestible)?;
        Ok((facts, digest, start))
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
            && evidence.approvals.iter().all(|a| a.is_of(seal));
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
        let case = Case {
            // The context's own: ruled by another keeper, it stays of the opening that gathered it.
            seal: &cx.seal,
            ruling: cx.ruling,
            policy: &cx.policy,
            facts: cx.facts,
            facts_digest: cx.facts_digest,
            start: cx.start,
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
        Ok(evaluate(&self.forecast_facts(plan, policy, known.into())?, policy.policy(), now))
    }

    /// Whose yes policy asks for; `Refused` if a gate would deny after any yes.
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
        // Nothing is spent or approved yet, so the time does not matter.
        let findings = evaluate(&facts, policy.policy(), plan.spec_snapshot.at);
        asks(&findings, of_plan, standing.tainted, policy.policy())
    }

    /// How many different people's yes policy asks for: 1 also where it asks for none.
    #[must_use]
    pub fn approvers(&self, plan: &Blueprint, policy: &PolicySnapshot, standing: &Standing) -> u8 {
        let rules = policy.project_policy().approval;
        match plan_facts(self.seal.book(), plan, policy.policy(), standing, None) {
            Ok(facts) => rules.rule(facts.risk.risky).approvers,
            Err(_) => rules.rule(true).approvers,
        }
    }

    fn forecast_facts(
        &self,
        plan: &Blueprint,
        policy: &PolicySnapshot,
        Known { standing, opinions }: Known<'_>,
    ) -> Result<GateFacts, Mismatch> {
        if !policy.is_of(&self.seal) || opinions.is_some_and(|heard| !heard.is_of(&self.seal)) {
            return Err(Mismatch::Foreign);
        }
        if policy.project() != plan.project {
            return Err(Mismatch::OtherProject);
        }
        if standing.session != plan.session {
            return Err(Mismatch::OtherSession);
        }
        let opinions = opinions.map(Recorded::body);
        let facts = plan_facts(self.seal.book(), plan, policy.policy(), standing, opinions)?;
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
        let scene = Scene::of_spec(spec, policy.policy(), standing);
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
    pub const fn asks_models(&self, rules: &DacsResult, policy: &PolicySnapshot) -> bool {
        asks_models(policy.policy(), rules.risky, rules.consensus)
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

    /// Whether the verdict binds, or is only recorded.
    #[must_use]
    pub const fn binds(&self, result: &DacsResult, policy: &PolicySnapshot) -> bool {
        binds(policy.project_policy().dacs_stage, result.risky)
    }

    /// Whether the spec is risky at this standing, and by which rules.
    #[must_use]
    pub fn risk(&self, spec: &Spec, policy: &PolicySnapshot, standing: &Standing) -> RiskFacts {
        self.risk_rules().judge(&Scene::of_spec(spec, policy.policy(), standing))
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
