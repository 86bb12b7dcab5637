//! Display names of accounts, cached: an account's name never changes.

use crate::problem::Problem;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use wiiiv_domain::UserId;
use wiiiv_store::Store;

/// Names that are kept; past it all are looked up anew.
const NAMES_MAX: usize = 10_000;

pub(crate) type Known = BTreeMap<UserId, Arc<str>>;

#[derive(Debug, Default)]
pub(crate) struct Names {
    known: Mutex<Known>,
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Names {
    /// One query for those that are not known yet, none where all are. An account that is not
    /// there has no name here.
    pub(crate) async fn of(
        &self,
        store: &Store,
        users: impl IntoIterator<Item = UserId>,
    ) -> Result<Known, Problem> {
        let wanted: BTreeSet<UserId> = users.into_iter().collect();
        let mut found = Known::new();
        let mut unknown = Vec::new();
        {
            let known = lock(&self.known);
            for user in wanted {
                match known.get(&user) {
                    Some(name) => drop(found.insert(user, name.clone())),
                    None => unknown.push(user),
                }
            }
        }
        if unknown.is_empty() {
            return Ok(found);
        }
        let read = store.user_names(&unknown).await?;
        let read: Known = read.into_iter().map(|(user, name)| (user, name.into())).collect();
        let mut known = lock(&self.known);
        if known.len().saturating_add(read.len()) > NAMES_MAX {
            known.clear();
        }
        known.extend(read.iter().map(|(user, name)| (*user, name.clone())));
        found.extend(read);
        Ok(found)
    }

    /// Of one person, where there is one.
    pub(crate) async fn of_one(
        &self,
        store: &Store,
        user: Option<UserId>,
    ) -> Result<Option<String>, Problem> {
        Ok(name_in(&self.of(store, user).await?, user))
    }
}

/// Of somebody, where there is somebody.
pub(crate) fn name_in(names: &Known, user: Option<UserId>) -> Option<String> {
    user.and_then(|user| names.get(&user)).map(ToString::to_string)
}
