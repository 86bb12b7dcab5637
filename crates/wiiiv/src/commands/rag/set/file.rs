//! Files of a set.

use crate::failure::Failure;
use serde::de::DeserializeOwned;
use std::path::Path;

/// A longer file is none of a set.
const FILE_BYTES_MAX: u64 = 4_194_304;

pub(super) fn toml_file<T: DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    toml::from_str(&text_file(file)?)
        .map_err(|error| Failure::Document { path: file.to_owned(), reason: error.to_string() })
}

pub(super) fn text_file(file: &Path) -> Result<String, Failure> {
    let unreadable = Failure::unreadable(file);
    if std::fs::metadata(file).map_err(&unreadable)?.len() > FILE_BYTES_MAX {
        let reason = format!("it is longer than `{FILE_BYTES_MAX}` bytes");
        return Err(Failure::Document { path: file.to_owned(), reason });
    }
    std::fs::read_to_string(file).map_err(&unreadable)
}
