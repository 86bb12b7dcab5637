//! Any text and any bytes: nothing panics, and what is kept comes back.

use crate::texts::{found, library};
use proptest::prelude::*;
use wiiiv_retrieval::{Terms, Vector};

proptest! {
    #[test]
    fn terms_of_any_text_are_kept(title in ".*", path in ".*", text in "(?s).*") {
        let terms = Terms::of(&title, &path, &text);
        prop_assert_eq!(Terms::from_bytes(&terms.to_bytes()), Ok(terms));
    }

    #[test]
    fn any_bytes_are_terms_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut bytes = bytes;
        if let Some(version) = bytes.first_chunk_mut() {
            *version = wiiiv_retrieval::TERMS_VERSION.to_le_bytes();
        }
        if let Ok(terms) = Terms::from_bytes(&bytes) {
            prop_assert_eq!(terms.to_bytes(), bytes);
        }
    }

    #[test]
    fn any_bytes_are_a_vector_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(vector) = Vector::from_bytes(&bytes) {
            prop_assert_eq!(vector.dimensions() * 4, bytes.len());
        }
    }

    #[test]
    fn a_text_finds_itself(text in "[가-힣a-zA-Z0-9_. -]{0,40}[가-힣a-z][가-힣a-zA-Z0-9_. -]{0,40}") {
        let library = library(&[&text]);
        prop_assert_eq!(found(&library, &text), [0]);
    }
}
