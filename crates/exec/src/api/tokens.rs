//! Tokens from systems. Each belongs to one session and one system, and is stored nowhere else.

use moka::future::Cache;
use secrecy::SecretString;
use std::{sync::Arc, time::Duration};
use wiiiv_domain::{SessionId, StepFailure, SystemName};

/// Tokens at once.
const TOKENS_MAX: u64 = 10_000;
/// A token that nobody used for so long is given up.
const TOKEN_IDLE_MAX: Duration = Duration::from_secs(30 * 60);
/// However often it is used.
const TOKEN_LIFE_MAX: Duration = Duration::from_secs(12 * 60 * 60);

pub(super) type Token = Arc<SecretString>;

/// INVARIANT: a token is found again only for the session, the system, the credential and the
/// origin that it was given for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct TokenKey {
    pub(super) session: SessionId,
    pub(super) system: SystemName,
    pub(super) credential_revision: u64,
    pub(super) origin: String,
}

#[derive(Debug, Clone)]
pub(super) struct Tokens(Cache<TokenKey, Token>);

impl Tokens {
    pub(super) fn new() -> Self {
        let cache = Cache::builder()
            .max_capacity(TOKENS_MAX)
            .time_to_idle(TOKEN_IDLE_MAX)
            .time_to_live(TOKEN_LIFE_MAX);
        Self(cache.build())
    }
    /// Steps that ask at once wait for one log-in.
    pub(super) async fn get(
        &self,
        key: TokenKey,
        log_in: impl Future<Output = Result<SecretString, StepFailure>>,
    ) -> Result<Token, StepFailure> {
        let fresh = async { log_in.await.map(Arc::new) };
        let token = self.0.try_get_with(key, fresh).await;
        token.map_err(|failure: Arc<StepFailure>| failure.as_ref().clone())
    }
    /// It was turned away. One that has taken its place meanwhile stays.
    pub(super) async fn drop_if(&self, key: &TokenKey, refused: &Token) {
        let held = self.0.get(key).await;
        if held.is_some_and(|held| Arc::ptr_eq(&held, refused)) {
            self.0.invalidate(key).await;
        }
    }
}
