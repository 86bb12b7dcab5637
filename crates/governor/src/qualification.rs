//! Whether GHOST has verified a model for this build and its prompts.

use crate::runtime::Deps;
use sha2::{Digest as _, Sha256};
use std::{
    fs::File,
    io::{self, Read as _},
    path::PathBuf,
    sync::OnceLock,
};
use tokio::task::spawn_blocking;
use wiiiv_domain::{ProjectId, ProjectPolicy, ProviderName, SessionId, build_name};
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
    /// For any revision of its provider. `None`: the built-in understanding, which `replay`
    /// qualifies.
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
        let standing = match deps.store.live_runs(provider, model).await {
            Err(error) if is_changed(&error) => {
                tracing::warn!(%provider, model, %error, "runs of this model do not count");
                ModelStanding::NoRecord
            }
            runs => standing(&key, &runs?, SUITE),
        };
        Ok(Some(Self { key, standing }))
    }
}

/// The standing with `unverified` filled in, which is read only where the policy requires it.
pub(crate) async fn judged(
    deps: &Deps,
    (project, standing): (ProjectId, Standing),
    policy: &ProjectPolicy,
) -> Result<Standing, StoreError> {
    let unverified = has_unverified(deps, (project, standing.session), policy).await?;
    Ok(Standing { unverified, ..standing })
}

/// Over all models asked in the conversation: each builds on the others' answers. A call that is not as its
/// ruling tells may have been of any model.
pub(crate) async fn has_unverified(
    deps: &Deps,
    (project, session): (ProjectId, SessionId),
    policy: &ProjectPolicy,
) -> Result<bool, StoreError> {
    if policy.require_verified_model.is_empty() {
        return Ok(false);
    }
    let asked = match deps.store.models_asked(project, session).await {
        Err(error) if is_changed(&error) => {
            tracing::warn!(%session, %error, "which models were asked is not known");
            return Ok(true);
        }
        asked => asked?,
    };
    for (provider, model) in asked {
        let found = Qualification::of(deps, (provider, &model), policy).await?;
        if found.is_some_and(|found| !found.standing.is_verified()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Somebody changed it in the database: what it would have said is not known.
const fn is_changed(error: &StoreError) -> bool {
    matches!(error, StoreError::Tampered { .. } | StoreError::Corrupt { .. })
}

/// A digest of the running program, which may since have been replaced on disk.
async fn this_build() -> String {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(build) = BUILD.get() {
        return build.clone();
    }
    let read = spawn_blocking(digest).await;
    match read {
        Ok(Ok(digest)) => BUILD.get_or_init(|| build_name(digest)).clone(),
        // No model is verified for a build without a name.
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
