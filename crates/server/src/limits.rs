//! Bounds of requests and answers, each with its unit.

use std::time::Duration;

/// A request body, in bytes; one that is a file has the limit of the configuration.
pub(crate) const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Nesting of arrays and objects in a request body.
pub(crate) const JSON_DEPTH_MAX: usize = 64;
/// From the request's head to the response's head; a stream's body is not covered.
pub(crate) const REQUEST_TIME_MAX: Duration = Duration::from_secs(30);
/// The same for what may have to wait for a turn in progress.
pub(crate) const TURN_TIME_MAX: Duration = Duration::from_secs(300);
/// The same for a file, which may come slowly.
pub(crate) const UPLOAD_TIME_MAX: Duration = Duration::from_secs(300);
/// Files of the whole server that are read into memory at a time.
pub(crate) const FILES_READ_MAX: usize = 16;
/// Of those, one person's.
pub(crate) const FILES_READ_PER_USER_MAX: usize = 4;
/// When a full queue of files may be tried again, in seconds.
pub(crate) const INGEST_QUEUE_SECONDS: u64 = 5;
/// How long a stopping server waits for open connections.
pub(crate) const DRAIN_TIME_MAX: Duration = Duration::from_secs(10);
/// A request's head, also the next one of a connection that is kept.
pub(crate) const HEAD_TIME_MAX: Duration = Duration::from_secs(10);
/// A request's body, from when it is first waited for.
pub(crate) const BODY_TIME_FIRST: Duration = Duration::from_secs(10);
/// Each further second of it has to be earned by so many bytes.
pub(crate) const BODY_BYTES_PER_SECOND_MIN: u64 = 16 * 1024;
/// Where no connection can be accepted, before the next try.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long one answer to `/ready` stands.
pub(crate) const READINESS_CACHED: Duration = Duration::from_secs(1);
/// Rows of one page.
pub(crate) const PAGE_ROWS_MAX: u32 = 100;
pub(crate) const PAGE_ROWS_DEFAULT: u32 = 50;
/// Days of one answer on usage.
pub(crate) const USAGE_DAYS_MAX: i64 = 366;
pub(crate) const USAGE_DAYS_DEFAULT: i64 = 30;
/// Days of one answer on what reviews of requests came to.
pub(crate) const RATE_DAYS_MAX: i64 = 90;
pub(crate) const RATE_DAYS_DEFAULT: i64 = 30;
/// Days that a policy's impact looks back over, where none are named.
pub(crate) const IMPACT_DAYS_DEFAULT: u32 = 30;
pub(crate) const SSE_HEARTBEAT_SECONDS: u64 = 15;
/// Questions that wait, as far as they are counted for one person.
pub(crate) const QUESTIONS_COUNTED_MAX: u64 = 100;
/// Changes within this time are told together.
pub(crate) const QUESTIONS_SETTLE: Duration = Duration::from_millis(250);
/// Open event streams of the whole server.
pub(crate) const SSE_STREAMS_MAX: usize = 1024;
/// Of those, one person's.
pub(crate) const SSE_STREAMS_PER_USER_MAX: usize = 32;
/// `Idempotency-Key`, in bytes.
pub(crate) const IDEMPOTENCY_KEY_BYTES_MAX: usize = 255;
/// How long a log-in of a browser lasts, in seconds.
pub(crate) const LOGIN_SECONDS: i64 = 12 * 3600;
/// The longest life of an API token, in days.
pub(crate) const TOKEN_DAYS_MAX: u32 = 366;
pub(crate) const TOKEN_DAYS_DEFAULT: u32 = 30;
/// What is looked for in conversations, in Unicode scalar values.
pub(crate) const SEARCH_CHARS_MAX: usize = 200;
/// Of a conversation's first message, as a list shows it, in Unicode scalar values.
pub(crate) const FIRST_MESSAGE_CHARS_MAX: usize = 200;
/// Reasons that people give, in Unicode scalar values.
pub(crate) const REASON_CHARS_MAX: usize = 2_000;
