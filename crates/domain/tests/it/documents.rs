//! One committed fixture a family and version. A fixture is never edited: a change of a document's
//! shape is a new version with a fixture of its own.

use serde::{Serialize, de::DeserializeOwned};
use std::{collections::BTreeMap, fmt::Debug, path::PathBuf};
use uuid::Uuid;
use wiiiv_domain::{
    Action, Amount, Arg, Binding, Blueprint, Consensus, DacsResult, DacsSource, DecisionNote,
    Effect, Envelope, EventBody, ExecutorId, FailureCategory, FieldKind, FieldPlace, FlowInput,
    FormField, Grounds, HttpMethod, Node, NodeKind, Opinion, Persona, PreImage, Proposal,
    ProposalOutcome, RefusedSpecs, Reopening, ReplaySeed, ReplyCode, RequestForm, Retry, RulesHash,
    Salt, Scheme, SessionEvent, Slots, Source, Spec, SpecDigest, SpecSnapshot, StateHash,
    StepFailure, StepId, StepOutcome, StepParams, SystemName, TaskSwitch, TaskType, Timestamp,
    TurnId, UrlTemplate, ValueKind, ValueSource, ValueSources, Vote,
};

fn id<I: From<Uuid>>(n: u128) -> I {
    I::from(Uuid::from_u128(n))
}

#[track_caller]
pub fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, document: &T) {
    check_of("v1", name, document);
}

#[track_caller]
fn check_of<T>(version: &str, name: &str, document: &T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let path = fixtures.join(version).join(name);
    let written = wiiiv_domain::canonical(document).unwrap();
    if std::env::var_os("WRITE_NEW_FIXTURE").is_some() && !path.exists() {
        std::fs::write(&path, &written).unwrap();
    }
    let fixture = std::fs::read(&path).unwrap();
    let loaded: T = serde_json::from_slice(&fixture).unwrap();
    assert_eq!(&loaded, document, "{name} no longer loads as what it was");
    assert_eq!(written, fixture, "{name} is written otherwise: that is a new version");
}

fn spec() -> Spec {
    let mut slots = Slots::default();
    slots.set("url", "http://shop.test:8080/items?page=1").unwrap();
    slots.set("targetPath", "/보고서.json").unwrap();
    let salt = Salt::from_bytes([7; 16]);
    Spec::new(salt, TaskType::ApiWorkflow, slots, &Envelope::default())
}

fn step(text: &str) -> StepId {
    StepId::parse(text).unwrap()
}

fn nodes() -> Vec<Node> {
    let call = StepParams::ApiCall {
        method: HttpMethod::Get,
        url: UrlTemplate {
            system: None,
            scheme: Scheme::Http,
            host: "shop.test".to_owned(),
            port: Some(8080),
            segments: vec![Arg::Literal("items".to_owned())],
            query: vec![("page".to_owned(), Arg::Literal("1".to_owned()))],
        },
        content_type: None,
        body: None,
    };
    let output = Binding {
        from: Source::Step { step: step("call") },
        select: ".".to_owned(),
        kind: ValueKind::Json,
        max_bytes: 1_048_576,
    };
    let save = StepParams::FileWrite {
        directory: String::new(),
        name: Arg::Literal("보고서.json".to_owned()),
        content: Arg::Bound(output),
    };
    let node = |name, kind, params, on: &[&str], effect| Node {
        id: step(name),
        kind,
        params,
        depends_on: on.iter().map(|on| step(on)).collect(),
        when: None,
        retry: Retry::default(),
        effect,
        idempotent: true,
    };
    vec![
        node("call", NodeKind::Observe, call, &[], Effect::Read),
        node("save", NodeKind::Act, save, &["call"], Effect::Write),
    ]
}

fn blueprint() -> Blueprint {
    let opinion = |persona| Opinion {
        persona,
        vote: Vote::Approve,
        concerns: Vec::new(),
        reason: String::new(),
    };
    let deliberation = DacsResult {
        version: DacsResult::VERSION,
        rules: RulesHash::from_bytes([1; 32]),
        source: DacsSource::RulesOnly,
        risky: false,
        opinions: Persona::ALL.into_iter().map(opinion).collect(),
        model: None,
        consensus: Consensus::Yes,
    };
    Blueprint {
        version: Blueprint::VERSION,
        id: id(1),
        project: id(2),
        session: id(3),
        task: id(4),
        policy: id(5),
        spec_snapshot: SpecSnapshot {
            spec: spec(),
            deliberation,
            requester: id(6),
            at: Timestamp::from_unix_ms(1_795_232_682_123),
        },
        nodes: nodes(),
        contracts: BTreeMap::from([(ExecutorId::new("api"), 1), (ExecutorId::new("file"), 1)]),
        pre_images: BTreeMap::from([("보고서.json".to_owned(), PreImage::Absent)]),
        systems: BTreeMap::new(),
        sources: BTreeMap::new(),
        estimate: Amount::ZERO,
    }
}

#[test]
fn a_spec_of_version_1_still_loads() {
    check("spec.json", &spec());
}

/// As journals have it that are older than memory.
#[test]
fn an_older_reply_to_a_wish_to_remember_still_loads() {
    let older = serde_json::json!({"reply": "cannot_remember"});
    assert_eq!(serde_json::from_value::<ReplyCode>(older).unwrap(), ReplyCode::Remember);
    let written = serde_json::to_value(ReplyCode::Remember).unwrap();
    assert_eq!(written, serde_json::json!({"reply": "remember"}));
}

#[test]
fn a_blueprint_of_version_1_still_loads() {
    check("blueprint.json", &blueprint());
}

/// The effect of what goes to its review came later, and so did the memories that models had read: an event of before
/// has none, and is written as it was.
#[test]
fn a_session_event_of_version_1_still_loads() {
    let turn: TurnId = id(9);
    let proposal = Proposal {
        action: Action::Execute,
        task_type: TaskType::ApiWorkflow,
        message: String::new(),
        slots: spec().slots,
        task_switch: TaskSwitch::New,
        envelope: Envelope::default(),
        later: Vec::new(),
        confidence: None,
        sources: wiiiv_domain::Sources::default(),
    };
    let outcome = ProposalOutcome::Proposal { proposal };
    let input = Box::new(FlowInput::Proposed { turn, outcome });
    let input = |reviews, memories| EventBody::Input {
        input: input.clone(),
        state: StateHash::from_bytes([2; 32]),
        reviews,
        memories,
    };
    let (at, none) = (Timestamp::from_unix_ms(1_795_232_682_123), ValueSources::default);
    check("session_event.json", &SessionEvent { version: 1, turn, at, body: input(None, none()) });
    let event = SessionEvent::new(turn, at, input(Some(Effect::Read), none()));
    check_of("v2", "input_reviewed.json", &event);
    let memory = ValueSource::Memory { memory: id(5), version: 3 };
    let event = SessionEvent::new(turn, at, input(None, ValueSources::from_iter([memory])));
    check_of("v2", "input_beside_memory.json", &event);
}

fn accepted(text: &str, decision: Option<DecisionNote>) -> EventBody {
    let language = "ko".to_owned();
    EventBody::TurnAccepted { user: id(6), text: text.to_owned(), language, decision }
}

#[test]
fn a_seed_of_a_replay_of_version_1_still_loads() {
    let spec = |byte| SpecDigest::from_bytes([byte; 32]);
    let under = |n| Grounds { rules: RulesHash::from_bytes([1; 32]), policy: id(n) };
    let closed = BTreeMap::from([(spec(1), Some(under(5))), (spec(2), None)]);
    let reopened = BTreeMap::from([
        (spec(3), Reopening { from: Some(under(4)), to: under(5) }),
        (spec(4), Reopening { from: None, to: under(5) }),
    ]);
    let refused = RefusedSpecs { closed, reopened };
    check("replay_seed.json", &ReplaySeed::new(refused.clone()));
    let kept = serde_json::to_string(&ReplaySeed::new(refused.clone())).unwrap();
    assert_eq!(ReplaySeed::read(&kept), Some(refused));
    assert_eq!(ReplaySeed::read(&kept.replace("\"version\":1", "\"version\":2")), None);
    assert_eq!(ReplaySeed::read(""), None);
}

/// It kept the reason of a decision as the text of the turn.
#[test]
fn a_turn_of_version_1_still_loads_and_its_text_is_a_message_of_the_owner_alone() {
    let (turn, at) = (id(9), Timestamp::from_unix_ms(1_795_232_682_123));
    let body = accepted("예산을 넘습니다", None);
    assert_eq!(body.message_of(id(6)), Some("예산을 넘습니다"));
    assert_eq!(body.message_of(id(7)), None);
    check("turn_accepted.json", &SessionEvent { version: 1, turn, at, body });
}

#[test]
fn a_turn_of_version_2_names_the_decision_that_began_it() {
    let (turn, at) = (id(9), Timestamp::from_unix_ms(1_795_232_682_123));
    let reason = "예산을 넘습니다".to_owned();
    let note = DecisionNote {
        approval: id(10),
        approved: false,
        reason,
        tally: None,
        changes: Vec::new(),
        on_behalf_of: None,
        subject: None,
    };
    let event = SessionEvent::new(turn, at, accepted("", Some(note)));
    assert_eq!(event.version, 2);
    check_of("v2", "turn_accepted.json", &event);
}

/// Rows as CSV and JSON Lines came later: plans of before have neither, and keep their digests.
#[test]
fn a_blueprint_that_saves_rows_loads() {
    let mut plan = blueprint();
    let save = plan.nodes.pop().unwrap();
    for (name, kind) in [("rows.csv", ValueKind::Csv), ("rows.jsonl", ValueKind::JsonLines)] {
        let mut node = save.clone();
        let StepParams::FileWrite { name: file, content: Arg::Bound(content), .. } =
            &mut node.params
        else {
            panic!("a file that is written");
        };
        (*file, content.kind) = (Arg::Literal(name.to_owned()), kind);
        plan.nodes.push(node);
    }
    check("blueprint_rows.json", &plan);
}

/// The digest is what approvals bind to: it may never change for a plan that was written.
/// The revisions of its systems came later.
#[test]
fn a_blueprint_that_calls_a_system_loads() {
    let mut plan = blueprint();
    plan.systems = BTreeMap::from([(SystemName::parse("skymall").unwrap(), 41)]);
    check("blueprint_systems.json", &plan);
}

#[test]
fn the_digests_of_version_1_are_what_they_were() {
    let digests =
        format!("spec {}\nblueprint {}\n", spec().digest().unwrap(), blueprint().digest().unwrap());
    expect_test::expect_file!["../fixtures/v1/digests.txt"].assert_eq(&digests);
}

/// Id, times, author and policy version stand beside what an approval binds to.
#[test]
fn what_stands_beside_the_digest_does_not_change_it() {
    let plan = blueprint();
    let mut other = plan.clone();
    other.id = id(100);
    other.policy = id(101);
    other.spec_snapshot.requester = id(102);
    other.spec_snapshot.at = Timestamp::from_unix_ms(0);
    assert_eq!(plan.digest().unwrap(), other.digest().unwrap());
    other.pre_images.clear();
    assert_ne!(plan.digest().unwrap(), other.digest().unwrap());
    let mut of_other_system = plan.clone();
    of_other_system.systems = BTreeMap::from([(SystemName::parse("skymall").unwrap(), 41)]);
    assert_ne!(plan.digest().unwrap(), of_other_system.digest().unwrap());
    let mut salted = plan.clone();
    salted.spec_snapshot.spec.salt = Salt::from_bytes([8; 16]);
    assert_ne!(plan.digest().unwrap(), salted.digest().unwrap());
}

/// The form came later: a question of before has none, and is written as it was.
#[test]
fn a_question_with_and_without_a_form_loads() {
    let asked = |form| EventBody::Asked {
        task_type: TaskType::ApiWorkflow,
        missing: Vec::new(),
        message: String::new(),
        text: "what is its name?".to_owned(),
        foreign: false,
        form,
    };
    let at = Timestamp::from_unix_ms(1_795_232_682_123);
    check("asked.json", &SessionEvent { version: 1, turn: id(9), at, body: asked(None) });
    let field = |name: &str, required, value| FormField {
        place: FieldPlace::Body,
        name: name.to_owned(),
        kind: FieldKind::Text,
        required,
        label: String::new(),
        choices: Vec::new(),
        value,
    };
    let known = Some(serde_json::json!("Ops"));
    let form = RequestForm {
        task: id(4),
        system: SystemName::parse("hr").unwrap(),
        operation: "createEmployee".to_owned(),
        fields: vec![field("name", true, None), field("team", true, known)],
    };
    let event = SessionEvent::new(id(9), at, asked(Some(Box::new(form))));
    check_of("v2", "asked_form.json", &event);
}

/// The status, that nothing was begun, and the target of a redirect came later: a failure of before has
/// none of them, and is written as it was.
#[test]
fn a_failure_with_and_without_a_status_loads() {
    let failed = |status, redirected_to, not_started| StepOutcome::Failure {
        failure: StepFailure {
            category: FailureCategory::ContractViolation,
            code: "HTTP_STATUS".to_owned(),
            message: "the service answered with status `409`".to_owned(),
            effect_unknown: false,
            retry_after_ms: None,
            status,
            redirected_to,
            not_started,
        },
    };
    check("failure.json", &failed(None, None, false));
    check("failure_status.json", &failed(Some(409), None, false));
    let target = Some("https://other.test:8443".to_owned());
    check("failure_redirected.json", &failed(None, target, false));
    check("failure_not_started.json", &failed(None, None, true));
}
