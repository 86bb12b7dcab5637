//! One opening of the gate and one store, with a person, a project and a session in it.

use secrecy::SecretString;
use serde_json::json;
use std::{
    collections::BTreeSet,
    path::Path,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};
use uuid::Uuid;
use wiiiv_domain::{
    ApprovalBy, ApprovalId, Blueprint, Capability, Confirmation, ContentDigest, EventBody,
    ExecutionId, ExecutorId, ExecutorMeta, ModelSlot, PriceTable, ProjectId, ProjectPolicy,
    ProviderName, Risk, SessionEvent, SessionId, StepType, TaskId, TaskType, Timestamp, TurnId,
    UserId,
};
use wiiiv_gate::{
    ApprovalGiven, ApprovalRequest, BaseBook, Claim, DacsRules, EvidenceSet, GateKeeper, ModelCall,
    Opened, PendingQuestion, PolicySnapshot, Principal, Purpose, Recorded, RiskRules, Ruled,
    Unrecorded, UserEvent, UserEventKind, open, profile,
};
use wiiiv_store::{
    ApprovalError, Boundary, FaultPoint, Inspection, Lease, Looking, NewUser, PasswordCost, Point,
    Store, StoreConfig, StoreError, TokenScope, Write, Writer, inspect,
};
use wiiiv_vault::{MasterKey, MasterKeys};

const DACS: &str = include_str!("../../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../../policies/risk.toml");
const PROFILE: &str = include_str!("../../../../policies/profiles/default.toml");
pub const PASSWORD: &str = "a long password";
const KEY: &str = "07";

pub fn new_id<T: From<Uuid>>() -> T {
    Uuid::now_v7().into()
}
pub fn now() -> Timestamp {
    Timestamp::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap())
}
pub fn master(digits: &str) -> MasterKey {
    MasterKey::parse(&digits.repeat(32)).unwrap()
}
pub fn keys(digits: &str) -> MasterKeys {
    MasterKeys::of(master(digits))
}
/// Of a model that budgets count: the built-in one costs nothing.
pub fn policy() -> ProjectPolicy {
    let mut policy = profile(PROFILE).unwrap();
    policy.llm_provider = ProviderName::Ollama;
    policy.governor_model = Some("local".to_owned());
    policy
}
/// Writes need no confirmation.
pub fn permissive() -> ProjectPolicy {
    let mut policy = policy();
    policy.confirmation.insert(TaskType::FileWrite, Confirmation::Never);
    policy
}

/// As `doctor` looks, without a file of checkpoints.
pub async fn inspected(file: &Path, keys: Option<&MasterKeys>) -> Result<Inspection, StoreError> {
    let registrar = opened().registrar;
    inspect(file, Looking { keys, checkpoints: None, registrar: &registrar }).await
}

pub fn opened() -> Opened {
    use Capability::{Delete, Read, Send, Write};
    let meta = |id, step_types: &[StepType], capabilities: &[Capability], risk| ExecutorMeta {
        id: ExecutorId::new(id),
        contract_version: 1,
        step_types: step_types.iter().copied().collect(),
        capabilities: capabilities.iter().copied().collect(),
        risk,
    };
    let files = [StepType::FileRead, StepType::FileWrite, StepType::FileDelete];
    open(BaseBook {
        executors: vec![
            meta("file", &files, &[Read, Write, Delete], Risk::Medium),
            meta("api", &[StepType::ApiCall], &[Read, Send, Write, Delete], Risk::Medium),
        ],
        dacs: DacsRules::parse(DACS).unwrap(),
        risk: RiskRules::parse(RISK).unwrap(),
        prices: PriceTable::default(),
    })
}

#[derive(Clone)]
pub struct TestStore {
    pub store: Store,
    pub keeper: GateKeeper,
    pub user: UserId,
    pub project: ProjectId,
    pub session: SessionId,
    pub lease: Lease,
    pub token: String,
}

impl TestStore {
    pub async fn memory(policy: ProjectPolicy) -> Self {
        Self::open(StoreConfig::memory(), policy).await
    }
    pub async fn on_disk(folder: &Path, policy: ProjectPolicy) -> Self {
        Self::open(StoreConfig::file(folder.join("wiiiv.db")), policy).await
    }
    /// Ends its process at that commit.
    pub async fn ending_at(folder: &Path, policy: ProjectPolicy, fault: FaultPoint) -> Self {
        let config = StoreConfig::file(folder.join("wiiiv.db"));
        Self::open(StoreConfig { faults: Some(fault), ..config }, policy).await
    }
    async fn open(config: StoreConfig, policy: ProjectPolicy) -> Self {
        let config = StoreConfig { password_cost: cheap(), ..config };
        let Opened { keeper, registrar, verifier: _ } = opened();
        let store = Store::open(config, registrar, keys(KEY)).await.unwrap();
        let new = NewUser { name: "kim".into(), password: password(), admin: false };
        let created = store.create_user(new, policy).await.unwrap();
        let (user, project) = (created.user, created.project);
        let session = store.create_session(project, user, "talk", now()).await.unwrap().id;
        let lease = store.lease(session).await.unwrap();
        let token = store.issue_token(user, TokenScope::Full, None).await.unwrap().text;
        let token = secrecy::ExposeSecret::expose_secret(&token).to_owned();
        Self { store, keeper, user, project, session, lease, token }
    }
    /// As after a restart: another opening of the gate, the same file.
    pub async fn reopened(&self, folder: &Path) -> Result<Self, StoreError> {
        self.reopened_with(folder, keys(KEY)).await
    }
    pub async fn reopened_with(&self, folder: &Path, keys: MasterKeys) -> Result<Self, StoreError> {
        let Opened { keeper, registrar, verifier: _ } = opened();
        let config = StoreConfig::file(folder.join("wiiiv.db"));
        let store = Store::open(config, registrar, keys).await?;
        let lease = store.lease(self.session).await?;
        Ok(Self { store, keeper, lease, ..self.clone() })
    }

    pub fn writer(&self) -> Writer {
        Writer::Session(self.lease.clone())
    }
    pub async fn snapshot(&self) -> Arc<PolicySnapshot> {
        let version = self.store.policy(self.project).await.unwrap();
        Arc::new(self.keeper.compile(&version).unwrap())
    }
    pub async fn principal(&self) -> Principal {
        self.store.authenticate(&self.token, Some(self.project), now()).await.unwrap()
    }

    /// Drawn and stored; with a question put to the requester.
    pub async fn plan(&self) -> Blueprint {
        let plan = crate::plan::write_plan(self, "notes/a.md").await;
        let write = Write::Blueprint(Box::new(plan.clone()));
        let body = json!({"task": plan.task, "blueprint": plan.id, "policy": plan.policy,
            "digest": plan.digest().unwrap()});
        let boundary = Boundary::new(Point::T1).write(write).entry("blueprint.drawn", body);
        self.store.append(&self.writer(), boundary).await.unwrap();
        plan
    }
    pub async fn ask(&self, plan: &Blueprint, seconds: i64) -> ApprovalRequest {
        self.ask_people(plan, seconds, (ApprovalBy::Requester, 1)).await
    }
    /// Puts it to so many people.
    pub async fn ask_people(
        &self,
        plan: &Blueprint,
        seconds: i64,
        people: (ApprovalBy, u8),
    ) -> ApprovalRequest {
        let editors = plan.spec_snapshot.editors();
        self.ask_beside(plan, seconds, people, editors).await
    }
    /// Puts it where this person wrote a value of the plan.
    pub async fn ask_edited(&self, plan: &Blueprint, editor: UserId) -> ApprovalRequest {
        let editors = BTreeSet::from([editor]);
        self.ask_beside(plan, 600, (ApprovalBy::AnotherPerson, 1), editors).await
    }
    async fn ask_beside(
        &self,
        plan: &Blueprint,
        seconds: i64,
        (by, approvers): (ApprovalBy, u8),
        editors: BTreeSet<UserId>,
    ) -> ApprovalRequest {
        let request = ApprovalRequest {
            id: new_id(),
            blueprint: plan.id,
            digest: plan.digest().unwrap(),
            requester: self.user,
            project: self.project,
            by,
            approvers,
            editors,
            expires_at: now().plus_seconds(seconds),
        };
        let preview = "{}".to_owned();
        let ask = Write::AskApproval { request: request.clone(), preview, escalates: None };
        let mut body = json!({"approval": request.id, "blueprint": plan.id, "digest": request.digest,
            "by": request.by, "expiresAt": request.expires_at, "requester": request.requester,
            "preview": ContentDigest::of_bytes(b"{}")});
        if approvers > 1 {
            body["approvers"] = approvers.into();
        }
        if !request.editors.is_empty() {
            body["editors"] = json!(request.editors);
        }
        let boundary = Boundary::new(Point::T1).write(ask).entry("approval.asked", body);
        self.store.append(&self.writer(), boundary).await.unwrap();
        request
    }
    async fn event(&self, kind: UserEventKind) -> Unrecorded<UserEvent> {
        let who = self.principal().await;
        UserEvent::of(&who, self.project, Some(self.session), kind, now()).unwrap()
    }
    pub async fn said(&self, kind: UserEventKind) -> Recorded<UserEvent> {
        let event = self.event(kind).await;
        let boundary = Boundary::new(Point::E);
        self.store.record_user_event(&self.writer(), boundary, event).await.unwrap().0
    }
    /// To the question as its row has it.
    pub async fn yes(&self, asked: &ApprovalRequest) -> (Unrecorded<UserEvent>, PendingQuestion) {
        let (approval, blueprint, digest) = (asked.id, asked.blueprint, asked.digest);
        let event = self
            .event(UserEventKind::Approve { approval, blueprint, digest, delegation: None })
            .await;
        (event, self.store.question(asked.project, asked.id).await.unwrap().unwrap())
    }
    pub async fn say(
        &self,
        (said, asked): (Unrecorded<UserEvent>, PendingQuestion),
    ) -> Result<Recorded<ApprovalGiven>, ApprovalError> {
        let boundary = Boundary::new(Point::E);
        let given = self.store.record_approval(&self.writer(), boundary, said, asked).await;
        given.map(|(given, _)| given)
    }
    pub async fn approve(
        &self,
        asked: &ApprovalRequest,
    ) -> Result<Recorded<ApprovalGiven>, ApprovalError> {
        self.say(self.yes(asked).await).await
    }
    /// A plan with a recorded yes.
    pub async fn approved_plan(&self) -> (Blueprint, ApprovalId) {
        let plan = self.plan().await;
        let request = self.ask(&plan, 600).await;
        self.approve(&request).await.unwrap();
        (plan, request.id)
    }

    pub async fn rule(&self, plan: &Blueprint) -> (Claim, Ruled<Blueprint>) {
        let evidence = self.store.evidence(plan, now()).await.unwrap();
        self.rule_with(plan, evidence).await
    }
    pub async fn rule_with(
        &self,
        plan: &Blueprint,
        evidence: EvidenceSet,
    ) -> (Claim, Ruled<Blueprint>) {
        let purpose = Purpose::Start(new_id::<ExecutionId>());
        let policy = self.snapshot().await;
        let cx = self.keeper.gather(new_id(), purpose, plan.clone(), policy, evidence).unwrap();
        self.keeper.rule(cx, now())
    }
    /// A call of the policy's model, judged on a view from before anything was held.
    pub async fn rule_call(&self, task: TaskId, tokens: u64) -> (Claim, Ruled<ModelCall>) {
        let call = ModelCall {
            call: new_id(),
            project: self.project,
            session: self.session,
            user: self.user,
            task,
            turn: new_id(),
            slot: ModelSlot::Governor,
            provider: ProviderName::Ollama,
            model: "local".into(),
            max_input_tokens: tokens,
            max_output_tokens: 0,
            attempts: 1,
        };
        let standing = self.store.standing(self.session).await.unwrap();
        let evidence = EvidenceSet::bare(wiiiv_gate::BudgetView::default(), standing);
        let policy = self.snapshot().await;
        let cx = self.keeper.gather(new_id(), Purpose::Call, call, policy, evidence).unwrap();
        self.keeper.rule(cx, now())
    }
}

/// Hashing as the product does would be most of what a test costs.
pub fn cheap() -> PasswordCost {
    PasswordCost::new(64, 1).unwrap()
}

/// A further store on the same file.
pub async fn store_on(folder: &Path) -> Store {
    let config = StoreConfig::file(folder.join("wiiiv.db"));
    Store::open(config, opened().registrar, keys(KEY)).await.unwrap()
}
pub fn password() -> SecretString {
    SecretString::from(PASSWORD)
}
pub fn accepted(turn: TurnId, user: UserId) -> SessionEvent {
    let body = EventBody::TurnAccepted {
        user,
        text: "써줘".into(),
        language: "ko".into(),
        decision: None,
    };
    SessionEvent::new(turn, now(), body)
}
pub fn ended(turn: TurnId) -> SessionEvent {
    SessionEvent::new(turn, now(), EventBody::TurnEnded { outcome: "done".into() })
}
