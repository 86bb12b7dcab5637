//! Plays a suite: spreads its runs over workers with a server each.

use super::{run_report::RunReport, suite_plan::SuitePlan, worker::Worker};
use crate::harness::PlayError;
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use std::{
    fs::File,
    io::Read as _,
    path::Path,
    sync::{Arc, atomic::AtomicUsize},
};
use tokio::sync::mpsc;
use wiiiv_domain::build_name;

pub const JOBS_MAX: usize = 64;

/// Sends each report as soon as its run has ended. The order depends on the seed and on the workers.
pub async fn play(plan: &SuitePlan, reports: mpsc::Sender<RunReport>) -> Result<(), PlayError> {
    let jobs: Arc<[_]> = plan.jobs_in_order().into();
    let build: Arc<str> = build_of(&plan.program)?.into();
    let next = Arc::new(AtomicUsize::new(0));
    let count = plan.jobs.clamp(1, JOBS_MAX).min(jobs.len().max(1));
    let workers = (0..count).map(|_| {
        let (jobs, next, build) = (Arc::clone(&jobs), Arc::clone(&next), Arc::clone(&build));
        Worker { plan, jobs, next, build, reports: reports.clone() }.work()
    });
    join_all(workers).await.into_iter().collect()
}

fn build_of(program: &Path) -> Result<String, PlayError> {
    const PIECE_BYTES: usize = 64 * 1024;
    let mut file = File::open(program).map_err(PlayError::path(program))?;
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; PIECE_BYTES]);
    loop {
        let length = file.read(&mut piece).map_err(PlayError::path(program))?;
        match piece.get(..length) {
            Some([]) | None => return Ok(build_name(hasher.finalize().into())),
            Some(bytes) => hasher.update(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::build_of;
    use std::fs;

    #[test]
    fn another_program_is_another_build() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        let build = |bytes: &str| {
            fs::write(&program, bytes).unwrap();
            build_of(&program).unwrap()
        };
        assert_eq!(build("a"), build("a"));
        assert_ne!(build("a"), build("b"));
        assert!(build_of(&folder.path().join("none")).is_err());
    }
}
