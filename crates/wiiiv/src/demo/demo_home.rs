//! The demo's folder, master key and address.

use crate::{
    args::DemoArgs,
    config::{self, Flags, Settings},
    failure::Failure,
    folders, secret,
    start_error::StartError,
};
use std::{
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
};
use tokio::net::TcpListener;
use wiiiv_store::DataFolder;
use wiiiv_vault::MasterKey;

const FOLDER: &str = "demo";
const KEY_FILE: &str = "master.key";
const DATABASE_FILE: &str = "wiiiv.db";
const PORT: u16 = 7717;

pub struct DemoHome {
    pub folder: PathBuf,
    pub settings: Settings,
    pub listener: TcpListener,
    /// The port that was wanted, where somebody else has it.
    pub taken: Option<u16>,
}

pub async fn prepare(args: &DemoArgs) -> Result<DemoHome, Failure> {
    let folder = match &args.data_dir {
        Some(folder) => folder.clone(),
        None => folders::state().ok_or(StartError::NoFolder)?.join(FOLDER),
    };
    let folder = std::path::absolute(&folder)?;
    let key = folder.join(KEY_FILE);
    // Before anything lies in it: a folder of somebody else's things gets no key.
    DataFolder::make_private(&folder).map_err(StartError::from)?;
    ensure_key(&folder, &key)?;
    let port = args.port.unwrap_or(PORT);
    let (listener, taken) = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
        Ok(listener) => (listener, None),
        Err(_) => (bind_any().await?, Some(port)),
    };
    let flags = Flags {
        listen: Some(listener.local_addr()?),
        data_dir: Some(folder.clone()),
        master_key_file: Some(key),
        log_level: Some(args.log_level.clone().unwrap_or_else(|| "warn".to_owned())),
    };
    let mut settings = config::load(&flags)?.settings;
    // The folder's own key: another server's, from the environment, would not fit.
    settings.keys.master = None;
    settings.keys.next_master = None;
    settings.keys.next_master_file = PathBuf::new();
    Ok(DemoHome { folder, settings, listener, taken })
}

async fn bind_any() -> Result<TcpListener, StartError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    TcpListener::bind(address)
        .await
        .map_err(|error| StartError::Listen { address, reason: error.to_string() })
}

fn ensure_key(folder: &Path, key: &Path) -> Result<(), StartError> {
    if key.exists() {
        return Ok(());
    }
    if folder.join(DATABASE_FILE).exists() {
        let what = "its master key `{key}` is gone: put it back, or remove the folder";
        return Err(StartError::Demo(what.replace("{key}", &key.display().to_string())));
    }
    let fresh = MasterKey::generate().map_err(|error| StartError::Demo(error.to_string()))?;
    Ok(secret::write(key, &fresh.to_text())?)
}
