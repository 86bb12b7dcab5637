//! Bounds of the governor, each with its unit.

use std::time::Duration;
use wiiiv_domain::FlowLimits;
use wiiiv_retrieval::Chunking;
use wiiiv_store::IngestBounds;

/// Messages of one session actor's mailbox.
pub const SESSION_MAILBOX_MAX: usize = 64;
/// Questions of one person that wait for an answer, in all projects. The jobs of messages that are
/// under way already may come on top.
pub const WAITING_PER_PERSON_MAX: u64 = 200;
/// Messages of the registry's mailbox.
pub const REGISTRY_MAILBOX_MAX: usize = 1_024;
/// Rulings on one subject; then too many commits found a change.
pub const COMMIT_ATTEMPTS_MAX: u32 = 3;
/// Live items that a reader may lag behind.
pub const LIVE_ITEMS_MAX: usize = 512;
/// Bytes of one step output that a prompt or a reply shows.
pub const FACT_BYTES_MAX: usize = 4_096;

/// Of documents.
#[derive(Debug, Clone, Copy)]
pub struct DocumentConfig {
    /// Of one file.
    pub upload_bytes_max: u64,
    /// Ingests that wait or run, of all people; one more is refused. A quarter of them may be one person's.
    pub queue_max: u64,
    /// Of one scope's uploaded files; one more is refused.
    pub scope_bytes_max: u64,
    /// Of one scope's uploaded documents. A chunk takes about 6 KB of memory.
    pub scope_chunks_max: u64,
    /// Of all documents.
    pub chunks_max: u64,
    /// How passages and chunks are cut.
    pub chunking: Chunking,
    /// A turn waits so long for its passages; then it goes on without any.
    pub turn_wait: Duration,
}

impl Default for DocumentConfig {
    fn default() -> Self {
        Self {
            upload_bytes_max: 20 * 1_024 * 1_024,
            queue_max: 64,
            scope_bytes_max: 256 * 1_024 * 1_024,
            scope_chunks_max: 50_000,
            chunks_max: 200_000,
            chunking: Chunking::ParentChild,
            turn_wait: Duration::from_secs(5),
        }
    }
}

impl DocumentConfig {
    /// What an ingest has to fit into.
    pub(crate) const fn bounds(&self) -> IngestBounds {
        IngestBounds {
            open_max: self.queue_max,
            scope_bytes_max: self.scope_bytes_max,
            scope_chunks_max: self.scope_chunks_max,
            chunks_max: self.chunks_max,
        }
    }
}

#[derive(Debug, Clone)]
pub struct GovernorConfig {
    pub flow: FlowLimits,
    /// Messages that wait behind a turn in progress; one more is refused.
    pub queue_max: usize,
    /// A session without a message for so long stops; the journal restores it.
    pub idle: Duration,
    /// How often approvals are looked at for expiry, and sessions for rest.
    pub sweep: Duration,
    /// The most that a model may write to one call, in tokens.
    pub max_output_tokens: u64,
    /// Calls to a model that one proposal may cost, the repair included.
    pub model_attempts: u32,
    /// For one proposal in whole.
    pub model_deadline: Duration,
    pub documents: DocumentConfig,
}

impl Default for GovernorConfig {
    fn default() -> Self {
        Self {
            flow: FlowLimits { drawable: wiiiv_hlx::DRAWABLE, ..FlowLimits::default() },
            queue_max: 8,
            idle: Duration::from_secs(300),
            sweep: Duration::from_secs(1),
            max_output_tokens: 4_096,
            model_attempts: 2,
            model_deadline: Duration::from_secs(120),
            documents: DocumentConfig::default(),
        }
    }
}
