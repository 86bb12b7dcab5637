//! Limits that the child sets for itself before it reads anything.

/// Address space, stacks included.
const MEMORY_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// Processor time, in seconds.
const CPU_SECONDS_MAX: u64 = 5;
/// Standard input, output and error: nothing else can be opened.
const DESCRIPTORS_MAX: u64 = 3;

/// Limits that cannot be had are a reason not to run.
#[derive(Debug, thiserror::Error)]
#[error("the limits of the sandbox cannot be set")]
pub(super) struct NoLimits;

#[cfg(unix)]
pub(super) fn apply() -> Result<(), NoLimits> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limits = [
        (Resource::As, MEMORY_BYTES_MAX),
        (Resource::Cpu, CPU_SECONDS_MAX),
        (Resource::Nofile, DESCRIPTORS_MAX),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
    ];
    for (resource, max) in limits {
        setrlimit(resource, Rlimit { current: Some(max), maximum: Some(max) })
            .map_err(|_| NoLimits)?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn apply() -> Result<(), NoLimits> {
    Err(NoLimits)
}
