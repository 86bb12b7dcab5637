//! A policy is put in force as a new version, checked before anybody is held to it.

use super::Governor;
use crate::{
    clock,
    keys::{self, Payer},
};
use std::time::Duration;
use tokio::time::timeout;
use wiiiv_domain::{
    Currency, ModelSlot, PolicyDigest, PolicyDocument, PolicyVersionId, ProjectId, ProjectPolicy,
};
use wiiiv_gate::{Policy, PolicyVersion, Principal, UserEvent, UserEventKind, policy};
use wiiiv_llm::ModelsError;
use wiiiv_store::{Boundary, Point, PolicyRefused, StoreError, Writer};

/// A provider that takes longer for its list is not waited for: a policy can be saved all the same.
const LISTED_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub enum PolicyChangeError {
    #[error("no such project")]
    NotFound,
    #[error("editing the policy needs the project's owner")]
    NotAllowed,
    #[error("the policy is at version `{current}` by now; read it and change that one")]
    Stale { current: PolicyVersionId },
    #[error("the policy is not valid: {0}")]
    Invalid(String),
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

fn unavailable(error: StoreError) -> PolicyChangeError {
    PolicyChangeError::Unavailable(error.to_string())
}

impl Governor {
    /// A new version; the older ones stay.
    pub async fn set_policy(
        &self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
        policy: ProjectPolicy,
        reason: String,
    ) -> Result<PolicyDocument, PolicyChangeError> {
        let current = self.to_change(who, project, expected).await?;
        let policy = self.checked(who, &current, policy).await?;
        let document = PolicyDocument {
            id: clock::fresh(),
            project,
            number: current.number.saturating_add(1),
            author: Some(who.user()),
            reason,
            at: clock::now(),
            policy,
        };
        let invalid = |why: String| PolicyChangeError::Invalid(why);
        let digest = policy::digest(&document).map_err(|e| invalid(e.to_string()))?;
        let version = self.edited(who, project, &document, digest).await?;
        match self.store().record_policy(expected, version).await {
            Ok(_) => {}
            Err(PolicyRefused::Stale { current }) => {
                return Err(PolicyChangeError::Stale { current });
            }
            Err(PolicyRefused::Store(error)) => return Err(unavailable(error)),
        }
        self.room.policies.forget(project).await;
        Ok(document)
    }

    /// The version that is changed, by somebody who may.
    async fn to_change(
        &self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
    ) -> Result<PolicyDocument, PolicyChangeError> {
        if who.project() != Some(project) || !who.rights().may_see() {
            return Err(PolicyChangeError::NotFound);
        }
        if !who.rights().may_edit_policy() {
            return Err(PolicyChangeError::NotAllowed);
        }
        let current = self.store().policy(project).await.map_err(unavailable)?;
        let current = current.body().document().clone();
        // What is added is told from the very version that the change was made on.
        if current.id == expected {
            Ok(current)
        } else {
            Err(PolicyChangeError::Stale { current: current.id })
        }
    }

    async fn checked(
        &self,
        who: &Principal,
        current: &PolicyDocument,
        policy: ProjectPolicy,
    ) -> Result<ProjectPolicy, PolicyChangeError> {
        let names_none = policy.governor_model.is_none();
        let policy = self.with_models(policy);
        self.check_policy(&policy)?;
        self.check_currency(&policy, current.project).await?;
        keys::check_sources(who, &current.policy, &policy)
            .map_err(|e| PolicyChangeError::Invalid(e.to_string()))?;
        if names_none && policy.governor_model.is_some() {
            let payer = Payer { user: who.user(), project: current.project };
            // Nothing is sent with a key that no policy in force has named the source of.
            let named = policy.key_sources.intersection(&current.policy.key_sources);
            let asking = ProjectPolicy { key_sources: named.copied().collect(), ..policy.clone() };
            self.check_recommended(payer, &asking).await?;
        }
        Ok(policy)
    }

    async fn edited(
        &self,
        who: &Principal,
        project: ProjectId,
        document: &PolicyDocument,
        digest: PolicyDigest,
    ) -> Result<PolicyVersion, PolicyChangeError> {
        let kind = UserEventKind::EditPolicy { digest };
        let event = UserEvent::of(who, project, None, kind, clock::now());
        let event = event.map_err(|_| PolicyChangeError::NotAllowed)?;
        let (writer, boundary) = (Writer::Project(project), Boundary::new(Point::P));
        let recorded = self.store().record_user_event(&writer, boundary, event).await;
        let recorded = recorded.map_err(unavailable)?;
        let edited = policy::edited(&recorded, document.clone());
        edited.map_err(|e| PolicyChangeError::Invalid(e.to_string()))
    }

    /// Whether it could be put in force: it compiles, and its model's origin is one that an
    /// administrator approved. Said now, not at the first call.
    pub fn check_policy(&self, policy: &ProjectPolicy) -> Result<(), PolicyChangeError> {
        let compiled = Policy::compile(policy.clone(), &self.room.deps.prices);
        let checked = compiled.and_then(|policy| policy.check_saved());
        checked.map_err(|e| PolicyChangeError::Invalid(e.to_string()))?;
        let invalid = |e: ModelsError| PolicyChangeError::Invalid(e.to_string());
        (0..)
            .map_while(|nth| policy.asking(nth))
            .try_for_each(|of| self.check_model(&of))
            .map_err(invalid)?;
        for (field, slot, of) in policy.slots_named() {
            let told = |e: ModelsError| PolicyChangeError::Invalid(format!("`{field}`: {e}"));
            if slot == ModelSlot::Embedding {
                self.room.deps.models.check_embeddings(of.llm_provider).map_err(told)?;
            }
            self.check_model(&of).map_err(told)?;
        }
        Ok(())
    }

    /// What was spent is kept as a number of the project's currency: under another one it would be
    /// another sum, in budgets as in the past.
    async fn check_currency(
        &self,
        next: &ProjectPolicy,
        project: ProjectId,
    ) -> Result<(), PolicyChangeError> {
        let Some(next) = self.currency(next) else { return Ok(()) };
        if self.store().spent_money(project).await.map_err(unavailable)? == 0 {
            return Ok(());
        }
        let Some(now) = self.counted_in(project).await?.filter(|now| *now != next) else {
            return Ok(());
        };
        let told = format!(
            "this project has spent in {now:?}, and counts in one currency: give its models a price in \
             {now:?} in `modelPrices`, or take a new project for {next:?}"
        );
        Err(PolicyChangeError::Invalid(told))
    }

    /// By the newest version that names anything which costs: what came after it has spent nothing.
    async fn counted_in(&self, project: ProjectId) -> Result<Option<Currency>, PolicyChangeError> {
        let mut before = None;
        loop {
            let page = self.store().policy_versions(project, before).await.map_err(unavailable)?;
            let found = page.iter().find_map(|version| self.currency(&version.policy));
            before = page.last().map(|version| version.number);
            if found.is_some() || before.is_none() {
                return Ok(found);
            }
        }
    }

    fn currency(&self, policy: &ProjectPolicy) -> Option<Currency> {
        policy.currency(&policy.prices(&self.room.deps.prices))
    }

    fn check_model(&self, policy: &ProjectPolicy) -> Result<(), ModelsError> {
        let asked = (policy.llm_provider, policy.governor_model.as_deref());
        self.room.deps.models.check(asked, policy.llm_base_url.as_deref())
    }

    /// With the models that its provider is recommended with, where it names none: what a version
    /// asks stands in it, and does not change with the server's.
    #[must_use]
    pub fn with_models(&self, mut policy: ProjectPolicy) -> ProjectPolicy {
        let (models, provider) = (&self.room.deps.models, policy.llm_provider);
        if let (None, Some(recommended)) = (&policy.governor_model, models.recommended(provider)) {
            policy.governor_model = Some(recommended.value.clone());
        }
        if let (None, Some(embedding)) = (&policy.embedding_model, models.embedding(provider)) {
            policy.embedding_model = Some(embedding.to_owned());
        }
        policy
    }

    /// A recommendation that the provider's own list has no more is not chosen for anybody. Where the
    /// list cannot be had, nothing is said against it.
    async fn check_recommended(
        &self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<(), PolicyChangeError> {
        let listed = timeout(LISTED_WITHIN, keys::available(&self.room, payer, policy)).await;
        let name = policy.model();
        let lacks = matches!(listed, Ok(Ok(listing)) if listing.lacks(name));
        if !lacks {
            return Ok(());
        }
        let provider = policy.llm_provider;
        let told = format!(
            "`{name}` is recommended, and {provider}'s own list does not have it: \
             name one as `governorModel`"
        );
        Err(PolicyChangeError::Invalid(told))
    }
}
