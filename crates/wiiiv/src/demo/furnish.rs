//! The prepared user, project, policy and token: made once, found again at every later start.

use super::{PROJECT, TOKEN_FILE, USER};
use crate::clock;
use crate::secret;
use crate::serve::new_project_policy;
use crate::start::StartError;
use secrecy::{ExposeSecret as _, SecretString};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::net::SocketAddr;
use std::path::Path;
use wiiiv_domain::{HostRule, ProjectId, ProjectPolicy, Scheme, UserId};
use wiiiv_gate::Principal;
use wiiiv_governor::Governor;
use wiiiv_store::{NewUser, Store, TokenScope};
use wiiiv_vault::random_bytes;

const PASSWORD_BYTES: usize = 32;
const TOKEN_SECONDS: i64 = 30 * 24 * 3600;

pub struct Furnished {
    pub project: ProjectId,
    pub token: SecretString,
}

pub async fn furnish(
    governor: &Governor,
    folder: &Path,
    shop: SocketAddr,
) -> Result<Furnished, StartError> {
    let store = governor.store();
    let user = user(store).await?;
    let project = project(store, user, shop).await?;
    let (token, who) = token(store, folder, user, project).await?;
    allow_shop(governor, &who, project, shop).await?;
    Ok(Furnished { project, token })
}

fn refused(error: impl Display) -> StartError {
    StartError::Demo(error.to_string())
}

/// Nobody knows the password: the demo's user comes by token alone.
async fn user(store: &Store) -> Result<UserId, StartError> {
    if let Some(user) = store.user_named(USER).await? {
        return Ok(user.id);
    }
    let bytes = random_bytes::<PASSWORD_BYTES>().map_err(refused)?;
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let new = NewUser { name: USER.to_owned(), password: SecretString::from(text), admin: false };
    let created = store.create_user(new, new_project_policy()?).await.map_err(refused)?;
    Ok(created.user)
}

async fn project(store: &Store, user: UserId, shop: SocketAddr) -> Result<ProjectId, StartError> {
    let mine = store.projects_of(user).await?;
    let own = mine.iter().find(|row| row.name == PROJECT && row.personal_of.is_none());
    if let Some(row) = own {
        return Ok(row.id);
    }
    let mut policy = new_project_policy()?;
    policy.allowed_hosts.push(shop_rule(shop));
    let version = store.create_project(PROJECT, user, policy).await.map_err(refused)?;
    Ok(version.body().document().project)
}

/// The one in the file as long as it holds, else a fresh one.
async fn token(
    store: &Store,
    folder: &Path,
    user: UserId,
    project: ProjectId,
) -> Result<(SecretString, Principal), StartError> {
    let path = folder.join(TOKEN_FILE);
    let now = clock::now();
    if let Ok(kept) = secret::from_private_file(&path)
        && let Ok(who) = store.authenticate(kept.expose_secret(), Some(project), now).await
        && who.user() == user
    {
        return Ok((kept, who));
    }
    let expires = Some(now.plus_seconds(TOKEN_SECONDS));
    let issued = store.issue_token(user, TokenScope::Full, expires).await?;
    let text = issued.text.expose_secret();
    secret::write(&path, text)?;
    let who = store.authenticate(text, Some(project), now).await.map_err(refused)?;
    Ok((issued.text, who))
}

/// The shop may stand at another port than last time: then the policy gets a new version.
async fn allow_shop(
    governor: &Governor,
    who: &Principal,
    project: ProjectId,
    shop: SocketAddr,
) -> Result<(), StartError> {
    let current = governor.store().policy(project).await?;
    let document = current.body().document();
    let Some(policy) = with_shop(&document.policy, shop) else { return Ok(()) };
    let reason = "the demo's shop stands at another port".to_owned();
    let set = governor.set_policy(who, project, document.id, policy, reason).await;
    set.map(drop).map_err(refused)
}

/// `None` where the policy knows the shop already.
fn with_shop(policy: &ProjectPolicy, shop: SocketAddr) -> Option<ProjectPolicy> {
    let rule = shop_rule(shop);
    if policy.allowed_hosts.contains(&rule) {
        return None;
    }
    let mut moved = policy.clone();
    let was_shop = |old: &HostRule| HostRule { port: rule.port, ..old.clone() } == rule;
    moved.allowed_hosts.retain(|old| !was_shop(old));
    moved.allowed_hosts.push(rule);
    Some(moved)
}

fn shop_rule(shop: SocketAddr) -> HostRule {
    HostRule {
        host: shop.ip().to_string(),
        scheme: Some(Scheme::Http),
        port: Some(shop.port()),
        private: true,
        idempotent_methods: BTreeSet::new(),
        read_operations: BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{shop_rule, with_shop};
    use crate::serve::new_project_policy;

    #[test]
    fn a_shop_that_moves_leaves_no_rule_behind() {
        let at = |port: u16| ([127, 0, 0, 1], port).into();
        let first = with_shop(&new_project_policy().unwrap(), at(4000)).unwrap();
        assert!(with_shop(&first, at(4000)).is_none());
        let moved = with_shop(&first, at(4001)).unwrap();
        assert_eq!(moved.allowed_hosts, [shop_rule(at(4001))]);
    }
}
