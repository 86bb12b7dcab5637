//! Prepares user, project, policy and token; a later start finds them again.

use super::{
    PROJECT, TOKEN_FILE, USER,
    services::{Placed, place},
};
use crate::{
    clock, demo::services::refused, secret, serve::new_project_policy, start_error::StartError,
};
use secrecy::{ExposeSecret as _, SecretString};
use std::path::Path;
use wiiiv_domain::{BaseUrl, HostRule, ProjectId, ProjectPolicy, System, UserId};
use wiiiv_fakes::ServiceKind;
use wiiiv_gate::Principal;
use wiiiv_governor::Governor;
use wiiiv_store::{NewUser, Page, Store, TokenScope};
use wiiiv_vault::random_bytes;

const PASSWORD_BYTES: usize = 32;
const TOKEN_SECONDS: i64 = 30 * 24 * 3600;

pub struct Furnished {
    pub user: UserId,
    pub project: ProjectId,
    pub token: SecretString,
    /// Running as long as these are held.
    pub services: Vec<Placed>,
}

pub async fn furnish(governor: &Governor, folder: &Path) -> Result<Furnished, StartError> {
    let store = governor.store();
    let user = user(store).await?;
    let project = project(store, user).await?;
    let (token, who) = token(store, folder, user, project).await?;
    let mut services = Vec::new();
    for kind in ServiceKind::ALL {
        services.push(place(store, user, project, kind).await?);
    }
    allow(governor, &who, project, &services).await?;
    Ok(Furnished { user, project, token, services })
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

async fn project(store: &Store, user: UserId) -> Result<ProjectId, StartError> {
    let mine = store.projects_of(user, Page::default()).await?;
    let own = mine.iter().find(|row| row.name == PROJECT && row.personal_of.is_none());
    if let Some(row) = own {
        return Ok(row.id);
    }
    let version = store.create_project(PROJECT, user, new_project_policy()?).await;
    Ok(version.map_err(refused)?.body().document().project)
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

/// The services may stand at other ports than last time: then the policy gets a new version.
async fn allow(
    governor: &Governor,
    who: &Principal,
    project: ProjectId,
    services: &[Placed],
) -> Result<(), StartError> {
    let current = governor.store().policy(project).await?;
    let document = current.body().document();
    let places = services.iter().map(|placed| (placed.was.as_ref(), placed.service.system()));
    let Some(policy) = with_services(&document.policy, places) else { return Ok(()) };
    let reason = "where the demo's services stand".to_owned();
    let set = governor.policies().set(who, project, document.id, policy, reason).await;
    set.map(drop).map_err(refused)
}

/// `None` where the policy knows them already. What a service leaves behind goes before any of
/// them is added: two may have swapped their ports.
fn with_services<'a>(
    policy: &ProjectPolicy,
    places: impl Iterator<Item = (Option<&'a BaseUrl>, &'a System)> + Clone,
) -> Option<ProjectPolicy> {
    let mut moved = policy.clone();
    for (was, system) in places.clone() {
        let left = was.filter(|was| **was != system.base_url);
        moved.allowed_hosts.retain(|rule| !left.is_some_and(|left| is_of(rule, left)));
    }
    for (_, system) in places {
        let rule = system.proposed_rule(true);
        if !moved.allowed_hosts.contains(&rule) {
            moved.allowed_hosts.retain(|old| !is_of(old, &system.base_url));
            moved.allowed_hosts.push(rule);
        }
    }
    (moved != *policy).then_some(moved)
}

fn is_of(rule: &HostRule, base: &BaseUrl) -> bool {
    rule.scheme == Some(base.scheme) && rule.host == base.host && rule.port == base.port
}

#[cfg(test)]
mod tests {
    use super::with_services;
    use crate::serve::new_project_policy;
    use wiiiv_domain::{BaseUrl, HostRule, System};
    use wiiiv_fakes::ServiceKind;

    fn at(ports: [u16; 2]) -> [System; 2] {
        let [mall, stock] = ServiceKind::ALL;
        let [one, two] = ports.map(|port| ([127, 0, 0, 1], port).into());
        [mall.system(one).unwrap(), stock.system(two).unwrap()]
    }

    fn rules(systems: &[System; 2]) -> Vec<HostRule> {
        systems.iter().map(|system| system.proposed_rule(true)).collect()
    }

    #[test]
    fn services_that_move_leave_no_rule_behind() {
        let mut policy = new_project_policy().unwrap();
        let other = HostRule { port: Some(9000), ..at([1, 2])[1].proposed_rule(true) };
        policy.allowed_hosts = vec![other.clone()];
        let mut was: [Option<BaseUrl>; 2] = [None, None];
        for ports in [[4000, 4001], [4001, 4000], [4001, 5000]] {
            let now = at(ports);
            let places = || was.iter().map(Option::as_ref).zip(&now);
            policy = with_services(&policy, places()).unwrap();
            let mut expected = vec![other.clone()];
            expected.extend(rules(&now));
            let mut found = policy.allowed_hosts.clone();
            for rules in [&mut expected, &mut found] {
                rules.sort_by_key(|rule| (rule.port, rule.read_operations.len()));
            }
            assert_eq!(found, expected, "{ports:?}");
            assert!(with_services(&policy, places()).is_none());
            was = now.map(|system| Some(system.base_url));
        }
    }
}
