//! Requests vectors: one request for each attempt, answered by one document.

use super::{
    Exchange, answer,
    fault::{Cost, Fault},
    progress::Progress,
};
use crate::{
    call::{Embeddings, ModelError},
    models::Models,
    tokens::{estimated, held_to},
    wire::{DIMENSIONS_MAX, Embedded},
};
use tokio::time::{sleep, timeout};
use wiiiv_domain::Usage;

/// A number is written with up to so many bytes.
const NUMBER_BYTES_MAX: usize = 24;
/// Beside the numbers of an answer, for each text.
const WRAPPING_BYTES_MAX: usize = 1024;

impl Exchange<'_> {
    /// Within the call's deadline.
    pub(crate) async fn embed(&self, texts: &[String]) -> Result<Embeddings, ModelError> {
        let mut progress = Progress::default();
        let asked = timeout(self.options.deadline, self.turned(texts, &mut progress)).await;
        asked.unwrap_or_else(|_| Err(progress.late()))
    }

    async fn turned(
        &self,
        texts: &[String],
        progress: &mut Progress,
    ) -> Result<Embeddings, ModelError> {
        loop {
            progress.in_flight = true;
            let asked = self.admitted(self.embeddings(texts)).await;
            progress.in_flight = false;
            progress.attempts += 1;
            let fault = match asked {
                Ok(embedded) => return Ok(self.whole(texts, embedded, progress)),
                Err(fault) => fault,
            };
            progress.spend(fault.cost());
            match self.waits(&fault, progress) {
                Some(wait) => sleep(wait).await,
                None => return Err(progress.failed(&fault)),
            }
        }
    }

    async fn embeddings(&self, texts: &[String]) -> Result<Embedded, Fault> {
        let (wire, model) = (self.endpoint.wire, &self.call.model);
        let url = wire.embeddings(&self.endpoint.base, model).ok_or(Fault::Unsendable)?;
        let one = DIMENSIONS_MAX * NUMBER_BYTES_MAX + WRAPPING_BYTES_MAX;
        let bytes_max = one.saturating_mul(texts.len());
        let request = self.post(wire, url, wire.embedding_body(model, texts), bytes_max);
        let asked = self.models.provider.post_stream(request).await;
        let bytes = asked.map_err(|error| Fault::of(wire, error))?;
        let document = answer::document(bytes, bytes_max).await?;
        wire.embedded(&document, texts.len()).ok_or(Fault::Stream)
    }

    fn whole(&self, texts: &[String], embedded: Embedded, progress: &mut Progress) -> Embeddings {
        let sent: Vec<&str> = texts.iter().map(String::as_str).collect();
        let told = |input_tokens| Usage { input_tokens, output_tokens: 0, estimated: false };
        let bound = || Usage { input_tokens: Models::held_for(texts), ..estimated(&sent, 0) };
        let usage = embedded.input_tokens.map_or_else(bound, told);
        let beyond = embedded.input_tokens.and_then(|tokens| self.beyond(Some(told(tokens))));
        progress.spend(Cost::Known(held_to(usage, self.call.max_input_tokens, 0)));
        Embeddings {
            vectors: embedded.vectors,
            spent: progress.spent.clone(),
            attempts: progress.attempts,
            beyond,
        }
    }
}
