//! Sizes of files and functions, for the summary line.

use std::fmt;

use super::function::functions;
use super::shape::{FILE_LINES_AIM, FILE_LINES_MAX};
use super::source::Source;

pub struct Sizes {
    files: Vec<usize>,
    functions: Vec<usize>,
    /// Path and lines of files past the aim; past the limit they are findings.
    pub large: Vec<(String, usize)>,
}

impl Sizes {
    /// Shipped files only: tests may be tables.
    pub fn measure(sources: &[Source<'_>]) -> Self {
        let shipped: Vec<_> = sources.iter().filter(|source| !source.is_test).collect();
        let mut files: Vec<usize> = shipped.iter().map(|source| source.line_count()).collect();
        let mut lengths: Vec<usize> = shipped
            .iter()
            .flat_map(|source| functions(&source.shipped))
            .filter_map(|function| function.line_count)
            .collect();
        files.sort_unstable();
        lengths.sort_unstable();
        let reported = FILE_LINES_AIM + 1..=FILE_LINES_MAX;
        let large = sources.iter().map(|source| (source.path.to_owned(), source.line_count()));
        let large = large.filter(|&(_, lines)| reported.contains(&lines)).collect();
        Self { files, functions: lengths, large }
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, functions, .. } = self;
        write!(
            f,
            "{} files, median {} lines, 95th percentile {}; {} functions, median {}, 95th \
             percentile {}",
            files.len(),
            percentile(files, 50),
            percentile(files, 95),
            functions.len(),
            percentile(functions, 50),
            percentile(functions, 95),
        )
    }
}

/// Nearest rank of sorted values; 0 of none.
fn percentile(sorted: &[usize], percent: usize) -> usize {
    let rank = (sorted.len() * percent).div_ceil(100);
    rank.checked_sub(1).and_then(|at| sorted.get(at)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let values: Vec<usize> = (1..=100).collect();
        assert_eq!((percentile(&values, 50), percentile(&values, 95)), (50, 95));
        assert_eq!((percentile(&[7], 50), percentile(&[7], 95), percentile(&[], 50)), (7, 7, 0));
    }
}
