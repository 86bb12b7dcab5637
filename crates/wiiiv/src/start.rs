//! What a server needs before its rooms are opened: key, folder, address.

use crate::config::{Settings, Synchronous};
use crate::exit::Exit;
use crate::folders;
use crate::master;
use crate::open_files;
use crate::secret::SecretError;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use tokio::net::TcpListener;
use wiiiv_net::ClientUnavailable;
use wiiiv_server::{OPEN_FILES_MIN, OPEN_FILES_WANTED};
use wiiiv_store::{DataFolder, FaultPoint, FaultPointError, FolderError, StoreConfig, StoreError};
use wiiiv_vault::{MasterKeyFormat, MasterKeys};

const SERVER_FOLDER: &str = "server";
const WORKSPACES: &str = "workspaces";

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(
        "no master key: make one with `umask 077; openssl rand -hex 32 > master.key`, keep a copy \
         apart from the data, and name the file with `--master-key-file`, \
         `WIIIV_MASTER_KEY_FILE` or `keys.master_file`; data that was sealed with an earlier key \
         needs that very key"
    )]
    NoMasterKey,
    #[error("{origin}: {reason}")]
    MasterKey { origin: String, reason: MasterKeyFormat },
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("no folder for data: name one with `--data-dir`, or set `HOME` or `XDG_STATE_HOME`")]
    NoFolder,
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("`faults.abort_at`: {0}")]
    Fault(#[from] FaultPointError),
    #[error("cannot listen on `{address}`: {reason}; choose another with `--listen`")]
    Listen { address: SocketAddr, reason: String },
    #[error("no service can stand on `{address}`: {reason}; choose another port")]
    Service { address: SocketAddr, reason: String },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("`llm.tokenizers`: `{path}`: {reason}")]
    Tokenizer { path: String, reason: String },
    #[error("{0}")]
    BuiltIn(String),
    #[error("the folder of workspaces cannot be used: {0}")]
    Workspaces(io::Error),
    #[error(transparent)]
    Client(#[from] ClientUnavailable),
    #[error("the server ended: {0}")]
    Served(io::Error),
    #[error("{0}")]
    Telemetry(String),
    #[error("the demo cannot be prepared: {0}")]
    Demo(String),
    #[error(
        "only `{held}` files may be open, and a server needs at least `{OPEN_FILES_MIN}`: run \
         `ulimit -n {OPEN_FILES_WANTED}` before it, or set `LimitNOFILE` of its service"
    )]
    OpenFiles { held: u64 },
}

impl StartError {
    pub const fn exit(&self) -> Exit {
        match self {
            Self::NoMasterKey
            | Self::MasterKey { .. }
            | Self::Secret(_)
            | Self::NoFolder
            | Self::Fault(_)
            | Self::Listen { .. }
            | Self::Service { .. }
            | Self::Folder(_)
            | Self::Telemetry(_)
            | Self::Tokenizer { .. }
            | Self::OpenFiles { .. }
            | Self::Store(StoreError::Key(_) | StoreError::NoCheckpoints { .. }) => {
                Exit::Configuration
            }
            Self::Store(_)
            | Self::BuiltIn(_)
            | Self::Workspaces(_)
            | Self::Client(_)
            | Self::Served(_)
            | Self::Demo(_) => Exit::CheckFailed,
        }
    }
}

/// The ground that the rooms stand on. The folder stays locked as long as it lives.
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
        StoreConfig { synchronous, faults: self.faults, checkpoints, ..file }
    }

    pub fn workspaces(&self) -> PathBuf {
        self.folder.path().join(WORKSPACES)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Where the audit's checkpoints are kept outside.
pub fn checkpoints(settings: &Settings) -> Option<&Path> {
    let file = settings.store.checkpoints_file.as_path();
    (!file.as_os_str().is_empty()).then_some(file)
}

pub fn data_folder(settings: &Settings) -> Result<PathBuf, StartError> {
    if settings.server.data_dir.as_os_str().is_empty() {
        return Ok(folders::state().ok_or(StartError::NoFolder)?.join(SERVER_FOLDER));
    }
    Ok(settings.server.data_dir.clone())
}
