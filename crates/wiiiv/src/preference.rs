//! The language that a person chose once, between `--language` and the locale.

use crate::credentials::CredentialsError;
use crate::folders;
use crate::secret;
use wiiiv_domain::Lang;

const FILE: &str = "language";

/// Whatever stands there and is no language is as if nothing did.
pub fn language() -> Option<Lang> {
    let text = std::fs::read_to_string(folders::state()?.join(FILE)).ok()?;
    Lang::parse(text.trim())
}

pub fn keep(language: Lang) -> Result<(), CredentialsError> {
    let path = folders::state().ok_or(CredentialsError::NoFolder)?.join(FILE);
    Ok(secret::write(&path, &format!("{language}\n"))?)
}
