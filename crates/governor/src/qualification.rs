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
use wiiiv_context::{RuleBook, RuleSheet, guardrails, profile_schema};
use wiiiv_domain::{ProjectId, ProjectPolicy, ProviderName, SessionId, TaskType, build_name};
use wiiiv_gate::Standing;
use wiiiv_store::{
    Barred, LedgerKey, Listed, LiveRun, ModelStanding, SUITE, StoreError, Suite, standing,
};

/// Read at once, in bytes.
const PIECE_BYTES: usize = 64 * 1024;

/// What was asked of the ledger, and what it says.
#[derive(Debug, Clone)]
pub struct Qualification {
    pub key: LedgerKey,
    /// By the whole suite.
    pub standing: ModelStanding,
    pub left_out: LeftOut,
    /// For each kind of task that a scenario speaks for or the policy asks for.
    pub task_types: Vec<TypeStanding>,
}

/// Scenarios of the suite that do not count.
#[derive(Debug, Clone)]
pub struct LeftOut {
    /// This build lacks stages of theirs.
    pub partial: Vec<&'static str>,
    /// The rules of the policy do not let them be played.
    pub barred: Vec<(&'static str, Barred)>,
}

/// What the ledger says of a model for one kind of task.
#[derive(Debug, Clone)]
pub struct TypeStanding {
    pub task_type: TaskType,
    /// Policy asks for a verified model here.
    pub required: bool,
    pub standing: ModelStanding,
    /// Of those that speak for it.
    pub left_out: LeftOut,
}

impl Qualification {
    /// For any revision of its provider. `None`: the built-in understanding, which `replay`
    /// qualifies.
    pub(crate) async fn of(
        deps: &Deps,
        (provider, model): (ProviderName, &str),
        policy: &ProjectPolicy,
    ) -> Result<Option<Self>, StoreError> {
        let Some(ledger) = Ledger::of(deps, (provider, model), policy).await? else {
            return Ok(None);
        };
        let required = &policy.require_verified_model;
        let of_type = |task_type: TaskType| TypeStanding {
            task_type,
            required: required.contains(&task_type),
            standing: ledger.says(Some(task_type)),
            left_out: ledger.left_out(Some(task_type)),
        };
        let asked = |of: &TaskType| SUITE.speaks_for(*of) || required.contains(of);
        Ok(Some(Self {
            standing: ledger.says(None),
            left_out: ledger.left_out(None),
            task_types: TaskType::ALL.into_iter().filter(asked).map(of_type).collect(),
            key: ledger.key,
        }))
    }
}

/// A case, and what is stored of its model.
struct Ledger {
    key: LedgerKey,
    runs: Vec<LiveRun>,
    /// Scenarios that the policy's rules let be played, and the others.
    played: Vec<Listed<'static>>,
    barred: Vec<(Listed<'static>, Barred)>,
    /// How many of them the policy asks to have passed.
    green_percent: u8,
    /// Somebody changed what is stored: it counts for nothing.
    changed: bool,
}

impl Ledger {
    async fn of(
        deps: &Deps,
        (provider, model): (ProviderName, &str),
        policy: &ProjectPolicy,
    ) -> Result<Option<Self>, StoreError> {
        if provider.is_built_in() {
            return Ok(None);
        }
        let key = LedgerKey {
            provider,
            model: model.to_owned(),
            revision: None,
            prompt_hash: sheet(&deps.rules, policy).hash().to_string(),
            policy_hash: policy.rules_hash()?.to_string(),
            build: this_build().await,
        };
        let (runs, changed) = match deps.store.live_runs(provider, model).await {
            Err(error) if is_changed(&error) => {
                tracing::warn!(%provider, model, %error, "runs of this model do not count");
                (Vec::new(), true)
            }
            runs => (runs?, false),
        };
        let (played, barred) = SUITE.under(policy);
        let green_percent = policy.minimum_green;
        Ok(Some(Self { key, runs, played, barred, green_percent, changed }))
    }

    const fn suite(&self) -> Suite<'_> {
        let scenarios = self.played.as_slice();
        Suite { scenarios, green_percent: self.green_percent, ..SUITE }
    }

    /// Those that speak for it, or for all kinds of tasks.
    fn left_out(&self, task: Option<TaskType>) -> LeftOut {
        let speaks = |one: &Listed<'_>| task.is_none_or(|task| one.task_types.contains(&task));
        let barred = self.barred.iter().filter(|(one, _)| speaks(one));
        LeftOut {
            partial: SUITE.excluded(task).into_iter().filter(|id| self.plays(id)).collect(),
            barred: barred.map(|(one, why)| (one.id, *why)).collect(),
        }
    }

    fn plays(&self, scenario: &str) -> bool {
        self.played.iter().any(|one| one.id == scenario)
    }

    fn says(&self, task: Option<TaskType>) -> ModelStanding {
        match self.changed {
            true => ModelStanding::NoRecord,
            false => standing(&self.key, &self.runs, self.suite(), task),
        }
    }
}

/// What the person of a session is answered by under this policy.
fn sheet(rules: &RuleBook, policy: &ProjectPolicy) -> RuleSheet {
    let schema = policy.profile_schema.as_ref().and_then(profile_schema);
    rules.chosen(schema.is_some(), &guardrails(policy))
}

/// The standing with what the ledger says filled in, which is read only where policy requires a verified model
/// for this kind of task.
pub(crate) async fn judged(
    deps: &Deps,
    (project, standing, task): (ProjectId, Standing, TaskType),
    policy: &ProjectPolicy,
) -> Result<Standing, StoreError> {
    if !policy.require_verified_model.contains(&task) {
        return Ok(standing);
    }
    // INVARIANT: the version is that of before the read: what changes during it is found by the commit.
    let ledger = Some(deps.store.ledger_version().await?);
    let of = (project, standing.session, task);
    let unverified = has_unverified(deps, of, policy).await?;
    Ok(Standing { unverified, ledger, ..standing })
}

/// Over all models asked in the conversation: each builds on the others' answers. A call that is not as its
/// ruling tells may have been of any model.
async fn has_unverified(
    deps: &Deps,
    (project, session, task): (ProjectId, SessionId, TaskType),
    policy: &ProjectPolicy,
) -> Result<bool, StoreError> {
    let asked = match deps.store.models_asked(project, session).await {
        Err(error) if is_changed(&error) => {
            tracing::warn!(%session, %error, "which models were asked is not known");
            return Ok(true);
        }
        asked => asked?,
    };
    for (provider, model) in asked {
        let found = Ledger::of(deps, (provider, &model), policy).await?;
        if found.is_some_and(|ledger| !ledger.says(Some(task)).is_verified()) {
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
