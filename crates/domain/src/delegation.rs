//! A right to approve that one person lends to another.

use crate::id::{DelegationId, UserId};
use serde::{Deserialize, Serialize};

/// From the beginning of a delegation's window to its end, in days.
pub const DELEGATION_DAYS_MAX: i64 = 30;
/// Why somebody delegates, in Unicode scalar values.
pub const DELEGATION_REASON_CHARS_MAX: usize = 500;

/// In whose right an answer is given that is not given in one's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OnBehalfOf {
    /// The delegation that lends it.
    pub delegation: DelegationId,
    /// The person whose right it is.
    pub delegator: UserId,
}
