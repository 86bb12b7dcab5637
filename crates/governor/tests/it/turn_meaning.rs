//! Older turns that are near to a message by what they mean, where a model of this machine compares a project's documents.

use crate::{
    documents::until,
    long_conversation::{answers, plan, talk},
    memory::{last_prompt, say},
    test_governor::{Setup, TestGovernor},
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use wiiiv_domain::{ProviderName, SessionId};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_governor::{DocumentDeps, EmbedKind, TextEmbedder};

/// What is looked for, and a question that has no word of it.
const BUDGET: &str = "우리 팀 예산은 280만 원이야.";
const QUESTION: &str = "얼마까지 쓸 수 있더라?";
const RELATED: &str = "RELATED\n- 우리 팀 예산은 280만 원이야.";
/// Turns behind which a dozen are older.
const LONG: usize = 16;
/// Of so many one that lies elsewhere stands out.
const COMPARED_MIN: usize = 9;
/// Of a model that never comes to an end of a question: longer than any turn here may take.
const SLOW: Duration = Duration::from_secs(6);

#[derive(Clone, Copy)]
enum Conduct {
    Answers,
    Refuses,
    Waits,
}

/// Knows what a budget is, and nothing else. It conducts itself so where it is asked a question.
struct BudgetModel {
    conduct: Mutex<Conduct>,
    turns: AtomicUsize,
    questions: AtomicUsize,
}

impl BudgetModel {
    fn new(conduct: Conduct) -> Arc<Self> {
        let (turns, questions) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(Self { conduct: Mutex::new(conduct), turns, questions })
    }

    /// Texts of turns, and questions.
    fn asked(&self) -> (usize, usize) {
        (self.turns.load(Ordering::SeqCst), self.questions.load(Ordering::SeqCst))
    }
}

impl TextEmbedder for BudgetModel {
    fn name(&self) -> &str {
        "local:budgets"
    }

    fn embed(&self, text: &str, kind: EmbedKind) -> Result<Vec<f32>, String> {
        let count = match kind {
            EmbedKind::Passage => &self.turns,
            EmbedKind::Query => &self.questions,
        };
        count.fetch_add(1, Ordering::SeqCst);
        let conduct = *self.conduct.lock().unwrap();
        match (kind, conduct) {
            (EmbedKind::Query, Conduct::Refuses) => return Err("it is refused".to_owned()),
            (EmbedKind::Query, Conduct::Waits) => std::thread::sleep(SLOW),
            (EmbedKind::Passage, _) | (EmbedKind::Query, Conduct::Answers) => {}
        }
        let is_of_budgets = ["예산", "얼마까지"].iter().any(|word| text.contains(word));
        Ok(if is_of_budgets { vec![1.0, 0.1, 0.0] } else { vec![0.1, 1.0, 0.1] })
    }
}

async fn asking(model: &FakeModel, embedder: &Arc<BudgetModel>) -> TestGovernor {
    let embedders = vec![Arc::clone(embedder) as Arc<dyn TextEmbedder>];
    let documents = DocumentDeps { embedders, folder: None };
    let setup = Setup { documents, origins: vec![model.origin()], ..Setup::default() };
    let (test, url) = (TestGovernor::with(setup).await, model.base_url());
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
    })
    .await;
    test
}

/// A long conversation that began with the budget.
async fn long(test: &TestGovernor, model: &FakeModel) -> SessionId {
    let session = test.session().await;
    say(test, model, session, BUDGET, &[answers("기억하겠습니다.")]).await;
    talk(test, model, session, LONG).await;
    session
}

/// Its older turns have vectors.
async fn compared(embedder: &BudgetModel) {
    until(|| async { (embedder.asked().0 >= COMPARED_MIN).then_some(()) }).await;
    // What was made last is at hand soon.
    tokio::time::sleep(Duration::from_millis(50)).await;
}

/// How the plan of the question's prompt says that it gave way.
async fn stages(test: &TestGovernor, model: &FakeModel, session: SessionId) -> Value {
    let told = say(test, model, session, QUESTION, &[answers("280만 원입니다.")]).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    plan(test).await["stages"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paraphrase_without_a_common_word_is_found() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let embedder = BudgetModel::new(Conduct::Answers);
    let test = asking(&model, &embedder).await;
    let session = long(&test, &model).await;
    compared(&embedder).await;
    let before = embedder.asked();
    assert_eq!(stages(&test, &model, session).await, Value::Null);
    let prompt = last_prompt(&model).1;
    assert!(prompt.contains(RELATED), "{prompt}");
    // Each turn is embedded once, and each message once.
    assert!(before.0 <= LONG, "{before:?}");
    assert_eq!(embedder.asked().1, before.1 + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_model_gives_nothing_in_time_words_decide_and_the_plan_says_so() {
    let both = json!([["related", "not_compared"], ["related", "none_near"]]);
    for conduct in [Conduct::Refuses, Conduct::Waits] {
        let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
        let embedder = BudgetModel::new(Conduct::Answers);
        let test = asking(&model, &embedder).await;
        let session = long(&test, &model).await;
        compared(&embedder).await;
        *embedder.conduct.lock().unwrap() = conduct;
        let begun = Instant::now();
        assert_eq!(stages(&test, &model, session).await, both);
        assert!(begun.elapsed() < SLOW, "a turn waits for no slow model");
        assert!(!last_prompt(&model).1.contains(" RELATED\n"), "{}", last_prompt(&model).1);
        // What words find is found all the same.
        let given = [answers("280만 원")];
        let asked = say(&test, &model, session, "팀 예산이 얼마였지?", &given).await;
        assert_eq!(asked.outcome, "done");
        assert!(last_prompt(&model).1.contains(RELATED), "{}", last_prompt(&model).1);
    }
}

/// They would be sent to the provider, and paid for.
#[tokio::test(flavor = "multi_thread")]
async fn where_a_providers_model_compares_documents_older_turns_are_found_by_words() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let embedder = BudgetModel::new(Conduct::Answers);
    let test = asking(&model, &embedder).await;
    test.change_policy(|policy| policy.embedding_model = Some("e".to_owned())).await;
    let session = long(&test, &model).await;
    assert_eq!(stages(&test, &model, session).await, json!([["related", "none_near"]]));
    assert_eq!(embedder.asked(), (0, 0));
}

/// Its few messages are carried as they are.
#[tokio::test(flavor = "multi_thread")]
async fn a_short_conversation_is_embedded_by_nobody() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let embedder = BudgetModel::new(Conduct::Answers);
    let test = asking(&model, &embedder).await;
    let session = test.session().await;
    talk(&test, &model, session, 6).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(embedder.asked(), (0, 0));
}
