//! Current contents of a plan's paths.

use std::collections::BTreeMap;

/// What the paths of a plan hold now.
pub type PreImages = BTreeMap<String, PathContent>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathContent {
    Nothing,
    Content(Vec<u8>),
    /// A file whose content is too long to show or cannot be read; `None`: nor can its size.
    Unshown {
        bytes: Option<u64>,
    },
}
