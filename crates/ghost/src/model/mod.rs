//! Model servers: OpenAI-compatible chat completions, scripted, hostile or from a cassette.

mod answer;
mod cassette;
mod fake;
mod heard;
mod hostile;
mod mode;
mod upstream;
mod wire;

pub use cassette::{Cassettes, Recorded};
pub use fake::{FakeModel, ModelCall};
pub use heard::Heard;
pub use mode::ModelMode;
