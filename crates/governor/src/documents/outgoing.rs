//! How many questions are out at a provider at a time: of one project, and of all. A burst of searches occupies no provider,
//! and no project keeps the others from asking.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use wiiiv_domain::ProjectId;

/// Of one project.
const PROJECT_MAX: usize = 4;
const ALL_MAX: usize = 16;
/// A question waits so long for others; then its search goes on by words.
const WAIT: Duration = Duration::from_secs(2);

pub struct Outgoing {
    all: Arc<Semaphore>,
    projects: Mutex<BTreeMap<ProjectId, Arc<Semaphore>>>,
}

/// One question that is out, until it is dropped.
pub struct Out {
    _of_project: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Default for Outgoing {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(ALL_MAX)), projects: Mutex::default() }
    }
}

impl Outgoing {
    /// `None`: too many are out.
    pub async fn one(&self, project: ProjectId) -> Option<Arc<Out>> {
        let of_project = self.of(project);
        let out = async {
            // First: what waits for its own project takes nothing of the others.
            let of_project = of_project.acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Arc::new(Out { _of_project: of_project, _of_all: of_all }))
        };
        timeout(WAIT, out).await.ok().flatten()
    }

    fn of(&self, project: ProjectId) -> Arc<Semaphore> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody is out or waits there.
        projects.retain(|of, semaphore| *of == project || Arc::strong_count(semaphore) > 1);
        let new = || Arc::new(Semaphore::new(PROJECT_MAX));
        Arc::clone(projects.entry(project).or_insert_with(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn project(nth: usize) -> ProjectId {
        Uuid::from_u128(nth as u128).into()
    }

    #[tokio::test]
    async fn a_burst_of_one_project_is_bounded_and_leaves_room_for_others() {
        let outgoing = Outgoing::default();
        let mut out = Vec::new();
        for _ in 0..PROJECT_MAX {
            out.push(outgoing.one(project(1)).await.unwrap());
        }
        assert!(outgoing.one(project(1)).await.is_none());
        let other = outgoing.one(project(2)).await;
        assert!(other.is_some());
        out.pop();
        assert!(outgoing.one(project(1)).await.is_some(), "one has come back");
    }

    #[tokio::test]
    async fn all_together_are_bounded() {
        let outgoing = Outgoing::default();
        let mut out = Vec::new();
        for nth in 0..ALL_MAX {
            out.push(outgoing.one(project(nth)).await.unwrap());
        }
        assert!(outgoing.one(project(99)).await.is_none());
        out.clear();
        assert!(outgoing.one(project(99)).await.is_some());
        assert_eq!(outgoing.projects.lock().unwrap().len(), 1, "of nobody nothing is kept");
    }
}
