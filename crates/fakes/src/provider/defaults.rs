//! Values that all fake providers share.

use std::time::Duration;

/// The answer's text, unless the conduct is another.
pub const PROVIDER_SAYS: &str = "안녕하세요. 무엇을 도와드릴까요? 파일도 쓸 수 있습니다.";
/// Input and output tokens of every answer.
pub const PROVIDER_USED: (u64, u64) = (100, 20);
/// The file of the proposal to read one, under a key that begins with `acts`.
pub const PROVIDER_READS: &str = "notes.md";
/// The only key that is accepted.
pub const PROVIDER_KEY: &str = "sk-canary-7b1f0c5d9e2a";
/// Delay of the conduct `slow` before the first byte.
pub(super) const SLOW_DELAY: Duration = Duration::from_millis(300);
