//! From a deliberated spec to a frozen plan. Deterministic; the files it would touch are looked at
//! in a task of their own.

use crate::{
    audit, clock,
    deps::Shared,
    qualification,
    session::{
        actor::SessionActor,
        earlier_result, held,
        state::{Down, Plan, Session},
    },
};
use kameo::prelude::*;
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{
    Amount, Asks, Blueprint, BlueprintDigest, DacsResult, DenyCode, ExecutorId, FlowInput,
    GateName, Node, NotDrawn, PreImage, ProjectId, SessionId, SlotName, Spec, SpecDigest,
    SpecSnapshot, StepId, StepOutput, StepParams, System, TaskId, TurnId, UserId, WorkspacePath,
};
use wiiiv_gate::{GateKeeper, PolicySnapshot, Standing};
use wiiiv_hlx::{DrawFacts, EarlierRun, EarlierStep};
use wiiiv_store::Write;
use wiiiv_workspace::Workspace;

/// What a drawing needs, owned by its task.
struct Sheet {
    room: Shared,
    project: ProjectId,
    session: SessionId,
    task: TaskId,
    spec: Spec,
    verdict: DacsResult,
    requester: UserId,
    policy: Arc<PolicySnapshot>,
    standing: Standing,
    earlier: Vec<EarlierRun>,
    systems: Arc<[System]>,
}

struct Drawing {
    blueprint: Blueprint,
    digest: BlueprintDigest,
    asks: Asks,
}

pub struct Drawn {
    turn: TurnId,
    spec: SpecDigest,
    result: Result<Box<Drawing>, Vec<NotDrawn>>,
}

pub async fn start(
    session: &mut Session,
    turn: TurnId,
    task: TaskId,
    spec: Spec,
) -> Result<(), Down> {
    let digest = spec.digest().map_err(|e| Down(e.to_string()))?;
    // Also where no message came before it: the last one may be long ago.
    session.look_at_systems().await?;
    let room = session.room.clone();
    let policy = room.policies.current(session.row.project).await;
    let policy = policy.map_err(|e| Down(e.to_string()))?;
    let rules = policy.project_policy();
    let standing = qualification::judged(&room.deps, session.row.id, rules).await?;
    let verdict = match session.verdicts.get(&digest) {
        Some(known) => known.clone(),
        None => room.deps.keeper.deliberate(&spec, &policy, &standing),
    };
    let earlier = earlier(session).await?;
    let (project, requester) = (session.row.project, session.row.owner);
    let sheet = Sheet {
        room,
        project,
        session: session.row.id,
        task,
        spec,
        verdict,
        requester,
        policy,
        standing,
        earlier,
        systems: session.systems.clone(),
    };
    let me = session.me.clone();
    tokio::spawn(async move {
        let (room, systems) = (sheet.room.clone(), sheet.systems.clone());
        let drawn = tokio::task::spawn_blocking(move || draw(sheet)).await;
        let Some(me) = me.upgrade() else { return };
        let result = drawn.unwrap_or_else(|_| {
            Err(vec![NotDrawn::OutsideEnvelope { what: "the drawing ended early".to_owned() }])
        });
        let result = match result {
            Ok(drawing) => {
                earlier_result::check(&room, &drawing.blueprint, &systems).await.map(|()| drawing)
            }
            Err(reasons) => Err(reasons),
        };
        let _ = me.tell(Drawn { turn, spec: digest, result }).await;
    });
    Ok(())
}

/// Runs of the session that can be referred to.
pub async fn earlier(session: &Session) -> Result<Vec<EarlierRun>, Down> {
    let runs = session.room.deps.store.runs_of(session.row.id).await?;
    Ok(runs.into_iter().map(earlier_run).collect())
}

fn earlier_run(run: wiiiv_store::FinishedRun) -> EarlierRun {
    let step = |(step, out): (StepId, StepOutput)| EarlierStep {
        step,
        media_type: out.media_type,
        size_bytes: out.size_bytes,
        foreign: out.foreign,
    };
    let steps = run.steps.into_iter().map(step).collect();
    EarlierRun { execution: run.execution, finished_at: run.finished_at, steps }
}

fn draw(sheet: Sheet) -> Result<Box<Drawing>, Vec<NotDrawn>> {
    let keeper = &sheet.room.deps.keeper;
    let workspace = sheet.room.deps.workspaces.of(sheet.project);
    let workspace = workspace.map_err(|e| unusable(&e.kind().to_string()))?;
    let own_directories = workspace.own_directories();
    let held = held::look(&workspace, &sheet.spec)?;
    let facts = DrawFacts {
        policy: sheet.policy.project_policy(),
        earlier: &sheet.earlier,
        systems: &sheet.systems,
        own_directories: &own_directories,
        held: held.text(),
    };
    let nodes = wiiiv_hlx::draw(&sheet.spec, &facts)?;
    let pre_images = pre_images(&workspace, &nodes)?;
    held.unchanged(&pre_images)?;
    let blueprint = Blueprint {
        version: Blueprint::VERSION,
        id: clock::fresh(),
        project: sheet.project,
        session: sheet.session,
        task: sheet.task,
        policy: sheet.policy.version(),
        spec_snapshot: SpecSnapshot {
            spec: sheet.spec,
            deliberation: sheet.verdict,
            requester: sheet.requester,
            at: clock::now(),
        },
        contracts: contracts(keeper, &nodes),
        nodes,
        pre_images,
        estimate: Amount::ZERO,
    };
    let refuse = |what: String| vec![NotDrawn::OutsideEnvelope { what }];
    let digest = blueprint.digest().map_err(|e| refuse(e.to_string()))?;
    let asks = keeper.asks(&blueprint, &sheet.policy, &sheet.standing);
    if asks == Asks::Refused {
        return Err(denied(keeper, &blueprint, &sheet.policy, &sheet.standing));
    }
    Ok(Box::new(Drawing { blueprint, digest, asks }))
}

fn contracts(keeper: &GateKeeper, nodes: &[Node]) -> BTreeMap<ExecutorId, u32> {
    let executors = nodes.iter().filter_map(|n| keeper.executor_for(n.params.step_type()));
    executors.map(|meta| (meta.id.clone(), meta.contract_version)).collect()
}

/// What policy would say, before a person is asked.
fn denied(
    keeper: &GateKeeper,
    blueprint: &Blueprint,
    policy: &PolicySnapshot,
    standing: &Standing,
) -> Vec<NotDrawn> {
    let Ok(findings) = keeper.forecast(blueprint, policy, standing, clock::now()) else {
        let code = DenyCode::EvidenceMismatch;
        return vec![NotDrawn::Denied { code, what: String::new() }];
    };
    let refused = findings.permission.refusals.iter();
    let mut reasons: Vec<NotDrawn> =
        refused.map(|r| NotDrawn::Denied { code: r.code, what: r.what.clone() }).collect();
    let others = findings.denials().into_iter().filter(|(gate, _)| match gate {
        GateName::Dacs | GateName::Cost => true,
        GateName::UserApproval | GateName::Permission => false,
    });
    let named = |(_, code)| NotDrawn::Denied { code, what: String::new() };
    reasons.extend(others.map(named));
    reasons
}

/// What every file that the plan changes holds now. A bound name cannot be looked at before it is
/// known; its directory is literal and its node is checked again at its step.
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
        let wiiiv_domain::Arg::Literal(name) = name else { continue };
        let path = if directory.is_empty() {
            name.clone()
        } else {
            format!("{}/{name}", directory.trim_end_matches('/'))
        };
        let parsed = WorkspacePath::parse(&path).map_err(|e| unusable(e.code()))?;
        let pre_image = workspace.pre_image(&parsed).map_err(|e| unusable(e.code()))?;
        found.insert(path, pre_image);
    }
    Ok(found)
}

/// The path that was asked for cannot be used, and why.
pub(super) fn unusable(code: &str) -> Vec<NotDrawn> {
    let name = SlotName::parse(SlotName::TARGET_PATH);
    let code = code.to_owned();
    name.map_or_else(|_| Vec::new(), |name| vec![NotDrawn::Slot { name, code }])
}

impl Message<Drawn> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, drawn: Drawn, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        let done = session.drawn(drawn).await;
        self.after(done).await;
    }
}

impl Session {
    async fn drawn(&mut self, drawn: Drawn) -> Result<(), Down> {
        let Drawn { turn, spec, result } = drawn;
        let input = match result {
            Err(reasons) => FlowInput::NotDrawable { spec, reasons },
            Ok(drawing) => {
                let Drawing { blueprint, digest, asks } = *drawing;
                let id = blueprint.id;
                self.book.audit(audit::drawn(&blueprint, digest));
                self.book.write(Write::Blueprint(Box::new(blueprint.clone())));
                let plan = Plan { blueprint: Arc::new(blueprint), approval: None };
                self.keep_plan(digest, plan);
                FlowInput::Drawn { spec, blueprint: id, digest, asks }
            }
        };
        self.feed(turn, input).await
    }
}
