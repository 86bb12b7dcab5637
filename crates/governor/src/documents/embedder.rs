//! Models that turn texts into vectors on this machine.

/// What a text is to be embedded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedKind {
    /// A question.
    Query,
    /// What may answer it.
    Passage,
}

/// One model. Called on a thread that may wait, by several at a time.
pub trait TextEmbedder: Send + Sync {
    /// What its vectors are kept under, such as `local:e5-small`.
    fn name(&self) -> &str;

    /// `Err`: why not, in words without the text.
    fn embed(&self, text: &str, kind: EmbedKind) -> Result<Vec<f32>, String>;
}
