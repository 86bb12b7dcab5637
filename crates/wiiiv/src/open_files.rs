//! The process's limit of open files, which connections and the database share.

use crate::start_error::StartError;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use wiiiv_server::{OPEN_FILES_MIN, OPEN_FILES_WANTED, connections_within};

/// Raises the soft limit as far as the hard one lets, and as far as it is of any use. What it is then
/// comes back; with too few a server does not start.
pub fn raise() -> Result<u64, StartError> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let reachable = reachable(current, maximum);
    if current.is_some_and(|current| current < reachable) {
        let raised = Rlimit { current: Some(reachable), maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "the limit of open files could not be raised");
        }
    }
    let held = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if held < OPEN_FILES_MIN {
        return Err(StartError::OpenFiles { held });
    }
    if held < OPEN_FILES_WANTED {
        let connections = connections_within(held);
        tracing::warn!(open_files = held, connections, "few files may be open");
    }
    Ok(held)
}

/// What [`raise`] would come to, for who only looks. Of this process: a service manager may give a
/// server another limit.
pub fn within_reach() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    reachable(current, maximum)
}

/// `None`: no limit.
fn reachable(current: Option<u64>, maximum: Option<u64>) -> u64 {
    let most = OPEN_FILES_WANTED.min(maximum.unwrap_or(u64::MAX));
    current.unwrap_or(u64::MAX).max(most)
}

#[cfg(test)]
mod tests {
    use super::{OPEN_FILES_WANTED, reachable};

    #[test]
    fn a_limit_is_raised_as_far_as_it_is_of_use_and_never_lowered() {
        for (current, maximum, due) in [
            (Some(1_024), Some(1 << 20), OPEN_FILES_WANTED),
            (Some(256), Some(4_096), 4_096),
            (Some(256), Some(256), 256),
            (Some(1 << 19), Some(1 << 20), 1 << 19),
            (Some(1_024), None, OPEN_FILES_WANTED),
            (None, None, u64::MAX),
        ] {
            assert_eq!(reachable(current, maximum), due, "{current:?} {maximum:?}");
        }
    }
}
