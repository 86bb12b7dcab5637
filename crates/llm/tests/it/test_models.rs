//! One opening, one project, and calls that its own gate allowed.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};
use tokio::sync::mpsc;
use wiiiv_context::{
    MemoryBlocks, PROMPT_TOKENS_MAX, Prompt, PromptParts, Rendered as _, RuleBook,
};
use wiiiv_domain::{
    Action, ContentDigest, Lang, ModelSlot, PolicyDocument, PriceTable, ProjectPolicy, Proposal,
    ProposalFailure, ProviderName, Slots, TaskType, Timestamp,
};
use wiiiv_fakes::FakeModel;
use wiiiv_gate::{
    AuditSeq, Authorized, BaseBook, BudgetView, DacsRules, EvidenceSet, ModelCall, Opened,
    PolicySnapshot, Purpose, RiskRules, Standing, StandingSeq, open, policy, profile,
};
use wiiiv_language::Lexicon;
use wiiiv_llm::{
    CallOptions, Completion, Form, Limits, ModelError, Models, Picture, ProviderKey, token_bound,
};
use wiiiv_messages::Messages;
use wiiiv_net::{Origin, ProviderClient, Timeouts, Url};

const DACS: &str = include_str!("../../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../../policies/risk.toml");
const POLICY: &str = include_str!("../../../../policies/profiles/default.toml");

/// Every wait of these tests, so that a hostile server costs little time.
pub const PATIENCE: Duration = Duration::from_millis(600);
/// No call may take longer, whatever the server does.
pub const BOUND: Duration = Duration::from_secs(8);

fn id<T: From<uuid::Uuid>>(number: u128) -> T {
    uuid::Uuid::from_u128(number).into()
}

pub struct TestModels {
    opened: Opened,
    rules: ProjectPolicy,
    policy: Arc<PolicySnapshot>,
    pub models: Models,
    pub options: CallOptions,
    pub attempts: u32,
}

impl TestModels {
    pub fn offline() -> Self {
        Self::new(ProviderName::Offline, None)
    }
    pub fn asking(model: &FakeModel) -> Self {
        Self::at(model.base_url(), &model.origin())
    }
    /// A provider of that base URL, approved at that origin.
    pub fn at(base_url: String, origin: &str) -> Self {
        Self::new(ProviderName::Custom, Some((base_url, origin)))
    }

    /// With a key for that origin.
    pub fn keyed(provider: ProviderName, base_url: String, origin: &str, key: &str) -> Self {
        let mut test = Self::new(provider, Some((base_url, origin)));
        let origin = Origin::parse(origin).unwrap();
        test.options.key = Some(ProviderKey::new(origin, key.into()));
        test
    }
    pub fn keyless(provider: ProviderName, base_url: String, origin: &str) -> Self {
        Self::new(provider, Some((base_url, origin)))
    }

    /// With times of its own, for a provider that is another process on a machine that is busy.
    pub fn waiting(mut self, timeouts: Timeouts, deadline: Duration) -> Self {
        let base = self.options.base_url.as_deref().map(|url| Url::parse(url).unwrap());
        let origin = base.map(|url| Origin::of(&url).unwrap());
        self.models = models_within(&self.opened, origin, timeouts);
        self.options.deadline = deadline;
        self
    }

    fn new(provider: ProviderName, at: Option<(String, &str)>) -> Self {
        wiiiv_net::install_tls_provider();
        let opened = opening();
        let mut rules = profile(POLICY).unwrap();
        rules.llm_provider = provider;
        let (base_url, origin) = at.unzip();
        rules.llm_base_url = base_url;
        rules.governor_model = Some("m".to_owned());
        let is_offline = matches!(provider, ProviderName::Offline);
        rules.embedding_model = Some(if is_offline { "offline" } else { "m" }.to_owned());
        let options = CallOptions {
            base_url: rules.llm_base_url.clone(),
            key: None,
            picture: None,
            deadline: Duration::from_secs(5),
        };
        let policy = compiled(&opened, &rules);
        let origins = origin.map(|origin| Origin::parse(origin).unwrap());
        let models = models(&opened, origins);
        Self { opened, rules, policy, models, options, attempts: 2 }
    }

    /// The project turns to another model of the same provider.
    pub fn turn_to(&mut self, model: &str) {
        self.rules.governor_model = Some(model.to_owned());
        self.rules.embedding_model = Some(model.to_owned());
        self.policy = compiled(&self.opened, &self.rules);
    }

    /// Its model takes no schema.
    pub fn by_tool(mut self) -> Self {
        let model = format!("{}:{}", self.rules.llm_provider, self.rules.model());
        self.models = self.models.with_forms([(model, Form::Tool)].into());
        self
    }

    /// Its embeddings are of a model of this process, installed below that folder or not.
    pub fn local(folder: &Path, model: &str) -> Self {
        let mut test = Self::offline();
        test.rules.embedding_model = Some(model.to_owned());
        test.policy = compiled(&test.opened, &test.rules);
        test.models = test.models.with_local_models(folder.to_owned());
        test
    }

    /// Ruled, committed and sealed, as the governor does it.
    pub fn permit(&self, prompt: &Prompt) -> Authorized<ModelCall> {
        let seen = self.options.picture.as_ref().map_or(0, |_| Picture::TOKENS_MAX);
        self.permit_for(prompt.tokens(token_bound) + seen)
    }
    pub fn permit_for(&self, max_input_tokens: u64) -> Authorized<ModelCall> {
        self.permit_of(ModelSlot::Governor, max_input_tokens)
    }
    pub fn permit_of(&self, slot: ModelSlot, max_input_tokens: u64) -> Authorized<ModelCall> {
        let named = self.rules.of_slot(slot).unwrap();
        let call = ModelCall {
            call: id(20),
            project: id(1),
            session: id(2),
            user: id(3),
            task: id(4),
            turn: id(4),
            slot,
            provider: named.llm_provider,
            model: named.model().to_owned(),
            max_input_tokens,
            max_output_tokens: 512,
            attempts: self.attempts,
        };
        let standing = Standing {
            session: id(2),
            seq: StandingSeq::new(1),
            risk_score: 0,
            halted: false,
            tainted: false,
            unverified: false,
            ledger: None,
        };
        let evidence = EvidenceSet::bare(BudgetView::default(), standing);
        let keeper = &self.opened.keeper;
        let cx = keeper.gather(id(30), Purpose::Call, call, self.policy.clone(), evidence);
        let (claim, ruled) = keeper.rule(cx.unwrap(), Timestamp::from_unix_ms(0));
        let committed = self.opened.registrar.attest(claim, AuditSeq::new(2));
        ruled.seal(committed).unwrap()
    }

    pub async fn ask(&self, message: &str) -> Result<Completion, ModelError> {
        self.ask_with(&prompt(parts(message)), None).await
    }
    /// INVARIANT of every test: an answer, of whatever kind, in bounded time.
    pub async fn ask_with(
        &self,
        prompt: &Prompt,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<Completion, ModelError> {
        let start = Instant::now();
        let permit = self.permit(prompt);
        let answer = self.models.complete(prompt, permit, &self.options, deltas).await;
        let bound = BOUND.max(self.options.deadline + Duration::from_secs(1));
        assert!(start.elapsed() < bound, "{:?}", start.elapsed());
        answer
    }
    pub async fn failure(&self) -> (ProposalFailure, ModelError) {
        let error = self.ask("안녕").await.unwrap_err();
        (error.failure, error)
    }
}

fn compiled(opened: &Opened, rules: &ProjectPolicy) -> Arc<PolicySnapshot> {
    let version = policy::initial(PolicyDocument {
        id: id(10),
        project: id(1),
        number: 1,
        author: None,
        reason: "first".to_owned(),
        at: Timestamp::from_unix_ms(0),
        policy: rules.clone(),
        of_override: None,
    });
    let bytes = serde_json::to_vec(&version.unwrap()).unwrap();
    let recorded = opened
        .registrar
        .restore(AuditSeq::new(1), &bytes, ContentDigest::of_bytes(&bytes))
        .unwrap();
    Arc::new(opened.keeper.compile(&recorded).unwrap())
}

pub fn opening() -> Opened {
    open(BaseBook {
        executors: Vec::new(),
        dacs: DacsRules::parse(DACS).unwrap(),
        risk: RiskRules::parse(RISK).unwrap(),
        prices: PriceTable::default(),
    })
}

pub fn models(opened: &Opened, origins: impl IntoIterator<Item = Origin>) -> Models {
    let timeouts = Timeouts {
        connect: PATIENCE,
        first_byte: PATIENCE,
        between_chunks: PATIENCE,
        total: 3 * PATIENCE,
    };
    models_within(opened, origins, timeouts)
}

fn models_within(
    opened: &Opened,
    origins: impl IntoIterator<Item = Origin>,
    timeouts: Timeouts,
) -> Models {
    let provider = ProviderClient::new(origins, timeouts).unwrap();
    static TEXTS: OnceLock<(Arc<Lexicon>, Arc<Messages>)> = OnceLock::new();
    let read = || (Lexicon::embedded().unwrap().into(), Messages::embedded().unwrap().into());
    let (lexicon, messages) = TEXTS.get_or_init(read).clone();
    Models::new(opened.verifier.clone(), lexicon, messages, provider)
        .unwrap()
        .with_limits(limits(Duration::from_millis(10)))
}

pub fn limits(backoff: Duration) -> Limits {
    Limits { retries: 2, backoff, retry_after_max: Duration::from_secs(2), ..Limits::default() }
}

pub fn parts(message: &str) -> PromptParts {
    PromptParts {
        fence: "0123456789abcdef0123456789abcdef".to_owned(),
        guardrails: std::collections::BTreeSet::default(),
        memory: MemoryBlocks::default(),
        profile: None,
        language: Lang::Ko,
        task: None,
        suspended: Vec::new(),
        waiting: Vec::new(),
        revision: Vec::new(),
        facts: None,
        documents: None,
        checked: None,
        earlier_run: false,
        ran: Slots::default(),
        systems: std::sync::Arc::default(),
        unreached: std::collections::BTreeSet::default(),
        long_term: None,
        history: Vec::new(),
        message: message.to_owned(),
    }
}

pub fn prompt(parts: PromptParts) -> Prompt {
    Prompt::new(&RuleBook::embedded(), parts, PROMPT_TOKENS_MAX, token_bound).unwrap()
}

pub fn talk(message: &str) -> String {
    let message = serde_json::Value::from(message);
    format!(r#"{{"action":"REPLY","taskType":"CONVERSATION","message":{message},"slots":{{}}}}"#)
}

#[track_caller]
pub fn assert_talk(proposal: &Proposal, message: &str) {
    assert_eq!((proposal.action, proposal.task_type), (Action::Reply, TaskType::Conversation));
    assert_eq!(proposal.message, message);
}
