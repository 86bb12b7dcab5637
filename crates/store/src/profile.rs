//! What people told of themselves in a project, by its schema: sealed, one row a version. The newest counts, the
//! older ones tell what was changed and can be brought back.

mod author;
mod change;
mod erase;
mod record;
mod refused;
mod row;

use crate::{error::StoreError, store::Store, writer::point::Point};
pub use author::ProfileAuthor;
use change::Change;
pub use change::{PROFILE_VERSIONS_MAX, ProfileAct, ProfileChanged};
pub(crate) use erase::EraseProfiles;
pub(crate) use record::{CHANGED, ERASED, document_hmac};
pub use refused::ProfileRefused;
pub use row::{ProfileHow, ProfileOwner, ProfileRow};
pub(crate) use row::{ProfileScope, bound, owners, versions};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::{ProfileSchema, Timestamp};
use wiiiv_gate::Principal;

impl Store {
    /// The newest version. `None`: nothing was ever told.
    pub async fn profile(&self, owner: &ProfileOwner) -> Result<Option<ProfileRow>, StoreError> {
        let read = || async {
            Ok::<_, StoreError>(row::newest(self.direct(), owner).await?.map(Arc::new))
        };
        let found = self.cached().profiles.get(owner.clone(), read).await?;
        found.map(|model| ProfileRow::opened(&model, &self.vault())).transpose()
    }

    /// Newest first, before that version; at most [`PROFILE_VERSIONS_MAX`].
    pub async fn profile_versions(
        &self,
        owner: &ProfileOwner,
        before: Option<u64>,
        limit: u64,
    ) -> Result<Vec<ProfileRow>, StoreError> {
        let limit = limit.min(PROFILE_VERSIONS_MAX);
        let models = row::versions(self.reader(), owner, before, limit).await?;
        let vault = self.vault();
        models.iter().map(|model| ProfileRow::opened(model, &vault)).collect()
    }

    /// The author's own profile in the author's project, and no other. `expected`: the version that they saw, 0 for
    /// none; `None`: what is told in a conversation counts whatever stands there.
    pub async fn change_profile(
        &self,
        author: ProfileAuthor,
        schema: Arc<ProfileSchema>,
        act: ProfileAct,
        expected: Option<u64>,
    ) -> Result<ProfileChanged, ProfileRefused> {
        let owner = author.owner((schema.name.clone(), act.tells()), self.registrar())?;
        let key = self.audit_key(owner.project).await?;
        let change = Change { author, owner, schema, key, ring: self.ring() };
        self.write(Point::P, move |tx| {
            Box::pin(async move { change.carry_out(tx, act, expected).await })
        })
        .await
    }

    /// The author's own in this project, by every schema, with its history. How many versions went.
    pub async fn erase_profile(&self, author: ProfileAuthor) -> Result<u64, ProfileRefused> {
        let (user, project) = author.place(self.registrar())?;
        let scope = ProfileScope::Own(user, project);
        let (_, versions) = self.erase_profiles(author, scope, (None, None)).await?;
        // Also where nothing went: a log that was read the last time is empty then.
        self.empty_log().await?;
        Ok(versions)
    }

    /// What an erasure of texts takes. `erasure`: its id, and what is older alone. Of how many profiles, and how many
    /// versions.
    pub(crate) async fn erase_profiles_of(
        &self,
        who: &Principal,
        scope: ProfileScope,
        (erasure, before): (Uuid, Option<Timestamp>),
    ) -> Result<(u64, u64), StoreError> {
        self.erase_profiles(ProfileAuthor::of(who), scope, (Some(erasure), before)).await
    }

    async fn erase_profiles(
        &self,
        author: ProfileAuthor,
        scope: ProfileScope,
        (erasure, before): (Option<Uuid>, Option<Timestamp>),
    ) -> Result<(u64, u64), StoreError> {
        let owners = row::owners(self.reader(), scope).await?;
        let (mut profiles, mut gone) = (0, 0);
        for owner in owners {
            let key = self.audit_key(owner.project).await?;
            let (author, ring) = (author.clone(), self.ring());
            let erase = EraseProfiles { author, owner, key, ring, erasure, before };
            let versions = self
                .write(Point::P, move |tx| Box::pin(async move { erase.erase(tx).await }))
                .await?;
            profiles += u64::from(versions > 0);
            gone += versions;
        }
        Ok((profiles, gone))
    }
}
