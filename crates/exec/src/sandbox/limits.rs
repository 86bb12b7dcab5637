//! Limits that the child sets for itself before it reads anything.

/// Address space, stacks included.
const MEMORY_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// Processor time, in seconds: a turn waits for an expression or a page, and nobody for a document.
pub(super) const CPU_SECONDS_MAX: u64 = 5;
pub(super) const DOCUMENT_CPU_SECONDS_MAX: u64 = 20;
/// Standard input, output and error: nothing else can be opened.
const DESCRIPTORS_MAX: u64 = 3;

/// Limits that cannot be had are a reason not to run.
#[derive(Debug, thiserror::Error)]
#[error("the limits of the sandbox cannot be set")]
pub(super) struct NoLimits;

#[cfg(unix)]
pub(super) fn apply(cpu_seconds_max: u64) -> Result<(), NoLimits> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    if taken_bytes().is_some_and(|taken| taken > MEMORY_BYTES_MAX / 2) {
        return Err(NoLimits);
    }
    let limits = [
        (Resource::As, MEMORY_BYTES_MAX),
        (Resource::Cpu, cpu_seconds_max),
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

/// Addresses that the program has already, which no limit takes back. `None`: this system does not tell.
#[cfg(unix)]
fn taken_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let kibibytes: u64 = size.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(not(unix))]
pub(super) fn apply(_cpu_seconds_max: u64) -> Result<(), NoLimits> {
    Err(NoLimits)
}
