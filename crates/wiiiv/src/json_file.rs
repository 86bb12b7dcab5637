//! Reads a document from a file that a person names.

use crate::failure::Failure;
use serde_json::Value;
use std::io::{self, Read as _};
use std::path::Path;

/// A longer file is no document of ours.
const FILE_BYTES_MAX: u64 = 1_048_576;
const STANDARD_INPUT: &str = "-";

pub fn read(file: &Path) -> Result<Value, Failure> {
    let unreadable = Failure::unreadable(file);
    if std::fs::metadata(file).map_err(&unreadable)?.len() > FILE_BYTES_MAX {
        return Err(too_long(file));
    }
    parsed(file, &std::fs::read(file).map_err(&unreadable)?)
}

/// The same, or of standard input where `-` is named.
pub fn read_or_input(file: &Path) -> Result<Value, Failure> {
    if file.as_os_str() != STANDARD_INPUT {
        return read(file);
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    if read.map_err(Failure::unreadable(file))? as u64 > FILE_BYTES_MAX {
        return Err(too_long(file));
    }
    parsed(file, &bytes)
}

fn too_long(file: &Path) -> Failure {
    let reason = format!("it is longer than `{FILE_BYTES_MAX}` bytes");
    Failure::Unreadable { path: file.to_owned(), reason }
}

fn parsed(file: &Path, bytes: &[u8]) -> Result<Value, Failure> {
    serde_json::from_slice(bytes).map_err(|error| {
        let reason = format!("not JSON at line `{}`, column `{}`", error.line(), error.column());
        Failure::Document { path: file.to_owned(), reason }
    })
}
