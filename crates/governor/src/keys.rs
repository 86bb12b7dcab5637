//! Keys of model providers: who may set which, and which one a turn is paid with.

use crate::deps::Room;
use secrecy::SecretString;
use std::collections::BTreeMap;
use wiiiv_domain::{KeyHolder, KeySource, ProjectId, ProjectPolicy, ProviderName, UserId};
use wiiiv_gate::Principal;
use wiiiv_llm::{Listing, Models, ModelsError, ProviderKey, interface_path};
use wiiiv_net::Origin;
use wiiiv_store::{ModelKeyRefused, ModelKeyRow, StoreError};
use wiiiv_vault::{ApiKey, ApiKeyFormat};

/// What `main` found in the environment: sent to a provider's own origin only.
#[derive(Debug, Clone, Default)]
pub struct EnvironmentKeys(BTreeMap<ProviderName, ApiKey>);

impl EnvironmentKeys {
    #[must_use]
    pub const fn new(keys: BTreeMap<ProviderName, ApiKey>) -> Self {
        Self(keys)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("no such key, or none that you may see")]
    NotFound,
    #[error("this needs the owner of the project, for the server's keys an administrator")]
    NotAllowed,
    #[error("`{0}` takes no key")]
    Keyless(ProviderName),
    #[error("`origin`: {0}")]
    Origin(String),
    #[error("`origin` is needed for a CUSTOM provider, such as `https://gateway.example`")]
    NoOrigin,
    #[error(transparent)]
    Format(#[from] ApiKeyFormat),
    #[error("the key has changed meanwhile: revision `{current}` is the current one")]
    Stale { current: u64 },
    #[error("the project's model cannot be asked: {0}")]
    Unusable(String),
    #[error(
        "`keySources`: everybody on the server pays for what `{0}` spends, so only an \
         administrator who is an owner here adds it"
    )]
    Shared(KeySource),
    #[error("the project is halted: nothing is sent")]
    Halted,
    #[error("the key that is stored does not open: set it again")]
    Unreadable,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

impl From<StoreError> for KeyError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Key(_) | StoreError::Corrupt { .. } => Self::Unreadable,
            StoreError::Unavailable { .. }
            | StoreError::Tampered { .. }
            | StoreError::LeaseLost { .. }
            | StoreError::NotFound { .. }
            | StoreError::NotPending { .. }
            | StoreError::TooLarge { .. }
            | StoreError::NeedsSession { .. }
            | StoreError::ForeignClaim => Self::Unavailable(error.to_string()),
        }
    }
}

impl From<ModelKeyRefused> for KeyError {
    fn from(refused: ModelKeyRefused) -> Self {
        match refused {
            ModelKeyRefused::Stale { current } => Self::Stale { current },
            ModelKeyRefused::NotFound => Self::NotFound,
            ModelKeyRefused::Store(error) => error.into(),
        }
    }
}

impl From<ModelsError> for KeyError {
    fn from(error: ModelsError) -> Self {
        Self::Unusable(error.to_string())
    }
}

/// Why a source was taken, or passed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFate {
    Used,
    /// A nearer one is used.
    Behind,
    /// It is for another origin than the one that is asked.
    Elsewhere,
    /// The project's policy does not name this source.
    NotNamed,
    /// There is no such key.
    None,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Considered {
    pub source: KeySource,
    pub fate: KeyFate,
    pub masked: Option<String>,
    pub origin: Option<String>,
}

/// Which key a person's next turn in a project would use, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyResolution {
    pub provider: ProviderName,
    /// `None`: the built-in model, which is nowhere.
    pub origin: Option<Origin>,
    /// The provider answers nobody without one.
    pub needs_key: bool,
    pub approved: bool,
    /// In the order in which they are looked for; empty for the built-in model.
    pub considered: Vec<Considered>,
}

impl KeyResolution {
    #[must_use]
    pub fn source(&self) -> Option<KeySource> {
        self.considered.iter().find(|one| one.fate == KeyFate::Used).map(|one| one.source)
    }
}

/// Who sits at the turn, and whose project it is.
#[derive(Debug, Clone, Copy)]
pub struct Payer {
    pub user: UserId,
    pub project: ProjectId,
}

impl Payer {
    const fn holder(self, source: KeySource) -> Option<KeyHolder> {
        match source {
            KeySource::User => Some(KeyHolder::User(self.user)),
            KeySource::Project => Some(KeyHolder::Project(self.project)),
            KeySource::Server => Some(KeyHolder::Server),
            KeySource::Environment => None,
        }
    }
}

pub async fn resolve(
    room: &Room,
    payer: Payer,
    policy: &ProjectPolicy,
) -> Result<KeyResolution, KeyError> {
    let provider = policy.llm_provider;
    let models = &room.deps.models;
    let origin = models.origin(provider, policy.llm_base_url.as_deref())?;
    let mut resolution = KeyResolution {
        provider,
        approved: origin.as_ref().is_none_or(|origin| models.approves(origin)),
        needs_key: Models::needs_key(provider),
        considered: Vec::new(),
        origin,
    };
    let Some(origin) = &resolution.origin else { return Ok(resolution) };
    let mut used = false;
    for source in KeySource::ALL {
        // Of what the policy does not name nothing is looked at or told: it is not its business.
        let named = policy.key_sources.contains(&source);
        let kept = if named { kept(room, payer, provider, source).await? } else { None };
        let fate = match &kept {
            _ if !named => KeyFate::NotNamed,
            None => KeyFate::None,
            Some((_, at)) if *at != origin.to_string() => KeyFate::Elsewhere,
            Some(_) if used => KeyFate::Behind,
            Some(_) => KeyFate::Used,
        };
        used |= fate == KeyFate::Used;
        let (masked, at) = kept.unzip();
        resolution.considered.push(Considered { source, fate, masked, origin: at });
    }
    Ok(resolution)
}

/// As it may be shown, and the origin that it is for.
async fn kept(
    room: &Room,
    payer: Payer,
    provider: ProviderName,
    source: KeySource,
) -> Result<Option<(String, String)>, StoreError> {
    let Some(holder) = payer.holder(source) else {
        let found = environment(room, provider);
        return Ok(found.map(|(key, origin)| (key.masked(), origin.to_string())));
    };
    let row = room.deps.store.model_key(holder, provider).await?;
    // Whoever is no member any more pays for nothing here, whatever still runs.
    let pays = match (&row, holder) {
        (Some(_), KeyHolder::User(user)) => room.deps.store.is_at_work(user, payer.project).await?,
        (Some(_), KeyHolder::Project(_) | KeyHolder::Server) | (None, _) => true,
    };
    Ok(row.filter(|_| pays).map(|row| (row.masked, row.origin)))
}

/// INVARIANT: whatever base URL a policy names, it is the provider's own origin that this is for.
fn environment(room: &Room, provider: ProviderName) -> Option<(&ApiKey, Origin)> {
    let key = room.deps.environment.0.get(&provider)?;
    let origin = room.deps.models.origin(provider, None).ok().flatten()?;
    Some((key, origin))
}

/// The key itself, opened for one call. `None`: none fits, and the provider may refuse.
pub async fn opened(
    room: &Room,
    payer: Payer,
    policy: &ProjectPolicy,
) -> Result<Option<(KeySource, ProviderKey)>, KeyError> {
    let resolution = resolve(room, payer, policy).await?;
    let Some(source) = resolution.source() else { return Ok(None) };
    let provider = resolution.provider;
    let key = match payer.holder(source) {
        Some(holder) => of(room, holder, provider).await?.map(|(key, _)| key),
        None => environment(room, provider)
            .map(|(key, origin)| ProviderKey::new(origin, key.secret().clone())),
    };
    Ok(key.map(|key| (source, key)))
}

/// With its revision.
async fn of(
    room: &Room,
    holder: KeyHolder,
    provider: ProviderName,
) -> Result<Option<(ProviderKey, u64)>, KeyError> {
    let Some(key) = room.deps.store.open_model_key(holder, provider).await? else {
        return Ok(None);
    };
    let origin = Origin::parse(&key.origin).map_err(|e| KeyError::Origin(e.to_string()))?;
    Ok(Some((ProviderKey::new(origin, key.secret), key.revision)))
}

/// What everybody pays for is given by who answers for it, and taken back by any owner.
pub fn check_sources(
    who: &Principal,
    old: &ProjectPolicy,
    new: &ProjectPolicy,
) -> Result<(), KeyError> {
    let mut added = new.key_sources.difference(&old.key_sources);
    match added.find(|source| source.is_shared()) {
        Some(source) if !who.rights().admin => Err(KeyError::Shared(*source)),
        Some(_) | None => Ok(()),
    }
}

/// A person changes their own keys, an owner the project's, an administrator the server's.
fn may_change(who: &Principal, holder: KeyHolder) -> Result<(), KeyError> {
    let rights = who.rights();
    let allowed = match holder {
        KeyHolder::User(user) => user == who.user(),
        KeyHolder::Project(project) => {
            if who.project() != Some(project) || !rights.may_see() {
                return Err(KeyError::NotFound);
            }
            rights.may_edit_policy()
        }
        KeyHolder::Server => rights.admin,
    };
    if allowed { Ok(()) } else { Err(KeyError::NotAllowed) }
}

/// `origin`: in place of the provider's own; needed where it has none.
pub async fn set(
    room: &Room,
    who: &Principal,
    (holder, provider): (KeyHolder, ProviderName),
    (secret, origin): (&SecretString, Option<&str>),
    expected: Option<u64>,
) -> Result<ModelKeyRow, KeyError> {
    may_change(who, holder)?;
    let key = ApiKey::parse(secret)?;
    let own = match origin {
        Some(origin) => {
            Origin::of_models(origin).map_err(|error| KeyError::Origin(error.to_string()))?
        }
        None => match room.deps.models.origin(provider, None) {
            Ok(Some(origin)) => origin,
            Ok(None) => return Err(KeyError::Keyless(provider)),
            Err(_) => return Err(KeyError::NoOrigin),
        },
    };
    if provider == ProviderName::Offline {
        return Err(KeyError::Keyless(provider));
    }
    let given = (key, own.to_string());
    Ok(room.deps.store.set_model_key(who.user(), (holder, provider), given, expected).await?)
}

pub async fn remove(
    room: &Room,
    who: &Principal,
    at: (KeyHolder, ProviderName),
    expected: u64,
) -> Result<(), KeyError> {
    may_change(who, at.0)?;
    Ok(room.deps.store.remove_model_key(who.user(), at, expected).await?)
}

/// Asks the provider for its list with that key, and keeps what came of it. On record before the
/// key is sent, or not at all.
pub async fn verify(
    room: &Room,
    who: &Principal,
    at: (KeyHolder, ProviderName),
    policy: Option<&ProjectPolicy>,
) -> Result<Listing, KeyError> {
    may_change(who, at.0)?;
    let (key, revision) = of(room, at.0, at.1).await?.ok_or(KeyError::NotFound)?;
    let base = base_for(room, at.1, key.origin(), policy)?;
    let store = &room.deps.store;
    if !store.begin_key_check(who.user(), at, revision).await? {
        return Err(KeyError::Halted);
    }
    let listing = room.deps.models.list(at.1, base.as_deref(), Some(&key)).await?;
    store.record_key_check(who.user(), at, revision, listing.verdict).await?;
    Ok(listing)
}

/// Where the key's origin serves its API: as the project says, or the provider, or as is usual.
fn base_for(
    room: &Room,
    provider: ProviderName,
    kept_for: &Origin,
    policy: Option<&ProjectPolicy>,
) -> Result<Option<String>, KeyError> {
    let models = &room.deps.models;
    let is_there = |base: Option<&str>| {
        let origin = models.origin(provider, base).ok().flatten();
        origin.is_some_and(|origin| origin == *kept_for)
    };
    let named = policy.filter(|policy| policy.llm_provider == provider);
    let named = named.and_then(|policy| policy.llm_base_url.as_deref());
    if let Some(base) = named.filter(|base| is_there(Some(base))) {
        return Ok(Some(base.to_owned()));
    }
    let usual = || format!("{kept_for}{}", interface_path(provider, &kept_for.to_string()));
    Ok(if is_there(None) { None } else { Some(usual()) })
}

/// What the project's provider serves, as the next turn would ask it; on record before it is asked.
pub async fn available(
    room: &Room,
    payer: Payer,
    policy: &ProjectPolicy,
) -> Result<Listing, KeyError> {
    if policy.llm_provider == ProviderName::Offline {
        return Err(KeyError::Unusable("OFFLINE is built in, and has no list".to_owned()));
    }
    let (source, key) = opened(room, payer, policy).await?.unzip();
    let asked = (policy.llm_provider, source);
    if !room.deps.store.begin_model_list(payer.user, payer.project, asked).await? {
        return Err(KeyError::Halted);
    }
    let base = policy.llm_base_url.as_deref();
    Ok(room.deps.models.list(policy.llm_provider, base, key.as_ref()).await?)
}
