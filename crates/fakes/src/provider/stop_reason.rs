//! Why an answer ended.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopReason {
    Complete,
    TokenLimit,
}
