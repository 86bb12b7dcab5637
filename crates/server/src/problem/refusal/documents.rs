//! Refusals about documents, as problems.

use super::{beyond, changed, unavailable};
use crate::{
    limits::INGEST_QUEUE_SECONDS,
    problem::{Problem, ProblemCode},
};
use wiiiv_governor::DocumentError;
use wiiiv_store::Capacity;

impl From<DocumentError> for Problem {
    fn from(error: DocumentError) -> Self {
        match error {
            DocumentError::NotFound => ProblemCode::NotFound.into(),
            // Whoever came so far sees the scope: the right was taken away since the request was let in.
            DocumentError::NotAllowed | DocumentError::RightGone => ProblemCode::Forbidden.into(),
            DocumentError::TooLarge { bytes, max } => {
                Self::new(ProblemCode::DocumentTooLarge).with("bytes", bytes).with("max", max)
            }
            DocumentError::Field { field, problem } => Self::field(field, problem),
            DocumentError::QueueFull { max } => {
                beyond(ProblemCode::TooManyIngests, max).retry_after(INGEST_QUEUE_SECONDS)
            }
            DocumentError::Full { capacity, max } => {
                Self::new(ProblemCode::DocumentsFull).with("key", key_of(capacity)).with("max", max)
            }
            DocumentError::VersionChanged { current } => changed(&current),
            DocumentError::Ended => ProblemCode::IngestEnded.into(),
            DocumentError::Unavailable(why) => unavailable(&why),
        }
    }
}

/// The limit, as the configuration names it.
const fn key_of(capacity: Capacity) -> &'static str {
    match capacity {
        Capacity::ScopeBytes => "documents.scope_mib",
        Capacity::ScopeChunks => "documents.scope_chunks",
        Capacity::AllChunks => "documents.chunks",
    }
}

#[cfg(test)]
mod tests {
    use super::{Capacity, DocumentError, Problem, ProblemCode};

    #[test]
    fn a_file_that_is_too_large_says_how_large_one_may_be() {
        let problem = Problem::from(DocumentError::TooLarge { bytes: 21, max: 20 });
        assert_eq!(problem.code(), ProblemCode::DocumentTooLarge);
        let [english, korean] = problem.code().advice(problem.params());
        assert!(english.contains(" 20 B") && korean.contains(" 20 B"), "{english} {korean}");
        let full = Problem::from(DocumentError::QueueFull { max: 64 });
        assert_eq!(full.params()["limit"], 64);
        assert_eq!(full.code().status().as_u16(), 429);
        let full = Problem::from(DocumentError::Full { capacity: Capacity::ScopeChunks, max: 64 });
        assert_eq!(full.code().status().as_u16(), 409);
        assert_eq!(full.params()["max"], 64);
        assert_eq!(full.params()["key"], "documents.scope_chunks");
    }
}
