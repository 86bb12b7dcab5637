//! Reads the layers in order and merges them.

use super::error::ConfigError;
use super::layer::Layer;
use super::schema::{DEFAULTS, Schema, is_secret};
use super::settings::{Settings, Synchronous};
use crate::folders;
use clap::Args;
use figment::Figment;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

pub const BUILT_IN: &str = "built in";
const SYSTEM_FILE: &str = "/etc/wiiiv/config.toml";
const VARIABLE_PREFIX: &str = "WIIIV__";
const MASTER_FILE_VARIABLE: &str = "WIIIV_MASTER_KEY_FILE";

/// Flags that are settings.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    #[arg(long, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub master_key_file: Option<PathBuf>,
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
}

pub struct Loaded {
    pub settings: Settings,
    pub(super) figment: Figment,
    pub(super) layers: Vec<Layer>,
    pub(super) schema: Schema,
}

impl Loaded {
    /// Where the value of a key stands.
    pub fn origin(&self, key: &str) -> String {
        let holds = |layer: &&Layer| layer.values().contains_key(key);
        self.layers.iter().rev().find(holds).map_or_else(String::new, |l| l.origin(key))
    }
}

pub fn load(flags: &Flags) -> Result<Loaded, ConfigError> {
    let files = [Some(PathBuf::from(SYSTEM_FILE)), folders::config_file()];
    let texts: Vec<(String, String)> = files
        .into_iter()
        .flatten()
        .filter_map(|path| read(&path).transpose())
        .collect::<Result<_, _>>()?;
    load_from(&texts, std::env::vars_os(), flags)
}

fn read(path: &Path) -> Result<Option<(String, String)>, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some((path.display().to_string(), text))),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => {
            Err(ConfigError::Unreadable { path: path.to_owned(), reason: error.to_string() })
        }
    }
}

/// Files as (name, text), then variables, then flags.
pub fn load_from(
    files: &[(String, String)],
    variables: impl Iterator<Item = (OsString, OsString)>,
    flags: &Flags,
) -> Result<Loaded, ConfigError> {
    let defaults = Layer::parse(BUILT_IN, DEFAULTS)?.without_places();
    let schema = Schema::of(defaults.values());
    let mut layers = vec![defaults];
    for (name, text) in files {
        layers.push(Layer::file(name, text, &schema)?);
    }
    layers.extend(variable_layers(variables, &schema)?);
    layers.extend(flag_layers(flags, &schema)?);
    let figment = layers.iter().fold(Figment::new(), |all, layer| all.merge(layer));
    let settings: Settings = figment.extract().map_err(|error| explain(&error, &layers))?;
    if settings.faults.abort_at.is_some() && !settings.server.listen.ip().is_loopback() {
        return Err(ConfigError::FaultsNotLoopback);
    }
    let has_checkpoints = !settings.store.checkpoints_file.as_os_str().is_empty();
    if has_checkpoints && settings.store.synchronous == Synchronous::Normal {
        return Err(ConfigError::CheckpointsNotDurable);
    }
    Ok(Loaded { settings, figment, layers, schema })
}

fn variable_layers(
    variables: impl Iterator<Item = (OsString, OsString)>,
    schema: &Schema,
) -> Result<Vec<Layer>, ConfigError> {
    let ours = variables.filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        let key = match name.strip_prefix(VARIABLE_PREFIX) {
            Some(path) => path.to_lowercase().replace("__", "."),
            None if name == MASTER_FILE_VARIABLE => "keys.master_file".to_owned(),
            None => return None,
        };
        Some((name, key, value))
    });
    let mut ours: Vec<_> = ours.collect();
    ours.sort();
    let layer = |(name, key, value): (String, String, OsString)| {
        let origin = format!("environment variable `{name}`");
        let value =
            value.into_string().map_err(|_| ConfigError::NotText { origin: origin.clone() })?;
        Layer::single(&origin, &key, &value, schema)
    };
    ours.into_iter().map(layer).collect()
}

fn flag_layers(flags: &Flags, schema: &Schema) -> Result<Vec<Layer>, ConfigError> {
    let path = |path: &PathBuf| path.display().to_string();
    let given = [
        ("--listen", "server.listen", flags.listen.map(|address| address.to_string())),
        ("--data-dir", "server.data_dir", flags.data_dir.as_ref().map(path)),
        ("--master-key-file", "keys.master_file", flags.master_key_file.as_ref().map(path)),
        ("--log-level", "log.level", flags.log_level.clone()),
    ];
    let given = given.into_iter().filter_map(|(flag, key, text)| Some((flag, key, text?)));
    given
        .map(|(flag, key, text)| Layer::single(&format!("flag `{flag}`"), key, &text, schema))
        .collect()
}

/// The first fault, at its place. A secret's text is not repeated.
fn explain(error: &figment::Error, layers: &[Layer]) -> ConfigError {
    let key = error.path.join(".");
    let named = error.metadata.as_ref().map(|data| data.name.as_ref());
    let layer = layers.iter().rev().find(|layer| Some(layer.name()) == named);
    let origin = layer.map_or_else(|| BUILT_IN.to_owned(), |layer| layer.origin(&key));
    let reason = if is_secret(&key) { "not usable".to_owned() } else { error.kind.to_string() };
    ConfigError::BadValue { origin, key, reason }
}
