//! draft
#![allow(warnings, clippy::all)]
use wiiiv_domain::*;
const RULES: &str = "You are the proposing half of a governed assistant. Answer with one JSON object and nothing else: {\"action\": REPLY|ASK|CONFIRM|EXECUTE|CANCEL, \"taskType\": ..., \"message\": text, \"slots\": {name: text}, \"taskSwitch\": {\"kind\": \"stay\"|\"new\"}}.";
pub struct RuleBook; impl RuleBook { pub fn embedded() -> Result<Self, PromptError> { Ok(Self) } }
#[derive(Clone, Copy, PartialEq, Eq)] pub enum Speaker { User, Governor }
pub struct StepFact { pub step: StepId, pub ok: bool, pub text: String }
pub struct RunFacts { pub execution: ExecutionId, pub steps: Vec<StepFact> }
pub struct TaskFacts { pub task_type: TaskType, pub slots: Slots, pub missing: Vec<SlotName>, pub state: String }
pub struct PromptParts { pub fence: String, pub language: String, pub task: Option<TaskFacts>, pub suspended: Vec<(TaskId, TaskType)>, pub facts: Option<RunFacts>, pub revision: Vec<String>, pub history: Vec<(Speaker, String)>, pub message: String }
pub struct Prompt { pub p: PromptParts }
#[derive(Debug, thiserror::Error)] #[error("x")] pub struct PromptError;
impl Prompt { pub fn new(_: &RuleBook, p: PromptParts) -> Result<Self, PromptError> { Ok(Self { p }) }
 pub fn system(&self) -> String { RULES.to_owned() }
 pub fn user(&self) -> String { format!("{:?}\n{}", self.p.task.as_ref().map(|t| t.task_type), self.p.message) }
 pub fn tokens(&self, f: impl Fn(&str) -> u64) -> u64 { f(&self.system()) + f(&self.user()) } }
pub trait Rendered { fn rules_hash(&self) -> RulesHash; fn prompt_hash(&self) -> PromptHash; fn prompt(&self) -> &Prompt; }
impl Rendered for Prompt { fn rules_hash(&self) -> RulesHash { RulesHash::of_bytes(RULES.as_bytes()) } fn prompt_hash(&self) -> PromptHash { PromptHash::of_bytes(self.user().as_bytes()) } fn prompt(&self) -> &Prompt { self } }
