//! How many slips of the finger lie between two words.

/// A word of more letters is no slip of a name.
const LETTERS_MAX: usize = 40;

/// Letters that are missing, too many, others or swapped; `None` where there are more than `most`,
/// or where the first letter differs, which people hit.
pub(crate) fn distance(one: &[char], other: &[char], most: usize) -> Option<usize> {
    let far = one.len().abs_diff(other.len()) > most || one.len().max(other.len()) > LETTERS_MAX;
    if far || one.first() != other.first() {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let at = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let changed = at(&row, j) + usize::from(a != b);
            let mut least = changed.min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let swapped = i
                .checked_sub(1)
                .zip(j.checked_sub(1))
                .is_some_and(|(i, j)| one.get(i) == Some(b) && other.get(j) == Some(a));
            if swapped && j > 0 {
                least = least.min(at(&before, j - 1) + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|found| *found <= most)
}

/// The same letters in another order.
pub(crate) fn is_swap(one: &[char], other: &[char]) -> bool {
    let sorted = |letters: &[char]| {
        let mut letters = letters.to_vec();
        letters.sort_unstable();
        letters
    };
    one.len() == other.len() && sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests;
