//! Documents of a project whose policy names a provider's model for embeddings: what is sent there, once, and what is found
//! where it cannot be.

use crate::{
    documents::{Double, ended, member, put, search, until, upload, with},
    test_governor::{Setup, TestGovernor},
};
use serde_json::Value;
use std::time::Duration;
use wiiiv_domain::{
    ContentDigest, Currency, ModelPrice, PriceTier, ProjectPolicy, ProviderName, Scope,
};
use wiiiv_fakes::FakeProvider;
use wiiiv_gate::Principal;
use wiiiv_governor::{DocumentError, FoundPassages, NotCompared};
use wiiiv_net::{Origin, Url};
use wiiiv_store::{AuditFilter, Chain, IngestState, Page, Role};

/// What requests are logged under.
pub const KEY: &str = "emb";
pub const TEXT: &str =
    "# Approvals\n\nHow do approvals work here? Two people say yes, canary-approvals-5f1c.";
pub const OTHER: &str = "# Paprika\n\nThe paprika is red, canary-paprika-77d0.";

pub struct TestProject {
    pub test: TestGovernor,
    pub provider: FakeProvider,
    pub setup: Setup,
}

fn priced() -> ModelPrice {
    let tier = PriceTier {
        from_input_tokens: 0,
        input_micros_per_million: 5_000_000,
        output_micros_per_million: 0,
    };
    ModelPrice { currency: Currency::USD, tiers: vec![tier] }
}

/// Its texts are embedded by the model `e` there; `f` has a price too.
pub fn embedded_by(policy: &mut ProjectPolicy, provider: &FakeProvider, conduct: &str) {
    policy.llm_provider = ProviderName::Custom;
    policy.llm_base_url = Some(format!("{}/{KEY}/{conduct}/local/v1", provider.url()));
    policy.governor_model = Some("m".to_owned());
    policy.embedding_model = Some("e".to_owned());
    for model in ["e", "f"] {
        policy.model_prices.insert(format!("CUSTOM:{model}"), priced());
    }
}

pub fn origin(provider: &FakeProvider) -> String {
    Origin::of(&Url::parse(&provider.url()).unwrap()).unwrap().to_string()
}

/// Its models `e` and `f` have a price each.
pub async fn test_project() -> TestProject {
    test_project_of("good").await
}

/// Its provider behaves so.
async fn test_project_of(conduct: &str) -> TestProject {
    let provider = FakeProvider::open(0).await.unwrap();
    let pause = Some(Duration::from_millis(100));
    let setup = Setup { origins: vec![origin(&provider)], pause, ..Setup::default() };
    let test = TestGovernor::with(setup.clone()).await;
    test.change_policy(|policy| embedded_by(policy, &provider, conduct)).await;
    TestProject { test, provider, setup }
}

impl TestProject {
    pub async fn owner(&self) -> Principal {
        self.test.principal(&self.test.owner).await
    }

    pub fn scope(&self) -> Scope {
        Scope::Project(self.test.project)
    }

    pub async fn put(&self, name: &str, text: &str) {
        put(&self.test, &self.owner().await, self.scope(), upload(name, text)).await;
    }

    /// The code that its ingest is ready with.
    pub async fn code_of(&self, name: &str, text: &str) -> Option<String> {
        let (who, documents) = (self.owner().await, self.test.governor.documents());
        let job = documents.ingest(&who, self.scope(), upload(name, text)).await.unwrap();
        let done = ended(&self.test.governor, &job).await;
        assert_eq!(done.state, IngestState::Ready, "{:?}", done.code);
        done.code
    }

    pub async fn search(&self, text: &str) -> FoundPassages {
        search(&self.test.governor, &self.owner().await, text).await
    }

    /// Texts that the provider was sent, a request each.
    pub fn sent(&self) -> Vec<Vec<String>> {
        let calls = self.provider.calls(KEY);
        let calls = calls.iter().filter(|call| call["path"] == "v1/embeddings");
        let texts = |call: &Value| serde_json::from_value(call["body"]["input"].clone()).unwrap();
        calls.map(texts).collect()
    }

    pub async fn records(&self) -> Vec<Value> {
        let filter =
            AuditFilter { kind: Some("model.embedded".to_owned()), ..AuditFilter::default() };
        let chain = Chain::Project(self.test.project);
        let rows = self.test.governor.store().audit_search(chain, &filter).await.unwrap();
        rows.into_iter().rev().map(|row| row.body).collect()
    }

    /// What vectors are kept under.
    pub async fn embedders(&self) -> Vec<String> {
        self.test.governor.store().embedders().await.unwrap()
    }

    pub async fn name_model(&self, model: &str) {
        let model = Some(model.to_owned());
        self.test.change_policy(|policy| policy.embedding_model = model).await;
    }

    pub async fn reembed(&self) {
        let owner = self.owner().await;
        self.test.governor.documents().reembed(&owner, self.scope()).await.unwrap();
    }

    pub async fn restarted(self, setup: Setup) -> Self {
        let Self { test, provider, .. } = self;
        let test = test.restarted_with(setup.clone()).await;
        let project = Self { test, provider, setup };
        until(|| async {
            let standing = project.test.governor.documents().standing().await.unwrap();
            standing.loaded.then_some(())
        })
        .await;
        project
    }
}

pub fn by_meaning(found: &FoundPassages) -> usize {
    found.hits.iter().filter(|hit| hit.dense.is_some()).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_text_is_sent_once_and_a_restart_sends_none() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    let sent = project.sent();
    assert_eq!(sent.len(), 1, "one call for all its texts: {sent:?}");
    let found = project.search("approvals").await;
    assert_eq!((found.not_compared, by_meaning(&found)), (None, 1), "{found:?}");
    let embedder = found.embedder.unwrap();
    assert!(embedder.starts_with("custom:e@") && embedder.ends_with(":8"), "{embedder}");
    assert_eq!(project.sent()[1..], [["approvals".to_owned()]]);
    project.search(" approvals ").await;
    project.put("approvals.md", TEXT).await;
    assert_eq!(project.sent().len(), 2, "neither a question nor a text is sent twice");

    let records = project.records().await;
    let texts: Vec<&Value> = records.iter().map(|body| &body["texts"]).collect();
    assert_eq!(texts, [sent[0].len(), 1]);
    assert!(records.iter().all(|body| body["charged"].is_object()), "{records:?}");
    assert!(!format!("{records:?}").contains("canary"), "{records:?}");
    let used = project.test.used().await;
    assert_eq!((used.calls, used.open), (2, 0), "each is paid for, and nothing is held");
    assert!(used.micros > 0);

    let setup = project.setup.clone();
    let project = project.restarted(setup).await;
    assert_eq!(project.sent().len(), 2, "a restart sends nothing");
    project.put("approvals.md", TEXT).await;
    assert_eq!(project.sent().len(), 2);
    let found = project.search("approvals").await;
    assert_eq!((found.not_compared, by_meaning(&found)), (None, 1), "{found:?}");
}

/// Nobody's policy says that they may leave.
#[tokio::test(flavor = "multi_thread")]
async fn documents_of_a_person_stay_here() {
    let project = test_project().await;
    let own = Scope::User(project.test.owner.user);
    put(&project.test, &project.owner().await, own, upload("mine.md", OTHER)).await;
    let found = project.search("paprika").await;
    assert_eq!((found.hits.len(), found.not_compared), (1, None), "{found:?}");
    assert!(project.sent().is_empty(), "{:?}", project.sent());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_to_an_origin_that_is_not_approved() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    let setup = Setup { origins: Vec::new(), ..project.setup.clone() };
    let project = project.restarted(setup).await;
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, Some(NotCompared::Origin), "{found:?}");
    assert_eq!((found.hits.len(), by_meaning(&found), found.embedder), (1, 0, None));
    let code = project.code_of("paprika.md", OTHER).await;
    assert_eq!(code.as_deref(), Some("NOT_EMBEDDED_ORIGIN"));
    assert_eq!(project.search("paprika").await.hits.len(), 1, "it is found by its words");
    assert_eq!(project.sent().len(), 1);
    assert_eq!(project.test.used().await.open, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fits_into_no_budget_is_not_sent() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    project.test.change_policy(|policy| policy.cost_limit.per_day_micros = Some(1)).await;
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, Some(NotCompared::Budget), "{found:?}");
    assert_eq!((found.hits.len(), by_meaning(&found)), (1, 0), "{found:?}");
    let code = project.code_of("paprika.md", OTHER).await;
    assert_eq!(code.as_deref(), Some("NOT_EMBEDDED_BUDGET"));
    assert_eq!(project.sent().len(), 1);
    // Whoever may ask for no work there spends nothing of it.
    project.test.change_policy(|policy| policy.cost_limit.per_day_micros = None).await;
    let vic = member(&project.test, "vic", Role::Viewer).await;
    let found = search(&project.test.governor, &vic, "approvals").await;
    assert_eq!((found.hits.len(), found.not_compared), (1, Some(NotCompared::NoRight)));
    assert_eq!(project.sent().len(), 1);
}

/// Whether it is known would tell.
#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_asked_is_known_for_nobody_else() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    project.search("approvals").await;
    assert_eq!(project.sent().len(), 2);
    let vic = member(&project.test, "vic", Role::Viewer).await;
    let found = search(&project.test.governor, &vic, "approvals").await;
    assert_eq!((by_meaning(&found), found.not_compared), (0, Some(NotCompared::NoRight)));
    let eve = member(&project.test, "eve", Role::Editor).await;
    for _ in 0..2 {
        let found = search(&project.test.governor, &eve, "approvals").await;
        assert_eq!((by_meaning(&found), found.not_compared), (1, None), "{found:?}");
    }
    assert_eq!(project.sent()[2..], [["approvals".to_owned()]], "once for each of them");
    project.search("approvals").await;
    assert_eq!(project.sent().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_is_down_leaves_the_words_until_it_is_asked_again() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    let url = Url::parse(&project.provider.url()).unwrap();
    let TestProject { test, provider, setup } = project;
    drop(provider);
    let provider = FakeProvider::open(0).await.unwrap();
    let project = TestProject { test, provider, setup };
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, Some(NotCompared::Unreachable), "{found:?}");
    assert_eq!((found.hits.len(), by_meaning(&found)), (1, 0), "{found:?}");
    assert_eq!(
        project.code_of("paprika.md", OTHER).await.as_deref(),
        Some("NOT_EMBEDDED_UNREACHABLE")
    );
    assert_eq!(project.search("paprika").await.hits.len(), 1, "it is found by its words");

    let TestProject { test, provider, setup } = project;
    drop(provider);
    let provider = FakeProvider::open(url.port().unwrap()).await.unwrap();
    let project = TestProject { test, provider, setup };
    let owner = project.owner().await;
    let documents = project.test.governor.documents();
    until(|| async {
        let begun = documents.reembed(&owner, project.scope()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        (begun.missing == 0).then_some(())
    })
    .await;
    until(|| async {
        let found = project.search("paprika").await;
        (found.not_compared.is_none() && by_meaning(&found) == 2).then_some(())
    })
    .await;
    assert_eq!(project.test.used().await.open, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_of_another_model_are_not_compared_and_are_made_anew_when_that_is_asked_for() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    let (owner, documents) = (project.owner().await, project.test.governor.documents());
    project.test.change_policy(|policy| policy.embedding_model = Some("f".to_owned())).await;
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, Some(NotCompared::NotEmbedded), "{found:?}");
    assert_eq!((found.hits.len(), by_meaning(&found), project.sent().len()), (1, 0, 1));
    let begun = documents.reembed(&owner, project.scope()).await.unwrap();
    assert!(begun.embedder.unwrap().starts_with("custom:f@"));
    let found = until(|| async {
        let found = project.search("approvals").await;
        found.not_compared.is_none().then_some(found)
    })
    .await;
    assert_eq!(by_meaning(&found), 1);
    assert!(found.embedder.unwrap().starts_with("custom:f@"), "by the new one");
    // Nothing leaves any more; what has no vector is found by its words, as ever.
    project.test.change_policy(|policy| policy.embedding_model = Some("none".to_owned())).await;
    let sent = project.sent().len();
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, Some(NotCompared::NotEmbedded), "{found:?}");
    assert_eq!(documents.reembed(&owner, project.scope()).await.unwrap().embedder, None);
    until(|| async {
        let found = project.search("approvals").await;
        (found.not_compared.is_none() && found.hits.len() == 1).then_some(())
    })
    .await;
    assert_eq!(project.sent().len(), sent);
}

/// By the conversation itself, under its own rulings.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_in_a_conversation_is_embedded_in_its_turn() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    project.test.change_policy(|policy| policy.rag_for_information = true).await;
    let session = project.test.session().await;
    let told = project.test.say(session, "how do approvals work here").await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert_eq!(project.sent()[1..], [["how do approvals work here".to_owned()]]);
    let turn = told.events.first().unwrap().turn.to_string();
    let record = project.records().await.pop().unwrap();
    assert_eq!(record["turn"], turn.as_str(), "{record}");
    assert_eq!(project.test.used().await.open, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_found_by_its_words_before_its_provider_answers() {
    let project = test_project_of("stalls").await;
    let (who, documents) = (project.owner().await, project.test.governor.documents());
    let job = documents.ingest(&who, project.scope(), upload("paprika.md", OTHER)).await.unwrap();
    until(|| async {
        let job = documents.ingest_job(&who, job.id).await.unwrap();
        job.document.is_some().then_some(())
    })
    .await;
    let found = project.search("paprika").await;
    assert_eq!((found.hits.len(), by_meaning(&found)), (1, 0), "{found:?}");
    // Nobody waits for it any more; it stays.
    let done = documents.cancel_ingest(&who, job.id).await.unwrap();
    assert_eq!(
        (done.state, done.code.as_deref()),
        (IngestState::Ready, Some("NOT_EMBEDDED_CANCELLED"))
    );
    let again = documents.cancel_ingest(&who, job.id).await;
    assert!(matches!(again, Err(DocumentError::Ended)), "{again:?}");
    assert_eq!(project.search("paprika").await.hits.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_does_not_answer_leaves_the_words() {
    let project = test_project_of("stalls-later").await;
    project.put("approvals.md", TEXT).await;
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, Some(NotCompared::Unreachable), "{found:?}");
    assert_eq!((found.hits.len(), by_meaning(&found)), (1, 0), "{found:?}");
    assert_eq!(project.sent().len(), 2, "it was asked");
}

/// What it pays would tell.
#[tokio::test(flavor = "multi_thread")]
async fn a_project_pays_for_what_it_adds_whoever_else_holds_the_text() {
    let project = test_project().await;
    let who = project.owner().await;
    let own = Scope::User(project.test.owner.user);
    put(&project.test, &who, own, upload("approvals.md", TEXT)).await;
    let first = put(&project.test, &who, project.scope(), upload("approvals.md", TEXT)).await;
    assert_eq!(project.sent().len(), 1);
    project.put("copy.md", TEXT).await;
    project.test.governor.documents().remove_document(&who, first.id).await.unwrap();
    let sent = project.sent().len();
    project.put("copy.md", TEXT).await;
    assert_eq!(project.sent().len(), sent, "the project has it still");
    let copies =
        project.test.governor.documents().documents(&who, project.scope(), Page::default());
    for row in copies.await.unwrap() {
        project.test.governor.documents().remove_document(&who, row.id).await.unwrap();
    }
    project.put("copy.md", TEXT).await;
    assert_eq!(project.sent().len(), sent + 1, "nobody else's copy pays for it");
}

/// They were paid for.
#[tokio::test(flavor = "multi_thread")]
async fn vectors_of_a_provider_outlive_a_change_of_this_machines_model() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    let store = project.test.governor.store();
    let kept: Vec<String> = store.embedders().await.unwrap();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let double = Double::new("local:new", false);
    let setup = Setup { documents: with(&[&double]).documents, ..project.setup.clone() };
    let project = project.restarted(setup).await;
    let store = project.test.governor.store();
    store.put_vectors("local:former", former(&project).await).await.unwrap();
    let who = project.owner().await;
    let own = Scope::User(project.test.owner.user);
    put(&project.test, &who, own, upload("mine.md", OTHER)).await;
    until(|| async {
        let all = store.embedders().await.unwrap();
        (all == [kept[0].clone(), "local:new".to_owned()]).then_some(())
    })
    .await;
    let found = project.search("approvals").await;
    assert_eq!((found.not_compared, by_meaning(&found) > 0), (None, true), "{found:?}");
}

/// One vector for one of its texts.
pub async fn former(project: &TestProject) -> Vec<(ContentDigest, Vec<u8>)> {
    let store = project.test.governor.store();
    let texts = store.texts_without_vector("local:former", None, 1).await.unwrap();
    texts.into_iter().map(|(hash, _)| (hash, vec![0; 4])).collect()
}
