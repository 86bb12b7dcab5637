//! One page of a list.

use uuid::Uuid;

/// Rows of one page.
pub const PAGE_ROWS_MAX: u64 = 200;

/// Part of a list by id, in the list's own order: ids rise with time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Page {
    /// The last id of the page before.
    pub before: Option<Uuid>,
    /// At most `PAGE_ROWS_MAX`; `None`: that.
    pub limit: Option<u64>,
}

impl Page {
    pub(crate) fn rows(&self) -> u64 {
        self.limit.unwrap_or(PAGE_ROWS_MAX).min(PAGE_ROWS_MAX)
    }
}
