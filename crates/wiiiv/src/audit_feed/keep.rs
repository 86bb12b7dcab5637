//! Keeps receivers up to date as long as the server runs. It reads what is committed, and never stands in a
//! turn's way.

use super::{line::NotALine, read_lines, receiver::DeliveryError, receiver::Receiver};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;
use wiiiv_domain::ContentDigest;
use wiiiv_domain::telemetry::{attribute as a, metric_name as name};
use wiiiv_store::{Chain, FeedError, FeedPosition, Store, StoreError};

/// One that fails is asked again after a second, and after more each time up to this.
const WAIT_MAX: Duration = Duration::from_secs(60);
const WAIT_FIRST: Duration = Duration::from_secs(1);

#[derive(Debug, thiserror::Error)]
enum SendError {
    #[error(transparent)]
    Delivery(#[from] DeliveryError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Line(#[from] NotALine),
}

impl SendError {
    const fn code(&self) -> &'static str {
        match self {
            Self::Delivery(error) => error.code(),
            Self::Feed(FeedError::Elsewhere { .. }) => "rolled_back",
            Self::Feed(FeedError::Store(_)) | Self::Store(_) | Self::Line(_) => "store",
        }
    }
}

/// One task a receiver; they end when the set is dropped.
pub fn keep(store: &Store, receivers: &[Receiver], every: Duration) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    for (nth, receiver) in receivers.iter().enumerate() {
        let sender = Sender {
            store: store.clone(),
            receiver: receiver.clone(),
            id: ContentDigest::of_bytes(receiver.address().as_bytes()).to_string(),
            label: format!("{}{}", receiver.kind(), nth + 1),
            every,
        };
        tasks.spawn(sender.run());
    }
    tasks
}

struct Sender {
    store: Store,
    receiver: Receiver,
    /// Under which its positions are kept.
    id: String,
    /// Of its metrics.
    label: String,
    every: Duration,
}

impl Sender {
    async fn run(self) {
        let mut failures = 0_u32;
        loop {
            let wait = match self.look().await {
                Ok(()) => {
                    failures = 0;
                    self.every
                }
                Err(error) => {
                    let labels = [
                        metrics::Label::new(a::RECEIVER, self.label.clone()),
                        metrics::Label::from_static_parts(a::ERROR_TYPE, error.code()),
                    ];
                    metrics::counter!(name::AUDIT_EXPORT_FAILURES, labels.iter()).increment(1);
                    let wait =
                        WAIT_FIRST.saturating_mul(2_u32.saturating_pow(failures)).min(WAIT_MAX);
                    failures = failures.saturating_add(1);
                    tracing::warn!(
                        receiver = %self.receiver, %error, seconds = wait.as_secs(),
                        "the audit is not sent on; trying again"
                    );
                    wait
                }
            };
            sleep(wait).await;
        }
    }

    /// Every chain to its end. A chain that fails does not keep the others back.
    async fn look(&self) -> Result<(), SendError> {
        let mut positions = self.store.export_positions(&self.id).await?;
        let chains = self.store.chains().await?;
        let mut failed = None;
        for (chain, _) in &chains {
            let at = positions.get(chain).copied().unwrap_or(FeedPosition::START);
            let (at, ended) = self.send(*chain, at).await;
            positions.insert(*chain, at);
            let Err(error) = ended else { continue };
            // Nobody is there: the others would wait for as long.
            let is_gone = matches!(error, SendError::Delivery(_));
            failed = Some(error);
            if is_gone {
                break;
            }
        }
        self.tell_lag(&chains, &positions);
        failed.map_or(Ok(()), Err)
    }

    async fn send(
        &self,
        chain: Chain,
        from: FeedPosition,
    ) -> (FeedPosition, Result<(), SendError>) {
        let mut at = from;
        loop {
            match self.send_page(chain, at).await {
                Ok(Some(next)) => at = next,
                Ok(None) => return (at, Ok(())),
                Err(error) => return (at, Err(error)),
            }
        }
    }

    /// `None`: there is nothing new.
    async fn send_page(
        &self,
        chain: Chain,
        from: FeedPosition,
    ) -> Result<Option<FeedPosition>, SendError> {
        let page = self.store.feed(chain, from).await?;
        if page.text.is_empty() {
            return Ok(None);
        }
        self.receiver.deliver(&read_lines(&page.text)?).await?;
        // A crash right here sends the page again: the receiver knows its records by number and hash.
        self.store.keep_export_position(&self.id, chain, page.position).await?;
        let labels = [metrics::Label::new(a::RECEIVER, self.label.clone())];
        metrics::counter!(name::AUDIT_EXPORTED, labels.iter())
            .increment(page.position.seq.saturating_sub(from.seq));
        Ok(Some(page.position))
    }

    fn tell_lag(&self, chains: &[(Chain, u64)], positions: &BTreeMap<Chain, FeedPosition>) {
        let behind = |(chain, size): &(Chain, u64)| {
            size.saturating_sub(positions.get(chain).map_or(0, |at| at.seq))
        };
        let lag: u64 = chains.iter().map(behind).sum();
        let labels = [metrics::Label::new(a::RECEIVER, self.label.clone())];
        metrics::gauge!(name::AUDIT_EXPORT_LAG, labels.iter()).set(lag as f64);
    }
}
