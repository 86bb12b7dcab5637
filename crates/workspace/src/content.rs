//! Bytes of a file, up to a bound.

use crate::{error::WorkspaceError, walk::io_error};
use cap_std::fs::File;
use std::io::Read as _;
use wiiiv_domain::{ContentDigest, WorkspacePath};

/// What is read to compare a file with what a plan was drawn for, in bytes.
pub(crate) const COMPARED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// All of it, or a refusal: never a part.
pub(crate) fn whole(
    file: File,
    path: &WorkspacePath,
    max_bytes: u64,
) -> Result<Vec<u8>, WorkspaceError> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a longer file, also one that grows while it is read.
    let read = file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| io_error(path, &error))?;
    if bytes.len() as u64 > max_bytes {
        return Err(WorkspaceError::TooLarge { path: path.to_string(), max_bytes });
    }
    Ok(bytes)
}

pub(crate) fn digest(file: File, path: &WorkspacePath) -> Result<ContentDigest, WorkspaceError> {
    Ok(ContentDigest::of_bytes(&whole(file, path, COMPARED_BYTES_MAX)?))
}
