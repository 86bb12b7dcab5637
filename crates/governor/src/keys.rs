//! Keys of model providers: who may set one, and which one pays for a turn.

use crate::runtime::Deps;
use secrecy::SecretString;
use wiiiv_domain::{KeyHolder, KeySource, ProjectId, ProjectPolicy, ProviderName, UserId};
use wiiiv_gate::Principal;
use wiiiv_llm::{Listing, Models, ModelsError, ProviderKey, interface_path};
use wiiiv_net::Origin;
use wiiiv_store::{ModelKeyRefused, ModelKeyRow, StoreError};
use wiiiv_vault::{ApiKey, ApiKeyFormat};

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
    #[error("the project or the server is halted: nothing is sent")]
    Halted,
    #[error("the key that is stored does not open: set it again")]
    Unreadable,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

impl From<StoreError> for KeyError {
    fn from(error: StoreError) -> Self {
        let is_unreadable = matches!(error, StoreError::Key(_) | StoreError::Corrupt { .. });
        if is_unreadable { Self::Unreadable } else { Self::Unavailable(error.to_string()) }
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
    /// The provider requires a key.
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

/// The user of a turn, and its project.
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

/// A key that is opened for one call.
pub(crate) struct OpenedKey {
    pub(crate) source: KeySource,
    pub(crate) key: ProviderKey,
    /// Of one that is stored: never the same twice for a holder.
    pub(crate) revision: Option<u64>,
}

/// Each change is on record, and each key is sent to the origin that it was set for alone.
#[derive(Clone, Copy)]
pub struct ModelKeys<'a> {
    deps: &'a Deps,
}

impl<'a> ModelKeys<'a> {
    pub(crate) const fn new(deps: &'a Deps) -> Self {
        Self { deps }
    }

    pub async fn list(self, holder: KeyHolder) -> Result<Vec<ModelKeyRow>, StoreError> {
        self.deps.store.model_keys(holder).await
    }

    /// `origin`: needed where the provider has none of its own. `expected`: the revision replaced.
    pub async fn set(
        self,
        who: &Principal,
        (holder, provider): (KeyHolder, ProviderName),
        (secret, origin): (&SecretString, Option<&str>),
        expected: Option<u64>,
    ) -> Result<ModelKeyRow, KeyError> {
        self.may_change(who, holder)?;
        let key = ApiKey::parse(secret)?;
        let own = match origin {
            Some(origin) => {
                Origin::of_models(origin).map_err(|error| KeyError::Origin(error.to_string()))?
            }
            None => match self.deps.models.origin(provider, None) {
                Ok(Some(origin)) => origin,
                Ok(None) => return Err(KeyError::Keyless(provider)),
                Err(_) => return Err(KeyError::NoOrigin),
            },
        };
        if provider == ProviderName::Offline {
            return Err(KeyError::Keyless(provider));
        }
        let given = (key, own.to_string());
        let (store, by) = (&self.deps.store, who.user());
        Ok(store.set_model_key(by, (holder, provider), given, expected).await?)
    }

    pub async fn remove(
        self,
        who: &Principal,
        at: (KeyHolder, ProviderName),
        expected: u64,
    ) -> Result<(), KeyError> {
        self.may_change(who, at.0)?;
        Ok(self.deps.store.remove_model_key(who.user(), at, expected).await?)
    }

    /// Asks the provider for its list with that key; recorded before the key is sent. `policy`: the
    /// project's.
    pub async fn verify(
        self,
        who: &Principal,
        at: (KeyHolder, ProviderName),
        policy: Option<&ProjectPolicy>,
    ) -> Result<Listing, KeyError> {
        self.may_change(who, at.0)?;
        let (key, revision) = self.stored(at.0, at.1).await?.ok_or(KeyError::NotFound)?;
        let base = self.base_for(at.1, key.origin(), policy);
        let store = &self.deps.store;
        if !store.begin_key_check(who.user(), at, revision).await? {
            return Err(KeyError::Halted);
        }
        let listing = self.deps.models.list(at.1, base.as_deref(), Some(&key)).await?;
        store.record_key_check(who.user(), at, revision, listing.verdict).await?;
        Ok(listing)
    }

    /// The base URL at the key's origin: the policy's, the provider's, or the usual path.
    fn base_for(
        self,
        provider: ProviderName,
        kept_for: &Origin,
        policy: Option<&ProjectPolicy>,
    ) -> Option<String> {
        let is_there = |base: Option<&str>| {
            let origin = self.deps.models.origin(provider, base).ok().flatten();
            origin.is_some_and(|origin| origin == *kept_for)
        };
        let named = policy.filter(|policy| policy.llm_provider == provider);
        let named = named.and_then(|policy| policy.llm_base_url.as_deref());
        if let Some(base) = named.filter(|base| is_there(Some(base))) {
            return Some(base.to_owned());
        }
        let usual = || format!("{kept_for}{}", interface_path(provider, &kept_for.to_string()));
        (!is_there(None)).then(usual)
    }

    /// The models that the project's provider lists for its next turn; on record before it is asked.
    pub async fn available(
        self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<Listing, KeyError> {
        if policy.llm_provider == ProviderName::Offline {
            return Err(KeyError::Unusable("OFFLINE is built in, and has no list".to_owned()));
        }
        let opened = self.opened(payer, policy).await?;
        let (source, key) = opened.map(|opened| (opened.source, opened.key)).unzip();
        let asked = (policy.llm_provider, source);
        if !self.deps.store.begin_model_list(payer.user, payer.project, asked).await? {
            return Err(KeyError::Halted);
        }
        let base = policy.llm_base_url.as_deref();
        Ok(self.deps.models.list(policy.llm_provider, base, key.as_ref()).await?)
    }

    /// Which key the payer's next turn would use, and why.
    pub async fn resolve(
        self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<KeyResolution, KeyError> {
        let provider = policy.llm_provider;
        let models = &self.deps.models;
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
            // Nothing is looked at of a source that the policy does not name.
            let named = policy.key_sources.contains(&source);
            let kept = if named { self.kept(payer, provider, source).await? } else { None };
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
        self,
        payer: Payer,
        provider: ProviderName,
        source: KeySource,
    ) -> Result<Option<(String, String)>, StoreError> {
        let Some(holder) = payer.holder(source) else {
            let found = self.environment(provider);
            return Ok(found.map(|(key, origin)| (key.masked(), origin.to_string())));
        };
        let store = &self.deps.store;
        let row = store.model_key(holder, provider).await?;
        // A former member pays for nothing here.
        let pays = match (&row, holder) {
            (Some(_), KeyHolder::User(user)) => store.is_at_work(user, payer.project).await?,
            (Some(_), KeyHolder::Project(_) | KeyHolder::Server) | (None, _) => true,
        };
        Ok(row.filter(|_| pays).map(|row| (row.masked, row.origin)))
    }

    /// INVARIANT: whatever base URL a policy names, this is for the provider's own origin.
    fn environment(self, provider: ProviderName) -> Option<(&'a ApiKey, Origin)> {
        let key = self.deps.environment.get(provider)?;
        let origin = self.deps.models.origin(provider, None).ok().flatten()?;
        Some((key, origin))
    }

    /// The key itself, opened for one call. `None`: none fits, and the provider may refuse.
    pub(crate) async fn opened(
        self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<Option<OpenedKey>, KeyError> {
        let resolution = self.resolve(payer, policy).await?;
        let Some(source) = resolution.source() else { return Ok(None) };
        let provider = resolution.provider;
        let found = match payer.holder(source) {
            Some(holder) => {
                let stored = self.stored(holder, provider).await?;
                stored.map(|(key, revision)| (key, Some(revision)))
            }
            None => self
                .environment(provider)
                .map(|(key, origin)| (ProviderKey::new(origin, key.secret().clone()), None)),
        };
        Ok(found.map(|(key, revision)| OpenedKey { source, key, revision }))
    }

    /// Which key would be opened for the payer's next call: where it stands, and its revision there.
    pub(crate) async fn in_use(
        self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<Option<(KeySource, Option<u64>)>, KeyError> {
        let resolution = self.resolve(payer, policy).await?;
        let Some(source) = resolution.source() else { return Ok(None) };
        let row = match payer.holder(source) {
            Some(holder) => self.deps.store.model_key(holder, resolution.provider).await?,
            None => None,
        };
        Ok(Some((source, row.map(|row| row.revision))))
    }

    /// A person changes their own keys, an owner the project's, an administrator the server's.
    fn may_change(self, who: &Principal, holder: KeyHolder) -> Result<(), KeyError> {
        let rights = who.rights();
        let allowed = match holder {
            _ if !self.deps.keeper.knows(who) => return Err(KeyError::NotFound),
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

    /// With its revision.
    async fn stored(
        self,
        holder: KeyHolder,
        provider: ProviderName,
    ) -> Result<Option<(ProviderKey, u64)>, KeyError> {
        let Some(key) = self.deps.store.open_model_key(holder, provider).await? else {
            return Ok(None);
        };
        let origin = Origin::parse(&key.origin).map_err(|e| KeyError::Origin(e.to_string()))?;
        Ok(Some((ProviderKey::new(origin, key.secret), key.revision)))
    }
}

/// Only an administrator adds a shared source; any owner removes one.
pub(crate) fn check_sources(
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
