//! Draws a frozen plan from a deliberated spec: deterministic, and in a task because it reads
//! files.

use crate::{
    audit, clock, qualification,
    runtime::Runtime,
    session::{
        DrawResult, Drawing, Plan, Request, Session, SessionFault, append_base, earlier_result,
        personas::verdict_on, provenance, slot_refusal::of_target,
    },
    systems::RegisteredSystems,
    telemetry,
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{
    Amount, Arg, ArgPlace, Asks, Blueprint, DacsResult, DenyCode, ExecutorId, FlowInput, GateName,
    Lang, Node, NotDrawn, PreImage, ProjectId, Spec, SpecDigest, SpecSnapshot, StepParams,
    SystemName, TaskId, TurnId, WorkspacePath,
};
use wiiiv_gate::{
    ApprovalBasis, Deliberation, GateKeeper, GrantUses, Known, PolicySnapshot, Recorded,
    RefusedPlace, Standing,
};
use wiiiv_hlx::{DrawFacts, EarlierRun, UserWords};
use wiiiv_store::{SessionRow, Write};
use wiiiv_workspace::Workspace;

/// What a plan is drawn by, beside its spec and the workspace.
pub struct Surroundings {
    pub policy: Arc<PolicySnapshot>,
    pub earlier: Arc<Vec<EarlierRun>>,
    pub systems: RegisteredSystems,
}

/// The input of a drawing task.
struct Sheet {
    runtime: Arc<Runtime>,
    session: SessionRow,
    language: Lang,
    task: TaskId,
    spec: Spec,
    verdict: DacsResult,
    standing: Standing,
    opinions: Option<Recorded<Deliberation>>,
    /// Those that the requester holds.
    grants: Vec<GrantUses>,
    known: Surroundings,
    /// The user's, which a value that a model wrote may stand in.
    words: UserWords,
}

pub async fn draw(
    session: &mut Session,
    turn: TurnId,
    task: TaskId,
    spec: Spec,
) -> Result<(), SessionFault> {
    let digest = spec.digest()?;
    // The last message may be long ago.
    session.work.systems = session.journal.records.systems().await?;
    let policy = session.journal.records.policy().await?;
    let (row, runtime) = (&session.journal.row, session.runtime.clone());
    let rules = policy.policy_for(spec.task_type).project_policy();
    let standing = session.journal.records.standing().await?;
    let of = (row.project, standing, spec.task_type);
    let standing = qualification::judged(&runtime.deps, of, rules).await?;
    let (verdict, opinions) = verdict_on(session, &spec, (&policy, &standing)).await?;
    let grants = runtime.deps.store.grants_held(row.project, row.owner, clock::now()).await?;
    let earlier = session.journal.records.earlier_runs().await?;
    // Only what has a source is looked for in the user's words.
    let words = match spec.sources.is_empty() {
        true => UserWords::default(),
        false => provenance::words(&session.conversation),
    };
    let sheet = Sheet {
        runtime,
        session: row.clone(),
        language: session.conversation.language,
        task,
        spec,
        verdict,
        standing,
        opinions,
        grants,
        known: Surroundings { policy, earlier, systems: session.work.systems.clone() },
        words,
    };
    let inbox = session.inbox.clone();
    tokio::spawn(async move {
        let result = drawn_from(sheet).await;
        if let Some(inbox) = inbox.upgrade() {
            let _ = inbox.tell(Request::Drawn { turn, spec: digest, result }).await;
        }
    });
    Ok(())
}

pub async fn drawn(
    session: &mut Session,
    turn: TurnId,
    spec: SpecDigest,
    result: DrawResult,
) -> Result<(), SessionFault> {
    let input = match result {
        Err(reasons) => FlowInput::NotDrawable { spec, reasons },
        Ok(drawing) => {
            let Drawing { blueprint, digest, asks } = *drawing;
            let id = blueprint.id;
            let requester = blueprint.spec_snapshot.requester;
            session.runtime.plan_counts.note(requester, clock::now());
            session.journal.audit(audit::drawn(&blueprint, digest));
            session.journal.write(Write::Blueprint(Box::new(blueprint.clone())));
            let plan = Plan { blueprint: Arc::new(blueprint), approval: None, is_new: true };
            session.work.keep_plan(digest, plan);
            FlowInput::Drawn { spec, blueprint: id, digest, asks }
        }
    };
    session.feed(turn, input).await
}

async fn drawn_from(sheet: Sheet) -> DrawResult {
    let (runtime, systems) = (sheet.runtime.clone(), sheet.known.systems.clone());
    let drawn = tokio::task::spawn_blocking(move || blueprint_of(sheet)).await;
    let drawing = drawn.unwrap_or_else(|_| {
        Err(vec![NotDrawn::OutsideEnvelope { what: "the drawing ended early".to_owned() }])
    })?;
    earlier_result::check(&runtime, &drawing.blueprint, &systems.list).await?;
    Ok(drawing)
}

fn blueprint_of(sheet: Sheet) -> DrawResult {
    let keeper = &sheet.runtime.deps.keeper;
    let Surroundings { policy, systems: registered, .. } = &sheet.known;
    let project = sheet.session.project;
    let (nodes, pre_images) = steps_of(&sheet.runtime, project, &sheet.spec, &sheet.known)?;
    let systems = revisions(&nodes, registered);
    let sources = wiiiv_hlx::provenance(&nodes, &sheet.spec, &sheet.words, &registered.list);
    let blueprint = Blueprint {
        version: Blueprint::VERSION,
        id: clock::fresh(),
        project,
        session: sheet.session.id,
        task: sheet.task,
        policy: policy.version(),
        spec_snapshot: SpecSnapshot {
            spec: sheet.spec,
            deliberation: sheet.verdict,
            requester: sheet.session.owner,
            at: clock::now(),
        },
        contracts: contracts(keeper, &nodes),
        nodes,
        pre_images,
        systems,
        sources,
        estimate: Amount::ZERO,
    };
    telemetry::foreign_values(&blueprint);
    let refuse = |what: String| vec![NotDrawn::OutsideEnvelope { what }];
    let digest = blueprint.digest().map_err(|e| refuse(e.to_string()))?;
    let known = Known {
        standing: &sheet.standing,
        opinions: sheet.opinions.as_ref(),
        grants: &sheet.grants,
    };
    let asks = keeper.asks(&blueprint, policy, known);
    if asks == Asks::Refused {
        return Err(denied(keeper, &blueprint, (policy, sheet.language), known));
    }
    Ok(Box::new(Drawing { blueprint, digest, asks }))
}

/// The steps, and what the files that they change hold now.
type Steps = (Vec<Node>, BTreeMap<String, PreImage>);

/// Reads files.
pub fn steps_of(
    runtime: &Runtime,
    project: ProjectId,
    spec: &Spec,
    known: &Surroundings,
) -> Result<Steps, Vec<NotDrawn>> {
    let workspace = runtime.deps.workspaces.of(project);
    let workspace = workspace.map_err(|e| of_target(&e.kind().to_string()))?;
    let own_directories = workspace.own_directories();
    let base = append_base::look(&workspace, spec)?;
    let facts = DrawFacts {
        policy: known.policy.policy_for(spec.task_type).project_policy(),
        earlier: &known.earlier,
        systems: &known.systems.list,
        own_directories: &own_directories,
        held: base.text(),
    };
    let nodes = wiiiv_hlx::draw(spec, &facts)?;
    let pre_images = pre_images(&workspace, &nodes)?;
    base.unchanged(&pre_images)?;
    Ok((nodes, pre_images))
}

fn contracts(keeper: &GateKeeper, nodes: &[Node]) -> BTreeMap<ExecutorId, u32> {
    let executors = nodes.iter().filter_map(|n| keeper.executor_for(n.params.step_type()));
    executors.map(|meta| (meta.id.clone(), meta.contract_version)).collect()
}

/// The revisions of the systems that the plan was drawn by: it runs under no other.
fn revisions(nodes: &[Node], systems: &RegisteredSystems) -> BTreeMap<SystemName, u64> {
    let of = |node: &Node| match &node.params {
        StepParams::ApiCall { url, .. } => {
            let name = url.system.clone()?;
            let revision = systems.standings.get(&name)?.revision;
            Some((name, revision))
        }
        StepParams::FileRead { .. }
        | StepParams::FileWrite { .. }
        | StepParams::FileDelete { .. }
        | StepParams::WebFetch { .. }
        | StepParams::Transform { .. } => None,
    };
    nodes.iter().filter_map(of).collect()
}

/// The policy's denials, before a person is asked.
fn denied(
    keeper: &GateKeeper,
    blueprint: &Blueprint,
    (policy, language): (&PolicySnapshot, Lang),
    known: Known<'_>,
) -> Vec<NotDrawn> {
    let Ok(findings) = keeper.forecast(blueprint, policy, known, clock::now()) else {
        let code = DenyCode::EvidenceMismatch;
        return vec![NotDrawn::Denied { code, what: String::new(), rule: None }];
    };
    let refused = findings.permission.refusals.iter();
    let told = |r: &RefusedPlace| {
        let rules = policy.policy_for(blueprint.spec_snapshot.spec.task_type).fine_rules();
        let rule = r.rule.as_ref().and_then(|name| rules?.named(name));
        match rule.and_then(|rule| rule.advice(language)) {
            Some(advice) => format!("{} ({advice})", r.what),
            None => r.what.clone(),
        }
    };
    let mut reasons: Vec<NotDrawn> = refused
        .map(|r| NotDrawn::Denied { code: r.code, what: told(r), rule: r.rule.clone() })
        .collect();
    let others = findings.denials().into_iter().filter(|(gate, _)| match gate {
        GateName::Dacs | GateName::Cost => true,
        GateName::UserApproval | GateName::Permission => false,
    });
    let named = |(_, code)| NotDrawn::Denied { code, what: String::new(), rule: None };
    reasons.extend(others.map(named));
    if findings.approval.basis == ApprovalBasis::ForeignTarget {
        reasons.extend(foreign_targets(blueprint));
    }
    reasons
}

/// The files and hosts of steps with a target that did not come from the user's words.
fn foreign_targets(blueprint: &Blueprint) -> Vec<NotDrawn> {
    let is_foreign = |node: &&Node| {
        let places = blueprint.sources.get(&node.id).into_iter().flat_map(BTreeMap::keys);
        let bound = node.params.args();
        let bound = bound.iter().filter(|(_, arg)| arg.binding().is_some());
        let bound: Vec<ArgPlace> = bound.filter_map(|(name, _)| ArgPlace::of_arg(name)).collect();
        places.chain(&bound).any(|place| place.is_target())
    };
    let named = |node: &Node| NotDrawn::Denied {
        code: DenyCode::TaintedArgument,
        what: target_of(node),
        rule: None,
    };
    blueprint.nodes.iter().filter(is_foreign).map(named).collect()
}

fn target_of(node: &Node) -> String {
    match &node.params {
        StepParams::FileRead { directory, name }
        | StepParams::FileWrite { directory, name, .. }
        | StepParams::FileDelete { directory, name } => {
            let name = match name {
                Arg::Literal(name) => name.as_str(),
                Arg::Bound(_) => "",
            };
            format!("{directory}/{name}").trim_matches('/').to_owned()
        }
        StepParams::ApiCall { url, .. } | StepParams::WebFetch { url } => url.host.clone(),
        StepParams::Transform { .. } => String::new(),
    }
}

/// Pre-images of the files that the plan changes. A bound name is checked at its step.
fn pre_images(
    workspace: &Workspace,
    nodes: &[Node],
) -> Result<BTreeMap<String, PreImage>, Vec<NotDrawn>> {
    let mut found = BTreeMap::new();
    for node in nodes {
        let (directory, name) = match &node.params {
            StepParams::FileWrite { directory, name, .. }
            | StepParams::FileDelete { directory, name } => (directory, name),
            StepParams::FileRead { .. }
            | StepParams::ApiCall { .. }
            | StepParams::WebFetch { .. }
            | StepParams::Transform { .. } => continue,
        };
        let Arg::Literal(name) = name else { continue };
        let path = if directory.is_empty() {
            name.clone()
        } else {
            format!("{}/{name}", directory.trim_end_matches('/'))
        };
        let parsed = WorkspacePath::parse(&path).map_err(|e| of_target(e.code()))?;
        let pre_image = workspace.pre_image(&parsed).map_err(|e| of_target(e.code()))?;
        found.insert(path, pre_image);
    }
    Ok(found)
}
