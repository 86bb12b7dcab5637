//! Reads a document from a file that a person names.

use crate::failure::Failure;
use serde_json::Value;
use std::path::Path;

/// A longer file is no document of ours.
const FILE_BYTES_MAX: u64 = 1_048_576;

pub fn read(file: &Path) -> Result<Value, Failure> {
    let unreadable = Failure::unreadable(file);
    if std::fs::metadata(file).map_err(&unreadable)?.len() > FILE_BYTES_MAX {
        let reason = format!("it is longer than `{FILE_BYTES_MAX}` bytes");
        return Err(Failure::Unreadable { path: file.to_owned(), reason });
    }
    let bytes = std::fs::read(file).map_err(&unreadable)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let reason = format!("not JSON at line `{}`, column `{}`", error.line(), error.column());
        Failure::Document { path: file.to_owned(), reason }
    })
}
