//! The checks. Each runs on its own, so that a failed one hides no other.

use super::{data, subject::Subject};
use crate::{
    clock,
    commands::doctor::check::{Check, Health, check},
    config::{ConfigError, Flags, Settings, load},
    connection,
    context::Context,
    credentials::Credentials,
    failure::Failure,
    open_files, start,
};
use serde_json::Value;
use std::path::Path;
use wiiiv_domain::Timestamp;
use wiiiv_exec::{SandboxProgram, sandbox::Barriers};
use wiiiv_net::{ApiCall, ApiClient, ApiError};
use wiiiv_server::{OPEN_FILES_MIN, OPEN_FILES_WANTED, connections_within};

/// Free space below which a server should not go on, and below which it is time to look.
const DISK_FAIL_BYTES: u64 = 100 * 1024 * 1024;
const DISK_WARN_BYTES: u64 = 1024 * 1024 * 1024;
/// No clock that is right is behind the year in which this was written.
const CLOCK_FLOOR: &str = "2026-11-01T00:00:00Z";
const CLOCK_APART_MS: u64 = 30_000;

pub async fn all(context: &Context, flags: &Flags) -> Vec<Check> {
    let loaded = load(flags);
    let mut checks = vec![configuration(loaded.as_ref().err())];
    if let Ok(loaded) = &loaded {
        checks.extend(of_settings(&loaded.settings).await);
    }
    checks.push(open_files(open_files::within_reach()));
    checks.push(sandbox().await);
    checks.push(credentials());
    checks.extend(server(context).await);
    checks
}

fn configuration(error: Option<&ConfigError>) -> Check {
    match error {
        Some(error) => check(Subject::Configuration, Health::Fail, error.to_string()),
        None => check(Subject::Configuration, Health::Ok, "wiiiv config show --origin"),
    }
}

async fn of_settings(settings: &Settings) -> Vec<Check> {
    let folder = match start::data_folder(settings) {
        Ok(folder) => folder,
        Err(error) => return vec![check(Subject::DataFolder, Health::Fail, error.to_string())],
    };
    let [master_key, database, audit] = data::checks(settings, &folder).await;
    vec![master_key, data_folder(&folder), database, audit, disk(&folder)]
}

fn data_folder(folder: &Path) -> Check {
    let shown = folder.display();
    if !folder.exists() {
        return check(Subject::DataFolder, Health::Warn, format!("`{shown}` is not there yet"));
    }
    match wiiiv_store::exposed(folder) {
        Ok(open) if open.is_empty() => check(Subject::DataFolder, Health::Ok, format!("`{shown}`")),
        Ok(open) => {
            let named: Vec<String> = open.iter().map(|path| path.display().to_string()).collect();
            let found = format!("open to others: `{}`", named.join("`, `"));
            check(Subject::DataFolder, Health::Warn, found)
        }
        Err(error) => check(Subject::DataFolder, Health::Fail, format!("`{shown}`: {error}")),
    }
}

/// Of this process: a service may have been given another limit.
fn open_files(reachable: u64) -> Check {
    let health = match reachable {
        ..OPEN_FILES_MIN => Health::Fail,
        OPEN_FILES_MIN..OPEN_FILES_WANTED => Health::Warn,
        OPEN_FILES_WANTED.. => Health::Ok,
    };
    let connections = connections_within(reachable);
    check(Subject::OpenFiles, health, format!("{reachable}: {connections} connections at a time"))
}

fn disk(folder: &Path) -> Check {
    let there = folder.ancestors().find(|path| path.exists());
    let free = there.and_then(|path| rustix::fs::statvfs(path).ok());
    let Some(free) = free.map(|stat| stat.f_bavail.saturating_mul(stat.f_frsize)) else {
        return check(Subject::Disk, Health::Fail, format!("`{}`", folder.display()));
    };
    let health = match free {
        ..DISK_FAIL_BYTES => Health::Fail,
        DISK_FAIL_BYTES..DISK_WARN_BYTES => Health::Warn,
        DISK_WARN_BYTES.. => Health::Ok,
    };
    check(Subject::Disk, health, format!("{} MiB", free / (1024 * 1024)))
}

/// Our own child, as every expression is run in it: it must answer, and within its limits.
async fn sandbox() -> Check {
    let program = match std::env::current_exe() {
        Ok(path) => SandboxProgram { path },
        Err(error) => return check(Subject::Sandbox, Health::Fail, error.to_string()),
    };
    match wiiiv_exec::sandbox::probe(program).await {
        Ok(barriers) => shut_in(barriers),
        Err(code) => check(Subject::Sandbox, Health::Fail, code),
    }
}

/// Its limits hold in any case; what the kernel lacks beside them is named.
fn shut_in(barriers: Barriers) -> Check {
    let missing = barriers.missing();
    if missing.is_empty() && barriers.holds {
        return check(Subject::Sandbox, Health::Ok, wiiiv_exec::sandbox::COMMAND);
    }
    let missing = if missing.is_empty() { "?".to_owned() } else { missing.join(", ") };
    check(Subject::Sandbox, Health::Warn, format!("{}: - {missing}", wiiiv_exec::sandbox::COMMAND))
}

fn credentials() -> Check {
    match Credentials::open() {
        Ok(credentials) => match credentials.newest() {
            Some(origin) => check(Subject::Credentials, Health::Ok, origin),
            None => check(Subject::Credentials, Health::Warn, "-"),
        },
        Err(error) => check(Subject::Credentials, Health::Fail, error.to_string()),
    }
}

/// Whether it answers, and whether its clock and ours agree.
async fn server(context: &Context) -> Vec<Check> {
    let address = match connection::address(context) {
        Ok(address) => address,
        Err(error) => return vec![check(Subject::Server, Health::Fail, error.to_string())],
    };
    let info = info(&address).await;
    let now = clock::now();
    let theirs = info.as_ref().ok().and_then(|info| connection::text(info, "now").parse().ok());
    let found = match &info {
        Ok(info) => {
            let version = connection::text(info, "version");
            check(Subject::Server, Health::Ok, format!("{address} (wiiiv {version})"))
        }
        Err(error) => check(Subject::Server, Health::Warn, error.to_string()),
    };
    vec![agreement(now, theirs), found]
}

async fn info(address: &str) -> Result<Value, Failure> {
    let client = ApiClient::new(address, None)?;
    let info: Result<_, ApiError> = client.send(ApiCall::get(connection::path("/info"))).await;
    Ok(info?.body)
}

fn agreement(now: Timestamp, theirs: Option<Timestamp>) -> Check {
    let floor = CLOCK_FLOOR.parse::<Timestamp>().unwrap_or(now);
    let apart = theirs.map_or(0, |theirs| now.since_ms(theirs).max(theirs.since_ms(now)));
    let health = match (now < floor, apart > CLOCK_APART_MS) {
        (true, _) => Health::Fail,
        (false, true) => Health::Warn,
        (false, false) => Health::Ok,
    };
    let found = match theirs {
        Some(theirs) if apart > CLOCK_APART_MS => format!("{now}, {theirs}"),
        Some(_) | None => now.to_string(),
    };
    check(Subject::Clock, health, found)
}

#[cfg(test)]
mod tests {
    use super::{Barriers, agreement, data_folder, open_files, shut_in};
    use crate::commands::doctor::check::Health;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use wiiiv_domain::Timestamp;

    #[test]
    fn a_clock_is_judged_by_the_calendar_and_by_the_server() {
        let now: Timestamp = "2027-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(agreement(now, None).health, Health::Ok);
        assert_eq!(agreement(now, Some(now.plus_seconds(5))).health, Health::Ok);
        assert_eq!(agreement(now, Some(now.plus_seconds(-60))).health, Health::Warn);
        assert_eq!(agreement(Timestamp::from_unix_ms(0), None).health, Health::Fail);
    }

    #[test]
    fn what_the_kernel_lacks_of_the_sandbox_is_named() {
        let whole = Barriers { no_new_privs: true, landlock: true, seccomp: true, holds: true };
        assert_eq!(shut_in(whole).health, Health::Ok);
        let found = shut_in(Barriers { landlock: false, ..whole });
        assert_eq!(found.health, Health::Warn);
        assert!(found.found.ends_with(": - landlock"), "{}", found.found);
        assert_eq!(shut_in(Barriers { holds: false, ..whole }).health, Health::Warn);
    }

    #[test]
    fn a_folder_that_others_can_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        assert_eq!(data_folder(folder.path()).health, Health::Warn);
        fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
        assert_eq!(data_folder(folder.path()).health, Health::Ok);
        assert_eq!(data_folder(&folder.path().join("absent")).health, Health::Warn);
        fs::write(folder.path().join("wiiiv.db"), "").unwrap();
        fs::set_permissions(folder.path().join("wiiiv.db"), Permissions::from_mode(0o640)).unwrap();
        let found = data_folder(folder.path());
        assert_eq!(found.health, Health::Warn);
        assert!(found.found.ends_with("/wiiiv.db`"), "{}", found.found);
    }

    #[test]
    fn a_low_limit_of_open_files_says_how_many_connections_are_left() {
        assert_eq!(open_files(1 << 20).health, Health::Ok);
        assert_eq!(open_files(100).health, Health::Fail);
        let few = open_files(256);
        assert_eq!(
            (few.health, few.found.as_str()),
            (Health::Warn, "256: 64 connections at a time")
        );
    }
}
