//! Calls of a real model by a command that has no server: each is ruled on, held for, on record and settled as a session's
//! are, and they end at a number that was named before.

use crate::{
    clock,
    failure::Failure,
    open::{Measuring, measuring},
    serve,
    start_error::StartError,
};
use secrecy::SecretString;
use std::{
    fmt,
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};
use wiiiv_context::{JudgementPrompt, Prompt, Rendered};
use wiiiv_domain::{
    CallId, CostLimit, ModelSlot, ProjectPolicy, Proposal, Spent, TaskId, Terms, TokenBudget,
    TurnId,
};
use wiiiv_gate::{Authorized, ModelCall, PolicySnapshot, Purpose};
use wiiiv_ghost::LiveModel;
use wiiiv_llm::{CallOptions, Completion, Judgement, ModelError, ProviderKey};
use wiiiv_net::Origin;
use wiiiv_store::{Boundary, NewUser, Point, SessionRow, Write, Writer};
use wiiiv_vault::random_bytes;

/// Of one call, the repair included.
const ATTEMPTS: u32 = 2;
const OUTPUT_TOKENS_MAX: u64 = 4_096;
const DEADLINE: Duration = Duration::from_secs(120);
/// Who asks: nobody logs in.
const OWNER: &str = "eval";
/// The number of calls was reached.
const CALLS_MAX: &str = "calls_max";
/// The model proposed something, and said nothing.
const NO_ANSWER: &str = "no_answer";

/// What came of one call.
pub struct CallOutcome<T> {
    /// Or why there is nothing, by a name.
    pub result: Result<T, &'static str>,
    pub spent: Spent,
    pub millis: u64,
}

impl<T> CallOutcome<T> {
    fn and_then<U>(self, then: impl FnOnce(T) -> Result<U, &'static str>) -> CallOutcome<U> {
        let Self { result, spent, millis } = self;
        CallOutcome { result: result.and_then(then), spent, millis }
    }
}

/// Permitted, and not settled yet.
struct Permitted {
    call: CallId,
    permit: Authorized<ModelCall>,
    terms: Terms,
}

pub struct ModelCalls {
    parts: Measuring,
    session: SessionRow,
    writer: Writer,
    policy: Arc<PolicySnapshot>,
    options: CallOptions,
    calls: u32,
    calls_max: u32,
}

impl ModelCalls {
    /// The model of the answers is another one of the same provider, where one is named.
    pub async fn open(
        (model, origin): (LiveModel, Origin),
        answer_model: Option<String>,
        calls_max: u32,
    ) -> Result<Self, Failure> {
        let LiveModel { provider, model, base, key } = model;
        let key = key.map(|key| ProviderKey::new(origin.clone(), key));
        let policy = ProjectPolicy {
            llm_provider: provider,
            llm_base_url: Some(base.clone()),
            governor_model: Some(model),
            // Of this provider, whatever its name begins with.
            generator_model: answer_model.map(|model| format!("{provider}:{model}")),
            // The number of calls bounds them.
            token_budget: TokenBudget::default(),
            cost_limit: CostLimit::default(),
            ..serve::new_project_policy()?
        };
        let parts = measuring(origin).await?;
        let password = SecretString::from(digits()?);
        let new = NewUser { name: OWNER.to_owned(), password, admin: false };
        let owner = parts.store.create_user(new, policy).await.map_err(refused)?;
        let (user, project) = (owner.user, owner.project);
        let session = parts.store.create_session(project, user, OWNER, clock::now()).await;
        let session = session.map_err(StartError::from)?;
        let lease = parts.store.lease(session.id).await.map_err(StartError::from)?;
        let version = parts.store.policy(project).await.map_err(StartError::from)?;
        let policy = Arc::new(parts.keeper.compile(&version).map_err(refused)?);
        let options = CallOptions { base_url: Some(base), key, picture: None, deadline: DEADLINE };
        let writer = Writer::Session(lease);
        Ok(Self { parts, session, writer, policy, options, calls: 0, calls_max })
    }

    /// Of a slot, as it is named everywhere.
    pub fn name(&self, slot: ModelSlot) -> String {
        let named = self.policy.project_policy().of_slot(slot);
        named.map(|rules| format!("{}:{}", rules.llm_provider, rules.model())).unwrap_or_default()
    }

    /// Requests that cost something, or may have.
    pub const fn calls(&self) -> u32 {
        self.calls
    }

    pub const fn calls_max(&self) -> u32 {
        self.calls_max
    }

    /// What the model says to a prompt.
    pub async fn answer(&mut self, prompt: &Prompt) -> Result<CallOutcome<String>, Failure> {
        let Some(permitted) = self.permitted(ModelSlot::Generator, prompt).await? else {
            return Ok(at_its_end());
        };
        let Permitted { call, permit, terms } = permitted;
        let begun = Instant::now();
        let asked = self.parts.models.complete(prompt, permit, &self.options, None).await;
        let asked =
            asked.map(|Completion { proposal, spent, attempts, .. }| (proposal, spent, attempts));
        let outcome = self.ended((call, &terms, begun), asked).await?;
        Ok(outcome.and_then(words))
    }

    /// What an answer is worth.
    pub async fn judgement(
        &mut self,
        prompt: &JudgementPrompt,
    ) -> Result<CallOutcome<Judgement>, Failure> {
        let Some(permitted) = self.permitted(ModelSlot::Governor, prompt).await? else {
            return Ok(at_its_end());
        };
        let Permitted { call, permit, terms } = permitted;
        let begun = Instant::now();
        let asked = self.parts.models.judge_answer(prompt, permit, &self.options).await;
        let asked = asked.map(|done| {
            let (spent, attempts) = (done.spent.clone(), done.attempts);
            (done, spent, attempts)
        });
        self.ended((call, &terms, begun), asked).await
    }

    /// Ruled on, its cost held, on record. `None`: the calls are used up.
    async fn permitted(
        &self,
        slot: ModelSlot,
        prompt: &impl Rendered,
    ) -> Result<Option<Permitted>, Failure> {
        let attempts = self.calls_max.saturating_sub(self.calls).min(ATTEMPTS);
        let Some(rules) = self.policy.project_policy().of_slot(slot).filter(|_| attempts > 0)
        else {
            return Ok(None);
        };
        let (provider, model) = (rules.llm_provider, rules.model().to_owned());
        let Measuring { keeper, store, models } = &self.parts;
        let token_limits = models.token_limits(provider, &model);
        let turn: TurnId = fresh()?;
        let call = ModelCall {
            call: fresh()?,
            project: self.session.project,
            session: self.session.id,
            user: self.session.owner,
            task: TaskId::from(turn),
            turn,
            slot,
            provider,
            model,
            max_input_tokens: token_limits.held(prompt).await,
            max_output_tokens: token_limits.max_output(OUTPUT_TOKENS_MAX),
            attempts,
        };
        let price = self.policy.policy().prices().get(provider.as_str(), &call.model);
        let most = (call.max_input_tokens, call.max_output_tokens);
        let (id, terms) = (call.call, Terms::new(price, most, attempts));
        let at = clock::now();
        let evidence = store.evidence_for_call(&call, at).await.map_err(StartError::from)?;
        let policy = self.policy.clone();
        let ruling = keeper.gather(fresh()?, Purpose::Call, call, policy, evidence);
        let (claim, ruled) = keeper.rule(ruling.map_err(|error| refused(error.why))?, at);
        let committed = store.commit(&self.writer, Boundary::new(Point::T0), claim).await;
        let (committed, _) = committed.map_err(refused)?;
        let permit = ruled.seal(committed).map_err(refused)?;
        Ok(Some(Permitted { call: id, permit, terms }))
    }

    /// Settled, whatever came of it.
    async fn ended<T>(
        &mut self,
        (call, terms, begun): (CallId, &Terms, Instant),
        asked: Result<(T, Spent, u32), ModelError>,
    ) -> Result<CallOutcome<T>, Failure> {
        let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (result, spent, attempts) = match asked {
            Ok((done, spent, attempts)) => (Ok(done), spent, attempts),
            Err(error) => (Err(error.failure.as_str()), error.spent, error.attempts),
        };
        self.calls = self.calls.saturating_add(attempts);
        let (usage, amount) = (spent.total(), terms.cost(&spent));
        let settled = Boundary::new(Point::T1).write(Write::Settle { call, usage, amount });
        self.parts.store.append(&self.writer, settled).await.map_err(refused)?;
        Ok(CallOutcome { result, spent, millis })
    }
}

/// Nothing is sent.
fn at_its_end<T>() -> CallOutcome<T> {
    CallOutcome { result: Err(CALLS_MAX), spent: Spent::default(), millis: 0 }
}

fn words(proposal: Proposal) -> Result<String, &'static str> {
    let is_said = !proposal.message.trim().is_empty();
    if is_said { Ok(proposal.message) } else { Err(NO_ANSWER) }
}

fn refused(error: impl fmt::Display) -> StartError {
    StartError::built_in(error)
}

/// A new id, which names nothing outside this process.
fn fresh<T: FromStr>() -> Result<T, StartError>
where
    T::Err: fmt::Display,
{
    digits()?.parse().map_err(StartError::built_in)
}

/// 32 hexadecimal digits.
fn digits() -> Result<String, StartError> {
    Ok(hex::encode(*random_bytes::<16>().map_err(StartError::built_in)?))
}
