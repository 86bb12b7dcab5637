//! What every peer is.

use std::error::Error;

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// How many are found of each query.
pub const FOUND: usize = 10;

/// A search by words: numbers of pages, the best first.
pub type ByWords = Box<dyn Fn(&str) -> Outcome<Vec<usize>>>;
