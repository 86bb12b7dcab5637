//! Tokens of this user's log-ins, each bound to the origin that issued it; and the device token of
//! this command line, which is kept after a log-out.

use crate::folders;
use crate::secret::{self, SecretError};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use wiiiv_domain::{ProjectId, TokenId};

const VERSION: u32 = 1;
const FILE: &str = "credentials";
/// The oldest log-in makes room for one more.
const ORIGINS_MAX: usize = 64;
/// Persons at origins that know this command line.
const DEVICES_MAX: usize = 64;

#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    #[error("no folder for credentials: set `HOME` or `XDG_STATE_HOME`")]
    NoFolder,
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(
        "`{path}` is not a credentials file of version `{VERSION}`: remove it and log in again"
    )]
    Format { path: PathBuf },
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// As the person typed it at log-in.
    pub name: String,
    pub token: String,
    #[serde(default)]
    pub token_id: Option<TokenId>,
    /// The project that commands mean where none is named.
    #[serde(default)]
    pub project: Option<ProjectId>,
    /// Counts up with every log-in: the greatest is the newest.
    pub order: u64,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("name", &self.name).finish_non_exhaustive()
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    logins: BTreeMap<String, Login>,
    /// By person and origin. Each opens nothing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    devices: BTreeMap<String, String>,
}

#[derive(Clone)]
pub struct Credentials {
    path: PathBuf,
    logins: BTreeMap<String, Login>,
    devices: BTreeMap<String, String>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("logins", &self.logins).finish_non_exhaustive()
    }
}

impl Credentials {
    pub fn open() -> Result<Self, CredentialsError> {
        Self::at(&folders::state().ok_or(CredentialsError::NoFolder)?.join(FILE))
    }

    fn at(path: &Path) -> Result<Self, CredentialsError> {
        let path = path.to_owned();
        if !path.exists() {
            return Ok(Self { path, logins: BTreeMap::new(), devices: BTreeMap::new() });
        }
        let text = secret::from_private_file(&path)?;
        let format = || CredentialsError::Format { path: path.clone() };
        let document: Document =
            serde_json::from_str(text.expose_secret()).map_err(|_| format())?;
        if document.version != VERSION {
            return Err(format());
        }
        Ok(Self { path, logins: document.logins, devices: document.devices })
    }

    /// The log-in at this origin.
    pub fn of(&self, origin: &str) -> Option<&Login> {
        self.logins.get(origin)
    }

    /// Where the newest log-in was.
    pub fn newest(&self) -> Option<&str> {
        let newest = self.logins.iter().max_by_key(|(_, login)| login.order);
        newest.map(|(origin, _)| origin.as_str())
    }

    /// The same of this person.
    pub fn newest_of(&self, name: &str) -> Option<&str> {
        let own = self.logins.iter().filter(|(_, login)| login.name == name);
        own.max_by_key(|(_, login)| login.order).map(|(origin, _)| origin.as_str())
    }

    /// What this person's last log-in at this origin gave to know this command line by.
    pub fn device(&self, origin: &str, name: &str) -> Option<&str> {
        self.devices.get(&device_key(origin, name)).map(String::as_str)
    }

    /// Kept with the next log-in that is.
    pub fn know_device(&mut self, origin: &str, name: &str, device: &str) {
        let key = device_key(origin, name);
        if self.devices.len() >= DEVICES_MAX && !self.devices.contains_key(&key) {
            self.devices.pop_first();
        }
        self.devices.insert(key, device.to_owned());
    }

    pub fn keep(
        &mut self,
        origin: &str,
        name: &str,
        token: (&SecretString, Option<TokenId>),
        project: Option<ProjectId>,
    ) -> Result<(), CredentialsError> {
        let order = self.logins.values().map(|login| login.order).max().unwrap_or(0) + 1;
        let (text, token_id) = (token.0.expose_secret().to_owned(), token.1);
        let login = Login { name: name.to_owned(), token: text, token_id, project, order };
        self.logins.insert(origin.to_owned(), login);
        while self.logins.len() > ORIGINS_MAX {
            let oldest = self.logins.iter().min_by_key(|(_, login)| login.order);
            let Some(oldest) = oldest.map(|(origin, _)| origin.clone()) else { break };
            self.logins.remove(&oldest);
        }
        self.save()
    }

    /// Whether there was one.
    pub fn forget(&mut self, origin: &str) -> Result<bool, CredentialsError> {
        let known = self.logins.remove(origin).is_some();
        self.save()?;
        Ok(known)
    }

    fn save(&self) -> Result<(), CredentialsError> {
        let Self { logins, devices, .. } = self.clone();
        let document = Document { version: VERSION, logins, devices };
        let format = |_| CredentialsError::Format { path: self.path.clone() };
        let text = serde_json::to_string_pretty(&document).map_err(format)?;
        Ok(secret::write(&self.path, &format!("{text}\n"))?)
    }
}

/// A name holds no space.
fn device_key(origin: &str, name: &str) -> String {
    format!("{name} {origin}")
}

#[cfg(test)]
mod tests {
    use super::{Credentials, CredentialsError, ORIGINS_MAX};
    use secrecy::SecretString;

    #[test]
    fn a_token_is_kept_for_its_origin_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials");
        let token = SecretString::from("wiiiv_secret");
        let mut first = Credentials::at(&path).unwrap();
        first.keep("http://a.test", "ann", (&token, None), None).unwrap();
        first.keep("http://b.test", "bob", (&token, None), None).unwrap();
        let mut again = Credentials::at(&path).unwrap();
        assert_eq!(again.newest(), Some("http://b.test"));
        assert_eq!(again.of("http://a.test").map(|login| login.name.as_str()), Some("ann"));
        assert!(again.of("http://a.test:8080").is_none());
        assert!(!format!("{again:?}").contains("secret"));
        again.know_device("http://b.test", "bob", "wiiivd_b");
        assert!(again.forget("http://b.test").unwrap());
        let known = Credentials::at(&path).unwrap();
        assert_eq!(known.device("http://b.test", "bob"), Some("wiiivd_b"), "after a log-out too");
        assert_eq!(known.device("http://a.test", "bob"), None);
        assert_eq!(known.device("http://b.test", "ann"), None);
        assert_eq!(Credentials::at(&path).unwrap().newest(), Some("http://a.test"));
    }

    #[test]
    fn log_ins_are_bounded_and_a_foreign_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials");
        let token = SecretString::from("t");
        let mut all = Credentials::at(&path).unwrap();
        for number in 0..=ORIGINS_MAX {
            all.keep(&format!("http://h{number}.test"), "n", (&token, None), None).unwrap();
        }
        assert!(all.of("http://h0.test").is_none());
        assert!(all.of("http://h1.test").is_some());
        crate::secret::write(&path, "{\"version\":2,\"logins\":{}}").unwrap();
        assert!(matches!(Credentials::at(&path), Err(CredentialsError::Format { .. })));
    }
}
