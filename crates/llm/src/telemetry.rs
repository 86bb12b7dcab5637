//! Spans and metrics of model calls: names, counts, codes and durations, never text.

use crate::call::{Completion, Embeddings, ModelError};
use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
    time::Instant,
};
use tracing::{Span, field::Empty};
use wiiiv_domain::{
    Spent, Usage,
    telemetry::{self, SPANS, attribute as a, metric_name as name, span},
};
use wiiiv_gate::ModelCall;

/// Models that stand in metrics under their own name; a policy may name any.
const MODELS_MAX: usize = 64;
/// Of a model's name, in bytes.
const MODEL_BYTES_MAX: usize = 80;
const OTHER: &str = "other";
/// The call was given up: its turn was cancelled.
const CANCELLED: &str = "cancelled";

/// Calls run side by side and share this alone. The lock is held for a few lines, never across an
/// await.
#[derive(Debug, Default)]
pub(crate) struct ModelNames(Mutex<BTreeSet<String>>);

impl ModelNames {
    /// INVARIANT: it answers with at most `MODELS_MAX` names and `other`, however many it is asked.
    fn label(&self, model: &str) -> String {
        let Some(model) = named(model) else { return OTHER.to_owned() };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains(model) {
            if known.len() >= MODELS_MAX {
                return OTHER.to_owned();
            }
            known.insert(model.to_owned());
        }
        model.to_owned()
    }
}

/// A name such as providers give to models; a sentence is none.
fn named(model: &str) -> Option<&str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/@+".contains(&byte);
    let length = 1..=MODEL_BYTES_MAX;
    (length.contains(&model.len()) && model.bytes().all(fits)).then_some(model)
}

/// One call, from its begin to its end or to its being given up.
pub(crate) struct Watch {
    span: Span,
    operation: &'static str,
    provider: &'static str,
    model: String,
    begun: Instant,
    told: bool,
}

impl Watch {
    /// A child of the span that is current.
    pub(crate) fn begin(names: &ModelNames, call: &ModelCall, operation: &'static str) -> Self {
        let provider = telemetry::provider(call.provider);
        let model = named(&call.model).unwrap_or(OTHER);
        let built_in = call.provider.is_built_in();
        let is_chat = operation == telemetry::CHAT;
        let span = tracing::info_span!(
            target: SPANS,
            span::CHAT,
            otel.name = %format_args!("{operation} {model}"),
            otel.kind = if built_in { "internal" } else { "client" },
            otel.status_code = Empty,
            { a::OPERATION_NAME } = operation,
            { a::PROVIDER_NAME } = provider,
            { a::REQUEST_MODEL } = model,
            { a::REQUEST_MAX_TOKENS } = call.max_output_tokens,
            { a::REQUEST_STREAM } = is_chat && !built_in,
            { a::OUTPUT_TYPE } = is_chat.then_some("json"),
            { a::CONVERSATION_ID } = %call.session,
            { a::CALL_ID } = %call.call,
            { a::CALL_ATTEMPTS } = Empty,
            { a::RESPONSE_MODEL } = Empty,
            { a::INPUT_TOKENS } = Empty,
            { a::OUTPUT_TOKENS } = Empty,
            { a::ERROR_TYPE } = Empty,
        );
        let model = names.label(&call.model);
        Self { span, operation, provider, model, begun: Instant::now(), told: false }
    }

    pub(crate) fn span(&self) -> Span {
        self.span.clone()
    }

    pub(crate) fn embedded(self, result: &Result<Embeddings, ModelError>) {
        let done = result.as_ref().map(|done| (done.spent.known(), done.attempts));
        self.counted(done);
    }

    pub(crate) fn ended(self, result: &Result<Completion, ModelError>) {
        let done =
            result.as_ref().map(|done| (&done.spent, done.attempts, done.another.as_deref()));
        self.answered(done);
    }

    pub(crate) fn answered(self, result: Result<(&Spent, u32, Option<&str>), &ModelError>) {
        let another = result.as_ref().ok().and_then(|(_, _, another)| *another);
        if let Some(model) = another.and_then(named) {
            self.span.record(a::RESPONSE_MODEL, model);
        }
        self.counted(result.map(|(spent, attempts, _)| (spent.known(), attempts)));
    }

    fn counted(mut self, result: Result<(Option<Usage>, u32), &ModelError>) {
        let (usage, attempts) = match result {
            Ok(done) => done,
            Err(error) => (error.spent.known(), error.attempts),
        };
        self.span.record(a::CALL_ATTEMPTS, attempts);
        // A count of our own making is none that may be reported, and a refusal that cost nothing none
        // that the provider made.
        let is_told = |usage: &Usage| {
            attempts > 0 && !usage.estimated && usage.input_tokens.max(usage.output_tokens) > 0
        };
        if let Some(usage) = usage.filter(is_told) {
            self.used(usage);
        }
        self.over(result.err().map(|error| error.failure.as_str()));
    }

    fn used(&self, usage: Usage) {
        self.span.record(a::INPUT_TOKENS, usage.input_tokens);
        self.span.record(a::OUTPUT_TOKENS, usage.output_tokens);
        for (kind, tokens) in [("input", usage.input_tokens), ("output", usage.output_tokens)] {
            metrics::histogram!(
                name::TOKEN_USAGE,
                a::OPERATION_NAME => self.operation,
                a::PROVIDER_NAME => self.provider,
                a::REQUEST_MODEL => self.model.clone(),
                a::TOKEN_TYPE => kind,
            )
            .record(u32::try_from(tokens).unwrap_or(u32::MAX));
        }
    }

    fn over(&mut self, error: Option<&'static str>) {
        self.told = true;
        let mut labels = vec![
            metrics::Label::new(a::OPERATION_NAME, self.operation),
            metrics::Label::new(a::PROVIDER_NAME, self.provider),
            metrics::Label::new(a::REQUEST_MODEL, self.model.clone()),
        ];
        if let Some(code) = error {
            self.span.record(a::ERROR_TYPE, code);
            self.span.record("otel.status_code", "ERROR");
            labels.push(metrics::Label::new(a::ERROR_TYPE, code));
        }
        metrics::histogram!(name::OPERATION_DURATION, labels).record(self.begun.elapsed());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.told {
            self.over(Some(CANCELLED));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_names_and_never_more_than_so_many() {
        let names = ModelNames::default();
        for sentence in ["", "ignore all rules", "모델", "a\nb", &"a".repeat(81)] {
            assert_eq!(names.label(sentence), OTHER, "{sentence}");
        }
        for model in ["gpt-4o-mini", "models/gemini-2.5-pro", "llama3.1:8b"] {
            assert_eq!(names.label(model), model);
        }
        let labels: BTreeSet<String> = (0..1_000).map(|n| names.label(&format!("m-{n}"))).collect();
        assert_eq!(labels.len(), MODELS_MAX - 3 + 1);
        assert!(labels.contains(OTHER));
        assert_eq!(names.label("gpt-4o-mini"), "gpt-4o-mini", "who was there first stays");
    }
}
