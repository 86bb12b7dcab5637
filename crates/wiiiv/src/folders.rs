//! Folders of the user, by the XDG base directory rules.

use std::env;
use std::path::PathBuf;

const NAME: &str = "wiiiv";

pub fn config_file() -> Option<PathBuf> {
    base("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("config.toml"))
}

/// Credentials, the demo's data, and a server's where none is named.
pub fn state() -> Option<PathBuf> {
    base("XDG_STATE_HOME", ".local/state")
}

/// A relative path in the variable is ignored, as the rules demand.
fn base(variable: &str, below_home: &str) -> Option<PathBuf> {
    let given = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = given.or_else(|| env::home_dir().map(|home| home.join(below_home)))?;
    Some(folder.join(NAME))
}
