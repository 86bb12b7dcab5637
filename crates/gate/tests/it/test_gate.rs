//! One opening with the product's own rules, and whoever lives in it.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use wiiiv_domain::{
    Amount, ApprovalBy, ApprovalId, Arg, Blueprint, Capability, ContentDigest, Effect, Envelope,
    ExecutionId, ExecutorId, ExecutorMeta, HostRule, HttpMethod, Node, NodeKind, PolicyDocument,
    PolicyVersionId, PriceTable, ProjectId, ProjectPolicy, Retry, Risk, RulingId, Salt, SessionId,
    Slots, Spec, SpecSnapshot, StepId, StepParams, StepType, TaskId, TaskType, Timestamp,
    UrlTemplate, UserId,
};
use wiiiv_gate::{
    ApprovalGiven, ApprovalRequest, AuditSeq, BaseBook, BudgetView, Claim, DacsRules,
    DelegationGiven, Evidence, EvidenceError, EvidenceSet, GateContext, Opened, PolicySnapshot,
    Principal, Purpose, Recorded, Rights, RiskRules, Ruled, Standing, StandingSeq, UserEvent,
    UserEventKind, approval, open, policy, profile,
};

pub const DACS: &str = include_str!("../../../../policies/dacs.toml");
pub const RISK: &str = include_str!("../../../../policies/risk.toml");
pub const DEFAULT: &str = include_str!("../../../../policies/profiles/default.toml");
pub const STRICT: &str = include_str!("../../../../policies/profiles/strict.toml");

pub fn id<T: From<uuid::Uuid>>(number: u128) -> T {
    uuid::Uuid::from_u128(number).into()
}

pub fn now() -> Timestamp {
    Timestamp::from_unix_ms(1_795_232_682_000)
}

pub const EDITOR: Rights =
    Rights { admin: false, owner: false, editor: true, approver: false, viewer: false };
pub const APPROVER: Rights = Rights { editor: false, approver: true, ..EDITOR };
pub const OWNER: Rights = Rights { editor: false, owner: true, ..EDITOR };
pub const VIEWER: Rights = Rights { editor: false, viewer: true, ..EDITOR };

fn meta(
    id: &str,
    step_types: &[StepType],
    capabilities: &[Capability],
    risk: Risk,
) -> ExecutorMeta {
    ExecutorMeta {
        id: ExecutorId::new(id),
        contract_version: 1,
        step_types: step_types.iter().copied().collect(),
        capabilities: capabilities.iter().copied().collect(),
        risk,
    }
}

pub fn executors() -> Vec<ExecutorMeta> {
    use Capability::{Delete, Read, Send, Write};
    let files = [StepType::FileRead, StepType::FileWrite, StepType::FileDelete];
    vec![
        meta("file", &files, &[Read, Write, Delete], Risk::Medium),
        meta("api", &[StepType::ApiCall], &[Read, Send, Write, Delete], Risk::Medium),
        meta("web", &[StepType::WebFetch], &[Read], Risk::Medium),
        meta("transform", &[StepType::Transform], &[Read], Risk::Low),
    ]
}

pub fn book() -> BaseBook {
    BaseBook {
        executors: executors(),
        dacs: DacsRules::parse(DACS).unwrap(),
        risk: RiskRules::parse(RISK).unwrap(),
        prices: PriceTable::default(),
    }
}

pub struct TestGate {
    pub opened: Opened,
    pub project: ProjectId,
    pub session: SessionId,
    pub requester: UserId,
    seq: Cell<u64>,
}

impl TestGate {
    pub fn new() -> Self {
        Self::with(book())
    }
    pub fn with(book: BaseBook) -> Self {
        Self {
            opened: open(book),
            project: id(1),
            session: id(2),
            requester: id(3),
            seq: Cell::new(0),
        }
    }
    pub fn next(&self) -> AuditSeq {
        self.seq.set(self.seq.get() + 1);
        AuditSeq::new(self.seq.get())
    }
    /// As the store does it: written, then read back.
    pub fn record<E: Evidence>(&self, body: &E) -> Recorded<E> {
        let bytes = serde_json::to_vec(body).unwrap();
        let digest = ContentDigest::of_bytes(&bytes);
        self.opened.registrar.restore(self.next(), &bytes, digest).unwrap()
    }
    pub fn person(&self, user: UserId, rights: Rights) -> Principal {
        self.opened.registrar.principal(
            (user, uuid::Uuid::nil()),
            "somebody",
            Some(self.project),
            rights,
        )
    }
    pub fn event(&self, who: &Principal, kind: UserEventKind) -> Recorded<UserEvent> {
        let said = UserEvent::of(who, self.project, Some(self.session), kind, now()).unwrap();
        self.record(&self.opened.registrar.take(said).unwrap())
    }
    pub fn document(&self, policy: ProjectPolicy) -> PolicyDocument {
        PolicyDocument {
            id: id(10),
            project: self.project,
            number: 1,
            author: None,
            reason: "first".into(),
            at: now(),
            policy,
            of_override: None,
        }
    }
    pub fn snapshot(&self, policy: ProjectPolicy) -> Arc<PolicySnapshot> {
        let version = policy::initial(self.document(policy)).unwrap();
        Arc::new(self.opened.keeper.compile(&self.record(&version)).unwrap())
    }
    pub fn permissive(&self) -> Arc<PolicySnapshot> {
        self.snapshot(permissive())
    }
    pub fn standing(&self) -> Standing {
        Standing {
            session: self.session,
            seq: StandingSeq::new(7),
            risk_score: 0,
            halted: false,
            tainted: false,
            unverified: false,
            ledger: None,
        }
    }
    pub fn evidence(&self, approvals: Vec<Recorded<ApprovalGiven>>) -> EvidenceSet {
        EvidenceSet { approvals, ..EvidenceSet::bare(BudgetView::default(), self.standing()) }
    }

    /// A plan whose snapshot says what the rule personas say of it under this policy.
    pub fn plan(
        &self,
        task: TaskType,
        slots: &[(&str, &str)],
        nodes: Vec<Node>,
        policy: &PolicySnapshot,
    ) -> Blueprint {
        let mut filled = Slots::default();
        for (name, value) in slots {
            filled.set(name, *value).unwrap();
        }
        let spec = Spec::new(Salt::from_bytes([7; 16]), task, filled, &Envelope::default());
        let deliberation = self.opened.keeper.deliberate(&spec, policy, &self.standing());
        Blueprint {
            version: Blueprint::VERSION,
            id: id(20),
            project: self.project,
            session: self.session,
            task: id(21),
            policy: policy.version(),
            spec_snapshot: SpecSnapshot {
                spec,
                deliberation,
                requester: self.requester,
                at: now(),
            },
            nodes,
            contracts: self.opened.keeper.contracts(),
            pre_images: BTreeMap::new(),
            systems: BTreeMap::new(),
            sources: BTreeMap::new(),
            estimate: Amount::ZERO,
        }
    }
    pub fn write(&self, path: &str, policy: &PolicySnapshot) -> Blueprint {
        let slots = [("targetPath", path), ("content", "회의 3시")];
        self.plan(TaskType::FileWrite, &slots, vec![write_node(path)], policy)
    }
    pub fn fetch(&self, url: &str, policy: &PolicySnapshot) -> Blueprint {
        let (_, rest) = url.split_once("://").unwrap();
        let (host, _) = rest.split_once('/').unwrap_or((rest, ""));
        let slots = [("intent", "look"), ("domain", url), ("url", url)];
        let nodes = vec![call_node(HttpMethod::Get, host, None)];
        self.plan(TaskType::ApiWorkflow, &slots, nodes, policy)
    }

    pub fn request(&self, plan: &Blueprint, by: ApprovalBy) -> ApprovalRequest {
        ApprovalRequest {
            id: id(30),
            blueprint: plan.id,
            digest: plan.digest().unwrap(),
            requester: self.requester,
            project: self.project,
            by,
            approvers: 1,
            editors: plan.spec_snapshot.editors(),
            expires_at: now().plus_seconds(600),
        }
    }
    pub fn yes(
        &self,
        who: &Principal,
        asked: &ApprovalRequest,
    ) -> Result<Recorded<ApprovalGiven>, EvidenceError> {
        let (approval, blueprint, digest) = (asked.id, asked.blueprint, asked.digest);
        let kind = UserEventKind::Approve { approval, blueprint, digest, delegation: None };
        let event = self.event(who, kind);
        let asked = self.opened.registrar.asked(asked.clone());
        let given = approval::given(&event, &asked)?;
        Ok(self.record(&self.opened.registrar.take(given).unwrap()))
    }
    /// The same in the right that a delegation lends.
    pub fn yes_for(
        &self,
        who: &Principal,
        asked: &ApprovalRequest,
        lent: &Recorded<DelegationGiven>,
    ) -> Result<Recorded<ApprovalGiven>, EvidenceError> {
        let (approval, blueprint, digest) = (asked.id, asked.blueprint, asked.digest);
        let delegation = Some(lent.body().id());
        let kind = UserEventKind::Approve { approval, blueprint, digest, delegation };
        let event = self.event(who, kind);
        let asked = self.opened.registrar.asked(asked.clone());
        let given = approval::given_for(&event, &asked, lent)?;
        Ok(self.record(&self.opened.registrar.take(given).unwrap()))
    }
    /// The requester's own yes to this plan.
    pub fn own_yes(&self, plan: &Blueprint) -> Recorded<ApprovalGiven> {
        let who = self.person(self.requester, EDITOR);
        self.yes(&who, &self.request(plan, ApprovalBy::Requester)).unwrap()
    }

    pub fn gather(
        &self,
        plan: Blueprint,
        policy: &Arc<PolicySnapshot>,
        evidence: EvidenceSet,
    ) -> GateContext<Blueprint> {
        let purpose = Purpose::Start(execution());
        let policy = Arc::clone(policy);
        self.opened.keeper.gather(ruling(), purpose, plan, policy, evidence).unwrap()
    }
    pub fn rule(
        &self,
        plan: Blueprint,
        policy: &Arc<PolicySnapshot>,
        approvals: Vec<Recorded<ApprovalGiven>>,
    ) -> (Claim, Ruled<Blueprint>) {
        let cx = self.gather(plan, policy, self.evidence(approvals));
        self.opened.keeper.rule(cx, now())
    }
    /// The whole way of one approved plan.
    pub fn permit(
        &self,
        plan: Blueprint,
        policy: &Arc<PolicySnapshot>,
    ) -> wiiiv_gate::Authorized<Blueprint> {
        let yes = self.own_yes(&plan);
        let (claim, ruled) = self.rule(plan, policy, vec![yes]);
        let done = self.opened.registrar.attest(claim, self.next());
        ruled.seal(done).unwrap()
    }
}

pub fn ruling() -> RulingId {
    id(40)
}
pub fn execution() -> ExecutionId {
    id(41)
}
pub fn task() -> TaskId {
    id(21)
}
pub fn approval_id() -> ApprovalId {
    id(30)
}
pub fn version_id() -> PolicyVersionId {
    id(10)
}

/// The default profile with one service on the egress list.
pub fn permissive() -> ProjectPolicy {
    let mut policy = profile(DEFAULT).unwrap();
    policy.allowed_hosts.push(host("shop.test"));
    policy
}

pub fn host(name: &str) -> HostRule {
    HostRule {
        host: name.into(),
        scheme: None,
        port: None,
        private: false,
        idempotent_methods: BTreeSet::new(),
        idempotent_operations: BTreeSet::new(),
        read_operations: BTreeSet::new(),
    }
}

pub fn literal(text: &str) -> Arg {
    Arg::Literal(text.into())
}

pub fn node(name: &str, kind: NodeKind, params: StepParams, effect: Effect) -> Node {
    Node {
        id: StepId::parse(name).unwrap(),
        kind,
        params,
        depends_on: Vec::new(),
        when: None,
        retry: Retry::default(),
        effect,
        idempotent: effect != Effect::Delete,
    }
}

fn split(path: &str) -> (String, Arg) {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    (directory.into(), literal(name))
}

pub fn read_node(path: &str) -> Node {
    let (directory, name) = split(path);
    node("read", NodeKind::Observe, StepParams::FileRead { directory, name }, Effect::Read)
}
pub fn write_node(path: &str) -> Node {
    let (directory, name) = split(path);
    let params = StepParams::FileWrite { directory, name, content: literal("회의 3시") };
    node("write", NodeKind::Act, params, Effect::Write)
}
pub fn delete_node(path: &str) -> Node {
    let (directory, name) = split(path);
    node("delete", NodeKind::Act, StepParams::FileDelete { directory, name }, Effect::Delete)
}
pub fn transform_node() -> Node {
    let params =
        StepParams::Transform { input: literal("{}"), beside: Vec::new(), expr: ".".into() };
    node("pick", NodeKind::Transform, params, Effect::Read)
}
pub fn fetch_node(host: &str) -> Node {
    let params = StepParams::WebFetch { url: items_of(host) };
    node("page", NodeKind::Observe, params, Effect::Read)
}
fn items_of(host: &str) -> UrlTemplate {
    UrlTemplate {
        system: None,
        scheme: wiiiv_domain::Scheme::Https,
        host: host.into(),
        port: None,
        segments: vec![literal("items")],
        query: Vec::new(),
    }
}
pub fn call_node(method: HttpMethod, host: &str, body: Option<Arg>) -> Node {
    let url = items_of(host);
    let params = StepParams::ApiCall { method, url, content_type: None, body };
    let effect = if method.is_safe() { Effect::Read } else { Effect::Write };
    let kind = if method.is_safe() { NodeKind::Observe } else { NodeKind::Act };
    Node { idempotent: method.is_safe(), ..node("call", kind, params, effect) }
}
