//! A run under way: rules on each attempt of its own steps only.

use crate::{
    base::{policy::Policy, policy_snapshot::PolicySnapshot},
    case::Case,
    context::Judged,
    facts::{GateFacts, SubjectFacts},
    gates::permission::join,
    permit::{
        authorized::Authorized,
        claim::Claim,
        ruled::{Ruled, decide},
        seal::Seal,
        start::Start,
    },
    standing::{BudgetView, Standing},
    subject::{Resolved, Step, StepParts, step_facts},
};
use std::collections::BTreeMap;
use wiiiv_domain::{
    Arg, Blueprint, ContentDigest, ExecutionId, HostRule, Node, OverrideId, PreImage, RulingId,
    StepId, StepParams, Timestamp,
};

/// Why a step of this run was not ruled on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotInPlan {
    /// The plan has no step of this name.
    #[error("the plan has no step `{0}`")]
    UnknownStep(StepId),
    /// The policy is another project's, or of another opening.
    #[error("the policy is of another project or another opening of the gate")]
    OtherPolicy,
    /// The standing is another session's.
    #[error("the standing is another session's")]
    OtherSession,
    /// The number is not the next one for this step.
    #[error("attempt `{attempt}` of step `{step}` is not the next one")]
    Attempt {
        /// The step.
        step: StepId,
        /// The number that was asked for.
        attempt: u32,
    },
    /// A second attempt of a step that may have only one.
    #[error("step `{0}` is not idempotent: it has one attempt")]
    NotIdempotent(StepId),
    /// A bound argument has no value.
    #[error("argument `{arg}` of step `{step}` has no value")]
    Missing {
        /// The step.
        step: StepId,
        /// The argument, as [`StepParams::args`] names it.
        arg: String,
    },
    /// A value differs from what the plan writes out.
    #[error("argument `{arg}` of step `{step}` is not what the plan says")]
    Differs {
        /// The step.
        step: StepId,
        /// The argument, as [`StepParams::args`] names it.
        arg: String,
    },
    /// The step has no canonical JSON form.
    #[error("the step cannot be digested")]
    Undigestible,
}

/// Made by `Authorized<Blueprint>::begin`. No Clone.
#[must_use = "an execution that is dropped goes no further"]
#[derive(Debug)]
pub struct RunPermit {
    seal: Seal,
    execution: ExecutionId,
    blueprint: Blueprint,
    /// The override of one request that it took.
    took: Option<OverrideId>,
    /// Number of the last attempt that was ruled on, by step.
    attempts: BTreeMap<StepId, u32>,
}

impl RunPermit {
    pub(crate) const fn new(
        seal: Seal,
        (execution, took): (ExecutionId, Option<OverrideId>),
        blueprint: Blueprint,
    ) -> Self {
        Self { seal, execution, blueprint, took, attempts: BTreeMap::new() }
    }
    /// The run.
    #[must_use]
    pub const fn execution(&self) -> ExecutionId {
        self.execution
    }
    /// The plan that runs.
    #[must_use]
    pub const fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }
    /// The override of one request that it took when it began: no other plan is judged by it.
    #[must_use]
    pub const fn took(&self) -> Option<OverrideId> {
        self.took
    }

    /// Rules on permission again, with resolved inputs and the policy in force. `inputs` must hold
    /// every bound argument; the plan has the literals. An attempt may be ruled on again until its
    /// claim is committed; a second attempt needs an idempotent step.
    pub fn rule_step(
        &mut self,
        step: &StepId,
        attempt: u32,
        inputs: Resolved,
        policy: &PolicySnapshot,
        standing: &Standing,
        now: Timestamp,
    ) -> Result<(Claim, Ruled<Step>), NotInPlan> {
        self.check_frame(policy, standing)?;
        let unknown = || NotInPlan::UnknownStep(step.clone());
        let node = self.blueprint.node(step).ok_or_else(unknown)?.clone();
        self.check_attempt(&node, attempt)?;
        let resolved = complete(&node, &inputs)?;
        let by = policy.of_run(self.blueprint.spec_snapshot.spec.task_type, self.took);
        let rules = policy.rules(by);
        let facts = self.step_facts(&node, attempt, &resolved, (rules, standing))?;
        let digest = ContentDigest::of(&facts).map_err(|_| NotInPlan::Undigestible)?;
        let case = Case {
            seal: &self.seal,
            ruling: self.ruling(step, attempt, now),
            policy,
            judged: Judged { facts, digest, by },
            start: Start::Step {
                execution: self.execution,
                step: step.clone(),
                attempt,
                idempotent: node.idempotent,
            },
        };
        let decided = decide(case, self.step(node, attempt, resolved, rules), now);
        self.attempts.insert(step.clone(), attempt);
        Ok(decided)
    }

    fn check_frame(&self, policy: &PolicySnapshot, standing: &Standing) -> Result<(), NotInPlan> {
        if !policy.is_of(&self.seal) || policy.project() != self.blueprint.project {
            return Err(NotInPlan::OtherPolicy);
        }
        if standing.session != self.blueprint.session {
            return Err(NotInPlan::OtherSession);
        }
        Ok(())
    }

    fn check_attempt(&self, node: &Node, attempt: u32) -> Result<(), NotInPlan> {
        let last = self.attempts.get(&node.id).copied().unwrap_or(1);
        if attempt < last {
            return Err(NotInPlan::Attempt { step: node.id.clone(), attempt });
        }
        if attempt > 1 && !node.idempotent {
            return Err(NotInPlan::NotIdempotent(node.id.clone()));
        }
        Ok(())
    }

    fn step_facts(
        &self,
        node: &Node,
        attempt: u32,
        resolved: &Resolved,
        (rules, standing): (&Policy, &Standing),
    ) -> Result<GateFacts, NotInPlan> {
        let book = self.seal.book();
        let of = (self.execution, attempt);
        let step = step_facts((book, rules), (&self.blueprint, node), of, resolved)
            .map_err(|_| NotInPlan::Undigestible)?;
        Ok(GateFacts {
            version: GateFacts::VERSION,
            project: self.blueprint.project,
            standing: *standing,
            risk_hold: book.risk.holds(standing.risk_score),
            budget: BudgetView::default(),
            subject: SubjectFacts::Step(Box::new(step)),
        })
    }

    fn step(&self, node: Node, attempt: u32, resolved: Resolved, rules: &Policy) -> Step {
        let pre_image = self.pre_image(&node.params, &resolved);
        let system = self.blueprint.system_of(&node);
        Step::new(StepParts {
            execution: self.execution,
            blueprint: self.blueprint.id,
            project: self.blueprint.project,
            session: self.blueprint.session,
            egress: egress(&node.params, rules),
            system,
            node,
            attempt,
            resolved,
            pre_image,
        })
    }

    fn pre_image(&self, params: &StepParams, resolved: &Resolved) -> Option<PreImage> {
        match params {
            StepParams::FileRead { directory, .. }
            | StepParams::FileWrite { directory, .. }
            | StepParams::FileDelete { directory, .. } => {
                let path = join(directory, resolved.get("name")?);
                self.blueprint.pre_images.get(&path).copied()
            }
            StepParams::ApiCall { .. }
            | StepParams::WebFetch { .. }
            | StepParams::Transform { .. } => None,
        }
    }

    /// Id derived from the ruling's input, because this crate draws no ids. The time is part of it,
    /// so a repeated ruling has another id.
    fn ruling(&self, step: &StepId, attempt: u32, now: Timestamp) -> RulingId {
        let text = format!("{}:{step}:{attempt}:{now}", self.execution);
        let digest = ContentDigest::of_bytes(text.as_bytes());
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(digest.bytes()).for_each(|(to, from)| *to = *from);
        RulingId::from_uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
    }
}

fn egress(params: &StepParams, rules: &Policy) -> Vec<HostRule> {
    match params {
        StepParams::ApiCall { .. } | StepParams::WebFetch { .. } => rules.egress().to_vec(),
        StepParams::FileRead { .. }
        | StepParams::FileWrite { .. }
        | StepParams::FileDelete { .. }
        | StepParams::Transform { .. } => Vec::new(),
    }
}

/// All arguments of the node, and no others.
pub(crate) fn complete(node: &Node, inputs: &Resolved) -> Result<Resolved, NotInPlan> {
    let args = node.params.args();
    let differs = |arg: &str| NotInPlan::Differs { step: node.id.clone(), arg: arg.to_owned() };
    let named = |arg: &str| args.iter().any(|(name, _)| name == arg);
    if let Some((stray, _)) = inputs.iter().find(|(arg, _)| !named(arg)) {
        return Err(differs(stray));
    }
    let mut values = BTreeMap::new();
    for (name, arg) in &args {
        let value = match (arg, inputs.get(name)) {
            (Arg::Literal(written), None) => written.as_str(),
            (Arg::Literal(written), Some(given)) if written == given => given,
            (Arg::Literal(_), Some(_)) => return Err(differs(name)),
            (Arg::Bound(_), Some(given)) => given,
            (Arg::Bound(_), None) => {
                return Err(NotInPlan::Missing { step: node.id.clone(), arg: name.clone() });
            }
        };
        values.insert(name.clone(), value.to_owned());
    }
    Ok(Resolved::new(values))
}

impl Authorized<Blueprint> {
    /// Starts the run; each attempt of a step has its own ruling from here.
    pub fn begin(self) -> RunPermit {
        let (seal, trail, blueprint) = self.into_parts();
        RunPermit::new(seal, (trail.execution, trail.took), blueprint)
    }
}
