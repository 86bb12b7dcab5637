//! draft
#![allow(warnings, clippy::all)]
use std::sync::Arc; use wiiiv_domain::*; use wiiiv_gate::{Verifier, Authorized, ModelCall}; use wiiiv_context::*; use wiiiv_language::{Lexicon, Messages, Situation, OfflineText, read}; use wiiiv_net::*; use futures::StreamExt;
pub struct Models { verifier: Verifier, lexicon: Arc<Lexicon>, messages: Arc<Messages>, net: ProviderClient } pub enum Slot { Governor }
pub struct CallOptions { pub base_url: Option<String>, pub api_key: Option<secrecy::SecretString>, pub deadline: std::time::Duration }
#[derive(Debug)] pub struct Completion { pub proposal: Proposal, pub usage: Usage, pub attempts: u32 }
#[derive(Debug)] pub struct ModelError { pub failure: ProposalFailure, pub usage: Option<Usage> }
pub fn token_bound(t: &str) -> u64 { t.len() as u64 }
impl Models {
 pub fn new(verifier: Verifier, lexicon: Arc<Lexicon>, messages: Arc<Messages>, net: ProviderClient) -> Self { Self { verifier, lexicon, messages, net } }
 pub async fn complete(&self, r: &Prompt, _: Slot, spend: Authorized<ModelCall>, o: &CallOptions, _: Option<tokio::sync::mpsc::Sender<String>>) -> Result<Completion, ModelError> {
  let call = self.verifier.redeem(spend).map_err(|_| ModelError { failure: ProposalFailure::Auth, usage: None })?;
  match call.provider { ProviderName::Offline => Ok(Completion { proposal: self.offline(r), usage: Usage::default(), attempts: 1 }),
   ProviderName::Custom => match tokio::time::timeout(o.deadline, self.custom(r, &call, o)).await { Ok(r) => r, Err(_) => Err(ModelError { failure: ProposalFailure::Timeout, usage: None }) } } }
 fn offline(&self, p: &Prompt) -> Proposal {
  let p = p.parts(); let lang = p.language;
  let talk = |m: &str| Proposal { action: Action::Reply, task_type: TaskType::Conversation, message: m.to_owned(), slots: Slots::default(), task_switch: TaskSwitch::Stay, envelope: Envelope::default() };
  if p.facts.is_some() { return talk(self.messages.offline(lang, OfflineText::Done)); }
  let situation = Situation { awaiting_answer: p.task.is_some(), active: p.task.as_ref().map(|t| (t.task_type, t.missing.clone())), earlier_run: p.earlier_run };
  let reading = read(&self.lexicon, &p.message, &situation);
  let Some(task) = reading.task_type else { return talk(self.messages.offline(lang, OfflineText::Help)) };
  if task.is_talk() { return talk(self.messages.offline(lang, OfflineText::Help)) }
  let same = p.task.as_ref().is_some_and(|t| t.task_type == task && !t.missing.is_empty());
  let slots = if same { p.task.as_ref().unwrap().slots.merged(&reading.slots).unwrap() } else { reading.slots.clone() };
  let missing = Spec::missing(task, &slots);
  Proposal { action: if missing.is_empty() { Action::Execute } else { Action::Ask }, task_type: task, message: String::new(), slots: reading.slots, task_switch: if same || p.task.is_none() { TaskSwitch::Stay } else { TaskSwitch::New }, envelope: Envelope::default() } }
 async fn custom(&self, p: &Prompt, call: &ModelCall, o: &CallOptions) -> Result<Completion, ModelError> {
  let fail = |failure| ModelError { failure, usage: None };
  let url = format!("{}/chat/completions", o.base_url.clone().unwrap_or_default());
  let body = serde_json::json!({"model": call.model, "stream": true, "max_tokens": call.max_output_tokens, "messages": [{"role":"system","content":p.system()},{"role":"user","content":p.user()}]}).to_string();
  let req = ProviderRequest::new(Url::parse(&url).map_err(|_| fail(ProposalFailure::Unavailable))?, None, Bytes::from(body));
  let s = self.net.post_stream(req).await.map_err(|e| fail(match e { ProviderError::Status { code: 429, .. } => ProposalFailure::RateLimited, ProviderError::Timeout { .. } => ProposalFailure::Timeout, _ => ProposalFailure::Unavailable }))?;
  let mut ev = Box::pin(sse_events(s)); let mut text = String::new();
  while let Some(e) = ev.next().await { let Ok(e) = e else { return Err(fail(ProposalFailure::InvalidOutput)) }; if e.data == "[DONE]" { break }
   let v: serde_json::Value = serde_json::from_str(&e.data).map_err(|_| fail(ProposalFailure::InvalidOutput))?;
   if let Some(t) = v.pointer("/choices/0/delta/content").and_then(|t| t.as_str()) { text.push_str(t); }
   if text.len() > PROPOSAL_BYTES_MAX { return Err(fail(ProposalFailure::InvalidOutput)) } }
  let proposal = serde_json::from_str(&text).map_err(|_| fail(ProposalFailure::InvalidOutput))?;
  Ok(Completion { proposal, usage: Usage { input_tokens: 10, output_tokens: 10, estimated: true }, attempts: 1 }) }
 pub fn check(&self, _: ProviderName, _: Option<&str>) -> Result<(), String> { Ok(()) } }
