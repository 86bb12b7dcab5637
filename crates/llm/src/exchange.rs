//! Calls any provider: attempts, retries and one repair, within one deadline.

mod answer;
mod embed;
mod fault;
mod progress;
mod question;

use crate::{
    call::{CallOptions, ModelError},
    catalogue::is_same,
    endpoint::Endpoint,
    key_redaction::KeyRedaction,
    models::Models,
    tokens::{at_least, beyond, estimated, held_to},
    wire::{Form, Wire, piece::Stop, request::ModelRequest},
};
use answer::{Answer, DeltaSink, Pace, Read};
use fault::{Cost, Fault, NoAnswer, Why};
use progress::Progress;
pub(crate) use question::{Answered, Question};
use std::time::Duration;
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use wiiiv_context::{Rendered, RepairPrompt};
use wiiiv_domain::{ProviderName, Usage};
use wiiiv_gate::ModelCall;
use wiiiv_net::{Bytes, ProviderRequest, Url};

/// What one stream may carry, in bytes: an answer of `PROPOSAL_BYTES_MAX` and its wrapping.
const WIRE_BYTES_MAX: usize = 16 * 1_048_576;

/// One permit's worth of calls.
pub(crate) struct Exchange<'a> {
    pub(crate) models: &'a Models,
    pub(crate) call: &'a ModelCall,
    pub(crate) options: &'a CallOptions,
    pub(crate) endpoint: Endpoint,
    pub(crate) deltas: Option<mpsc::Sender<String>>,
}

/// By which interface, and how it is made to answer by a schema.
type Manner = (Wire, Form);

/// What comes after an attempt.
enum Next<T> {
    Ended(Box<Result<Answered<T>, ModelError>>),
    Repair(RepairPrompt),
    Wait(Duration),
}

impl<T> Next<T> {
    fn ended(end: Result<Answered<T>, ModelError>) -> Self {
        Self::Ended(Box::new(end))
    }
}

impl Exchange<'_> {
    /// Within the call's deadline.
    pub(crate) async fn run<Q: Question>(
        &self,
        prompt: &Q,
    ) -> Result<Answered<Q::Answer>, ModelError> {
        let mut progress = Progress::default();
        let asked = timeout(self.options.deadline, self.talk(prompt, &mut progress)).await;
        asked.unwrap_or_else(|_| Err(progress.late()))
    }

    async fn talk<Q: Question>(
        &self,
        prompt: &Q,
        progress: &mut Progress,
    ) -> Result<Answered<Q::Answer>, ModelError> {
        let mut repair: Option<RepairPrompt> = None;
        loop {
            progress.in_flight = true;
            let asked = match &repair {
                None => self.attempt(prompt, self.deltas.as_ref()).await,
                // Talk that was shown already is not shown twice.
                Some(repair) => self.attempt(repair, None).await,
            };
            progress.in_flight = false;
            progress.attempts += 1;
            let next = match asked {
                Ok(answer) => self.answered(prompt, &answer, progress, repair.is_none()),
                Err(fault) => self.failed(&fault, progress),
            };
            match next {
                Next::Ended(end) => return *end,
                Next::Repair(question) => repair = Some(question),
                Next::Wait(wait) => sleep(wait).await,
            }
        }
    }

    fn answered<Q: Question>(
        &self,
        prompt: &Q,
        answer: &Answer,
        progress: &mut Progress,
        first: bool,
    ) -> Next<Q::Answer> {
        progress.spend(Cost::Known(answer.usage));
        progress.beyond = progress.beyond.or(answer.beyond);
        match prompt.read(&self.models.schema, answer) {
            Ok(read) => Next::ended(Ok(Answered {
                answer: read,
                spent: progress.spent.clone(),
                attempts: progress.attempts,
                another: answer.another.clone(),
                beyond: progress.beyond,
            })),
            // Asked again it would be cut again.
            Err(_) if answer.is_cut => Next::ended(Err(progress.cut())),
            Err(unreadable) if first && self.can_repair(progress) => {
                let fault = unreadable.to_string();
                Next::Repair(prompt.repair(&answer.text, &fault))
            }
            Err(_) => Next::ended(Err(progress.unreadable())),
        }
    }

    fn failed<T>(&self, fault: &Fault, progress: &mut Progress) -> Next<T> {
        progress.spend(fault.cost());
        match self.waits(fault, progress) {
            Some(wait) => Next::Wait(wait),
            None => Next::ended(Err(progress.failed(fault))),
        }
    }

    /// Before another attempt of the permit; `None` where there is none.
    fn waits(&self, fault: &Fault, progress: &mut Progress) -> Option<Duration> {
        let more = progress.attempts < self.call.attempts;
        let wait = self.patience(fault, progress.retries).filter(|_| more)?;
        progress.retries += 1;
        Some(wait)
    }

    /// What was refused before anything was worked on uses up nothing that was held: the repair is
    /// still there behind a 429.
    fn can_repair(&self, progress: &Progress) -> bool {
        progress.spent.attempts() < self.call.attempts
    }

    /// One call; another at once where the model is asked by the wrong interface, which costs nothing.
    async fn attempt(
        &self,
        prompt: &impl Rendered,
        deltas: Option<&mpsc::Sender<String>>,
    ) -> Result<Answer, Fault> {
        let wire = self.wire();
        let asked = self.shaped(prompt, wire, deltas).await;
        if wire != Wire::OpenAi || !asked.as_ref().is_err_and(Fault::is_elsewhere) {
            return asked;
        }
        let asked = self.shaped(prompt, Wire::Responses, deltas).await;
        // Served by neither, it may be one day by either.
        if !asked.as_ref().is_err_and(Fault::is_unserved) {
            self.models.origins.set_of_responses(&self.endpoint.origin, &self.call.model);
        }
        asked
    }

    /// The provider's own way, unless it is known, or has said, that it serves this model by another.
    fn wire(&self) -> Wire {
        let (endpoint, ModelCall { provider, model, .. }) = (&self.endpoint, self.call);
        let is_other = || {
            self.models.catalogue.is_of_responses(*provider, model)
                || self.models.origins.is_of_responses(&endpoint.origin, model)
        };
        if endpoint.wire == Wire::OpenAi && is_other() { Wire::Responses } else { endpoint.wire }
    }

    /// A second call at once where the first was refused for its schema, which costs nothing.
    async fn shaped(
        &self,
        prompt: &impl Rendered,
        wire: Wire,
        deltas: Option<&mpsc::Sender<String>>,
    ) -> Result<Answer, Fault> {
        let origins = &self.models.origins;
        let form = self.form();
        let asked = self.admitted(self.send(prompt, (wire, form), deltas)).await;
        if form == Form::Plain || !asked.as_ref().is_err_and(Fault::dislikes_schema) {
            return asked;
        }
        let asked = self.admitted(self.send(prompt, (wire, Form::Plain), deltas)).await;
        // Only then it was the schema that was disliked.
        if asked.is_ok() {
            origins.set_plain(&self.endpoint.origin, &self.call.model);
        }
        asked
    }

    /// As the operator has it; else what the model is known to take, unless it has refused that.
    fn form(&self) -> Form {
        let (models, ModelCall { provider, model, .. }) = (self.models, self.call);
        let is_plain = || models.origins.is_plain(&self.endpoint.origin, model);
        match models.forms.get(&format!("{provider}:{model}")) {
            Some(form) => *form,
            None if is_plain() => Form::Plain,
            None => models.catalogue.form(*provider, model),
        }
    }

    /// Unless the origin is left alone; what comes of it tells how the origin is.
    async fn admitted<T>(&self, sent: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        let origin = (self.call.provider, &self.endpoint.origin);
        let pass = self.models.origins.admit(origin, self.models.limits.pause);
        let pass = pass.ok_or(Fault::LeftAlone)?;
        let asked = sent.await;
        match &asked {
            Err(fault) if fault.is_outage() => pass.failed(),
            // It answered: that it refused says nothing of its health.
            Ok(_) | Err(_) => pass.succeeded(),
        }
        asked
    }

    async fn send(
        &self,
        prompt: &impl Rendered,
        manner: Manner,
        deltas: Option<&mpsc::Sender<String>>,
    ) -> Result<Answer, Fault> {
        let wire = manner.0;
        let request = self.request(prompt, manner).ok_or(Fault::Unsendable)?;
        let pace = Pace::starting_now(self.models.provider.timeouts());
        let asked = self.models.provider.post_stream(request).await;
        let bytes = asked.map_err(|error| Fault::of(wire, error))?;
        let sink = DeltaSink { deltas, screen: self.redaction().screen() };
        let read = answer::read(wire, bytes, self.call.max_output_tokens, sink, pace).await?;
        self.judged(prompt, read)
    }

    /// What came to its end, and whether that is an answer.
    fn judged(&self, prompt: &impl Rendered, read: Read) -> Result<Answer, Fault> {
        let (sent, call) = ([prompt.system(), prompt.user()], self.call);
        let held = |used| held_to(used, call.max_input_tokens, call.max_output_tokens);
        let sink = read.usage.map(held);
        let beyond = self.beyond(read.usage);
        let none = |why| Err(Fault::NoAnswer(NoAnswer { why, used: sink, beyond }));
        let redaction = self.redaction();
        if redaction.is_in_answer(&read.text) || read.model.iter().any(|name| redaction.is_in(name))
        {
            return none(Why::SaysKey);
        }
        let is_cut = match read.stop {
            Stop::Ended => false,
            Stop::Cut => true,
            Stop::Odd => return none(Why::Odd),
            Stop::Overflowed => return none(Why::Overflowed),
            Stop::Declined => return none(Why::Declined),
        };
        let too_few = |used: Usage| used.input_tokens < at_least(&sent);
        if read.cuts_prompts && read.usage.is_some_and(too_few) {
            tracing::warn!(provider = %call.provider, model = %call.model, "{}", Why::CutPrompt);
            return none(Why::CutPrompt);
        }
        // It was cut because it had written so many, whatever was seen of them.
        let written = if is_cut { call.max_output_tokens } else { read.bytes };
        Ok(Answer {
            text: read.text,
            usage: sink.unwrap_or_else(|| held(estimated(&sent, written))),
            names_twice: read.names_twice,
            is_cut,
            another: read.model.filter(|model| self.is_another(model)),
            beyond,
        })
    }

    fn redaction(&self) -> KeyRedaction {
        KeyRedaction::of(self.options.key.as_ref())
    }

    /// A provider that tells of more than was held for is believed to be wrong, and not left unsaid.
    fn beyond(&self, sink: Option<Usage>) -> Option<Usage> {
        let call = self.call;
        let beyond = beyond(sink?, call.max_input_tokens, call.max_output_tokens)?;
        let (input, output) = (beyond.input_tokens, beyond.output_tokens);
        tracing::warn!(provider = %call.provider, model = %call.model, input, output, "more was told than held");
        Some(beyond)
    }

    /// A provider may send what it no longer serves to another model, at that one's price.
    fn is_another(&self, answering: &str) -> bool {
        let (asked, provider) = (&self.call.model, self.call.provider);
        let is_another = !is_same(asked, answering);
        // Servers of one's own name their models as they like: it is on record, and no news.
        if is_another && provider != ProviderName::Custom {
            tracing::warn!(%provider, %asked, ?answering, "another model answered");
        }
        is_another
    }

    fn request(&self, prompt: &impl Rendered, (wire, form): Manner) -> Option<ProviderRequest> {
        let (endpoint, call) = (&self.endpoint, self.call);
        let asked = ModelRequest {
            model: &call.model,
            system: prompt.system(),
            user: prompt.user(),
            answer: prompt.answer(),
            picture: self.options.picture.as_ref(),
            max_output_tokens: call.max_output_tokens,
            form,
            tempered: self.models.catalogue.takes_temperature(call.provider, &call.model),
            thinking: self.models.catalogue.thinking(call.provider, &call.model),
        };
        let url = wire.endpoint(&endpoint.base, &call.model)?;
        Some(self.post(wire, url, wire.body(&asked).ok()?, WIRE_BYTES_MAX))
    }

    fn post(&self, wire: Wire, url: Url, body: Vec<u8>, max_bytes: usize) -> ProviderRequest {
        let key = self.options.key.as_ref().map(|key| wire.credential(key));
        ProviderRequest {
            headers: wire.headers(),
            total: Some(self.options.deadline),
            max_bytes,
            ..ProviderRequest::new(url, key, Bytes::from(body))
        }
    }

    /// How long to wait before another attempt; `None` where none would help.
    fn patience(&self, fault: &Fault, retries: u32) -> Option<Duration> {
        let limits = &self.models.limits;
        let named = fault.retry_after()?;
        if retries >= limits.retries || named > limits.retry_after_max {
            return None;
        }
        let backoff = limits.backoff.saturating_mul(1 << retries.min(8));
        Some(named.max(backoff) + backoff.mul_f64(chance()))
    }
}

/// 0 to 1, so that many clients do not come back at once. Without randomness, half.
fn chance() -> f64 {
    getrandom::u32().map_or(0.5, |n| f64::from(n) / f64::from(u32::MAX))
}
