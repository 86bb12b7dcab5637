//! Whether GHOST has verified a model, for this very program and the prompts in it.

use crate::deps::Deps;
use sha2::{Digest as _, Sha256};
use std::{
    fs::File,
    io::{self, Read as _},
    path::PathBuf,
    sync::OnceLock,
};
use tokio::task::spawn_blocking;
use wiiiv_domain::{ProjectPolicy, ProviderName, SessionId, build_name};
use wiiiv_gate::Standing;
use wiiiv_store::{LedgerKey, ModelStanding, SUITE, StoreError, standing};

/// Read at once, in bytes.
const PIECE_BYTES: usize = 64 * 1024;

/// What was asked of the ledger, and what it says.
#[derive(Debug, Clone)]
pub struct Qualification {
    pub key: LedgerKey,
    pub standing: ModelStanding,
}

impl Qualification {
    /// Whatever revision its provider sends; `None` for the built-in understanding, which is a part
    /// of the program and qualified by `replay`.
    pub(crate) async fn of(
        deps: &Deps,
        (provider, model): (ProviderName, &str),
        policy: &ProjectPolicy,
    ) -> Result<Option<Self>, StoreError> {
        if provider == ProviderName::Offline {
            return Ok(None);
        }
        let key = LedgerKey {
            provider,
            model: model.to_owned(),
            revision: None,
            prompt_hash: deps.rules.hash().to_string(),
            policy_hash: policy.rules_hash()?.to_string(),
            build: this_build().await,
        };
        let runs = deps.store.live_runs(provider, model).await?;
        let standing = standing(&key, &runs, SUITE);
        Ok(Some(Self { key, standing }))
    }
}

/// As the session would be judged now. Whether a model had a part in it that is not verified is looked
/// up only where policy asks.
pub(crate) async fn judged(
    deps: &Deps,
    session: SessionId,
    policy: &ProjectPolicy,
) -> Result<Standing, StoreError> {
    let standing = deps.store.standing(session).await?;
    let unverified = has_unverified(deps, session, policy).await?;
    Ok(Standing { unverified, ..standing })
}

/// Of all that were asked in the conversation: what one of them put there, another builds on.
pub(crate) async fn has_unverified(
    deps: &Deps,
    session: SessionId,
    policy: &ProjectPolicy,
) -> Result<bool, StoreError> {
    if policy.require_verified_model.is_empty() {
        return Ok(false);
    }
    for (provider, model) in deps.store.models_asked(session).await? {
        let found = Qualification::of(deps, (provider, &model), policy).await?;
        if found.is_some_and(|found| !found.standing.is_verified()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Of the program that runs, not of the one that by now lies where it was started from.
async fn this_build() -> String {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(build) = BUILD.get() {
        return build.clone();
    }
    let read = spawn_blocking(digest).await;
    match read {
        Ok(Ok(digest)) => BUILD.get_or_init(|| build_name(digest)).clone(),
        // Nothing is stored of a build without a name: no model is verified for it.
        Ok(Err(error)) => {
            tracing::warn!(%error, "this program cannot be read: no model is verified for it");
            String::new()
        }
        Err(_) => String::new(),
    }
}

fn digest() -> io::Result<[u8; 32]> {
    let running = PathBuf::from("/proc/self/exe");
    let path = if running.exists() { running } else { std::env::current_exe()? };
    let (mut file, mut hasher, mut piece) =
        (File::open(path)?, Sha256::new(), vec![0; PIECE_BYTES]);
    loop {
        let length = file.read(&mut piece)?;
        match piece.get(..length) {
            Some([]) | None => return Ok(hasher.finalize().into()),
            Some(bytes) => hasher.update(bytes),
        }
    }
}
