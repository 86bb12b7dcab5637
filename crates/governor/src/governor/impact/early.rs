//! Requests that were refused before a plan was drawn, judged again. Neither a ruling nor a plan is on record of
//! one. Its review is, with the digest of its spec, and the journal leads to that spec and to how it ended.

use super::versions::{Versions, ruling, unavailable};
use crate::{
    clock,
    governor::policies::PolicyChangeError,
    review::{ReviewEnd, Reviewed, of_turn},
    runtime::Runtime,
    systems::RegisteredSystems,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{
    Amount, Asks, Blueprint, Consensus, DacsResult, DenyCode, GateName, Node, NotDrawn, ProjectId,
    SessionId, Spec, SpecDigest, SpecSnapshot, TaskId, TaskType, Timestamp, TurnId,
};
use wiiiv_gate::{ApprovalBasis, DecisionRecord, Findings, Policy, Replayed, ReviewedAgain};
use wiiiv_hlx::DrawFacts;
use wiiiv_store::{AuditRow, BlueprintRow, SessionRow};

/// Reviews of one look; the newest are looked at.
const REVIEWS_MAX: usize = 2_000;
/// Reviews without a plan: for each of them its turn is read again.
const WITHOUT_PLAN_MAX: usize = 200;
const PAGE_ROWS: u64 = 200;

/// What would have become of a request that was refused before a plan was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EarlyFate {
    /// A plan would have been drawn. What it would have come to is not told: somebody may be asked about it,
    /// and the gates rule on it.
    Drawn,
    /// The rule personas would have let it go on to model personas, and nobody knows what those would have said.
    ToModels,
    /// There would have been no plan either.
    Refused,
    /// What it was judged on is not on record, or this build judges it otherwise than it was judged.
    NotJudged,
}

/// What was found of such requests.
#[derive(Debug, Default)]
pub struct Early {
    /// By the code that each was refused with: the first one that was told.
    pub counts: BTreeMap<(EarlyFate, DenyCode), usize>,
    /// Nobody knows how these ended: their conversation was erased, or an older build's record leads to no turn.
    pub erased: usize,
    /// There are older ones in that time.
    pub more: bool,
}

/// `from`: the number of the first record that is looked at. `only`: requests of that type.
pub async fn look(
    (runtime, project): (&Runtime, ProjectId),
    (versions, rules): (&mut Versions<'_>, &(Policy, Policy)),
    (from, only): (u64, Option<TaskType>),
) -> Result<Early, PolicyChangeError> {
    let (systems, store) = (runtime.systems.current(project).await?, &runtime.deps.store);
    let (found, turns) = (Early::default(), BTreeMap::new());
    let mut look = Look { runtime, versions, rules, only, systems, turns, found };
    let (mut before, mut seen, mut without_plan) = (None, 0, 0);
    // When the same spec was reviewed the next time: they come newest first.
    let mut next: BTreeMap<(SessionId, SpecDigest), Timestamp> = BTreeMap::new();
    loop {
        let rows = store.reviews_from(project, from, (before, PAGE_ROWS)).await?;
        let Some(last) = rows.last() else { return Ok(look.found) };
        before = Some(last.seq);
        let reviews = rows.into_iter().map(Review::read).collect::<Result<Vec<_>, _>>()?;
        let specs: Vec<_> = reviews.iter().map(Review::key).collect();
        let plans = store.plans_of_specs(&specs).await?;
        for review in reviews {
            let is_drawn = review.is_drawn(&plans, next.insert(review.key(), review.at));
            if seen == REVIEWS_MAX || without_plan == WITHOUT_PLAN_MAX {
                look.found.more = true;
                return Ok(look.found);
            }
            seen += 1;
            if !is_drawn && look.is_wanted(review.told.task_type) {
                without_plan += 1;
                look.judge(&review).await?;
                // Reviews of one turn are judged without any wait.
                tokio::task::yield_now().await;
            }
        }
    }
}

/// A review's record, as far as it is needed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReviewRecord {
    session: SessionId,
    task: TaskId,
    spec: SpecDigest,
    /// Older builds told neither of these.
    #[serde(default)]
    turn: Option<TurnId>,
    #[serde(default)]
    task_type: Option<TaskType>,
}

struct Review {
    seq: u64,
    at: Timestamp,
    told: ReviewRecord,
}

impl Review {
    fn read(row: AuditRow) -> Result<Self, PolicyChangeError> {
        let AuditRow { seq, at, body, .. } = row;
        let unreadable = |e| unavailable(format_args!("review `{seq}` cannot be read: {e}"));
        let told = serde_json::from_value(body).map_err(unreadable)?;
        Ok(Self { seq, at, told })
    }

    fn key(&self) -> (SessionId, SpecDigest) {
        (self.told.session, self.told.spec)
    }

    /// From this review, and not from the next one of the same spec.
    fn is_drawn(&self, plans: &[BlueprintRow], next: Option<Timestamp>) -> bool {
        plans.iter().any(|plan| {
            (plan.session, plan.spec_digest) == self.key()
                && plan.created_at >= self.at
                && next.is_none_or(|next| plan.created_at < next)
        })
    }

    /// The turn that began the task has its id.
    fn turn(&self) -> TurnId {
        self.told.turn.unwrap_or_else(|| TurnId::from(self.told.task.uuid()))
    }
}

struct Look<'a, 'v> {
    runtime: &'a Runtime,
    versions: &'a mut Versions<'v>,
    /// The proposed ones, and those in force.
    rules: &'a (Policy, Policy),
    only: Option<TaskType>,
    systems: RegisteredSystems,
    /// A turn may have many reviews, and its journal is read once.
    turns: BTreeMap<(SessionId, TurnId), Option<Vec<Reviewed>>>,
    found: Early,
}

impl Look<'_, '_> {
    /// What a record does not tell may be of the wanted type.
    fn is_wanted(&self, told: Option<TaskType>) -> bool {
        self.only.is_none_or(|only| told.is_none_or(|told| told == only))
    }

    /// Of what was not refused by policy nothing is told: it was stopped, or lacked a value.
    async fn judge(&mut self, review: &Review) -> Result<(), PolicyChangeError> {
        let store = &self.runtime.deps.store;
        let Some(session) = store.session(review.told.session).await? else { return Ok(()) };
        let Some(ends) = self.ends(&session, review.turn()).await? else {
            self.found.erased += 1;
            return Ok(());
        };
        let Some(end) = ends.iter().rev().find(|one| one.digest == review.told.spec).cloned()
        else {
            // The turn that began a task need not be the one of the review.
            self.found.erased += usize::from(review.told.turn.is_none());
            return Ok(());
        };
        if !self.is_wanted(end.spec.as_ref().map(|spec| spec.task_type)) {
            return Ok(());
        }
        let Some((code, was)) = refusal(&end.end) else { return Ok(()) };
        let fate = match &end.spec {
            Some(spec) => self.fate(review, (&session, spec), &was).await?,
            None => Some(EarlyFate::NotJudged),
        };
        let Some(fate) = fate else { return Ok(()) };
        let count = self.found.counts.entry((fate, code)).or_default();
        *count += 1;
        Ok(())
    }

    /// How the reviews of that turn ended.
    async fn ends(
        &mut self,
        session: &SessionRow,
        turn: TurnId,
    ) -> Result<Option<&Vec<Reviewed>>, PolicyChangeError> {
        let key = (session.id, turn);
        if !self.turns.contains_key(&key) {
            let (store, flow) = (&self.runtime.deps.store, &self.runtime.config.flow);
            let ends = of_turn(store, flow, session, turn).await?;
            self.turns.insert(key, ends);
        }
        Ok(self.turns.get(&key).and_then(Option::as_ref))
    }

    /// `None` where the policy in force has changed it already.
    async fn fate(
        &mut self,
        review: &Review,
        (session, spec): (&SessionRow, &Spec),
        was: &End,
    ) -> Result<Option<EarlyFate>, PolicyChangeError> {
        let place = (session.project, session.id);
        let before = self.runtime.deps.store.ruling_before(place, review.seq).await?;
        // What was read would have to be told from the user's words again.
        let Some(before) = before.filter(|_| spec.sources.is_empty()) else {
            return Ok(Some(EarlyFate::NotJudged));
        };
        let before = ruling(before)?;
        let systems = self.systems.clone();
        let (runtime, task, at) = (self.runtime, review.told.task, review.at);
        let request = Request { runtime, systems, session, task, at, spec, before: &before };
        if request.end(self.versions.of(&before).await?) != *was {
            return Ok(Some(EarlyFate::NotJudged));
        }
        let (proposed, in_force) = self.rules;
        let would_be = request.end(proposed);
        if would_be != *was && would_be == request.end(in_force) {
            return Ok(None);
        }
        Ok(Some(match would_be {
            End::Drawn => EarlyFate::Drawn,
            End::ToModels => EarlyFate::ToModels,
            End::Review(..) | End::Refused(_) => EarlyFate::Refused,
            // What it lacks here may have been there then.
            End::Undrawn => EarlyFate::NotJudged,
        }))
    }
}

/// How far a request comes.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// The review stops it, for these concerns.
    Review(Consensus, Vec<String>),
    /// The policy refuses its plan before anybody is asked.
    Refused(BTreeSet<DenyCode>),
    /// No plan can be drawn of it from here: files, earlier runs and former systems are not at hand.
    Undrawn,
    ToModels,
    Drawn,
}

/// `None` where no policy refused it.
fn refusal(end: &ReviewEnd) -> Option<(DenyCode, End)> {
    match end {
        ReviewEnd::Shadowed { .. } => None,
        ReviewEnd::Verdict { consensus, concerns } => {
            let code = match consensus {
                Consensus::Yes => return None,
                Consensus::Revision => DenyCode::DacsRevision,
                Consensus::No => DenyCode::DacsNo,
            };
            Some((code, End::Review(*consensus, concerns.clone())))
        }
        ReviewEnd::NotDrawable { reasons } => {
            let codes: Vec<DenyCode> = reasons.iter().filter_map(denied).collect();
            let first = *codes.first()?;
            Some((first, End::Refused(codes.into_iter().collect())))
        }
    }
}

const fn denied(reason: &NotDrawn) -> Option<DenyCode> {
    match reason {
        NotDrawn::Denied { code, .. } => Some(*code),
        NotDrawn::NoExecutor { .. } | NotDrawn::Slot { .. } | NotDrawn::OutsideEnvelope { .. } => {
            None
        }
    }
}

/// A request with what it was judged on.
struct Request<'a> {
    runtime: &'a Runtime,
    systems: RegisteredSystems,
    session: &'a SessionRow,
    task: TaskId,
    at: Timestamp,
    spec: &'a Spec,
    /// The last ruling in its conversation before.
    before: &'a DecisionRecord,
}

impl Request<'_> {
    /// By the functions that review, draw and forecast. Files and earlier runs are not looked at: what depends
    /// on them comes out otherwise than it did, and is not judged.
    fn end(&self, policy: &Policy) -> End {
        let keeper = &self.runtime.deps.keeper;
        let ReviewedAgain { result, binds, asks_models } =
            keeper.review_again(self.spec, policy, self.before);
        if binds && result.consensus != Consensus::Yes {
            return End::Review(result.consensus, result.concerns());
        }
        if asks_models {
            return End::ToModels;
        }
        let own_directories = BTreeSet::new();
        let facts = DrawFacts {
            policy: policy.project_policy(),
            earlier: &[],
            systems: &self.systems.list,
            own_directories: &own_directories,
            held: None,
        };
        let Ok(nodes) = wiiiv_hlx::draw(self.spec, &facts) else { return End::Undrawn };
        let plan = self.plan(nodes, result);
        match keeper.forecast_again(&plan, policy, self.before) {
            Err(_) => End::Undrawn,
            Ok(Replayed { asks: Asks::Refused, findings }) => End::Refused(codes(&findings)),
            Ok(_) => End::Drawn,
        }
    }

    fn plan(&self, nodes: Vec<Node>, deliberation: DacsResult) -> Blueprint {
        let (spec, requester, at) = (self.spec.clone(), self.session.owner, self.at);
        Blueprint {
            version: Blueprint::VERSION,
            id: clock::fresh(),
            project: self.session.project,
            session: self.session.id,
            task: self.task,
            policy: self.before.policy,
            spec_snapshot: SpecSnapshot { spec, deliberation, requester, at },
            nodes,
            contracts: self.runtime.deps.keeper.contracts(),
            pre_images: BTreeMap::new(),
            systems: BTreeMap::new(),
            sources: BTreeMap::new(),
            estimate: Amount::ZERO,
        }
    }
}

/// As a drawing tells them that comes to nothing.
fn codes(findings: &Findings) -> BTreeSet<DenyCode> {
    let refused = findings.permission.refusals.iter().map(|refusal| refusal.code);
    let others = findings.denials().into_iter().filter_map(|(gate, code)| match gate {
        GateName::Dacs | GateName::Cost => Some(code),
        GateName::UserApproval | GateName::Permission => None,
    });
    let is_foreign = findings.approval.basis == ApprovalBasis::ForeignTarget;
    refused.chain(others).chain(is_foreign.then_some(DenyCode::TaintedArgument)).collect()
}
