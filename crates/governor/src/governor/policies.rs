//! Policy changes: each is checked, then recorded as a new version.

use crate::{
    clock,
    keys::{self, ModelKeys, Payer},
    overrides,
    runtime::Runtime,
};
use std::{fmt, time::Duration};
use tokio::time::timeout;
use wiiiv_context::{profile_schema, profile_schemas};
use wiiiv_domain::{
    Currency, ModelSlot, OverrideEnd, PolicyDigest, PolicyDocument, PolicyVersionId, ProjectId,
    ProjectPolicy,
};
use wiiiv_gate::{
    Policy, PolicyError, PolicyVersion, Principal, Recorded, RuleFault, Unrecorded, UserEvent,
    UserEventKind, policy,
};
use wiiiv_llm::ModelsError;
use wiiiv_store::{Boundary, Point, PolicyRefused, StoreError, Writer};

/// A provider's model list is waited for no longer; the policy is saved all the same.
const LISTED_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub enum PolicyChangeError {
    #[error("no such project")]
    NotFound,
    #[error("editing the policy needs the project's owner")]
    NotAllowed,
    #[error("the policy is at version `{current}` by now; read it and change that one")]
    Stale { current: PolicyVersionId },
    #[error(
        "`dacsStage` is no part of a policy edit: `promote` and `demote` change the stage of a project"
    )]
    StageEdited,
    /// What comes back at its end is settled.
    #[error("an override of the policy runs: end it first, or wait for its end")]
    OverrideRuns,
    #[error("the policy is not valid: {0}")]
    Invalid(String),
    #[error("the policy's fine rules are not valid")]
    FineRules(Vec<RuleFault>),
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

impl From<StoreError> for PolicyChangeError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

#[derive(Clone, Copy)]
pub struct Policies<'a> {
    pub(super) runtime: &'a Runtime,
}

impl Policies<'_> {
    /// A new version; the older ones stay.
    pub async fn set(
        self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
        policy: ProjectPolicy,
        reason: String,
    ) -> Result<PolicyDocument, PolicyChangeError> {
        let recorded = self.to_change(who, project, expected).await?;
        let current = recorded.body().document();
        if current.temporary().is_some() {
            return Err(PolicyChangeError::OverrideRuns);
        }
        if policy.dacs_stage != current.policy.dacs_stage {
            return Err(PolicyChangeError::StageEdited);
        }
        let policy = self.checked(who, current, policy).await?;
        let document = PolicyDocument {
            id: clock::fresh(),
            project,
            number: current.number.saturating_add(1),
            author: Some(who.user()),
            reason,
            at: clock::now(),
            policy,
            of_override: None,
        };
        let digest = policy::digest(&document).map_err(invalid)?;
        let version = self.edited(who, &recorded, &document, digest).await?;
        match self.runtime.deps.store.record_policy(expected, version).await {
            Ok(_) => {}
            Err(PolicyRefused::Stale { current }) => {
                return Err(PolicyChangeError::Stale { current });
            }
            Err(PolicyRefused::Store(error)) => return Err(error.into()),
        }
        Ok(document)
    }

    /// The version that the project is under; an override whose time is over is ended first.
    pub async fn in_force(self, project: ProjectId) -> Result<Recorded<PolicyVersion>, StoreError> {
        let store = &self.runtime.deps.store;
        let current = store.policy(project).await?;
        let temporary = current.body().document().temporary();
        if !temporary.is_some_and(|temporary| temporary.is_over(clock::now())) {
            return Ok(current);
        }
        overrides::end_by_itself(store, project, OverrideEnd::Expired).await?;
        store.policy(project).await
    }

    /// The version that is changed, by somebody who may.
    pub(super) async fn to_change(
        self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
    ) -> Result<Recorded<PolicyVersion>, PolicyChangeError> {
        let ours = self.runtime.deps.keeper.knows(who);
        if !ours || who.project() != Some(project) || !who.rights().may_see() {
            return Err(PolicyChangeError::NotFound);
        }
        if !who.rights().may_edit_policy() {
            return Err(PolicyChangeError::NotAllowed);
        }
        let current = self.in_force(project).await?;
        // The change is compared with the version that it was made on.
        match current.body().document().id {
            id if id == expected => Ok(current),
            id => Err(PolicyChangeError::Stale { current: id }),
        }
    }

    pub(super) async fn checked(
        self,
        who: &Principal,
        current: &PolicyDocument,
        policy: ProjectPolicy,
    ) -> Result<ProjectPolicy, PolicyChangeError> {
        let names_none = policy.governor_model.is_none();
        let policy = self.with_models(policy);
        self.check(&policy)?;
        self.check_currency(&policy, current.project).await?;
        keys::check_sources(who, &current.policy, &policy).map_err(invalid)?;
        if names_none && policy.governor_model.is_some() {
            let payer = Payer { user: who.user(), project: current.project };
            // Only sources that the policy in force names may be used for the listing.
            let named = policy.key_sources.intersection(&current.policy.key_sources);
            let asking = ProjectPolicy { key_sources: named.copied().collect(), ..policy.clone() };
            self.check_recommended(payer, &asking).await?;
        }
        Ok(policy)
    }

    async fn edited(
        self,
        who: &Principal,
        current: &Recorded<PolicyVersion>,
        document: &PolicyDocument,
        digest: PolicyDigest,
    ) -> Result<Unrecorded<PolicyVersion>, PolicyChangeError> {
        let kind = UserEventKind::EditPolicy { digest };
        let project = document.project;
        let event = UserEvent::of(who, project, None, kind, clock::now());
        let event = event.map_err(|_| PolicyChangeError::NotAllowed)?;
        let (writer, boundary) = (Writer::Project(project), Boundary::new(Point::P).by(who));
        let store = &self.runtime.deps.store;
        let (recorded, _) = store.record_user_event(&writer, boundary, event).await?;
        policy::edited(&recorded, document.clone(), current).map_err(invalid)
    }

    /// Whether it compiles and an administrator approved its models' origins.
    pub fn check(self, policy: &ProjectPolicy) -> Result<(), PolicyChangeError> {
        self.compiled(policy)?.check_saved().map_err(odd)?;
        if let Some(name) = policy.profile_schema.as_ref().filter(|of| profile_schema(of).is_none())
        {
            let known = profile_schemas().iter().map(|schema| format!("`{}`", schema.name));
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(invalid(format_args!(
                "`profileSchema`: there is no schema `{name}`, there are {known}"
            )));
        }
        if !policy.answers.is_whole() {
            let needs = "`answers.refine` needs a check: set `answers.check` to `rules` or `model`";
            return Err(invalid(needs));
        }
        let mut asking = (0..).map_while(|nth| policy.asking(nth));
        asking.try_for_each(|of| self.check_model(&of)).map_err(invalid)?;
        for (field, slot, of) in policy.slots_named() {
            let invalid = |e: ModelsError| invalid(format_args!("`{field}`: {e}"));
            if slot == ModelSlot::Embedding {
                let models = &self.runtime.deps.models;
                models.check_embeddings(of.llm_provider, of.model()).map_err(invalid)?;
            }
            self.check_model(&of).map_err(invalid)?;
        }
        Ok(())
    }

    pub(super) fn compiled(self, policy: &ProjectPolicy) -> Result<Policy, PolicyChangeError> {
        Policy::compile(policy.clone(), &self.runtime.deps.prices).map_err(odd)
    }

    /// Refuses another currency once money was spent: sums are kept in the project's currency.
    async fn check_currency(
        self,
        next: &ProjectPolicy,
        project: ProjectId,
    ) -> Result<(), PolicyChangeError> {
        let Some(next) = self.currency(next) else { return Ok(()) };
        if self.runtime.deps.store.spent_money(project).await? == 0 {
            return Ok(());
        }
        let Some(now) = self.counted_in(project).await?.filter(|now| *now != next) else {
            return Ok(());
        };
        Err(invalid(format_args!(
            "this project has spent in {now:?}, and counts in one currency: give its models a price in \
             {now:?} in `modelPrices`, or take a new project for {next:?}"
        )))
    }

    /// From the newest version with a priced model: later versions have spent nothing.
    async fn counted_in(self, project: ProjectId) -> Result<Option<Currency>, PolicyChangeError> {
        let mut before = None;
        loop {
            let page = self.runtime.deps.store.policy_versions(project, before).await?;
            let found = page.iter().find_map(|version| self.currency(&version.policy));
            before = page.last().map(|version| version.number);
            if found.is_some() || before.is_none() {
                return Ok(found);
            }
        }
    }

    fn currency(self, policy: &ProjectPolicy) -> Option<Currency> {
        policy.currency(&policy.prices(&self.runtime.deps.prices))
    }

    fn check_model(self, policy: &ProjectPolicy) -> Result<(), ModelsError> {
        let asked = (policy.llm_provider, policy.governor_model.as_deref());
        self.runtime.deps.models.check(asked, policy.llm_base_url.as_deref())
    }

    /// Fills in the recommended models where it names none, so that a version is independent of the
    /// server's defaults.
    #[must_use]
    pub fn with_models(self, mut policy: ProjectPolicy) -> ProjectPolicy {
        let (models, provider) = (&self.runtime.deps.models, policy.llm_provider);
        if let (None, Some(recommended)) = (&policy.governor_model, models.recommended(provider)) {
            policy.governor_model = Some(recommended.value.clone());
        }
        let embedding = models.embedding(provider).or_else(|| models.local_embedding());
        if let (None, Some(embedding)) = (&policy.embedding_model, embedding) {
            policy.embedding_model = Some(embedding.to_owned());
        }
        policy
    }

    /// Refuses a recommended model that its provider no longer lists. A list that cannot be had is
    /// ignored.
    async fn check_recommended(
        self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<(), PolicyChangeError> {
        let keys = ModelKeys::new(&self.runtime.deps);
        let listed = timeout(LISTED_WITHIN, keys.available(payer, policy)).await;
        let name = policy.model();
        if !matches!(listed, Ok(Ok(listing)) if listing.lacks(name)) {
            return Ok(());
        }
        let provider = policy.llm_provider;
        Err(invalid(format_args!(
            "`{name}` is recommended, and {provider}'s own list does not have it: \
             name one as `governorModel`"
        )))
    }
}

fn invalid(why: impl fmt::Display) -> PolicyChangeError {
    PolicyChangeError::Invalid(why.to_string())
}

fn odd(error: PolicyError) -> PolicyChangeError {
    match error {
        PolicyError::FineRules(faults) => PolicyChangeError::FineRules(faults),
        other => invalid(other),
    }
}
