//! A plan as a subject: all four gates rule on it.

use super::{
    granted::grant_facts,
    node::node_facts,
    sealed::{Given, Key, Sealed},
};
use crate::{
    base::{base_book::BaseBook, policy::Policy},
    context::{Mismatch, Purpose},
    evidence::{ApprovalGiven, Deliberation},
    facts::{ApprovalFacts, DacsFacts, NodeFacts, PlanFacts, PlanFault, SubjectFacts, VoteFacts},
    findings::Findings,
    gates::permission::join,
    log::recorded::Recorded,
    permit::{
        cleared::{Cleared, PlanTrail},
        start::Start,
    },
    rules::{Scene, consensus},
    standing::Standing,
};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{
    Arg, Blueprint, BlueprintDigest, Consensus, DacsResult, DacsSource, Envelope, ExecutionId,
    NODES_MAX, Node, Opinion, PlanDigests, ProjectId, SessionId, StepParams, SystemName, TaskType,
};

impl Sealed for Blueprint {
    fn project(&self) -> ProjectId {
        self.project
    }
    fn session(&self) -> SessionId {
        self.session
    }
    fn task_type(&self) -> Option<TaskType> {
        Some(self.spec_snapshot.spec.task_type)
    }
    fn facts(&self, _: Key, given: &Given<'_>) -> Result<(SubjectFacts, Start), Mismatch> {
        let (book, policy) = (given.seal.book(), given.policy);
        let evidence = given.evidence;
        let model = evidence.deliberation.as_ref().map(Recorded::body);
        let mut facts = plan_facts(book, self, policy, &evidence.standing, model)?;
        for approval in &evidence.approvals {
            facts.approvals.push(approval_facts(self, approval)?);
        }
        facts.approvals.sort_by_key(|a| (a.id, a.approver));
        facts.delegation_ended = evidence.delegation_ended;
        let grants = evidence.grants.iter().map(|of| (&of.given, of.left()));
        facts.grants = grant_facts(self, grants)?;
        let (blueprint, digest) = (self.id, facts.digest);
        let start = match given.purpose {
            Purpose::Start(execution) => {
                Start::Execution { execution: *execution, blueprint, digest, takes: None }
            }
            Purpose::Resume(started) => {
                let (execution, began) = resumed(self, started)?;
                facts.resumes = Some((execution, began));
                Start::Resume { execution, took: started.body().took() }
            }
            Purpose::Call => return Err(Mismatch::Purpose),
        };
        Ok((SubjectFacts::Blueprint(Box::new(facts)), start))
    }
    // A resumed run has begun: each of its steps checks its own system.
    fn systems(&self, _: Key, start: &Start) -> BTreeMap<SystemName, u64> {
        match start {
            Start::Execution { .. } => {
                self.nodes.iter().filter_map(|node| self.system_of(node)).collect()
            }
            Start::Resume { .. } | Start::Step { .. } | Start::Call(_) => BTreeMap::new(),
        }
    }
    fn clear(_: Key, findings: &Findings, start: &Start) -> Option<PlanTrail> {
        let (execution, took) = match start {
            Start::Execution { execution, takes, .. } => (*execution, *takes),
            Start::Resume { execution, took } => (*execution, *took),
            Start::Step { .. } | Start::Call(_) => return None,
        };
        Some(PlanTrail {
            dacs: Cleared::by(findings)?,
            approval: Cleared::by(findings)?,
            permission: Cleared::by(findings)?,
            cost: Cleared::by(findings)?,
            execution,
            took,
        })
    }
}

/// Facts of a plan before anybody is asked; forecasts use them.
pub(crate) fn plan_facts(
    book: &BaseBook,
    plan: &Blueprint,
    policy: &Policy,
    standing: &Standing,
    model: Option<&Deliberation>,
) -> Result<PlanFacts, Mismatch> {
    let snapshot = &plan.spec_snapshot;
    let digests = plan.digests().map_err(|_| Mismatch::Undigestible)?;
    if model.is_some_and(|m| m.spec() != digests.spec) {
        return Err(Mismatch::OtherSubject);
    }
    let touched = touched(&plan.nodes);
    let scene = Scene::of_plan(&snapshot.spec, &touched, policy, standing);
    let contract = |id: &_| plan.contracts.get(id).copied();
    let node = |node: &Node| {
        let places = plan.sources.get(&node.id).into_iter().flat_map(BTreeMap::keys);
        let foreign = places.copied().collect();
        NodeFacts { foreign, ..node_facts(book, policy, node, contract, None) }
    };
    Ok(PlanFacts {
        blueprint: plan.id,
        digest: digests.blueprint,
        task: plan.task,
        task_type: snapshot.spec.task_type,
        requester: snapshot.requester,
        editors: snapshot.editors(),
        risk: book.risk.judge(&scene),
        dacs: dacs_facts(book, (&snapshot.deliberation, digests), &scene, model),
        nodes: plan.nodes.iter().map(node).collect(),
        approvals: Vec::new(),
        delegation_ended: false,
        grants: Vec::new(),
        resumes: None,
        estimate: plan.estimate,
        faults: faults(plan),
    })
}

fn dacs_facts(
    book: &BaseBook,
    (recorded, digests): (&DacsResult, PlanDigests),
    scene: &Scene<'_>,
    model: Option<&Deliberation>,
) -> DacsFacts {
    // Opinions from another time count for nothing where the rule personas alone were asked.
    let model = model.filter(|_| recorded.source == DacsSource::RulesAndModel);
    let opinions = book.dacs.opinions(scene);
    let count = |opinions: &[Opinion]| consensus(opinions.iter().map(|o| o.vote));
    DacsFacts {
        spec: digests.spec,
        deliberation: digests.deliberation,
        source: recorded.source,
        judged_by: recorded.rules,
        rules: book.dacs.hash(),
        claimed: recorded.consensus,
        counted: counted(recorded),
        recounted: count(&opinions),
        model: model.map(|m| count(m.opinions())),
        votes: opinions.into_iter().map(vote_facts).collect(),
    }
}

/// The more severe of the snapshot's rules and model.
fn counted(recorded: &DacsResult) -> Consensus {
    let count = |opinions: &[Opinion]| consensus(opinions.iter().map(|o| o.vote));
    let model = recorded.model.iter().map(|review| count(&review.opinions));
    model.fold(count(&recorded.opinions), Consensus::max)
}

fn vote_facts(opinion: Opinion) -> VoteFacts {
    VoteFacts { persona: opinion.persona, vote: opinion.vote, concerns: opinion.concerns }
}

/// Refuses an approval of another plan; a yes to another digest of this plan is a finding.
pub(crate) fn approval_facts(
    plan: &Blueprint,
    recorded: &Recorded<ApprovalGiven>,
) -> Result<ApprovalFacts, Mismatch> {
    let given = recorded.body();
    let asked = (given.project(), given.blueprint(), given.requester());
    if asked != (plan.project, plan.id, plan.spec_snapshot.requester) {
        return Err(Mismatch::OtherSubject);
    }
    Ok(ApprovalFacts {
        id: given.id(),
        digest: given.digest(),
        approver: given.approver(),
        rights: given.rights(),
        at: given.at(),
        expires_at: given.expires_at(),
        recorded_at: recorded.at(),
        on_behalf: given.on_behalf(),
    })
}

fn resumed(
    plan: &Blueprint,
    started: &Recorded<crate::evidence::ExecutionStarted>,
) -> Result<(ExecutionId, BlueprintDigest), Mismatch> {
    let body = started.body();
    if body.blueprint() != plan.id {
        return Err(Mismatch::OtherSubject);
    }
    Ok((body.execution(), body.digest()))
}

fn faults(plan: &Blueprint) -> Vec<PlanFault> {
    let steps: BTreeSet<_> = plan.nodes.iter().map(|n| &n.id).collect();
    let found = [
        (plan.version != Blueprint::VERSION, PlanFault::Version),
        (plan.nodes.is_empty(), PlanFault::NoNodes),
        (plan.nodes.len() > NODES_MAX, PlanFault::TooManyNodes),
        (steps.len() != plan.nodes.len(), PlanFault::RepeatedStep),
    ];
    found.into_iter().filter_map(|(is, fault)| is.then_some(fault)).collect()
}

/// What the nodes touch, as an envelope.
fn touched(nodes: &[Node]) -> Envelope {
    let mut envelope = Envelope::default();
    for node in nodes {
        envelope.effects.insert(node.effect);
        match &node.params {
            StepParams::FileRead { directory, name }
            | StepParams::FileWrite { directory, name, .. }
            | StepParams::FileDelete { directory, name } => {
                let path = match name {
                    Arg::Literal(name) => join(directory, name),
                    Arg::Bound(_) => directory.trim_matches('/').to_owned(),
                };
                envelope.paths.insert(path);
            }
            StepParams::ApiCall { url, .. } | StepParams::WebFetch { url } => {
                let host = url.host.to_lowercase();
                let port = url.port.map_or_else(String::new, |port| format!(":{port}"));
                envelope.hosts.insert(format!("{host}{port}"));
            }
            StepParams::Transform { .. } => {}
        }
    }
    envelope
}
