//! Inputs of a server's start: key, folder, address.

use crate::{
    config::{Settings, Synchronous},
    folders, master, open_files,
    start_error::StartError,
};
use rustix::fs::Mode;
use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
};
use tokio::net::TcpListener;
use wiiiv_store::{DataFolder, FaultPoint, StoreConfig};
use wiiiv_vault::MasterKeys;

const SERVER_FOLDER: &str = "server";
const WORKSPACES: &str = "workspaces";
const MODELS: &str = "models";

/// The prepared inputs that every crate is opened on. The folder stays locked as long as it lives.
pub struct Ground {
    pub folder: DataFolder,
    pub keys: MasterKeys,
    pub listener: TcpListener,
    pub address: SocketAddr,
    pub faults: Option<FaultPoint>,
    /// That the process may have.
    pub open_files: u64,
}

impl Ground {
    /// `listener`: one that is bound already, else the configured address is.
    pub async fn prepare(
        settings: &Settings,
        listener: Option<TcpListener>,
    ) -> Result<Self, StartError> {
        owner_only();
        let open_files = open_files::raise()?;
        let faults = settings.faults.abort_at.as_deref().map(str::parse).transpose()?;
        let (keys, unusable) = master::given(settings)?;
        if let Some(error) = unusable {
            tracing::warn!(%error, "the next master key cannot be used");
        }
        let listen = settings.server.listen;
        let folder = DataFolder::lock(data_folder(settings)?, &listen.to_string())?;
        let refuse =
            |error: io::Error| StartError::Listen { address: listen, reason: error.to_string() };
        let listener = match listener {
            Some(listener) => listener,
            None => TcpListener::bind(listen).await.map_err(refuse)?,
        };
        let address = listener.local_addr().map_err(refuse)?;
        folder.set_address(&address.to_string()).map_err(refuse)?;
        Ok(Self { folder, keys, listener, address, faults, open_files })
    }

    pub fn store_config(&self, settings: &Settings) -> StoreConfig {
        let synchronous = match settings.store.synchronous {
            Synchronous::Full => wiiiv_store::Synchronous::Full,
            Synchronous::Normal => wiiiv_store::Synchronous::Normal,
        };
        let file = StoreConfig::file(self.folder.database());
        let checkpoints = checkpoints(settings).map(Path::to_owned);
        if let Some(file) =
            checkpoints.as_deref().filter(|file| is_inside(self.folder.path(), file))
        {
            tracing::warn!(
                file = %file.display(),
                "`store.checkpoints_file` lies in the data folder, so that an older copy of the folder brings an \
                 older one: name a file on another disk"
            );
        }
        StoreConfig { synchronous, faults: self.faults, checkpoints, ..file }
    }

    pub fn workspaces(&self) -> PathBuf {
        self.folder.path().join(WORKSPACES)
    }

    /// Models of this machine, as `wiiiv models install` lays them down.
    pub fn models(&self) -> PathBuf {
        self.folder.path().join(MODELS)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Whatever this process makes from here on, files of workspaces among it, whatever it was started with.
pub fn owner_only() {
    let _former = rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Where the audit's checkpoints are kept outside.
pub fn checkpoints(settings: &Settings) -> Option<&Path> {
    let file = settings.store.checkpoints_file.as_path();
    (!file.as_os_str().is_empty()).then_some(file)
}

/// Whether a file goes with the folder where that is copied: by its own path, or where a link leads.
pub fn is_inside(folder: &Path, file: &Path) -> bool {
    let beside = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let Ok(folder) = folder.canonicalize() else { return false };
    let places = [file, beside.unwrap_or(Path::new("."))];
    places.iter().any(|path| path.canonicalize().is_ok_and(|real| real.starts_with(&folder)))
}

/// Where the local models of a server are installed.
pub fn models_folder(data: &Path) -> PathBuf {
    data.join(MODELS)
}

pub fn data_folder(settings: &Settings) -> Result<PathBuf, StartError> {
    if settings.server.data_dir.as_os_str().is_empty() {
        return Ok(folders::state().ok_or(StartError::NoFolder)?.join(SERVER_FOLDER));
    }
    Ok(settings.server.data_dir.clone())
}

#[cfg(test)]
mod tests {
    use super::is_inside;
    use std::{fs, os::unix::fs::symlink};

    #[test]
    fn a_file_lies_in_the_folder_by_its_path_or_by_a_link() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for folder in ["data", "data/below", "data2"] {
            fs::create_dir(at(folder)).unwrap();
        }
        fs::write(at("data2/there"), "").unwrap();
        symlink(at("data2/there"), at("data/out")).unwrap();
        symlink(at("data"), at("in")).unwrap();
        let inside = |name: &str| is_inside(&at("data"), &at(name));
        for name in ["data/absent", "data/below/absent", "data2/../data/absent", "data/out", "in/a"]
        {
            assert!(inside(name), "{name}");
        }
        for name in ["absent", "data2/there", "data2/absent", "absent/absent"] {
            assert!(!inside(name), "{name}");
        }
    }
}
