//! Errors of a configuration, each with its position.

use std::path::PathBuf;

/// `origin` is `file:line:column`, a variable or a flag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("{origin}: not TOML: {reason}")]
    Syntax { origin: String, reason: String },
    #[error("{origin}: unknown key `{key}`{}", did_you_mean(.closest.as_deref()))]
    UnknownKey { origin: String, key: String, closest: Option<String> },
    #[error("{origin}: `{key}` must be {expected}")]
    WrongKind { origin: String, key: String, expected: &'static str },
    #[error("{origin}: `{key}`: {reason}")]
    BadValue { origin: String, key: String, reason: String },
    #[error(
        "{origin}: `{key}` is taken from the environment only: set `{}`, or name a file that holds it with \
         `{key}_file`",
        variable(.key)
    )]
    EnvironmentOnly { origin: String, key: String },
    #[error("{origin}: the variable is not UTF-8 text")]
    NotText { origin: String },
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error(
        "`faults.abort_at` ends the process on purpose: listen on a loopback address to use it"
    )]
    FaultsNotLoopback,
    #[error(
        "`store.checkpoints_file` needs `store.synchronous = \"full\"`: with less, a power cut may take records \
         that the file shows already, and the next start would refuse the database"
    )]
    CheckpointsNotDurable,
}

fn variable(key: &str) -> String {
    format!("WIIIV__{}", key.to_uppercase().replace('.', "__"))
}

fn did_you_mean(closest: Option<&str>) -> String {
    match closest {
        Some(key) => format!(": did you mean `{key}`?"),
        None => "; `wiiiv config show` lists all".to_owned(),
    }
}
