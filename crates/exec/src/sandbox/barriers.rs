//! What the kernel denies the child beside its limits, if it can: new rights by a program, paths
//! and ports (Landlock), sockets and files by name (seccomp).

use serde::{Deserialize, Serialize};

/// What stands between the child and the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Barriers {
    pub no_new_privs: bool,
    /// All of it that this build asks for.
    pub landlock: bool,
    pub seccomp: bool,
    /// Tried out: a file that every process can read was not opened, and no socket was made, because
    /// that is not permitted.
    pub holds: bool,
}

impl Barriers {
    /// Those that this kernel lacks, by name.
    #[must_use]
    pub fn missing(self) -> Vec<&'static str> {
        let parts = [
            (self.no_new_privs, "no_new_privs"),
            (self.landlock, "landlock"),
            (self.seccomp, "seccomp"),
        ];
        parts.into_iter().filter_map(|(there, name)| (!there).then_some(name)).collect()
    }
}

/// INVARIANT: before any other thread is begun and before anything is read. What a kernel lacks is
/// left out: the limits hold without it, and `doctor` says so.
#[cfg(target_os = "linux")]
pub(super) fn raise() -> Barriers {
    let set = rustix::thread::set_no_new_privs(true).is_ok();
    let no_new_privs = set && rustix::thread::no_new_privs().is_ok_and(|set| set);
    let landlock = linux::landlock().unwrap_or(false);
    let seccomp = linux::seccomp().is_ok();
    Barriers { no_new_privs, landlock, seccomp, holds: false }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn raise() -> Barriers {
    Barriers::default()
}

/// Tried by the child itself, where it stands.
pub(super) fn tried(raised: Barriers) -> Barriers {
    use std::{fs::File, io::ErrorKind, net::UdpSocket};
    let refused = |error: &std::io::Error| error.kind() == ErrorKind::PermissionDenied;
    let file = File::open("/proc/self/status").is_err_and(|error| refused(&error));
    let socket = UdpSocket::bind("127.0.0.1:0").is_err_and(|error| refused(&error));
    Barriers { holds: file && socket, ..raised }
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, Ruleset,
        RulesetAttr as _, RulesetError, RulesetStatus, Scope,
    };
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    /// Everything that a path or a port could be used for, and nothing of it allowed.
    pub(super) fn landlock() -> Result<bool, RulesetError> {
        let status = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V5))?
            .handle_access(AccessNet::from_all(ABI::V5))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            .restrict_self()?;
        Ok(match status.ruleset {
            RulesetStatus::FullyEnforced => true,
            // Of an older kernel: what it knows is denied, and the rest is said to be missing.
            RulesetStatus::PartiallyEnforced | RulesetStatus::NotEnforced => false,
        })
    }

    /// Refused with `EPERM`: what reaches past the three pipes. What an evaluation needs (memory,
    /// threads, clocks, the pipes) stays.
    const REFUSED: &[libc::c_long] = &[
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_open_by_handle_at,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_unlinkat,
        libc::SYS_linkat,
        libc::SYS_symlinkat,
        libc::SYS_mkdirat,
        libc::SYS_mknodat,
        libc::SYS_renameat2,
        libc::SYS_fchmodat,
        libc::SYS_fchownat,
        libc::SYS_chroot,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_kill,
        libc::SYS_memfd_create,
        libc::SYS_io_uring_setup,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
    ];
    /// Older forms of the same, which newer machines do not have.
    #[cfg(target_arch = "x86_64")]
    const REFUSED_OLD: &[libc::c_long] = &[
        libc::SYS_open,
        libc::SYS_creat,
        libc::SYS_unlink,
        libc::SYS_rename,
        libc::SYS_renameat,
        libc::SYS_link,
        libc::SYS_symlink,
        libc::SYS_mkdir,
        libc::SYS_mknod,
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_fork,
        libc::SYS_vfork,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const REFUSED_OLD: &[libc::c_long] = &[];
    const EPERM: u32 = libc::EPERM.cast_unsigned();

    pub(super) fn seccomp() -> Result<(), seccompiler::Error> {
        let calls = REFUSED.iter().chain(REFUSED_OLD);
        let filter = SeccompFilter::new(
            calls.map(|call| (*call, Vec::new())).collect(),
            SeccompAction::Allow,
            SeccompAction::Errno(EPERM),
            TargetArch::try_from(std::env::consts::ARCH)?,
        )?;
        let program: BpfProgram = filter.try_into()?;
        seccompiler::apply_filter(&program)
    }
}
