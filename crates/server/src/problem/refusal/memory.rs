//! Refusals of memories, as problems.

use super::{changed, lacks};
use crate::problem::{Problem, ProblemCode};
use wiiiv_domain::MemoryTextError;
use wiiiv_store::{MemoryRefused, StoreError};

impl From<MemoryTextError> for Problem {
    fn from(error: MemoryTextError) -> Self {
        match error {
            MemoryTextError::TooLong { chars, max } => {
                Self::new(ProblemCode::MemoryTooLong).with("chars", chars).with("max", max)
            }
            MemoryTextError::ControlCharacter { at } => {
                Self::new(ProblemCode::MemoryControlCharacter).with("at", at)
            }
        }
    }
}

impl From<MemoryRefused> for Problem {
    fn from(refused: MemoryRefused) -> Self {
        match refused {
            MemoryRefused::Stale { current } => changed(&current),
            MemoryRefused::Text(error) => error.into(),
            MemoryRefused::NotAllowed => lacks(&["owner", "editor"]),
            // Taken away since the request was let in: whoever asks sees the memory.
            MemoryRefused::Store(StoreError::AuthorityGone) => ProblemCode::Forbidden.into(),
            MemoryRefused::Store(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MemoryRefused, MemoryTextError, Problem, ProblemCode, StoreError};

    #[test]
    fn a_text_that_is_too_long_says_by_how_much_in_both_languages() {
        let long = MemoryTextError::TooLong { chars: 2_013, max: 2_000 };
        let problem = Problem::from(MemoryRefused::Text(long));
        let [english, korean] = problem.code().advice(problem.params());
        for advice in [english, korean] {
            for figure in ["`2013`", "`2000`", "`13`"] {
                assert!(advice.contains(figure), "{figure}: {advice}");
            }
        }
        let odd = Problem::from(MemoryTextError::ControlCharacter { at: 7 });
        let [english, korean] = odd.code().advice(odd.params());
        assert!(english.contains("`7`") && korean.contains("`7`"), "{english} {korean}");
        let lost = Problem::from(MemoryRefused::Store(StoreError::AuthorityGone));
        assert_eq!(lost.code(), ProblemCode::Forbidden);
    }
}
