//! Registered systems: the demo services, each with its own log-in, and a scripted model.

use crate::test_governor::{SeenTurn, Setup, TestGovernor};
use secrecy::SecretString;
use serde_json::{Value, json};
use wiiiv_domain::{
    EventBody, FlowInput, HaltScope, ProposalOutcome, ProviderName, SessionEvent, SessionId, System,
};
use wiiiv_fakes::{DemoService, FakeModel, LogIn, ModelMode, ServiceKind, TokenState};
use wiiiv_governor::{Decision, SystemChangeError};
use wiiiv_store::{ApprovalState, AuditFilter, Chain, SystemRefused};
use wiiiv_vault::Credential;

const SECRETS: [&str; 2] = ["canary-mall-7f3a91c2", "canary-stock-0b6d44e8"];
const USERS: [&str; 2] = ["canary-user-mall", "canary-user-stock"];

/// Both services registered with their credentials, listed by the policy, and a model that says
/// what it is told to say.
struct Mall {
    test: TestGovernor,
    model: FakeModel,
    mall: DemoService,
    stock: DemoService,
}

impl Mall {
    async fn open() -> Self {
        let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
        let origins = vec![model.origin()];
        let test = TestGovernor::with(Setup { origins, ..Setup::default() }).await;
        let mall = service(ServiceKind::Skymall, 0).await;
        let stock = service(ServiceKind::Skystock, 1).await;
        let url = model.base_url();
        test.change_policy(|policy| {
            policy.llm_provider = ProviderName::Custom;
            policy.llm_base_url = Some(url);
            for service in [&mall, &stock] {
                policy.allowed_hosts.push(service.system().proposed_rule(true));
            }
        })
        .await;
        for (nth, service) in [&mall, &stock].into_iter().enumerate() {
            register(&test, service.system().clone(), nth).await;
        }
        Self { test, model, mall, stock }
    }

    /// The user says it, the model answers so, and then that it is done.
    async fn say(&self, session: SessionId, text: &str, answers: &[Value]) -> SeenTurn {
        let done = json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "끝"});
        let answers = answers.iter().chain([&done]).map(ToString::to_string).collect();
        self.model.set_mode(ModelMode::Script(answers));
        self.test.say(session, text).await
    }

    /// Calls without log-ins, as `GET /path`.
    fn calls(service: &DemoService) -> Vec<String> {
        let calls = service.calls().into_iter().filter(|call| call.path != "/login");
        calls.map(|call| format!("{} {}", call.method, call.path)).collect()
    }
    fn log_ins(service: &DemoService) -> usize {
        service.calls().iter().filter(|call| call.path == "/login").count()
    }

    async fn audited(&self, kind: &str) -> Vec<Value> {
        let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
        let chain = Chain::Project(self.test.project);
        let rows = self.test.governor.store().audit_search(chain, &filter).await.unwrap();
        rows.into_iter().map(|row| row.body).collect()
    }
}

async fn service(kind: ServiceKind, nth: usize) -> DemoService {
    let password = SecretString::from(SECRETS[nth]);
    let user = LogIn { username: USERS[nth].to_owned(), password };
    DemoService::open(kind, 0, user).await.unwrap()
}

async fn register(test: &TestGovernor, system: System, nth: usize) {
    let who = test.principal(&test.owner).await;
    let (governor, name) = (&test.governor, system.name.clone());
    let row = governor.systems().save(&who, test.project, system, None).await.unwrap();
    let credential = Credential::new(USERS[nth].into(), SECRETS[nth].into()).unwrap();
    let (project, revision) = (test.project, row.revision);
    let set =
        governor.systems().set_credential(&who, project, &name, Some(credential), revision).await;
    assert!(set.unwrap().credential_revision.is_some());
}

fn wants(slots: Value) -> Value {
    json!({
        "action": "EXECUTE", "taskType": "API_WORKFLOW", "message": "", "slots": slots,
        "taskSwitch": {"kind": "new"},
    })
}

fn steps(told: &SeenTurn) -> Vec<(String, bool, String)> {
    let finished = |event: &wiiiv_domain::SessionEvent| match &event.body {
        EventBody::StepFinished { step, ok, code, .. } => {
            Some((step.to_string(), *ok, code.clone()))
        }
        _ => None,
    };
    told.events.iter().filter_map(finished).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_systems_are_asked_at_once_each_with_its_own_log_in() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let both = wants(json!({
        "intent": "상품과 재고", "domain": "스카이몰, skystock",
        "operation": "상품 목록,list_inventory", "targetPath": "both.json",
    }));
    let asked = world.say(session, "둘 다 가져와서 저장해줘", &[both]).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    assert!(asked.text().contains("`skymall` 시스템"), "{}", asked.text());
    assert_eq!((world.mall.calls().len(), world.stock.calls().len()), (0, 0));
    let done = world.test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    let rows: Value = serde_json::from_str(&world.test.file("both.json").unwrap()).unwrap();
    assert_eq!(rows[0], Value::from(world.mall.rows("products")));
    assert_eq!(rows[1], Value::from(world.stock.rows("inventory")));
    assert_eq!(Mall::calls(&world.mall), ["GET /products"]);
    assert_eq!(Mall::calls(&world.stock), ["GET /inventory"]);
    assert_eq!((Mall::log_ins(&world.mall), Mall::log_ins(&world.stock)), (1, 1));
    for service in [&world.mall, &world.stock] {
        let last = service.calls().pop().unwrap();
        assert_eq!(last.token, TokenState::Valid, "its own token, and no other");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_model_serves_a_registered_system_with_one_question() {
    let world = Mall::open().await;
    world.test.change_policy(|policy| policy.llm_provider = ProviderName::Offline).await;
    let session = world.test.session().await;
    let text = "skymall에서 상품 목록 뽑아서 /report.json에 저장해줘";
    let asked = world.test.say(session, text).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let done = world.test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    let report: Value = serde_json::from_str(&world.test.file("report.json").unwrap()).unwrap();
    assert_eq!(report, Value::from(world.mall.rows("products")));
}

/// A secret, as it might be found again.
fn spellings(secret: &str) -> Vec<String> {
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let units: String = secret.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let mut found = vec![secret.to_owned(), secret.chars().rev().collect(), hex, units];
    found.extend((0..3).map(|before| base64_core(secret, before)));
    found
}

/// What base64 makes of it with so many bytes before it, without the digits at its edges.
fn base64_core(secret: &str, before: usize) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = vec![0; before].into_iter().chain(secret.bytes()).collect();
    let bit = |at: usize| (bytes[at / 8] >> (7 - at % 8)) & 1;
    let digits = (0..bytes.len() * 8 / 6).map(|digit| {
        let value = (0..6).fold(0, |sum, at| sum * 2 + usize::from(bit(digit * 6 + at)));
        char::from(DIGITS[value])
    });
    digits.skip((before * 8).div_ceil(6)).collect()
}

fn holds(haystack: &[u8], needle: &str) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_seen_anywhere_again() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let both = wants(json!({
        "intent": "둘 다", "domain": "skymall,skystock", "operation": "list_products,list_inventory",
    }));
    let told = world.say(session, "둘 다 보여줘", &[both]).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    let order = wants(json!({
        "intent": "주문", "domain": "skymall", "operation": "create_order",
        "body": "{\"user_id\":501,\"product_id\":101,\"quantity\":1}",
    }));
    let asked = world.say(session, "하나 주문해줘", &[order]).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    world.test.say(session, "네").await;
    let mut secrets: Vec<String> = SECRETS.map(str::to_owned).to_vec();
    secrets.extend(world.mall.tokens());
    secrets.extend(world.stock.tokens());
    assert_eq!(secrets.len(), 4, "a token of each");
    let journal = world.test.governor.store().journal(session, 1).await.unwrap();
    let prompts: Vec<String> =
        world.model.calls().iter().map(|call| call.body.to_string()).collect();
    let audit: Vec<Value> = world.audited("step.finished").await;
    assert!(!prompts.is_empty() && audit.len() >= 3);
    let who = world.test.principal(&world.test.owner).await;
    let systems = world.test.governor.systems().list(&who, world.test.project).await.unwrap();
    let places = [
        ("journal", serde_json::to_vec(&journal).unwrap()),
        ("prompts", prompts.join("\n").into_bytes()),
        ("audit", serde_json::to_vec(&audit).unwrap()),
        ("systems", format!("{systems:?}").into_bytes()),
        ("disk", world.test.stored()),
    ];
    for secret in &secrets {
        for spelling in spellings(secret) {
            for (place, bytes) in &places {
                assert!(!holds(bytes, &spelling), "{place} holds `{spelling}`");
            }
            let planted = format!("x{spelling}y");
            assert!(holds(planted.as_bytes(), &spelling), "the search finds what is there");
        }
    }
    assert!(holds(&places[4].1, "노트북 프로 16"), "what the services said is on disk");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_token_leads_to_one_fresh_log_in() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let list = || [wants(json!({"intent": "x", "domain": "몰", "operation": "list_products"}))];
    assert_eq!(world.say(session, "목록", &list()).await.outcome, "done");
    assert_eq!(world.say(session, "또", &list()).await.outcome, "done");
    assert_eq!(Mall::log_ins(&world.mall), 1, "one session, one token");
    world.mall.expire_tokens();
    assert_eq!(world.say(session, "다시", &list()).await.outcome, "done");
    assert_eq!(Mall::log_ins(&world.mall), 2);
    assert_eq!(Mall::calls(&world.mall).len(), 4, "one was turned away and sent again");
    let other = world.test.session().await;
    assert_eq!(world.say(other, "목록", &list()).await.outcome, "done");
    assert_eq!(Mall::log_ins(&world.mall), 3, "another session has its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_system_that_moved_after_the_yes_gets_no_credential() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let save = wants(json!({
        "intent": "x", "domain": "skymall", "operation": "list_products", "targetPath": "a.json",
    }));
    let asked = world.say(session, "저장해줘", &[save]).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let (test, stock) = (&world.test, world.stock.system());
    let who = test.principal(&test.owner).await;
    let rows = test.governor.systems().list(&who, test.project).await.unwrap();
    let row = rows.into_iter().find(|row| row.system.name.as_str() == "skymall").unwrap();
    let moved = System { base_url: stock.base_url.clone(), ..row.system };
    let saved = test.governor.systems().save(&who, test.project, moved, Some(row.revision)).await;
    assert_eq!(saved.unwrap().credential_revision, None, "it goes with its origin");
    let told = test.say(session, "네").await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert!(told.text().contains("시스템 등록이나 인증 정보가 바뀌었습니다"), "{}", told.text());
    assert_eq!((world.mall.calls().len(), world.stock.calls().len()), (0, 0));
    assert_eq!(test.file("a.json"), None);
}

/// The question showed what would be sent; what is registered since then is for another question.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_a_system_that_was_registered_otherwise_runs_nothing() {
    let world = Mall::open().await;
    let (test, governor) = (&world.test, &world.test.governor);
    let (who, name) = (test.principal(&test.owner).await, world.mall.system().name.clone());
    let project = test.project;
    let row = async || {
        let rows = governor.systems().list(&who, project).await.unwrap();
        rows.into_iter().find(|row| row.system.name == name).unwrap()
    };
    let set = async |credential: Option<Credential>| {
        let revision = row().await.revision;
        governor
            .systems()
            .set_credential(&who, project, &name, credential, revision)
            .await
            .unwrap();
    };
    let credential = || Credential::new(USERS[0].into(), SECRETS[0].into()).ok();
    let save = || {
        [wants(json!({
            "intent": "x", "domain": "skymall", "operation": "list_products",
            "targetPath": "a.json",
        }))]
    };
    let session = test.session().await;
    set(None).await;
    let asked = world.say(session, "저장해줘", &save()).await;
    assert!(asked.text().contains("저장된 것이 없습니다"), "{}", asked.text());
    set(credential()).await;
    let told = test.say(session, "네").await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert!(told.text().contains("SYSTEM_CHANGED"), "{}", told.text());
    assert!(told.text().contains("새 미리보기"), "what to do is told: {}", told.text());

    // The same by the button, where the switch for any path is set meanwhile.
    let asked = world.say(session, "저장해줘", &save()).await;
    assert!(asked.text().contains("먼저 로그인하고"), "{}", asked.text());
    let (approval, digest) = asked.asked().unwrap();
    let kept = row().await;
    let any = System { any_path: true, ..kept.system };
    governor.systems().save(&who, project, any, Some(kept.revision)).await.unwrap();
    let question = governor.store().question(project, approval).await.unwrap().unwrap();
    let shown = governor.plans().preview(&question).await.unwrap();
    let shown = serde_json::to_value(shown).unwrap();
    assert_eq!(shown["steps"][0]["request"]["credential"]["kind"], "system_changed", "{shown}");
    let decided = governor.decide(&who, approval, Decision::Approve { digest }).await.unwrap();
    assert_eq!(test.ended(session, decided.turn).await.outcome, "denied");
    let state = governor.store().approval(approval).await.unwrap().unwrap().state;
    assert_eq!(state, ApprovalState::Withdrawn, "it is good for nothing any more");

    assert_eq!(world.audited("ruling.system_changed").await.len(), 2);
    assert_eq!((world.mall.calls().len(), test.file("a.json")), (0, None));
    let asked = world.say(session, "저장해줘", &save()).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let done = test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(Mall::calls(&world.mall), ["GET /products"]);
}

/// A path that is no operation is told before anybody is asked, and asked with the switch alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_is_not_registered_is_not_asked_about() {
    let world = Mall::open().await;
    let (test, governor) = (&world.test, &world.test.governor);
    let (who, session) = (test.principal(&test.owner).await, test.session().await);
    let other = || {
        let slots = json!({ "intent": "x", "domain": "skymall", "operation": "POST /secret" });
        wants(slots)
    };
    let told = world.say(session, "비밀에 보내줘", &[other(), other(), other()]).await;
    assert!(told.text().contains("등록된 작업에만"), "{}", told.text());
    assert!(told.asked().is_none() && world.mall.calls().is_empty(), "{}", told.text());
    let rows = governor.systems().list(&who, test.project).await.unwrap();
    let row = rows.into_iter().find(|row| row.system.name.as_str() == "skymall").unwrap();
    let any = System { any_path: true, ..row.system };
    governor.systems().save(&who, test.project, any, Some(row.revision)).await.unwrap();
    let fresh = test.session().await;
    let asked = world.say(fresh, "비밀에 보내줘", &[other()]).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    assert!(asked.text().contains("모든 경로로 보내도록"), "{}", asked.text());
    // A path with its values is the operation that it fills in.
    let read =
        wants(json!({ "intent": "x", "domain": "skymall", "operation": "GET /products/101" }));
    let told = world.say(session, "101번 상품", &[read]).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert_eq!(Mall::calls(&world.mall), ["GET /products/101"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_condition_that_does_not_hold_leaves_the_save_out() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let save = |when: &str| {
        wants(json!({
            "intent": "x", "domain": "skystock", "operation": "list_inventory", "when": when,
            "select": ".[0]", "targetPath": "first.json",
        }))
    };
    let asked = world.say(session, "조건이 맞으면 저장해줘", &[save(".[999]")]).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    assert!(asked.text().contains("참일 때만"), "{}", asked.text());
    let done = world.test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(world.test.file("first.json"), None);
    let ended = [("call", true, "OK"), ("filter", true, "OK"), ("save", false, "SKIPPED")];
    let ended = ended.map(|(step, ok, code)| (step.to_owned(), ok, code.to_owned()));
    assert_eq!(steps(&done), ended);
    assert!(done.text().contains("save: 조건이 맞지 않아 실행하지 않았습니다"), "{}", done.text());
    assert_eq!(world.audited("step.skipped").await.len(), 1);
    let asked = world.say(session, "이번엔", &[save(".[0]")]).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    world.test.say(session, "네").await;
    let first: Value = serde_json::from_str(&world.test.file("first.json").unwrap()).unwrap();
    assert_eq!(first, world.stock.rows("inventory")[0]);
    assert_eq!(world.audited("step.skipped").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_result_is_used_again_after_a_restart_without_a_call() {
    let Mall { test, model, mall, stock } = Mall::open().await;
    let session = test.session().await;
    let world = Mall { test, model, mall, stock };
    let list = wants(json!({"intent": "x", "domain": "skymall", "operation": "list_products"}));
    world.say(session, "목록", &[list]).await;
    let categories =
        wants(json!({"intent": "x", "domain": "skymall", "operation": "list_categories"}));
    world.say(session, "카테고리", &[categories]).await;
    let Mall { test, model, mall, stock } = world;
    let world = Mall { test: test.restarted().await, model, mall, stock };
    let calls = Mall::calls(&world.mall);
    let again = wants(json!({
        "intent": "앞의 결과", "sourceRun": "last-1,last", "select": ".[0]", "targetPath": "p.json",
    }));
    let asked = world.say(session, "처음 것을 저장해줘", &[again]).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    world.test.say(session, "네").await;
    let saved: Value = serde_json::from_str(&world.test.file("p.json").unwrap()).unwrap();
    assert_eq!(saved, Value::from(world.mall.rows("products")));
    assert_eq!(Mall::calls(&world.mall), calls);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_that_is_missing_is_asked_for_with_the_list() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let vague = wants(json!({"intent": "x", "domain": "skystock", "operation": "배송 조회"}));
    let told = world.say(session, "배송 조회해줘", &[vague.clone(), vague.clone(), vague]).await;
    let text = told.text();
    assert!(text.contains("시스템에 그런 작업이 없습니다"), "{text}");
    assert!(text.contains("skystock 시스템의 작업"), "{text}");
    assert!(text.contains("- 재고 목록: list_inventory (GET /inventory)"), "{text}");
    assert_eq!(world.stock.calls().len(), 0);
}

/// Slots of the proposals that the flow was given.
fn journalled(told: &SeenTurn) -> Vec<Value> {
    let input = |event: &wiiiv_domain::SessionEvent| match &event.body {
        EventBody::Input { input, .. } => match input.as_ref() {
            FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. } => {
                serde_json::to_value(proposal).ok()
            }
            _ => None,
        },
        _ => None,
    };
    told.events.iter().filter_map(input).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_never_says_which_system_is_meant() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let place = format!("http://127.0.0.1:{}/products", world.mall.address().port());
    let forged = wants(json!({"intent": "x", "domain": place, "system": "skymall"}));
    let told = world.say(session, "가져와", &[forged]).await;
    let proposal = &journalled(&told)[0];
    assert_eq!(proposal["slots"]["system"], Value::Null);
    assert_eq!(
        world.mall.calls()[0].token,
        TokenState::Missing,
        "a bare address has no credential"
    );
    assert_eq!(told.outcome, "error", "{}", told.text());
    let named = wants(json!({"intent": "x", "domain": "SKY MALL", "operation": "list_products"}));
    let told = world.say(session, "가져와", &[named]).await;
    let proposal = &journalled(&told)[0];
    assert_eq!(
        proposal["slots"]["system"], "skymall",
        "what is journalled is what code made of it"
    );
    let host = format!("127.0.0.1:{}", world.mall.address().port());
    assert_eq!(proposal["envelope"]["hosts"], json!([host]));
    assert_eq!(told.outcome, "done", "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_by_post_runs_unasked_only_where_the_policy_labels_it() {
    let world = Mall::open().await;
    let session = world.test.session().await;
    let search = || {
        wants(json!({
            "intent": "x", "domain": "skymall", "operation": "search_products",
            "body": "{\"keyword\":\"노트북\"}",
        }))
    };
    let told = world.say(session, "노트북 찾아줘", &[search()]).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert_eq!(Mall::calls(&world.mall), ["POST /products/search"]);
    world
        .test
        .change_policy(|policy| {
            policy.allowed_hosts.iter_mut().for_each(|rule| rule.read_operations.clear());
        })
        .await;
    let told = world.say(session, "노트북 찾아줘", &[search()]).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    assert_eq!(Mall::calls(&world.mall).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_is_the_owners_and_is_known_at_once() {
    let world = Mall::open().await;
    let (test, governor) = (&world.test, &world.test.governor);
    let who = test.principal(&test.owner).await;
    let name = world.mall.system().name.clone();
    let tried = governor.systems().test(&who, test.project, &name).await.unwrap();
    assert!(tried.ok && tried.logged_in, "{tried:?}");
    assert_eq!(world.audited("system.tested").await.len(), 1);
    let called = world.mall.calls().len();
    let project = HaltScope::Project(test.project);
    governor.halts().halt(&who, project, "why").await.unwrap();
    let tried = governor.systems().test(&who, test.project, &name).await.unwrap();
    assert_eq!((tried.ok, tried.code.as_str()), (false, "HALTED"));
    assert_eq!(world.mall.calls().len(), called, "nothing goes out of a halted project");
    governor.halts().resume(&who, project, "over").await.unwrap();
    let session = test.session().await;
    let list = || [wants(json!({"intent": "x", "domain": "새이름", "operation": "list_products"}))];
    let told = world.say(session, "목록", &list()).await;
    let ran = |event: &SessionEvent| matches!(event.body, EventBody::StepStarted { .. });
    assert!(!told.events.iter().any(ran), "{}", told.text());
    let rows = governor.systems().list(&who, test.project).await.unwrap();
    let row = rows.into_iter().find(|row| row.system.name == name).unwrap();
    let renamed = System { aliases: vec!["새이름".to_owned()], ..row.system };
    let stale = governor.systems().save(&who, test.project, renamed.clone(), Some(0)).await;
    assert!(matches!(stale, Err(SystemChangeError::Refused(SystemRefused::Stale { .. }))));
    let saved = governor.systems().save(&who, test.project, renamed, Some(row.revision)).await;
    let fresh = test.session().await;
    let told = world.say(fresh, "목록", &list()).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    // A handler may be gone between the commit and its next line: the store alone has to be enough.
    let row = saved.unwrap();
    let system = System { aliases: vec!["딴이름".to_owned()], ..row.system };
    let (store, expected) = (governor.store(), Some(row.revision));
    let saved = store.save_system(who.user(), test.project, system, expected).await;
    let list = wants(json!({"intent": "x", "domain": "딴이름", "operation": "list_products"}));
    let told = world.say(fresh, "목록", &[list]).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    let revision = saved.unwrap().revision;
    governor.systems().remove(&who, test.project, &name, revision).await.unwrap();
    let gone = governor.systems().test(&who, test.project, &name).await;
    assert!(matches!(gone, Err(SystemChangeError::NotFound)), "{gone:?}");
}
