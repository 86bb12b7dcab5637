//! Permits as they are made in production, from an opening of the gate of the test's own.

use serde_json::json;
use std::{cell::Cell, collections::BTreeMap, sync::Arc};
use uuid::Uuid;
use wiiiv_domain::{
    Amount, Blueprint, BlueprintId, ContentDigest, DenyCode, Envelope, ExecutionId, ExecutorMeta,
    Node, PolicyDocument, PolicyVersionId, PreImage, PriceTable, ProjectId, ProjectPolicy,
    RulingId, Salt, SessionId, Slots, Spec, SpecSnapshot, StepParams, StepType, TaskId, TaskType,
    Timestamp, UserId,
};
use wiiiv_gate::{
    AuditSeq, Authorized, BaseBook, BudgetView, DacsRules, EvidenceSet, Opened, PolicySnapshot,
    PolicyVersion, Purpose, Refusal, Resolved, RiskRules, Ruled, Standing, StandingSeq, Step,
    Subject, open, policy,
};

const NOW: Timestamp = Timestamp::from_unix_ms(1_795_000_000_000);
/// Of every system that a step names.
pub const SYSTEM_REVISION: u64 = 7;
const RISK: &str = r#"
version = 1
rule = []
session = { risky_from = 50, hold_from = 100, half_life_minutes = 30 }
drift = { points = 1, reason = { ko = "", en = "" } }
escalation = { points = 1, window_minutes = 1, reason = { ko = "", en = "" } }
"#;

pub struct Gate {
    pub opened: Opened,
    policy: Arc<PolicySnapshot>,
    drawn: Cell<u128>,
}

pub fn project() -> ProjectId {
    ProjectId::from_uuid(Uuid::from_u128(1))
}

fn session() -> SessionId {
    SessionId::from_uuid(Uuid::from_u128(2))
}

/// Everything is allowed and nothing is asked, but what `hosts` leaves out.
fn permissive(hosts: serde_json::Value) -> ProjectPolicy {
    let rule = json!({ "by": "requester", "ttlSeconds": 600 });
    let never: BTreeMap<_, _> = TaskType::ALL.into_iter().map(|task| (task, "never")).collect();
    let policy = json!({
        "version": ProjectPolicy::VERSION,
        "allowedStepTypes": StepType::ALL,
        "allowedHosts": hosts,
        "allowedPaths": ["", "etc", "lib"],
        "confirmation": never,
        "approval": { "normal": rule, "risky": rule },
        "dacsStage": "observe",
        "modelPersonas": "never",
        "tokenBudget": { "perRun": null, "perDay": null },
        "llmProvider": "OFFLINE",
    });
    serde_json::from_value(policy).expect("a policy")
}

impl Gate {
    pub fn open(executors: Vec<ExecutorMeta>, hosts: serde_json::Value) -> Self {
        let opened = open(BaseBook {
            executors,
            dacs: DacsRules::parse("version = 1\nrule = []").expect("rules"),
            risk: RiskRules::parse(RISK).expect("rules"),
            prices: PriceTable::default(),
        });
        let version = policy::initial(PolicyDocument {
            id: PolicyVersionId::from_uuid(Uuid::from_u128(3)),
            project: project(),
            number: 1,
            author: None,
            reason: "test".to_owned(),
            at: NOW,
            policy: permissive(hosts),
            of_override: None,
        });
        let bytes = serde_json::to_vec(&version.expect("a version")).expect("JSON");
        let restored = opened.registrar.restore::<PolicyVersion>(
            AuditSeq::new(1),
            &bytes,
            ContentDigest::of_bytes(&bytes),
        );
        let policy = opened.keeper.compile(&restored.expect("recorded")).expect("a snapshot");
        Self { opened, policy: Arc::new(policy), drawn: Cell::new(100) }
    }

    fn id(&self) -> Uuid {
        self.drawn.set(self.drawn.get() + 1);
        Uuid::from_u128(self.drawn.get())
    }

    /// For the first attempt at a plan of this one node. `values`: of what is bound in it.
    pub fn permit(
        &self,
        node: Node,
        values: &[(&str, &str)],
        pre_image: Option<(&str, PreImage)>,
    ) -> Authorized<Step> {
        self.asked(node, values, pre_image).unwrap_or_else(|codes| panic!("{codes:?}"))
    }

    /// As `permit`, where the gates may say no.
    pub fn asked(
        &self,
        node: Node,
        values: &[(&str, &str)],
        pre_image: Option<(&str, PreImage)>,
    ) -> Result<Authorized<Step>, Vec<DenyCode>> {
        let step = node.id.clone();
        let keeper = &self.opened.keeper;
        let plan = self.blueprint(node, pre_image);
        let evidence = EvidenceSet::bare(BudgetView::default(), standing());
        let purpose = Purpose::Start(ExecutionId::from_uuid(self.id()));
        let ruling = RulingId::from_uuid(self.id());
        let gathered = keeper.gather(ruling, purpose, plan, self.policy.clone(), evidence);
        let (claim, ruled) = keeper.rule(gathered.expect("gathered"), NOW);
        let mut run = self.sealed(claim, ruled)?.begin();
        let values = values.iter().map(|(arg, value)| ((*arg).to_owned(), (*value).to_owned()));
        let values = Resolved::new(values.collect());
        let ruled = run.rule_step(&step, 1, values, &self.policy, &standing(), NOW);
        let (claim, ruled) = ruled.expect("a step of the plan");
        self.sealed(claim, ruled)
    }

    fn sealed<T: Subject>(
        &self,
        claim: wiiiv_gate::Claim,
        ruled: Ruled<T>,
    ) -> Result<Authorized<T>, Vec<DenyCode>> {
        let committed = self.opened.registrar.attest(claim, AuditSeq::new(2));
        ruled.seal(committed).map_err(|refused| match refused {
            Refusal::Denied(denied) => denied.codes(),
            Refusal::ForeignCommit => panic!("a foreign commit"),
        })
    }

    fn blueprint(&self, node: Node, pre_image: Option<(&str, PreImage)>) -> Blueprint {
        let task = TaskType::FileRead;
        let spec =
            Spec::new(Salt::from_bytes([7; 16]), task, Slots::default(), &Envelope::default());
        let system = match &node.params {
            StepParams::ApiCall { url, .. } => url.system.clone(),
            _ => None,
        };
        let deliberation = self.opened.keeper.deliberate(&spec, &self.policy, &standing());
        Blueprint {
            version: Blueprint::VERSION,
            id: BlueprintId::from_uuid(self.id()),
            project: project(),
            session: session(),
            task: TaskId::from_uuid(self.id()),
            policy: self.policy.version(),
            spec_snapshot: SpecSnapshot {
                spec,
                deliberation,
                requester: UserId::from_uuid(Uuid::from_u128(4)),
                at: NOW,
            },
            nodes: vec![node],
            contracts: self.opened.keeper.contracts(),
            pre_images: pre_image.into_iter().map(|(path, is)| (path.to_owned(), is)).collect(),
            systems: system.into_iter().map(|name| (name, SYSTEM_REVISION)).collect(),
            sources: BTreeMap::new(),
            estimate: Amount::ZERO,
        }
    }
}

fn standing() -> Standing {
    Standing {
        session: session(),
        seq: StandingSeq::new(0),
        risk_score: 0,
        halted: false,
        tainted: false,
        unverified: false,
        ledger: None,
    }
}
