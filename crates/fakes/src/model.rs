//! Model servers with OpenAI-compatible chat completions: scripted, hostile, or from a cassette.

mod answer;
mod cassette;
mod fake;
mod hostile;
mod mode;
mod open_streams;
mod personas;
mod provider_answer;
mod upstream;
mod wire;

pub use cassette::{Cassettes, Recorded};
pub use fake::{FakeModel, ModelCall};
pub use mode::{ModelMode, Personas, findings, opinion};
pub use personas::persona_mark;
pub use provider_answer::ProviderAnswer;
