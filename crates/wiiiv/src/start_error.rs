//! Why a server does not start.

use crate::{exit::Exit, secret::SecretError};
use std::{fmt, io, net::SocketAddr};
use wiiiv_embed::LocalModel;
use wiiiv_net::ClientUnavailable;
use wiiiv_server::{OPEN_FILES_MIN, OPEN_FILES_WANTED};
use wiiiv_store::{FaultPointError, FolderError, StoreError};
use wiiiv_vault::MasterKeyFormat;

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
    #[error(
        "`documents.folder`: `{path}` cannot be opened: {reason}; make it, or leave the key empty"
    )]
    DocumentsFolder { path: String, reason: String },
    #[error(
        "`documents.embedder`: `{0}` is not installed: run `wiiiv models install {0}`, or write `auto` or `none`"
    )]
    Embedder(LocalModel),
    #[error("`audit.export`: {0}")]
    AuditExport(#[from] crate::audit_feed::ReceiverRefused),
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
    /// Something that was built in cannot be used.
    pub fn built_in(error: impl fmt::Display) -> Self {
        Self::BuiltIn(error.to_string())
    }

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
            | Self::DocumentsFolder { .. }
            | Self::Embedder(_)
            | Self::AuditExport(_)
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
